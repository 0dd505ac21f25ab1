/** What a client says about documents, and which of it is false. */
import { expect, test } from "vitest";
import { service } from "../../../src/service/service.ts";
import { actualStatusOf, claimsOf, wrongClaims } from "../../../src/tools/explore/status-claims.ts";
import { row } from "./by-hand.ts";

const [sent, draft, gone] = [row("A1", "document.sent"), row("B2"), row("C3", "document.draft", { deleted: true })];
const rows = [sent, draft, gone];
const claimed = (value: unknown, made = ["A1", "B2", "C3"]) => wrongClaims(claimsOf(value, rows, service), rows, new Set(made));

test("a claim with an id concerns this document alone, also one that the client did not make", () => {
  expect(claimed({ id: "A1", status: "sent" }, ["B2"])).toEqual([]);
  expect(claimed({ id: "B2", status: "sent" })).toEqual([{ document: "B2", status: "document.sent" }]);
  expect(actualStatusOf({ document: "B2", status: "document.sent" }, rows, new Set(["A1"]))).toBe("document.draft");
});

test("a claim without an id concerns every document that the client made, and no other", () => {
  expect(claimed("sent", ["A1", "B2"])).toEqual([]);
  expect(claimed("sent", ["B2"])).toEqual([{ document: undefined, status: "document.sent" }]);
  expect(claimed("sent", [])).toEqual([]);
  expect(actualStatusOf({ document: undefined, status: "document.paid" }, rows, new Set(["A1", "B2"]))).toBe(
    "document.sent or document.draft",
  );
});

test("the word deleted, and no status, is true of a deleted document", () => {
  expect(claimed({ C3: "deleted" })).toEqual([]);
  expect(claimed({ C3: "draft" })).toEqual([{ document: "C3", status: "document.draft" }]);
  expect(claimed({ B2: "deleted" })).toEqual([{ document: "B2", status: "deleted" }]);
});

test("the words expired and signed claim the statuses that they mean", () => {
  expect(claimsOf({ A1: "expired", B2: "signed" }, rows, service)).toEqual([
    { document: "A1", status: "document.voided" },
    { document: "B2", status: "document.completed" },
  ]);
});

test("a claim is read at most six levels below the value, and a cycle ends", () => {
  const nested = (levels: number): unknown => (levels === 0 ? { status: "sent" } : { in: nested(levels - 1) });
  expect(claimsOf(nested(6), rows, service)).toEqual([{ document: undefined, status: "document.sent" }]);
  expect(claimsOf(nested(7), rows, service)).toEqual([]);
  const cycle: Record<string, unknown> = { status: "sent" };
  cycle.self = cycle;
  expect(claimsOf(cycle, rows, service)).toContainEqual({ document: undefined, status: "document.sent" });
});
