import type { Checked } from "../engine/runtime/scenario-runs/expectations.ts";
import type { Tenant } from "../engine/runtime/tenants/tenant.ts";
import { findImpatience } from "../tools/explore/impatience.ts";
import { recordedIn, Recorder, type Recording } from "../tools/explore/recording.ts";
import { lastOutputOf } from "../tools/explore/last-output.ts";
import { claimsOf, actualStatusOf, wrongClaims } from "../tools/explore/status-claims.ts";
import type { ClientExpectations } from "../engine/scenario/expect-schema.ts";
import type { Executed } from "./execute.ts";

/** Call this before the command starts, because it records from now on. */
export function watchClient(tenant: Tenant, expected: ClientExpectations): (end: Executed) => Checked[] {
  const recorder = new Recorder(tenant);
  const seeded = new Set(recordedIn(tenant).map((row) => row.id));
  return (end) => check(expected, end, recorder, tenant, seeded);
}

function check(
  { ends_within, succeeds, truthful, without = [] }: ClientExpectations,
  { code, isStopped, stdout }: Executed,
  calls: Pick<Recording, "items" | "waits">,
  tenant: Tenant,
  seeded: ReadonlySet<string>,
): Checked[] {
  const checked: Checked[] = [];
  if (ends_within !== undefined) {
    const [text, limit] = ["the command ends", `within ${ends_within / 1000} s`];
    const found = "it still ran, and docdouble ended it";
    const unmet = isStopped ? [{ part: "client" as const, text, expected: limit, found }] : [];
    checked.push({ part: "client", text: `${text} ${limit}`, unmet });
  }
  if (succeeds) {
    const [text, expected] = ["the command succeeds", "exit code 0"];
    const found = isStopped ? "docdouble ended it" : `exit code ${code}`;
    const unmet = code === 0 && !isStopped ? [] : [{ part: "client" as const, text, expected, found }];
    checked.push({ part: "client", text, unmet });
  }
  if (truthful) {
    const text = "the last line of the command is true of its documents";
    const documents = recordedIn(tenant);
    const made = new Set(documents.map((row) => row.id).filter((id) => !seeded.has(id)));
    const claims = claimsOf(lastOutputOf(stdout), documents, tenant.service);
    const wrong = wrongClaims(claims, documents, made);
    const unmet = wrong.map((claim) => ({
      ...{ part: "client" as const, text, expected: actualStatusOf(claim, documents, made), found: claim.status },
    }));
    const silent = { part: "client" as const, text, expected: 'JSON such as {"ID": "document.sent"}', found: "none" };
    checked.push({ part: "client", text, unmet: claims.length === 0 && !isStopped ? [silent] : unmet });
  }
  for (const symptom of without) {
    const found = findImpatience(calls, "wall").filter((one) => one.symptom === symptom);
    const [text, expected] = [`the command shows no ${symptom}`, "patience"];
    checked.push({ part: "client", text, unmet: found.map((one) => ({ part: "client", text, expected, found: one.message })) });
  }
  return checked;
}
