/** A double in this process that takes the calls of a probe. Nothing leaves the machine. */
import type { AssumeFile, ScenarioFile } from "../../library/file-types.ts";
import { createSandbox } from "../../library/sandbox.ts";
import type { CallAnswer, CallRequest } from "../compare/exchange.ts";
import { Account, type AccountFacts } from "./account.ts";
import { Pacing } from "./pacing.ts";
import { Service } from "./service.ts";
import { scriptsFor } from "./scripts/index.ts";

/** Every delivery counts as received, so that none is posted. */
const RECEIVES: ScenarioFile = {
  version: 1,
  webhooks: [{ name: "the probe of a double receives every webhook", then: { attempt_result: 200 } }],
};

export interface Double {
  keys: Readonly<Record<AccountFacts["kind"], string>>;
  pacing: Pacing;
  carry(request: CallRequest): Promise<CallAnswer>;
}

export async function withDouble<T>(perMinute: number, assume: AssumeFile, work: (double: Double) => Promise<T>): Promise<T> {
  await using sandbox = await createSandbox({
    ...{ seed: "probe", clock: "frozen", now: "2026-03-02T09:00:00Z", scenario: RECEIVES, assume },
  });
  const clock = { now: () => sandbox.clock.now(), wait: async (ms: number) => void (await sandbox.clock.advance(ms)) };
  return await work({
    keys: { production: sandbox.apiKey, sandbox: "docdouble-sandbox-key" },
    pacing: new Pacing(clock, perMinute),
    async carry({ method, target, headers, body }) {
      const response = await sandbox.fetch(target, {
        method,
        headers,
        ...(body.length > 0 ? { body: new Uint8Array(body) } : {}),
      });
      const bytes = Buffer.from(await response.arrayBuffer());
      return { status: response.status, headers: Object.fromEntries(response.headers), body: bytes };
    },
  });
}

const ENOUGH_CALLS = 1000;
const OWNER = "nora.lind@northpeak.example";
const known = new Map<string, Promise<string>>();

/** What the script of a switch sees at a double with this reading, as JSON. */
export function seenAtDouble(id: string, reading: string | number, kind: AccountFacts["kind"]): Promise<string> {
  const name = `${id} ${reading} ${kind}`;
  const seen =
    known.get(name) ??
    withDouble(ENOUGH_CALLS, { [id]: reading } as AssumeFile, async ({ keys, ...double }) => {
      const service = new Service({ url: "the double", key: keys[kind], ...double });
      const script = scriptsFor(keys[kind]).get(id);
      return JSON.stringify(await script?.(new Account(service, { email: OWNER, kind, run: "double" })));
    });
  known.set(name, seen);
  return seen;
}
