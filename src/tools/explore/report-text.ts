import { posix } from "node:path";
import { withoutControls } from "../../engine/core/text.ts";
import type { Changes } from "./report-changes.ts";
import { diagramLines } from "./diagram-text.ts";
import { type Matrix, matrixOf, OUTCOME_WORDS, outcomeAt, rowName, SIGNS } from "./matrix.ts";
import { answerWords } from "./story.ts";
import { type Break, type Cause, type CellOutcome, type ExploreReport, type FaultPlace, OUTCOMES, type Step } from "./report.ts";
import { countBy, groupBy } from "../../engine/core/maps.ts";

const COLORS = { bold: 1, soft: 2, bad: 31, good: 32, warn: 33 } as const;
type Color = keyof typeof COLORS;
type Paint = (text: string, color: Color) => string;

const PLAIN: Paint = (text) => text;
const COLORED: Paint = (text, color) => `\u001b[${COLORS[color]}m${text}\u001b[0m`;

const OUTCOME_COLORS: Readonly<Partial<Record<CellOutcome, Color>>> = {
  survived: "good",
  warned: "warn",
  broke: "bad",
  impossible: "soft",
  left_out: "soft",
};

export interface TextOptions {
  hasColors?: boolean;
  changes?: Changes | undefined;
}

export function textReport(report: ExploreReport, { hasColors = false, changes }: TextOptions = {}): string {
  const paint = hasColors ? COLORED : PLAIN;
  const parts = [
    causeLines(report, paint),
    ...(report.clean.problem === null
      ? [matrixLines(report, paint), refusalLines(report, paint), unheededLines(report, paint), warningLines(report, paint)]
      : [problemLines(report, paint)]),
    ...report.breaks.filter((one) => isExample(report, one)).map((one) => breakLines(one, paint)),
    otherBreaks(report, paint),
    ...(changes ? [changeLines(changes, paint)] : []),
    report.not_shrunk ? [`The search ended before docdouble could shrink: ${report.not_shrunk.join(", ")}.`] : [],
    verdictLines(report, paint),
  ];
  return `${parts
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n")}\n`;
}

/** A staircase of fault names above the columns, so that long names need no width. */
function matrixLines(report: ExploreReport, paint: Paint): string[] {
  const matrix = matrixOf(report);
  if (matrix.rows.length === 0) return [];
  const width = Math.max(...matrix.rows.map((row) => rowName(row).length)) + 2;
  const stairs = matrix.faults.map((fault, i) => `${" ".repeat(width)}${"│ ".repeat(i)}${fault}`);
  const rows = matrix.rows.map((row) => {
    const signs = matrix.faults.map((fault) => {
      const outcome = outcomeAt(row, fault);
      return outcome === undefined ? " " : paint(SIGNS[outcome], OUTCOME_COLORS[outcome] ?? "bold");
    });
    return `${rowName(row).padEnd(width)}${signs.join(" ")}`.trimEnd();
  });
  return [...stairs, ...rows, "", legend(matrix, paint)];
}

export function causeText({ cause, calls, breaks }: Cause): string {
  const where = calls === 0 ? "without a fault" : calls === 1 ? "at one call" : `at ${calls} calls`;
  return `${cause}, ${where}${breaks.length === 1 ? "" : ` (${breaks.length} breaks)`}`;
}

function causeLines({ causes }: ExploreReport, paint: Paint): string[] {
  if (causes.length === 0) return [];
  const lines = causes.flatMap((one) => [
    `${paint("✗", "bad")} ${paint(causeText(one), "bold")}`,
    `  such as ${one.example}`,
    `  ${one.advice}`,
  ]);
  return ["What the client does wrong, the most harmful first:", ...lines];
}

/** A client that hides an error passes the clean run, and then nothing behind that error is explored. */
function refusalLines({ clean }: ExploreReport, paint: Paint): string[] {
  const refused = clean.calls.filter(({ status }) => status !== null && status >= REFUSED_MIN);
  return [...countBy(refused, ({ operation, status }) => `${operation} ${status}`)].map(([call, count]) => {
    const [operation, status] = call.split(" ");
    return paint(`note: without a fault, ${operation} answers ${status}${count === 1 ? "" : ` ${count} times`}`, "soft");
  });
}

const REFUSED_MIN = 400;

/** A receiver may keep to itself what an event says. Then a lost or forged event breaks nothing that a run shows. */
function unheededLines({ clean }: ExploreReport, paint: Paint): string[] {
  const first = clean.steps.findIndex(({ kind, answer }) => kind === "webhook" && /^2\d\d$/.test(answer));
  const later = clean.steps.slice(first + 1);
  const isHeeded = later.some(({ kind, detail }) => kind === "call" || (kind === "end" && detail !== ""));
  if (first < 0 || isHeeded) return [];
  const { what, answer } = clean.steps[first] as Step;
  const text = `the receiver answers ${answer} to ${what}, and no call follows. So no run shows what it believes: let it act on the event, or let the client fail when its own state is wrong`;
  return [paint(`note: ${text}`, "soft")];
}

/** One line for each reason, with all its places. */
function warningLines({ cells }: ExploreReport, paint: Paint): string[] {
  const warned = cells.filter(({ outcome }) => outcome === "warned");
  return [...groupBy(warned, ({ why }) => why)].flatMap(([why, all]) => [
    `${paint(SIGNS.warned, "warn")} ${placesText(all)}`,
    ...messageLines(why).map((line) => `  ${line}`),
  ]);
}

function legend({ rows, faults }: Matrix, paint: Paint): string {
  const seen = new Set(rows.flatMap((row) => faults.map((fault) => outcomeAt(row, fault))));
  return OUTCOMES.filter((one) => seen.has(one))
    .map((one) => `${paint(SIGNS[one], OUTCOME_COLORS[one] ?? "bold")} ${OUTCOME_WORDS[one]}`)
    .join("   ");
}

function problemLines({ clean }: ExploreReport, paint: Paint): string[] {
  const title =
    clean.problem === "differs" ? [paint("Two runs without a fault differ, so faults would prove nothing.", "bad")] : [];
  return [...title, ...messageLines(clean.message), ...diagram(clean.steps, paint)];
}

function messageLines(text: string): string[] {
  return text.split("\n").map(withoutControls);
}

/** One break of each cause has its story. The others show the same. */
export function isExample({ causes }: ExploreReport, { name }: Break): boolean {
  return causes.some(({ example }) => example === name) || !causes.some(({ breaks }) => breaks.includes(name));
}

function otherBreaks(report: ExploreReport, paint: Paint): string[] {
  const others = report.breaks.filter((one) => !isExample(report, one));
  const like = ({ name }: Break) => report.causes.find(({ breaks }) => breaks.includes(name))?.example ?? "";
  return others.map(
    (one) => `${paint("✗", "bad")} ${one.name}: like ${like(one)}${one.scenario === null ? "" : ` (${one.scenario})`}`,
  );
}

function breakLines(one: Break, paint: Paint): string[] {
  return [
    `${paint("✗", "bad")} ${paint(one.name, "bold")}: ${one.symptom}${one.also.length > 0 ? ` (also ${one.also.join(", ")})` : ""}${one.known ? paint(" known from an earlier exploration", "soft") : ""}`,
    `  ${placesText(one.faults)}`,
    ...messageLines(one.message).map((line) => `  ${line}`),
    ...failingCall(one),
    ...(one.scenario === null ? [] : [`  Scenario: ${one.scenario}`]),
    ...worldCommand(one).map((command) => `  Step by step: ${command}`),
    ...diagram(one.steps, paint),
  ];
}

/** The command that shows the world of a break, if it has one. */
export function worldCommand({ scenario, world }: Break): string[] {
  return scenario === null || world === null ? [] : [`npx docdouble world show ${posix.join(posix.dirname(scenario), world)}`];
}

function diagram(steps: ExploreReport["clean"]["steps"], paint: Paint): string[] {
  if (steps.length === 0) return [];
  return [
    "",
    ...diagramLines(steps, (line, kind) => paint(line, kind === "failing" ? "bad" : "warn")).map((line) => `  ${line}`),
  ];
}

export function placesText(faults: readonly FaultPlace[]): string {
  if (faults.length === 0) return "without a fault";
  return faults
    .map(
      ({ fault, operation, nth, reading }) => `${reading === undefined ? fault : `${fault} ${reading}`} at ${operation} ${nth}`,
    )
    .join(", ");
}

function failingCall({ failing_step, steps }: Break): string[] {
  const step = failing_step === null ? undefined : steps[failing_step];
  if (step?.kind !== "call" && step?.kind !== "webhook") return [];
  return [`  Failing ${step.kind}: ${withoutControls(`${step.what} ${step.nth}, ${answerWords(step.answer)}`)}`];
}

function changeLines({ fresh, mended, still, untried }: Changes, paint: Paint): string[] {
  const past = ({ name, symptom }: Break) => `${name}: ${symptom}`;
  const lines = [
    ...fresh.map((one) => paint(`+ new: ${past(one)}`, "bad")),
    ...mended.map((one) => paint(`- mended: ${past(one)}`, "good")),
    ...untried.map((one) => `? not tried again: ${past(one)}`),
    ...(still.length > 0 ? [`= as before: ${still.length}`] : []),
  ];
  return ["Since the earlier report:", ...(lines.length === 0 ? ["nothing broke then, and nothing breaks now"] : lines)];
}

const ENDS: Readonly<Record<ExploreReport["ended"], string>> = {
  complete: "nothing is left to try",
  budget: "the budget ended the search",
  runs: "the limit of runs ended the search",
  interrupted: "interrupted",
  clean: "the search needs two clean runs with the same result",
};

function verdictLines(report: ExploreReport, paint: Paint): string[] {
  const { reductions, played } = report;
  return [
    ...(played.length > 0 ? [playedText(played)] : []),
    ...reductions.map(({ why, count }) => paint(`left out ${count}: ${why}`, "soft")),
    paint(verdictOf(report), report.breaks.length > 0 || report.clean.problem !== null ? "bad" : "good"),
  ];
}

function playedText(played: ExploreReport["played"]): string {
  const survived = played.filter(({ outcome }) => outcome === "survived");
  const passed = survived.length === 0 ? "" : `; the client now survives ${survived.map(({ scenario }) => scenario).join(", ")}`;
  return `Played first: ${countOf(played.length, "file")} of earlier explorations${passed}`;
}

export function verdictOf(report: ExploreReport): string {
  const { breaks, clean } = report;
  const verdict = breaks.length > 0 ? countOf(breaks.length, "break") : "nothing broke";
  return `${clean.problem === null ? `${verdict} in ` : ""}${searchText(report)}`;
}

const countOf = (number: number, one: string) => `${number} ${one}${number === 1 ? "" : "s"}`;

/** How large the search was, and why it ended. */
export function searchText({ runs, left_out, not_tried, ended, seed, shard }: ExploreReport): string {
  // A part of a search can end by itself, while another part was stopped.
  const end = ended === "complete" && not_tried > 0 ? "a part of the search ended early" : ENDS[ended];
  return `${countOf(runs, "run")}, ${left_out} left out, ${not_tried} not tried: ${end} (seed ${seed}${shard === undefined ? "" : `, part ${shard}`})`;
}
