/** Breaks by their causes: the most harmful first, and one cause for what one remedy mends. */
import { expect, test } from "vitest";
import { SYMPTOMS } from "../../../src/tools/explore/symptoms.ts";
import { causesOf } from "../../../src/tools/explore/causes.ts";
import type { Break, FaultName, Symptom } from "../../../src/tools/explore/report.ts";

function broken(symptom: Symptom, ...places: [FaultName, string, number?][]): Break {
  const faults = places.map(([fault, operation, nth = 1]) => ({ fault, operation, nth }));
  const name = [symptom, ...places.map(([fault, operation]) => `${fault} ${operation}`)].join(" ");
  return {
    name,
    faults,
    symptom,
    message: "",
    scenario: null,
    world: null,
    run: 1,
    failing_step: null,
    steps: [],
    also: [],
    known: false,
  };
}

test("causes group breaks by their remedy, and the most harmful comes first", () => {
  const breaks = [
    broken("failed", ["throttled", "createDocument"]),
    broken("failed", ["gateway_error", "sendDocument"]),
    broken("failed", ["reset_before", "sendDocument"]),
    broken("failed", ["locked", "sendDocument"]),
    broken("failed", ["new_status", "statusDocument"]),
    broken("lost_work", ["throttled", "createDocument", 2]),
    broken("duplicate_document", ["reset_after", "createDocument"], ["gateway_error", "listDocuments"]),
  ];
  expect(causesOf(breaks)).toMatchObject([
    {
      cause: "creates a document again without looking first",
      calls: 1,
      breaks: ["duplicate_document reset_after createDocument gateway_error listDocuments"],
      example: "duplicate_document reset_after createDocument gateway_error listDocuments",
    },
    {
      cause: "loses work without an error",
      calls: 1,
      breaks: ["lost_work throttled createDocument"],
      example: "lost_work throttled createDocument",
    },
    {
      cause: "does not retry after 429, 502 or a lost connection",
      calls: 2,
      breaks: ["failed throttled createDocument", "failed gateway_error sendDocument", "failed reset_before sendDocument"],
      example: "failed throttled createDocument",
    },
    { cause: "does not wait after 423", calls: 1, breaks: ["failed locked sendDocument"], example: "failed locked sendDocument" },
    {
      cause: "does not accept an unknown status",
      calls: 1,
      breaks: ["failed new_status statusDocument"],
      example: "failed new_status statusDocument",
    },
  ]);
});

test("a cause lists one, two or more of its faults", () => {
  const missing = (...faults: FaultName[]) =>
    causesOf(faults.map((fault) => broken("failed", [fault, "sendDocument"])))[0]?.cause;
  expect(missing("throttled")).toBe("does not retry after 429");
  expect(missing("throttled", "gateway_error")).toBe("does not retry after 429 or 502");
  expect(missing("throttled", "gateway_error", "reset_before")).toBe("does not retry after 429, 502 or a lost connection");
});

test("a client that repeats a lost call and meets a refusal is not told to repeat it", () => {
  const step = (answer: string) => ({
    ...{ at: 0, kind: "call" as const, from: "client" as const, to: "service" as const, what: "sendDocument", nth: 1, answer },
    detail: "",
  });
  const steps = [{ ...step("connection lost after 200"), fault: "reset_after" as const }, step("409")];
  const [cause] = causesOf([{ ...broken("failed", ["reset_after", "sendDocument"]), steps }]);
  expect(cause?.cause).toBe("takes the refusal of a repeated call for a failure, though the first call took effect");
  expect(cause?.advice).toContain("put a key into the metadata");
  const [other] = causesOf([{ ...broken("failed", ["reset_after", "sendDocument"]), steps: steps.slice(0, 1) }]);
  expect(other).toMatchObject({ cause: "does not retry after a lost answer", advice: SYMPTOMS.failed.advice });
});
