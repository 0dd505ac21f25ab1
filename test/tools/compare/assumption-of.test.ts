/** Which assumption a difference names. */
import { expect, test } from "vitest";
import { assumptionOf } from "../../../src/tools/compare/assumption-of.ts";

test.each([
  ["createWebhookSubscription", "webhook.https_only"],
  ["updateWebhookSubscription", "webhook.https_only"],
  ["deleteWebhookSubscription", null],
])("another status of %s names %j", (operation, assumption) => {
  const difference = { kind: "status" as const, pointer: "", real: 400, double: 201 };
  expect(assumptionOf({ operation, difference })).toBe(assumption);
});
