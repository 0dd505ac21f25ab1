/** What the inspector offers to the engine. */
import type { Inspection } from "../engine/runtime/inspection.ts";
import { lintReport, probeSignatures } from "./lint/client-lint.ts";
import { adviceLine } from "./lint/finding.ts";

import { watchLog } from "./log/watch-log.ts";

export const inspection = {
  lint: lintReport,
  advice: adviceLine,
  probeSignatures,
  watchLog,
} as unknown as Inspection;
