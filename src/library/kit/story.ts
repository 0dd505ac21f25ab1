/** What happened in a sandbox, for the report of a failed test. */
import { foldRepeats } from "../../inspector/log/folding.ts";
import { findingLine } from "../../inspector/lint/finding.ts";
import { lintClient } from "../../inspector/lint/client-lint.ts";
import type { JournalEntry } from "../../engine/journal/journal.ts";
import { redactText } from "../../engine/journal/redact.ts";
import { shownUrl, shownWhy } from "../../engine/journal/redacted-call.ts";
import { isSameRead } from "../../engine/journal/same-calls.ts";
import type { Tenant } from "../../service/service.ts";

const CALLS_MAX = 40;
const FINDINGS_MAX = 10;

interface Line {
  at: number;
  text: string;
}

/** Calls with their reasons, attempts to deliver, and what client lint found, in the order of the clock. */
export function storyOf(tenants: Iterable<Tenant>): string {
  const all = [...tenants];
  const lines = all.flatMap(linesOf).sort((a, b) => a.at - b.at);
  const findings = all.flatMap(lintClient).map((one) => `  ${redactText(findingLine(one))}`);
  const left = lines.length - CALLS_MAX;
  return [
    "What happened in docdouble:",
    ...(lines.length === 0 ? ["  It received no call. Does your code call sandbox.url?"] : []),
    ...(left > 0 ? [`  … ${left} lines before`] : []),
    ...lines.slice(-CALLS_MAX).map(({ text }) => `  ${text}`),
    ...(findings.length > 0 ? ["What docdouble found:", ...findings.slice(0, FINDINGS_MAX)] : []),
  ].join("\n");
}

function linesOf({ id, journal, store }: Tenant): Line[] {
  const of = id === "default" ? "" : `${id} `;
  const calls = foldRepeats(journal.all(), isSameRead).map((same): Line => {
    const [first] = same;
    return { at: first.at, text: `${of}${callLine(first)}${same.length > 1 ? `, ${same.length} times` : ""}` };
  });
  const attempts = store.deliveries.all().flatMap(({ event, status, url, attempts: made }) =>
    made.map((one): Line => {
      const answer = one.status ?? `no answer${one.reason ? ` (${one.reason})` : ""}`;
      return { at: one.at, text: `${of}${event}${status === null ? "" : ` (${status})`} to ${redactText(url)} → ${answer}` };
    }),
  );
  return [...calls, ...attempts];
}

export function callLine(entry: JournalEntry): string {
  const why = shownWhy(entry);
  return `${entry.method} ${shownUrl(entry)} → ${entry.status ?? "no answer"}${why ? ` (${why})` : ""}`;
}

/** Adds the story to the message of a failure. Reports show the stack, which repeats the message. */
export function tellIn(error: unknown, story: string): void {
  if (typeof error !== "object" || error === null) return;
  const failure = error as { message?: unknown; stack?: unknown };
  const { message, stack } = failure;
  if (typeof message !== "string") return;
  failure.message = `${message}\n\n${story}`;
  if (typeof stack === "string" && stack.includes(message))
    failure.stack = stack.replace(message, () => `${message}\n\n${story}`);
}
