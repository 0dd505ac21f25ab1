/** Explores an integration of the zoo, and compares its breaks with the planted fault. */
import { explore } from "../../src/tools/explore/explore.ts";
import type { ExploreOptions } from "../../src/tools/explore/options.ts";
import type { ExploreReport } from "../../src/tools/explore/report.ts";
import type { Sandbox } from "../../src/library/types.ts";
import { NAME } from "./clients/tidy.ts";
import { runInProcess } from "./in-process.ts";
import type { ClientName, Pair } from "./pairs.ts";

/** Documents of colleagues, which no integration may touch. The first one sorts before the job's own document. */
const COLLEAGUES = [`${NAME} of Anna`, "Anna's offer", "Ben's offer"].map((name) => ({
  ...{ name, template: "One signer", status: "document.draft" as const, metadata: { by: "colleague" } },
}));

function keepsForeignDocuments(sandbox: Sandbox): void {
  const left = sandbox.documents.all().filter((one) => one.metadata.by === "colleague");
  if (left.length < COLLEAGUES.length) throw new Error("the integration deleted a document of a colleague");
}

export function exploreClient(client: ClientName, gap: string | undefined, options: ExploreOptions = {}): Promise<ExploreReport> {
  return explore((sandbox) => runInProcess(sandbox, client, gap), {
    // The limit of runs ends the search, so that the result does not depend on the machine.
    ...{ seed: 1, budget: "1h", out: false, throwOnBreak: false },
    scenario: { version: 1, name: "colleagues", world: { documents: COLLEAGUES } },
    invariant: keepsForeignDocuments,
    ...options,
  });
}

export function foundIn({ breaks }: ExploreReport, { fault, symptom }: Pair): boolean {
  return breaks.some((one) => one.symptom === symptom && one.faults.some((place) => place.fault === fault));
}
