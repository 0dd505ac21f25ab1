/** Exploration of clients of a service that is not PandaDoc. */
import { expect, test } from "vitest";
import { exploreHost } from "../../src/tools/explore/explore.ts";
import type { ExploreReport } from "../../src/tools/explore/report.ts";
import { type Api, carefulClient, carelessClient } from "./client.ts";
import { parts } from "./host.ts";

// #region explore
/** Tries each fault at the first create. */
function explore(client: (api: Api) => Promise<unknown>): Promise<ExploreReport> {
  return exploreHost(parts, client, { out: false, seed: 1, runs: 30, pairs: false, only: ["createParcel"] });
}
// #endregion

test("exploration finds that a client creates a parcel twice after a lost answer, and tells the story in the words of the service", async () => {
  const { clean, breaks } = await explore(carelessClient);
  expect(clean.problem).toBeNull();
  expect(breaks.map(({ symptom, faults }) => [symptom, faults.map(({ fault, operation }) => `${fault} ${operation}`)])).toEqual([
    ["duplicate_document", ["reset_after createParcel"]],
    ["duplicate_document", ["truncated createParcel"]],
    ["duplicate_document", ["gateway_timeout createParcel"]],
  ]);
  const [found] = breaks;
  expect(found?.message).toContain('The client leaves 2 parcels "Ada" where the clean run leaves 1.');
  const calls = found?.steps.filter(({ what }) => what === "createParcel").map(({ detail }) => detail);
  expect(calls).toEqual(["creates parcel 1", "creates parcel 2"]);
});

test("exploration does not accuse the client that looks for its parcel first", async () => {
  const { clean, breaks, cells } = await explore(carefulClient);
  expect({ problem: clean.problem, breaks }).toEqual({ problem: null, breaks: [] });
  const tried = cells.filter(({ outcome }) => outcome === "survived").map(({ fault }) => fault);
  expect(tried).toEqual(expect.arrayContaining(["reset_after", "reset_before", "throttled", "gateway_error"]));
});
