/** Exploration of the zoo with all faults: reduction finds the same breaks, and no fault or pair of faults breaks a fixed twin. */
import { describe, expect, test } from "vitest";
import type { ExploreReport } from "../../../src/tools/explore/report.ts";
import { exploreClient, foundIn } from "../../zoo/explore-pair.ts";
import { CLIENTS, type ClientName, PAIRS } from "../../zoo/pairs.ts";

/** Pairs of faults that look the same to a client whose call changes nothing. */
const SAME_FOR_READS: Readonly<Record<string, string>> = { reset_after: "reset_before", gateway_timeout: "gateway_error" };
const READS = ["statusDocument", "listDocuments", "downloadDocument"];

/**
 * The kinds of breaks without their places, because reduction skips places where the client is in the same state. It leaves out unknown
 * statuses at later polls, because one of them may shorten an honest wait.
 */
function kinds({ breaks }: ExploreReport): string[] {
  const first = breaks.filter(({ faults: [one] }) => one?.fault !== "new_status" || one.operation !== "statusDocument");
  const lines = first.map(({ faults: [first], symptom }) => {
    const { fault = "", operation = "" } = first ?? {};
    return `${symptom} by ${READS.includes(operation) ? (SAME_FOR_READS[fault] ?? fault) : fault} at ${operation}`;
  });
  return [...new Set(lines)].sort();
}

describe("reduction", () => {
  const one = (client: ClientName) => PAIRS.find((pair) => pair.client === client);
  test.each(Object.keys(CLIENTS) as ClientName[])("finds the same breaks of %s", async (client) => {
    const pair = one(client);
    const options = { pairs: false };
    const reduced = await exploreClient(client, pair?.gap, options);
    const full = await exploreClient(client, pair?.gap, { ...options, reduce: false });
    console.log(`${client}: ${reduced.runs} runs instead of ${full.runs}`);
    expect([reduced.ended, full.ended]).toEqual(["complete", "complete"]);
    expect(kinds(reduced)).toEqual(kinds(full));
    expect(pair && foundIn(reduced, pair)).toBe(true);
    if (client !== "receivers") expect(reduced.runs).toBeLessThan(full.runs);
    // Its faults hit deliveries, and each delivery is one place.
    else expect(reduced.runs).toBe(full.runs);
  });
});

// Exploration tries pairs of faults after all single faults.
test.each(Object.keys(CLIENTS) as ClientName[])("no fault and no pair of faults breaks a fixed %s", async (client) => {
  const report = await exploreClient(client, undefined);
  expect(report.ended).toBe("complete");
  expect(report.breaks.map(({ name, message }) => ({ name, message }))).toEqual([]);
});
