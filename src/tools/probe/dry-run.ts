/** Lists the calls of a probe by probing a double in this process. Nothing leaves the machine. */
import { createSandbox } from "../../library/sandbox.ts";
import type { ScenarioSource } from "../../library/types.ts";
import { Pacing } from "./pacing.ts";
import { AFTERWARDS, probe } from "./probe.ts";

export interface Plan {
  /** The id of an assumption, or a part that several stories share. */
  assumption: string;
  isStory: boolean;
  calls: string[];
}

/** Every delivery counts as received, so that none is posted. */
const RECEIVES: ScenarioSource = {
  version: 1,
  webhooks: [{ name: "the dry run receives every webhook", then: { attempt_result: 200 } }],
};
const BEFORE_ALL = "the key";
const NOW = "2026-03-02T09:00:00Z";

/** @throws SettingsError for unknown ids */
export async function planCalls(only: readonly string[] | undefined, perMinute: number): Promise<Plan[]> {
  const sandbox = await createSandbox({ seed: "dry run", clock: "frozen", now: NOW, scenario: RECEIVES });
  let plan: Plan = { assumption: BEFORE_ALL, isStory: false, calls: [] };
  const plans = [plan];
  const clock = {
    now: () => sandbox.clock.now(),
    wait: async (ms: number) => void (await sandbox.clock.advance(ms)),
  };
  try {
    await probe({
      url: "the double",
      key: sandbox.apiKey,
      allowProductionKey: true,
      pacing: new Pacing(clock, perMinute),
      only,
      run: "dry",
      onCall: (line) => void plan.calls.push(withoutIds(line)),
      onStory(assumption) {
        plan = { assumption, isStory: assumption !== AFTERWARDS, calls: [] };
        plans.push(plan);
      },
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
  } finally {
    await sandbox.close();
  }
  return plans.filter((one) => one.calls.length > 0);
}

/** The ids and the address of the double mean nothing to the reader. */
function withoutIds(line: string): string {
  return line.replace(/(?<=\/v1\/[a-z-]+\/)[\w-]{20,}/, "{id}").replace(/(?<=\?email=)\S+/, "{email}");
}
