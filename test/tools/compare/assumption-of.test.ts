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

test.each([
  ["downloadDocument", 502, 200, "", null],
  ["downloadDocument", 429, 200, "", "rate_limit.profile"],
  ["downloadDocument", 403, 200, "", "download.before_completion"],
  ["listDocuments", 500, 200, "", null],
  ["listDocuments", 404, 200, "", null],
  ["listDocuments", 400, 200, "", "list.repeated_status"],
  ["createContact", 429, 422, "", "rate_limit.profile"],
  // The reason names a member of a successful answer, which says nothing about a refusal.
  ["sendDocument", 409, 200, "ids of recipients are texts (assumption send.recipient_id)", null],
  ["deleteDocument", 404, 403, "the document is gone (assumption delete.second)", "delete.second"],
])("%s: %i from the service and %i from the double %j names %j", (operation, real, double, why, assumption) => {
  expect(assumptionOf({ operation, difference: { kind: "status", pointer: "", real, double }, why })).toBe(assumption);
});
