/** Receivers of webhooks: each common mistake with the signature is found, and no careful receiver is accused. */
import { expect, test } from "vitest";
import type { ExploreError } from "../../../src/tools/explore/error.ts";
import type { ExploreReport } from "../../../src/tools/explore/report.ts";
import { exploreClient } from "../../zoo/explore-pair.ts";

const found = (report: ExploreReport) =>
  report.breaks.map(({ symptom, faults }) => [symptom, ...faults.map(({ fault }) => fault)].join(" by "));

const explored = (gap: string | undefined) =>
  exploreClient("receivers", gap, { only: "webhook_forged,webhook_respelled,reset_before", pairs: false });

test.each([
  ["ignores signatures", "ignored", "forged_webhook_accepted by webhook_forged"],
  ["compares eight digits", "prefix", "forged_webhook_accepted by webhook_forged"],
  ["compares as many digits as it gets", "shorter", "forged_webhook_accepted by webhook_forged"],
  ["checks a signature only when there is one", "when_present", "forged_webhook_accepted by webhook_forged"],
  ["signs JSON that it wrote again", "reserialized", "genuine_webhook_refused by webhook_respelled"],
  ["expects base64", "base64", "genuine_webhook_refused"],
  ["compares with the key itself", "bare_key", "genuine_webhook_refused"],
])("a receiver that %s is accused of that alone", async (_, gap, expected) => {
  expect(found(await explored(gap))).toEqual([expected]);
});

test.each([
  ["checks the whole signature", undefined],
  ["takes each event as a hint, and reads the document", "hint"],
])("a receiver that %s is not accused", async (_, gap) => {
  const report = await explored(gap);
  expect(found(report)).toEqual([]);
  expect(report.ended).toBe("complete");
});

test("a clean run that waits in vain for events says that the receiver refuses them", async () => {
  const error: ExploreError = await exploreClient("receivers", "deaf").catch((thrown) => thrown);
  const { problem, message } = error.report.clean;
  expect(problem).toBe("failed");
  expect(message).toMatch(/The receiver answers 401 to each genuine event\. It refuses events with the right signature/);
});
