import { stringify } from "yaml";
import { withoutControls } from "../../engine/core/text.ts";
import type { Plan } from "./dry-run.ts";
import type { ProbeReport, Result } from "./probe.ts";

const SIGNS = { confirmed: "✓", contradicted: "✗", undecided: "?" } as const;

export function resultLine({ assumption, verdict, seen, default: byDefault, calls, why }: Result): string {
  const reading = seen === null ? "" : seen === byDefault ? `: ${seen}` : `: ${seen} instead of ${byDefault}`;
  const count = `${calls} call${calls === 1 ? "" : "s"}`;
  const reason = verdict === "undecided" ? `\n  ${withoutControls(why)}` : "";
  return `${SIGNS[verdict]} ${assumption} ${verdict}${reading} (${count})${reason}\n`;
}

export function summary({ results, stopped, left_behind = [] }: ProbeReport): string {
  const count = (verdict: Result["verdict"]) => results.filter((one) => one.verdict === verdict).length;
  const lines = [`${count("confirmed")} confirmed, ${count("contradicted")} contradicted, ${count("undecided")} undecided`];
  if (stopped !== undefined) lines.push(`Stopped: ${withoutControls(stopped)}`);
  if (left_behind.length > 0) lines.push("These things may still be in the account. Delete them by hand:");
  lines.push(...left_behind.map((one) => `  ${withoutControls(one)}`));
  return `${lines.join("\n")}\n`;
}

export function assumeFile({ results }: ProbeReport, url: string): string {
  const seen = results.filter((one) => one.seen !== null);
  const head = `# The readings that docdouble probe saw at ${withoutControls(url)}. Use this file with --assume.\n`;
  return head + stringify(Object.fromEntries(seen.map((one) => [one.assumption, readingOf(one.seen as string)])));
}

function readingOf(text: string): string | number {
  return /^\d+$/.test(text) ? Number(text) : text;
}

export function planText(plans: readonly Plan[], callsPerMinute: number): string {
  const total = plans.reduce((sum, one) => sum + one.calls.length, 0);
  const stories = plans.filter((one) => one.isStory).length;
  const parts = plans.map(({ assumption, calls }) => `${assumption}\n${calls.map((call) => `  ${call}\n`).join("")}`);
  const size = [many(stories, "story", "stories"), many(total, "call"), many(Math.ceil(total / callsPerMinute), "minute")];
  return `${parts.join("")}${size.join(", ")} if the service answers as docdouble does. Nothing was sent.\n`;
}

function many(count: number, one: string, several = `${one}s`): string {
  return `${count} ${count === 1 ? one : several}`;
}
