/** The text report of an exploration, and its changes since an earlier report. */
import { describe, expect, test } from "vitest";
import { changesSince } from "../../../src/tools/explore/report-changes.ts";
import { diagramLines } from "../../../src/tools/explore/diagram-text.ts";
import { textReport } from "../../../src/tools/explore/report-text.ts";
import { readReport } from "../../../src/cli/explore/past-report.ts";
import { ProgressLine } from "../../../src/cli/explore/progress.ts";
import { files } from "../../support/process.ts";
import type { Break, FaultName, Step, Symptom } from "../../../src/tools/explore/report.ts";
import { pair, report, twice } from "./sample-report.ts";

describe("the text report", () => {
  test("shows a matrix of calls and faults, the story of each break, and a verdict", () => {
    expect(textReport({ ...report, breaks: [twice], ended: "budget" })).toBe(`\
What the client does wrong, the most harmful first:
✗ creates a document again without looking first, at one call (2 breaks)
  such as creates-twice
  Look first.

                          reset_after
                          │ throttled
                          │ │ locked
                          │ │ │ webhook_forged
createDocument 1          ✗ !
statusDocument 1–3        – ✓
sendDocument 1              ✓ ?
document_state_changed 1        ✓

✓ survived   ! warned   ✗ broke   – left out   ? not tried

! throttled at createDocument 1
  one call more than needed

✗ creates-twice: duplicate_document (also stale_view) known from an earlier exploration
  reset_after at createDocument 1
  The answer of createDocument gets lost & the client creates the document again.
  Failing call: createDocument 2, answered 201
  Scenario: docdouble/found/creates-twice.yaml
  Step by step: npx docdouble world show docdouble/found/worlds/creates-twice.world.gz

          client                                service         recipients     webhook receiver
  +0s        │─ createDocument → connection lost ─▶│                 │                 │  ⚡ reset_after · Offer 42 <script>
  +1s        │─────── createDocument → 201 ───────▶│                 │                 │  a second Offer 42 · ← here
  +3s        │────── statusDocument → 200 ×3 ─────▶│                 │                 │  document.uploaded
  +12s       │──────── sendDocument → 200 ────────▶│                 │                 │  document.draft
  +2h        │                                     │◀──── sign ──────│                 │  pat@client.example
  +2h        │                                     │── document_state_changed → 200 ──▶│  document.completed
  +2h 1m     ■                                     │                 │                 │  returned

Played first: 1 file of earlier explorations; the client now survives docdouble/found/old.yaml
left out 40: a call that reads is the same before and after
1 break in 12 runs, 40 left out, 1 not tried: the budget ended the search (seed 1)
`);
  });

  test("names the calls that the service refuses without a fault, because a client may hide them", () => {
    const refused = (status: number, nth: number) => ({
      operation: "detailsDocument",
      nth,
      status,
      document: null,
      caused_by: null,
    });
    const calls = [...report.clean.calls, refused(409, 1), refused(409, 2), refused(200, 3), refused(404, 4)];
    const lines = textReport({ ...report, clean: { ...report.clean, calls } }).split("\n");
    expect(lines.filter((line) => line.startsWith("note:"))).toEqual([
      "note: without a fault, detailsDocument answers 409 2 times",
      "note: without a fault, detailsDocument answers 404",
    ]);
    expect(textReport(report)).not.toContain("note:");
  });

  test("notes a receiver that answers 200 when nothing follows, because then no run shows what it believes", () => {
    const [call, event, end] = ["call", "webhook", "end"].map((kind) => twice.steps.find((one) => one.kind === kind)) as [
      Step,
      Step,
      Step,
    ];
    const notes = (steps: Step[]) =>
      textReport({ ...report, clean: { ...report.clean, steps } })
        .split("\n")
        .filter((line) => line.startsWith("note:"));
    expect(notes([call, event, end])).toEqual([
      "note: the receiver answers 200 to document_state_changed, and no call follows. So no run shows what it believes: let it act on the event, or let the client fail when its own state is wrong",
    ]);
    expect(notes([event, call, end])).toEqual([]);
    expect(notes([call, event, { ...end, detail: '{"Offer 42":"document.completed"}' }])).toEqual([]);
    expect(notes([call, { ...event, answer: "401" }, end])).toEqual([]);
    expect(notes([call, end])).toEqual([]);
  });

  test("says of a mistake in the run without a fault that it needs none", () => {
    const causes = [
      { cause: "polls without a pause", calls: 0, breaks: ["polls-too-fast"], example: "polls-too-fast", advice: "Wait." },
    ];
    expect(textReport({ ...report, causes })).toContain("✗ polls without a pause, without a fault\n");
  });

  test("prints colors only on request, and escapes control characters", () => {
    const hostile = { ...report, breaks: [{ ...twice, message: "a \u001b[2J screen\nand more" }] };
    const plain = textReport(hostile);
    expect(plain).not.toContain("\u001b");
    expect(plain).toContain("  a \\u001b[2J screen\n  and more\n");
    const colored = textReport(report, { hasColors: true });
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the codes of colors
    expect(colored.replace(/\u001b\[\d+m/g, "")).toBe(textReport(report));
    expect(colored).toContain("\u001b[31m✗\u001b[0m");
    const verdictOf = (breaks: Break[]) =>
      textReport({ ...report, breaks }, { hasColors: true })
        .trimEnd()
        .split("\n")
        .at(-1);
    expect(verdictOf([])).toMatch(/^.\[32m/);
    expect(verdictOf([twice])).toMatch(/^.\[31m1 break /);
  });

  test("explains why there is no matrix when the clean run fails", () => {
    const clean = { ...report.clean, problem: "failed", message: "The clean run fails: exited with 1:\nno luck" } as const;
    const text = textReport({ ...report, clean, breaks: [], causes: [], played: [], reductions: [], ended: "clean", runs: 2 });
    expect(text).toMatch(/^The clean run fails: exited with 1:\nno luck\n/);
    expect(text).toMatch(
      /\n2 runs, 40 left out, 1 not tried: the search needs two clean runs with the same result \(seed 1\)\n$/,
    );
  });
});

test("a sequence diagram shows the involved parties in aligned columns", () => {
  const lines = diagramLines(twice.steps.slice(0, 5));
  expect(lines).toHaveLength(4);
  expect(lines[0]?.trim().split(/ {2,}/)).toEqual(["client", "service"]);
  const columns = lines.slice(1).map((line) => [line.indexOf("│"), line.lastIndexOf("│")]);
  expect(new Set(columns.map(String)).size).toBe(1);
});

describe("changes", () => {
  const past = (symptom: Symptom, fault: FaultName, operation: string, nth = 1): Break => ({
    ...{ ...twice, name: `${operation} ${fault}`, symptom, faults: [{ fault, operation, nth }] },
  });

  test("list breaks that are new, fixed, unchanged and not tried again", () => {
    const { fresh, mended, still, untried } = changesSince(
      [
        past("duplicate_document", "reset_after", "createDocument", 7),
        past("failed", "throttled", "statusDocument"),
        past("failed", "locked", "sendDocument"),
      ],
      report,
    );
    expect([fresh, still]).toEqual([[pair], [twice]]);
    expect([mended, untried].map((list) => list.map((one) => one.name))).toEqual([
      ["statusDocument throttled"],
      ["sendDocument locked"],
    ]);
  });

  test("are read from the JSON of an earlier report, and other files are refused", () => {
    expect(readReport(files({ "last.json": JSON.stringify(report) }), "compare with")).toEqual(report);
    for (const text of ["", "[]", '{"version":2,"breaks":[]}'])
      expect(() => readReport(files({ "last.json": text }), "merge")).toThrow(/it is not a report of explore\. Name a report/);
    expect(() => readReport("/nowhere.json", "compare with")).toThrow("Cannot compare with /nowhere.json: ENOENT");
  });
});

test("progress rewrites one line on a terminal, and prints a line for each new break elsewhere", () => {
  const shown = (isTTY: boolean) => {
    let text = "";
    const line = new ProgressLine({ isTTY, columns: 40, write: (more: string) => (text += more) });
    for (const [runs, breaks] of [[1, 0] as const, [2, 1] as const, [3, 1] as const])
      line.show({ runs, breaks, left: 9, current: "createDocument 1 reset_after", isOver: false });
    line.end();
    return text;
  };
  expect(shown(true)).toBe(
    `${[1, 2, 3].map((runs) => `\r\u001b[K${`explore: ${runs} runs, ${runs > 1 ? 1 : 0} broke, 9 left: createDocument`.slice(0, 39)}`).join("")}\r\u001b[K`,
  );
  expect(shown(false)).toBe("explore: 2 runs, 1 broke, 9 left: createDocument 1 reset_after\n");
});
