/** A report that contains each kind of part, for tests of the renderers. */
import type { Break, Cell, CellOutcome, ExploreReport, FaultName, Step } from "../../../src/tools/explore/report.ts";

const call = (at: number, what: string, nth: number, answer: string, more: Partial<Step> = {}): Step => ({
  ...{ at, kind: "call", from: "client", to: "service", what, nth, answer, detail: "" },
  ...more,
});

const steps: Step[] = [
  call(0, "createDocument", 1, "connection lost", { fault: "reset_after", detail: "Offer 42 <script>" }),
  call(1000, "createDocument", 2, "201", { failing: true, detail: "a second Offer 42" }),
  ...[3000, 6000, 9000].map((at, i) => call(at, "statusDocument", i + 1, "200", { detail: "document.uploaded" })),
  call(12_000, "sendDocument", 1, "200", { detail: "document.draft" }),
  {
    at: 7_212_000,
    kind: "act",
    from: "recipient",
    to: "service",
    what: "sign",
    nth: 0,
    answer: "",
    detail: "pat@client.example",
  },
  {
    ...{ at: 7_212_000, kind: "webhook", from: "service", to: "receiver", what: "document_state_changed", nth: 3 },
    ...{ answer: "200", detail: "document.completed" },
  },
  { at: 7_300_000, kind: "end", from: "client", to: "client", what: "returned", nth: 0, answer: "", detail: "" },
];

const cell = (operation: string, nth: number, fault: FaultName, outcome: CellOutcome, why = ""): Cell => ({
  ...{ operation, nth, fault, outcome, why },
});

export const twice: Break = {
  name: "creates-twice",
  faults: [{ fault: "reset_after", operation: "createDocument", nth: 1 }],
  symptom: "duplicate_document",
  message: "The answer of createDocument gets lost & the client creates the document again.",
  scenario: "docdouble/found/creates-twice.yaml",
  world: "worlds/creates-twice.world.gz",
  run: 3,
  failing_step: 1,
  steps,
  also: ["stale_view"],
  known: true,
};

export const pair: Break = {
  ...twice,
  name: "gives-up",
  faults: [
    { fault: "throttled", operation: "sendDocument", nth: 1 },
    { fault: "locked", operation: "sendDocument", nth: 2 },
  ],
  symptom: "failed",
  message: "The client gives up.",
  scenario: null,
  world: null,
  failing_step: null,
  also: [],
  known: false,
};

export const report: ExploreReport = {
  version: 1,
  command: "node shop.js --orders 3",
  seed: "1",
  runs: 12,
  left_out: 40,
  not_tried: 1,
  ended: "complete",
  clean: {
    calls: ["createDocument 1", "statusDocument 1", "statusDocument 2", "statusDocument 3", "sendDocument 1"].map((name) => ({
      ...{ operation: name.split(" ")[0] ?? "", nth: Number(name.split(" ")[1]), status: 200, document: null, caused_by: null },
    })),
    problem: null,
    message: "",
    steps: steps.slice(2).filter(({ kind }) => kind !== "webhook"),
  },
  cells: [
    cell("document_state_changed", 1, "webhook_forged", "survived"),
    cell("createDocument", 1, "reset_after", "broke", "duplicate_document"),
    cell("createDocument", 1, "throttled", "warned", "one call more than needed"),
    cell("createDocument", 1, "conflict", "impossible", "createDocument never answers 409"),
    ...[1, 2, 3].flatMap((nth) => [
      cell("statusDocument", nth, "throttled", "survived"),
      cell("statusDocument", nth, "reset_after", "left_out", "the same as reset_before"),
    ]),
    cell("sendDocument", 1, "throttled", "survived"),
    cell("sendDocument", 1, "locked", "not_tried", "the budget ended"),
  ],
  causes: [
    {
      cause: "creates a document again without looking first",
      calls: 1,
      breaks: [twice.name, pair.name],
      example: twice.name,
      advice: "Look first.",
    },
  ],
  breaks: [twice, pair],
  reductions: [{ why: "a call that reads is the same before and after", count: 40 }],
  played: [{ scenario: "docdouble/found/old.yaml", outcome: "survived" }],
};
