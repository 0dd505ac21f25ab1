import type { AssumptionRecord } from "../../../engine/assumptions/record.ts";
import { assumption, switchRecord } from "./entry.ts";
import { DESCRIPTION_8_8, WEBHOOK_OF_A_DRAFT, WEBHOOK_OF_A_SENT_DOCUMENT } from "./sightings.ts";

export const webhooks: readonly AssumptionRecord[] = [
  assumption("webhook.action_by", {
    statement: "For a group, action_by is the member who finished the part of the group.",
    sources: [{ kind: "description", text: "Older official pages show the person who filled in the data." }],
  }),
  assumption("webhook.deactivated_active", {
    statement: "A deactivated subscription shows active: false.",
    operations: ["detailsWebhookSubscription"],
  }),
  assumption("webhook.empty_payload", {
    statement: "A subscription without kinds of payload shows an empty list.",
    operations: ["detailsWebhookSubscription"],
    sources: [{ kind: "description", text: "Every official example shows a list." }],
    seen: [DESCRIPTION_8_8],
  }),
  assumption("webhook.error_member", {
    statement: "If a creation fails, data.error.detail gives the reason.",
    sources: [{ kind: "client", text: "Public receivers read this member." }],
  }),
  assumption("webhook.field_assignee", {
    statement: "A field in a webhook has the member assignee and the member assigned_to.",
    sources: [
      { kind: "recorded", text: "A recorded delivery has the member assignee." },
      { kind: "description", text: "Newer official pages show assigned_to." },
    ],
    seen: [WEBHOOK_OF_A_SENT_DOCUMENT],
  }),
  assumption("webhook.history", {
    statement:
      "An entry of the history is one event to one subscription. It shows the latest attempt, and begins with the first attempt.",
    operations: ["listWebhookEvent", "detailsWebhookEvent"],
  }),
  assumption("webhook.history_pages", {
    statement: "Page 0 of the history is the same as page 1.",
    operations: ["listWebhookEvent"],
    sources: [{ kind: "description", text: "The official minimum is 0, so 0 means no retry." }],
    seen: [DESCRIPTION_8_8],
  }),
  assumption("webhook.last_signer", {
    statement:
      "The event recipient_completed of the last signer shows the document's new status, such as document.completed. It still comes before the events of that status. Earlier signers show document.viewed.",
    sources: [{ kind: "client", text: "Two programs by an engineer of the vendor tell the last signer by this status." }],
  }),
  assumption("webhook.order", {
    statement:
      "If a receiver answers, docdouble sends events of one instant in order. To a slow receiver it sends them at the same time.",
    sources: [
      {
        kind: "description",
        text: "The service does not promise an order. docdouble always uses the same order, so tests are repeatable.",
      },
    ],
  }),
  assumption("webhook.quote_event", {
    statement: "The event quote_updated contains the quote, even when the subscription omits pricing.",
    operations: ["quoteUpdate"],
  }),
  assumption("webhook.reactivation", {
    statement: "An update with active: true switches a subscription on again.",
    operations: ["updateWebhookSubscription"],
  }),
  assumption("webhook.retry_key", {
    statement:
      "A repeated delivery is signed with the shared key that the subscription has at that time. After a change of the key, a retry has the new one.",
  }),
  assumption("webhook.repeated_triggers", {
    statement: "docdouble ignores repeated triggers and repeated kinds of payload.",
    operations: ["createWebhookSubscription", "updateWebhookSubscription"],
  }),
  assumption("webhook.section_member", {
    statement: "The event of a new section names the section.",
  }),
  assumption("webhook.signature_time", {
    statement:
      "docdouble signs a delivery when it sends it. After a change of the key, a retry has a signature with the new key.",
  }),
  assumption("webhook.unknown_event", {
    statement: "An unknown webhook event answers 404.",
    operations: ["detailsWebhookEvent"],
    sources: [
      {
        kind: "description",
        text: "The official description lists no 404 for this operation. docdouble uses the error body that other operations have.",
      },
    ],
  }),
  switchRecord("webhook.https_only", {
    statement: "Webhook targets on this machine and in private networks may use plain http.",
    operations: ["createWebhookSubscription", "updateWebhookSubscription"],
    probeable: true,
    sources: [
      { kind: "specification", for: "on", text: "The specification says that the service supports HTTPS targets only." },
      { kind: "guess", for: "off", text: "A receiver in a test rarely has a certificate." },
    ],
  }),
  switchRecord("webhook.retry_schedule", {
    statement: "docdouble repeats a failed webhook delivery after these delays.",
    operations: [],
    probeable: "It would take hours and a public receiver that fails.",
    sources: [{ kind: "guess", for: "1m, 5m, 30m", text: "The service repeats a failed delivery. No source gives the delays." }],
  }),
  switchRecord("webhook.shared_link", {
    statement: "Before somebody opens the document, its webhooks have an empty shared_link.",
    operations: [],
    probeable: true,
    sources: [
      {
        kind: "recorded",
        for: "empty",
        text: "Recorded deliveries of 2022 and 2024 show an empty text for sent and draft documents.",
      },
      { kind: "description", for: "empty", text: "The official page says that the text may be empty." },
      { kind: "guess", for: "link", text: "The answer of send contains the link, so a delivery could contain it too." },
    ],
    seen: [WEBHOOK_OF_A_DRAFT, WEBHOOK_OF_A_SENT_DOCUMENT],
  }),
  switchRecord("webhook.zero_total", {
    statement: "A webhook shows a total of zero as 0.00.",
    operations: [],
    probeable: true,
    sources: [
      { kind: "recorded", for: "cents", text: "Recorded deliveries and the official example of the event show 0.00." },
      { kind: "description", for: "plain", text: "The official examples of details show 0." },
    ],
    seen: [WEBHOOK_OF_A_DRAFT, DESCRIPTION_8_8],
  }),
];
