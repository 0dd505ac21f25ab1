/** Records about webhooks. */
import type { AssumptionRecord } from "../record.ts";
import { assumption, REASONS } from "./entry.ts";

export const webhooks: readonly AssumptionRecord[] = [
  assumption("webhook.action_by", {
    statement: "For a group, action_by is the member who finished.",
    probeable: REASONS.webhook,
    sources: [{ kind: "description", text: "Older pages name the person who filled in the data." }],
  }),
  assumption("webhook.deactivated_active", {
    statement: "A deactivated subscription shows active: false.",
    operations: ["detailsWebhookSubscription"],
    probeable: REASONS.webhook,
  }),
  assumption("webhook.empty_payload", {
    statement: "A subscription without payload kinds shows an empty list.",
    operations: ["detailsWebhookSubscription"],
    probeable: true,
    sources: [{ kind: "description", text: "Every official example shows a list." }],
  }),
  assumption("webhook.error_member", {
    statement: "A failed creation names its reason in data.error.detail.",
    probeable: REASONS.webhook,
    sources: [{ kind: "client", text: "Public receivers read this member." }],
  }),
  assumption("webhook.field_assignee", {
    statement: "A field in a webhook has both assignee and assigned_to.",
    probeable: REASONS.webhook,
    sources: [
      { kind: "recorded", text: "A recorded delivery has assignee." },
      { kind: "description", text: "Newer pages have assigned_to." },
    ],
  }),
  assumption("webhook.history", {
    statement:
      "An entry of the history is one event to one subscription. It shows the latest attempt, and begins with the first attempt.",
    operations: ["listWebhookEvent", "detailsWebhookEvent"],
    probeable: true,
  }),
  assumption("webhook.history_pages", {
    statement: "Page 0 of the history equals page 1.",
    operations: ["listWebhookEvent"],
    probeable: true,
    sources: [{ kind: "description", text: "The official minimum is 0." }],
  }),
  assumption("webhook.order", {
    statement: "Events of one instant are sent in their order to a receiver that answers, and side by side to a slow one.",
    probeable: REASONS.webhook,
    sources: [{ kind: "description", text: "The service promises no order." }],
  }),
  assumption("webhook.quote_event", {
    statement: "The event quote_updated includes the quote, even when the subscription omits pricing.",
    operations: ["quoteUpdate"],
    probeable: REASONS.webhook,
  }),
  assumption("webhook.reactivation", {
    statement: "An update with active: true ends the deactivation.",
    operations: ["updateWebhookSubscription"],
    probeable: REASONS.webhook,
  }),
  assumption("webhook.repeated_triggers", {
    statement: "Repeated triggers and payload kinds count once.",
    operations: ["createWebhookSubscription", "updateWebhookSubscription"],
    probeable: true,
  }),
  assumption("webhook.section_member", {
    statement: "The event of a new section names the section.",
    probeable: REASONS.webhook,
  }),
  assumption("webhook.signature_time", {
    statement: "The signature is made when the delivery is sent. A retry after a change of the key carries the new signature.",
    probeable: REASONS.webhook,
  }),
  assumption("webhook.unknown_event", {
    statement: "An unknown webhook event answers 404.",
    operations: ["detailsWebhookEvent"],
    probeable: true,
    sources: [{ kind: "description", text: "The description declares no 404 for it." }],
  }),
];
