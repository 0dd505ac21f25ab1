/** Stories of assumptions with one reading: a default double confirms each, and no altered answer does. */
import { expect, test } from "vitest";
import { isSwitch } from "../../src/assumptions/parse.ts";
import type { CallAnswer, CallRequest } from "../../src/compare/exchange.ts";
import { Account } from "../../src/probe/account.ts";
import { Pacing } from "../../src/probe/pacing.ts";
import { Service } from "../../src/probe/service.ts";
import { storiesFor } from "../../src/probe/stories/index.ts";
import type { Story } from "../../src/probe/stories/story.ts";
import { Trouble, Undecided } from "../../src/probe/trouble.ts";
import { realSide } from "../support/probe.ts";
import { SANDBOX_KEY } from "../support/world.ts";

type Alteration = (answer: CallAnswer) => CallAnswer;

const ALTERATIONS: Record<string, Alteration> = {
  "another status": (answer) => ({ ...answer, status: answer.status < 300 ? 404 : 202 }),
  "an empty body": ({ status }) => ({
    status,
    headers: { "content-type": "application/json" },
    body: Buffer.from("{}"),
  }),
};

/** An account at a default double. It alters the answer to the call with the number `altered`. */
async function actor() {
  const { sandbox, holdings } = await realSide();
  const clock = { now: () => sandbox.clock.now(), wait: async (ms: number) => void (await sandbox.clock.advance(ms)) };
  const before = holdings();
  let calls = 0;
  let alter: { nth: number; by: Alteration } | undefined;
  const options = {
    url: "the double",
    key: SANDBOX_KEY,
    async carry({ method, target, headers, body }: CallRequest) {
      calls++;
      const response = await sandbox.fetch(target, {
        method,
        headers,
        ...(body.length > 0 ? { body: new Uint8Array(body) } : {}),
      });
      const answer: CallAnswer = {
        status: response.status,
        headers: Object.fromEntries(response.headers),
        body: Buffer.from(await response.arrayBuffer()),
      };
      return alter?.nth === calls ? alter.by(answer) : answer;
    },
  };
  const facts = { email: "nora.lind@northpeak.example", kind: "sandbox", hasOwnContact: false, run: "test" } as const;
  return {
    before,
    holdings,
    /** Runs a story in a new account of the same double. Returns what it saw and the number of its calls. */
    async tell(story: Story, alteration?: typeof alter) {
      // The same story meets the same ids and the same times of processing.
      await sandbox.reset();
      const service = new Service({ ...options, pacing: new Pacing(clock, 9) });
      const account = new Account(service, { ...facts, deadTarget: "https://docdouble-probe.invalid/" });
      calls = 0;
      alter = alteration;
      const seen = await story(account).catch((error: unknown) => {
        if (error instanceof Undecided || error instanceof Trouble) return undefined;
        throw error;
      });
      alter = undefined;
      const made = calls;
      await account.belongings.deleteAll();
      await account.shared.deleteAll();
      return { seen, calls: made };
    },
  };
}

const STATED = [...storiesFor(SANDBOX_KEY)].filter(([id]) => !isSwitch(id));

test("a default double confirms each story and keeps nothing, and no story confirms when the answer that it reads is altered", async () => {
  const { tell, holdings, before } = await actor();
  for (const [id, story] of STATED) {
    const clean = await tell(story);
    expect(clean.seen, id).toBe("as_stated");
    expect(holdings(), id).toEqual(before);
    // The last call of a story decides.
    for (const [name, by] of Object.entries(ALTERATIONS))
      expect((await tell(story, { nth: clean.calls, by })).seen, `${id} with ${name}`).not.toBe("as_stated");
  }
});

test("a refusal for lack of rights decides nothing", async () => {
  const { tell } = await actor();
  const story = storiesFor(SANDBOX_KEY).get("catalog.not_found") as Story;
  expect((await tell(story, { nth: 1, by: (answer) => ({ ...answer, status: 403 }) })).seen).toBeUndefined();
});
