/** Stories of assumptions with one reading: a default double confirms each, and no altered answer does. */
import { expect, test } from "vitest";
import { isSwitch } from "../../src/assumptions/parse.ts";
import type { CallAnswer } from "../../src/compare/exchange.ts";
import { storiesFor } from "../../src/probe/stories/index.ts";
import type { Story } from "../../src/probe/stories/story.ts";
import { type Alteration, actor } from "../support/probe-actor.ts";
import { SANDBOX_KEY } from "../support/world.ts";

const ALTERATIONS: Record<string, Alteration> = {
  "another status": (answer) => ({ ...answer, status: answer.status < 300 ? 404 : 202 }),
  "an empty body": ({ status }) => ({
    status,
    headers: { "content-type": "application/json" },
    body: Buffer.from("{}"),
  }),
};

/** Alters the answer to one call. */
function only(nth: number, alter: Alteration): Alteration {
  return (answer, request, n) => (n === nth ? alter(answer, request, n) : answer);
}

/** The members of the default world are equally old, so they show no order. */
const OTHER_WORLD = "members.order";
const STATED = [...storiesFor(SANDBOX_KEY)].filter(([id]) => !isSwitch(id) && id !== OTHER_WORLD);

test("a default double confirms each story and keeps nothing, and no story confirms when the answer that it reads is altered", async () => {
  const { tell, holdings, before } = await actor();
  for (const [id, story] of STATED) {
    const clean = await tell(story);
    expect(clean.seen, id).toBe("as_stated");
    expect(holdings(), id).toEqual(before);
    // The last call of a story decides.
    for (const [name, by] of Object.entries(ALTERATIONS))
      expect((await tell(story, only(clean.calls, by))).seen, `${id} with ${name}`).not.toBe("as_stated");
  }
});

test("a refusal for lack of rights decides nothing", async () => {
  const { tell } = await actor();
  const story = storiesFor(SANDBOX_KEY).get("catalog.not_found") as Story;
  expect(
    (
      await tell(
        story,
        only(1, (answer) => ({ ...answer, status: 403 })),
      )
    ).seen,
  ).toBeUndefined();
});

/** No list finds a contact without an e-mail address, so the report of a probe names it instead. */
const CANNOT_BE_FOUND = "contacts.nothing_required";

test("no story keeps anything when the answer to one of its creations is lost", async () => {
  const { tell, holdings, before } = await actor();
  for (const [id, story] of STATED) {
    if (id === CANNOT_BE_FOUND) continue;
    const creations: number[] = [];
    await tell(story, (answer, { method }, nth) => {
      if (method === "POST" && answer.status < 300) creations.push(nth);
      return answer;
    });
    const lost: CallAnswer = { status: 0, headers: {}, body: Buffer.alloc(0), failure: "ECONNRESET" };
    for (const nth of creations) {
      await tell(
        story,
        only(nth, () => lost),
      );
      expect(holdings(), `${id} without the answer to call ${nth}`).toEqual(before);
    }
  }
});
