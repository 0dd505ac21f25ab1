/** The rules and actors that play each fault. */
import { expect, test } from "vitest";
import {
  type AnswerFault,
  callFault,
  type Fault,
  otherReading,
  processingFailed,
  recipientFault,
  slowProcessing,
  staleRead,
  webhookFault,
  withValidSignature,
} from "../../../src/tools/explore/faults.ts";

const ONCE = { times: 1, fallthrough: true };
const thenOf = ({ patch }: Fault) => (patch.rules ?? patch.webhooks)?.[0]?.then;
const page = (title: string) =>
  expect.objectContaining({ headers: { "content-type": "text/html" }, body: expect.stringContaining(`<h1>${title}</h1>`) });

test.each<[AnswerFault, object]>([
  ["reset_before", { network: "reset" }],
  ["reset_after", { network: "reset", phase: "after" }],
  ["throttled", { error: "throttled", retry_after: "5s", undeclared: true }],
  ["conflict", { error: "conflict", undeclared: true }],
  ["not_ready_after_draft", { error: "conflict", undeclared: true }],
  ["locked", { error: "locked", lock: { expires_in: "5s" }, undeclared: true }],
  ["gateway_error", { respond: page("502 Bad Gateway"), undeclared: true }],
  ["gateway_timeout", { respond: page("504 Gateway Time-out"), phase: "after", undeclared: true }],
  ["unauthorized", { error: "unauthorized", lasting: true }],
  ["not_found", { error: "not_found", lasting: true, undeclared: true }],
  ["slow", { delay: "30s", phase: "after" }],
  ["truncated", { network: "truncate" }],
  ["pdf_not_ready", { respond: { status: 202, headers: { "retry-after": "5" } }, undeclared: true }],
])("%s hits one call, and later rules count the call too", (fault, then) => {
  const made = callFault(fault, "sendDocument", 2);
  expect(made).toMatchObject({ fault, operation: "sendDocument", nth: 2 });
  expect(made.patch).toEqual({
    rules: [
      { name: `${fault} at sendDocument 2`, when: { operation: "sendDocument", call: { nth: 2 } }, then: { ...then, ...ONCE } },
    ],
  });
});

test("a fault with a wait can wait for another time, and a conflict keeps its text", () => {
  expect(callFault("reset_after", "sendDocument", 1).withWait).toBeUndefined();
  const shorter = callFault("throttled", "sendDocument", 1).withWait?.(1500) as Fault;
  expect([shorter.wait, thenOf(shorter)]).toEqual([1500, expect.objectContaining({ retry_after: "2s" })]);
  expect(thenOf(callFault("throttled", "sendDocument", 1, { wait: 120_000 }))).toMatchObject({ retry_after: "2m" });
  expect(thenOf(callFault("conflict", "sendDocument", 1, { detail: "later" }))).toMatchObject({ detail: "later" });
});

test.each<[Fault, object]>([
  [webhookFault("webhook_duplicate", "document_updated", 2), { duplicate: 1 }],
  [webhookFault("webhook_forged", "document_updated", 2), { copy_ahead: expect.any(Array), delay: "10m" }],
  [webhookFault("webhook_respelled", "document_updated", 2), { respell: true }],
  [webhookFault("webhook_lost", "document_updated", 2), { drop: true }],
  [webhookFault("webhook_late", "document_updated", 2), { delay: "10m" }],
  [
    webhookFault("webhook_reordered", "document_updated", 2, { after: { event: "document_deleted", status: null } }),
    { after_event: { event: "document_deleted" } },
  ],
  [withValidSignature(webhookFault("webhook_forged", "document_updated", 2)), { copy_ahead: "valid", delay: "10m" }],
])("a fault of a webhook hits one event: %#", (made, then) => {
  const name = `${made.fault} at document_updated 2`;
  expect(made.patch).toEqual({ webhooks: [{ name, when: { event: "document_updated", nth: 2 }, then: { ...then, ...ONCE } }] });
});

test("a fault of a recipient names the recipient by address or by role", () => {
  const insteadOf = (role: string) => recipientFault("document_expires", role, 1).patch.instead;
  expect(insteadOf("pat@client.example")).toEqual([{ recipient: { email: "pat@client.example" }, do: "expire" }]);
  expect(insteadOf("Client")).toEqual([{ recipient: { role: "Client" }, do: "expire" }]);
  expect(recipientFault("recipient_never_acts", "Client", 1).patch.instead).toMatchObject([{ do: "nothing" }]);
  expect(recipientFault("recipient_declines", "Client", 1).patch.instead).toMatchObject([{ do: "decline" }]);
});

test("faults of the conversion, of readings and of the order of answers hit one call", () => {
  const when = { operation: "createDocument", call: { nth: 1 } };
  expect(thenOf(slowProcessing("createDocument", 1))).toEqual({ processing: "10s", ...ONCE });
  expect(slowProcessing("createDocument", 1).withWait?.(4000)).toMatchObject({ wait: 4000 });
  const name = "processing_failed at createDocument 1";
  expect(processingFailed("createDocument", 1, { name: "Offer" }).patch).toEqual({
    actors: [{ name, on: "document.uploaded", document: { name: "Offer" }, steps: [{ after: "1s", do: "fail" }] }],
  });
  expect(staleRead("createDocument", 1, 250).patch.rules).toMatchObject([{ when, then: { stale: "250ms", ...ONCE } }]);
  expect(otherReading("createDocument", 1, "delete.second", 404)).toMatchObject({
    reading: "delete.second=404",
    patch: { assume: { "delete.second": 404 } },
  });
});
