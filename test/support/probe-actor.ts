/** Runs single stories of the probe against a double. A test can change the answers. */
import type { CallAnswer, CallRequest } from "../../src/tools/compare/exchange.ts";
import { Account } from "../../src/tools/probe/account.ts";
import { Pacing } from "../../src/tools/probe/pacing.ts";
import { Service } from "../../src/tools/probe/service.ts";
import type { Story } from "../../src/tools/probe/stories/story.ts";
import { ServiceFailure, Undecided } from "../../src/tools/probe/story-errors.ts";
import { realSide } from "./probe.ts";
import { SANDBOX_KEY } from "./world.ts";

/** Returns the answer to a call of the story: the double's answer or another one. `nth` counts from 1. */
export type Alteration = (answer: CallAnswer, request: CallRequest, nth: number) => CallAnswer;

interface Told {
  /** Undefined when the story decides nothing. */
  seen: string | number | undefined;
  calls: number;
}

export interface Actor {
  readonly before: object;
  holdings(): object;
  /** Runs a story in a new account of the same double. */
  tell(story: Story, alter?: Alteration): Promise<Told>;
}

export async function actor(): Promise<Actor> {
  const { sandbox, holdings } = await realSide();
  const clock = { now: () => sandbox.clock.now(), wait: async (ms: number) => void (await sandbox.clock.advance(ms)) };
  const before = holdings();
  let calls = 0;
  let altered: Alteration | undefined;
  const options = {
    url: "the double",
    key: SANDBOX_KEY,
    async carry(request: CallRequest) {
      calls++;
      const { method, target, headers, body } = request;
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
      return altered?.(answer, request, calls) ?? answer;
    },
  };
  const facts = { email: "nora.lind@northpeak.example", account: "member", kind: "sandbox", run: "test" } as const;
  return {
    before,
    holdings,
    async tell(story, alter) {
      // Resets the world, so that each story has the same ids and the same processing times.
      await sandbox.reset();
      const service = new Service({ ...options, pacing: new Pacing(clock, 9) });
      const account = new Account(
        service,
        { ...facts, deadTarget: "https://docdouble-probe.invalid/" },
        { url: "the double", now: clock.now },
      );
      calls = 0;
      altered = alter;
      const seen = await story(account).catch((error: unknown) => {
        if (error instanceof Undecided || error instanceof ServiceFailure) return undefined;
        throw error;
      });
      altered = undefined;
      const made = calls;
      await account.things.deleteAfterStory();
      await account.things.deleteAll();
      return { seen, calls: made };
    },
  };
}
