/** Which faults a search tries at the calls of a clean run. */
import { expect, test } from "vitest";
import { deriveFaults } from "../../../src/tools/explore/derive.ts";
import { call, recording, row } from "./by-hand.ts";

test("a call that creates a document can meet slow and failed processing, and no other call can", () => {
  const items = [
    call({ operation: "createDocument", status: 201, document: "A1" }),
    call({ operation: "statusDocument", method: "GET", document: "A1" }),
    call({ operation: "sendDocument", document: "A1" }),
  ];
  const found = deriveFaults(recording(items, [row("A1")]), () => true);
  const places = (...faults: string[]) =>
    found
      .filter(({ fault }) => faults.includes(fault.fault))
      .map(({ fault }) => `${fault.fault} ${fault.operation} ${fault.nth}`);
  expect(places("slow_processing", "processing_failed")).toEqual([
    "slow_processing createDocument 1",
    "processing_failed createDocument 1",
  ]);
  expect(places("throttled")).toEqual(["throttled createDocument 1", "throttled statusDocument 1", "throttled sendDocument 1"]);
});
