/** An answer that no reading of a switch expects is no verdict. */
import { expect, test } from "vitest";
import type { CallAnswer, CallRequest } from "../../../src/tools/compare/exchange.ts";
import { Account } from "../../../src/tools/probe/account.ts";
import { Pacing } from "../../../src/tools/probe/pacing.ts";
import { Service } from "../../../src/tools/probe/service.ts";
import type { Script } from "../../../src/tools/probe/scripts/script.ts";
import { scriptsFor } from "../../../src/tools/probe/scripts/index.ts";
import { readingSeen } from "../../../src/tools/probe/probe.ts";
import { records } from "../../../src/service/assumptions/ledger.ts";
import type { AssumptionRecord } from "../../../src/engine/assumptions/record.ts";
import { ServiceFailure, Undecided } from "../../../src/tools/probe/story-errors.ts";
import type { Sandbox } from "../../../src/library/types.ts";
import { realSide } from "../../support/probe.ts";
import { SANDBOX_KEY } from "../../support/world.ts";

const SCRIPTS = scriptsFor(SANDBOX_KEY);

/** The reading that the script sees, and its number of calls. `alter` replaces the answer to a call; it counts from 1. */
async function tell(sandbox: Sandbox, id: string, alter: (answer: CallAnswer, nth: number) => CallAnswer = (answer) => answer) {
  await sandbox.reset();
  const clock = { now: () => sandbox.clock.now(), wait: async (ms: number) => void (await sandbox.clock.advance(ms)) };
  let calls = 0;
  async function carry({ method, target, headers, body }: CallRequest): Promise<CallAnswer> {
    calls++;
    const nth = calls;
    const response = await sandbox.fetch(target, {
      method,
      headers,
      ...(body.length > 0 ? { body: new Uint8Array(body) } : {}),
    });
    const bytes = Buffer.from(await response.arrayBuffer());
    return alter({ status: response.status, headers: Object.fromEntries(response.headers), body: bytes }, nth);
  }
  const service = new Service({ url: "the double", key: SANDBOX_KEY, carry, pacing: new Pacing(clock, 9) });
  const account = new Account(service, { email: "nora.lind@northpeak.example", kind: "sandbox", run: "test" });
  const record = records.find((one) => one.id === id) as AssumptionRecord;
  const script = SCRIPTS.get(id) as Script;
  const seen = await readingSeen(record, script, account).catch((error: unknown) => {
    if (error instanceof Undecided || error instanceof ServiceFailure) return undefined;
    throw error;
  });
  return { seen, calls };
}

const EMPTY = { headers: { "content-type": "application/json" }, body: Buffer.from("{}") };
const WRONG: Record<string, (answer: CallAnswer) => CallAnswer> = {
  "the status 418": () => ({ ...EMPTY, status: 418 }),
  "an empty object": ({ status }) => ({ ...EMPTY, status }),
};

/** Its calls change nothing. `unusual-service.test.ts` shows its readings. */
const READS = "rate_limit.profile";
/** This story polls, so the next answer decides. */
const POLLS = "field_tags.undeclared";
const STORIES = [...SCRIPTS.keys()].filter((id) => id !== READS && id !== POLLS);

/** In many stories the status alone shows the reading. So an empty object may leave the reading as it is. */
test.each(Object.keys(WRONG))("%s as the last answer of a story shows no other reading", async (name) => {
  const { sandbox } = await realSide();
  const decided: string[] = [];
  for (const id of STORIES) {
    const { calls, seen: usual } = await tell(sandbox, id);
    const { seen } = await tell(sandbox, id, (answer, nth) =>
      nth === calls ? (WRONG[name] as (typeof WRONG)[string])(answer) : answer,
    );
    if (seen !== undefined && (seen !== usual || name === "the status 418")) decided.push(`${id}: ${seen}`);
  }
  expect(decided).toEqual([]);
});
