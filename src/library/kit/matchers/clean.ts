import { AssertionError } from "node:assert";
import { FINDING_KINDS, findingLine } from "../../../inspector/lint/finding.ts";
import type { Handles } from "../../types.ts";
import { lintReport } from "../../../inspector/lint/client-lint.ts";
import { tenantOf } from "../tenant-of.ts";
import { requireOneOf } from "./search.ts";
import { show } from "./compare.ts";
import { requireSandbox } from "./subject.ts";
import type { CleanOptions, Verdict } from "./types.ts";

export function clean(sandbox: Handles, options: CleanOptions = {}): Verdict {
  requireSandbox(sandbox);
  for (const name of Object.keys(options)) requireOneOf(name, ["except"], "option");
  const { except = [] } = options;
  if (!Array.isArray(except)) throw new TypeError(`except is a list of kinds, not ${show(except)}`);
  for (const kind of except) requireOneOf(kind, FINDING_KINDS, "kind of finding");
  const tenant = tenantOf(sandbox);
  const report = tenant ? lintReport(tenant) : { findings: sandbox.lint(), unread: undefined };
  const findings = report.findings.filter(({ kind }) => !except.includes(kind));
  const pass = findings.length === 0;
  if (pass && report.unread !== undefined)
    throw new AssertionError({ message: `expected client lint to find nothing, and ${report.unread}` });
  return {
    pass,
    message: () =>
      pass
        ? "expected client lint to find something, found nothing"
        : `expected client lint to find nothing, found ${findings.length}:\n${findings.map((one) => `  ${findingLine(one)}`).join("\n")}`,
  };
}
