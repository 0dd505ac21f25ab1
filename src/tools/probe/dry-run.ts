/** Lists the calls of a probe by probing a double in this process. Nothing leaves the machine. */
import { withDouble } from "./at-double.ts";
import { AFTERWARDS, probe } from "./probe.ts";

export interface Plan {
  /** The id of an assumption, or a part that several scripts share. */
  assumption: string;
  isStory: boolean;
  calls: string[];
}

const BEFORE_ALL = "the key";

/** @throws SettingsError for unknown ids */
export async function planCalls(only: readonly string[] | undefined, perMinute: number): Promise<Plan[]> {
  let plan: Plan = { assumption: BEFORE_ALL, isStory: false, calls: [] };
  const plans = [plan];
  await withDouble(perMinute, {}, ({ keys, ...double }) =>
    probe({
      ...{ url: "the double", key: keys.production, allowProductionKey: true, only, run: "dry", ...double },
      onCall: (line) => void plan.calls.push(withoutIds(line)),
      onStory(assumption) {
        plan = { assumption, isStory: assumption !== AFTERWARDS, calls: [] };
        plans.push(plan);
      },
    }),
  );
  return plans.filter((one) => one.calls.length > 0);
}

/** The ids and the address of the double mean nothing to the reader. */
function withoutIds(line: string): string {
  return line.replace(/(?<=\/v1\/[a-z-]+\/)[\w-]{20,}/, "{id}").replace(/(?<=\?email=)\S+/, "{email}");
}
