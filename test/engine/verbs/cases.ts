/** Calls of each verb. `methods` holds the arguments of the same call in the library. */
import type { verbGroups } from "../../../src/library/surfaces.ts";
import type { TestWorld } from "../../support/world.ts";
import { anUploadedDocument } from "../../support/stories.ts";

export interface Case {
  /** Prepares a world, and names what the input needs: `$document` becomes its `document`. */
  given?: (world: TestWorld) => Promise<Record<string, string>>;
  input: Record<string, unknown>;
  methods?: Readonly<Record<string, readonly unknown[]>>;
  refused?: true;
  /** What the answers of the admin API and of the methods share. */
  // biome-ignore lint/suspicious/noExplicitAny: answers have many shapes
  same?: (answer: any) => unknown;
}

type VerbName = (typeof verbGroups)[number]["verbs"][number]["name"];

const aDocument = async (world: TestWorld) => ({ document: await anUploadedDocument(world) });
// biome-ignore lint/suspicious/noExplicitAny: one answer is a list, the other holds one
const kinds = (answer: any) => (answer.fired ?? answer).map((one: { kind: string }) => one.kind);

export const CASES: Readonly<Record<VerbName, readonly Case[]>> = {
  health: [{ input: {} }],
  ready: [{ input: {} }],
  version: [{ input: {} }],
  openapi: [{ input: {} }],
  reset: [
    { given: aDocument, input: {} },
    { given: aDocument, input: { part: "state" } },
    { input: { part: "stat" }, refused: true },
  ],
  "clock.show": [{ input: {}, methods: { "clock.now": [] }, same: (answer) => new Date(answer.now ?? answer).getTime() }],
  "clock.set": [
    { input: { mode: "auto", stopAt: "2h" }, methods: { "clock.set": [{ mode: "auto", stopAt: "2h" }] } },
    { input: { stopAt: null }, methods: { "clock.stopAt": [null] } },
    { input: { now: "2026-03-02T10:00:00Z" }, methods: { "clock.set": [{ now: Date.UTC(2026, 2, 2, 10) }] } },
    { input: { now: "2026-03-02T08:00:00Z" }, methods: { "clock.set": [{ now: "2026-03-02T08:00:00Z" }] }, refused: true },
    { input: { now: "noon" }, methods: { "clock.set": [{ now: "noon" }] }, refused: true },
    { input: { speed: 0 }, methods: { "clock.set": [{ speed: 0 }] }, refused: true },
    { input: { mode: "slow" }, methods: { "clock.set": [{ mode: "slow" }] }, refused: true },
    { input: { mdoe: "real" }, methods: { "clock.set": [{ mdoe: "real" }] }, refused: true },
  ],
  "clock.advance": [
    { given: aDocument, input: { by: "3d" }, methods: { "clock.advance": ["3d"] }, same: kinds },
    { input: { by: 1500 }, methods: { "clock.advance": [1500] } },
    { input: { by: "1h" }, methods: { "clock.advance": [{ by: "1h" }] } },
    { input: { to: "2026-03-05T00:00:00Z" }, methods: { "clock.advance": [{ to: "2026-03-05T00:00:00Z" }] } },
    { input: { to: Date.UTC(2026, 2, 5) }, methods: { "clock.advance": [{ to: Date.UTC(2026, 2, 5) }] } },
    { given: aDocument, input: { until: "next" }, methods: { "clock.advance": [{ until: "next" }] }, same: kinds },
    { input: { by: "soon" }, methods: { "clock.advance": ["soon"] }, refused: true },
    { input: { by: -1 }, methods: { "clock.advance": [-1] }, refused: true },
    { input: { by: 0.5 }, methods: { "clock.advance": [0.5] }, refused: true },
    { input: { to: "soon" }, methods: { "clock.advance": [{ to: "soon" }] }, refused: true },
    { input: { to: "2026-03-01T00:00:00Z" }, methods: { "clock.advance": [{ to: "2026-03-01T00:00:00Z" }] }, refused: true },
    { input: { until: "later" }, methods: { "clock.advance": [{ until: "later" }] }, refused: true },
    { input: {}, methods: { "clock.advance": [{}] }, refused: true },
    { input: { by: "1d", until: "idle" }, methods: { "clock.advance": [{ by: "1d", until: "idle" }] }, refused: true },
  ],
  "clock.sleep": [
    { input: { by: "0s", process: "client", others: 1 } },
    { input: { by: "soon" }, refused: true },
    { input: { by: -1 }, refused: true },
  ],
  "clock.settle": [{ input: {}, methods: { "clock.settle": [] } }],
};
