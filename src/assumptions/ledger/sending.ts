/** Records about sending, reminding and signing. */
import type { AssumptionRecord } from "../record.ts";
import { assumption, REASONS } from "./entry.ts";

export const sending: readonly AssumptionRecord[] = [
  assumption("editor.event_payloads", {
    statement: "The payloads of the editor's events are empty.",
    probeable: REASONS.person,
  }),
  assumption("mails.note", {
    statement: "The mail to recipients omits the note of a manual change.",
    operations: ["changeDocumentStatus"],
    probeable: REASONS.hidden,
    sources: [{ kind: "guess", text: "The note is private to the workspace." }],
  }),
  assumption("mails.recipients", {
    statement: "Recipients hear of the end, the sender of the end and of decisions, approvers of requests.",
    probeable: REASONS.hidden,
    sources: [{ kind: "description", text: "The help centre names some of the mails." }],
  }),
  assumption("reminders.default_channel", {
    statement: "A manual reminder uses the delivery methods of the recipient by default.",
    operations: ["createManualReminder"],
    probeable: REASONS.account,
  }),
  assumption("reminders.later_signers", {
    statement: "The delay of later signers starts with their turn.",
    operations: ["statusDocumentAutoReminder"],
    probeable: REASONS.person,
  }),
  assumption("reminders.malicious_links", {
    statement: "Links that run code or hide their target are refused in messages.",
    operations: ["createManualReminder"],
    probeable: true,
    sources: [{ kind: "description", text: "The description says that malicious links are refused." }],
  }),
  assumption("reminders.not_a_signer", {
    statement: "A reminder for a recipient who does not sign answers with the text for a CC.",
    operations: ["createManualReminder"],
    probeable: true,
  }),
  assumption("reminders.silent", {
    statement: "Sending silently switches reminders off. An update may switch them on.",
    operations: ["getDocumentAutoReminderSettings"],
    probeable: true,
  }),
  assumption("reminders.sms_fault_order", {
    statement: "A missing consent is reported before a missing number.",
    operations: ["createManualReminder"],
    probeable: REASONS.account,
    sources: [{ kind: "guess", text: "The consent stops every text message." }],
  }),
  assumption("reminders.unreachable", {
    statement: "Addresses under .invalid and addresses that opted out are unreachable.",
    operations: ["createManualReminder"],
    probeable: REASONS.account,
  }),
  assumption("send.phone_text", {
    statement: "Sending to a wrong phone number answers 400 with a text of docdouble, also when silent.",
    operations: ["sendDocument"],
    probeable: REASONS.account,
    sources: [{ kind: "description", text: "A text message needs an international number." }],
  }),
  assumption("send.scheduled", {
    statement:
      "A scheduled document is sent by its owner, also while it is locked. A document that cannot be sent stays scheduled.",
    probeable: REASONS.hidden,
  }),
  assumption("sessions.lifetime", {
    statement: "A session lives for one second at least.",
    operations: ["createDocumentLink"],
    probeable: true,
  }),
  assumption("sessions.nothing_to_view", {
    statement: "A session is refused where there is nothing to view.",
    operations: ["createDocumentLink"],
    probeable: true,
    sources: [{ kind: "specification", text: "Draft, waiting_approval, rejected and declined are named." }],
  }),
  assumption("sessions.unknown_recipient", {
    statement: "A session for an address that is no recipient answers “There is no associated recipient.”",
    operations: ["createDocumentLink"],
    probeable: true,
    sources: [{ kind: "client", text: "Two clients look for these words." }],
  }),
  assumption("signing.choices", {
    statement: "Every current signer may choose rows and quantities. A choice sends no event.",
    probeable: REASONS.person,
  }),
  assumption("signing.file_limit", {
    statement: "A file that a signer uploads has a limit of size.",
    probeable: REASONS.person,
  }),
  assumption("signing.message_members", {
    statement: "Messages of the embedded page carry only published members.",
    probeable: REASONS.person,
    sources: [{ kind: "description", text: "The official package types the members and allows more." }],
  }),
  assumption("signing.null_names", {
    statement: "A name that nobody entered is null.",
    probeable: REASONS.person,
    sources: [{ kind: "description", text: "The official types allow a text and null." }],
  }),
  assumption("signing.opening_messages", {
    statement: "A missing session posts not.found; every other page without a document posts loading.error.",
    probeable: REASONS.person,
    sources: [{ kind: "description", text: "The official package names both events." }],
  }),
  assumption("signing.qes_audit", {
    statement: "The audit entry for qualified signatures follows the last qualified signature.",
    operations: ["listDocumentAuditTrail"],
    probeable: REASONS.person,
  }),
  assumption("signing.verification_attempts", {
    statement: "Only codes of text messages limit the number of attempts.",
    probeable: REASONS.person,
  }),
  assumption("signing.wrong_codes", {
    statement: "Wrong codes of text messages are limited. Each new session counts from zero.",
    probeable: REASONS.person,
  }),
];
