import type { AssumptionRecord } from "../../../engine/assumptions/record.ts";
import { assumption, vendorSkills } from "./entry.ts";
import { DESCRIPTION_8_8, SESSION_IN_DRAFT, SESSION_WHILE_UPLOADED, UNKNOWN_SESSION_RECIPIENT, changelog } from "./sightings.ts";

export const sending: readonly AssumptionRecord[] = [
  assumption("editor.event_payloads", {
    statement: "The events of the editor have no data.",
  }),
  assumption("locks.every_change", {
    statement: "While a person has the document in the editor, changes of its quotes, settings and named items answer 423 too.",
    operations: ["quoteUpdate", "documentSettingsUpdate", "addDsvNamedItems"],
    sources: [
      { kind: "guess", text: "The official description lists 423 for other changes of a document. It omits it for these three." },
    ],
  }),
  assumption("mails.note", {
    statement: "The mail to recipients does not contain the note of a manual change.",
    operations: ["changeDocumentStatus"],
    sources: [{ kind: "guess", text: "The note is only for the members of the workspace, so recipients do not see it." }],
  }),
  assumption("mails.recipients", {
    statement:
      "docdouble mails recipients about the end, the sender about the end and about decisions, and approvers about requests.",
    sources: [{ kind: "description", text: "The help center names some of the mails. docdouble adds the others." }],
  }),
  assumption("reminders.default_channel", {
    statement: "A manual reminder uses the recipient's own delivery methods, unless the request names others.",
    operations: ["createManualReminder"],
  }),
  assumption("reminders.later_signers", {
    statement: "The delay of a later signer starts when that signer's turn starts.",
    operations: ["statusDocumentAutoReminder"],
  }),
  assumption("reminders.malicious_links", {
    statement: "docdouble refuses links in messages that run code or hide their target.",
    operations: ["createManualReminder"],
    sources: [
      {
        kind: "description",
        text: "The official description says that the service refuses malicious links. It does not say how it recognizes them.",
      },
    ],
    seen: [DESCRIPTION_8_8],
  }),
  assumption("reminders.not_a_signer", {
    statement: "A reminder for a recipient who does not sign answers with the error text for a CC.",
    operations: ["createManualReminder"],
  }),
  assumption("reminders.silent", {
    statement: "A silent send switches reminders off. An update can switch them on again.",
    operations: ["getDocumentAutoReminderSettings"],
  }),
  assumption("reminders.sms_fault_order", {
    statement: "If consent and number are both missing, the error names the consent.",
    operations: ["createManualReminder"],
    sources: [{ kind: "guess", text: "The consent concerns every text message, so a refusal stops all of them." }],
  }),
  assumption("reminders.unreachable", {
    statement: "No message reaches an address under .invalid, or an address that opted out.",
    operations: ["createManualReminder"],
  }),
  assumption("sandbox.members", {
    statement:
      "A sandbox key also sends to members of its workspace, whatever their domain, and to every address in the domain of its user.",
    operations: ["sendDocument"],
    sources: [
      { kind: "client", text: "Two public projects say that a sandbox key sends to members only." },
      { kind: "recorded", text: "One public project saw that the own domain counts." },
    ],
  }),
  assumption("send.not_ready", {
    statement:
      "The service can refuse to send a draft for a moment. docdouble does so only when a rule answers conflict: then the text is the vendor's, and the status is document.draft.",
    operations: ["sendDocument"],
    sources: [
      {
        kind: "recorded",
        text: "The vendor's skill files quote the text: The document isn't ready for a status transition yet. They call it a known race, which a retry after a moment ends.",
      },
    ],
    seen: [vendorSkills({ live: true })],
  }),
  assumption("send.phone_text", {
    statement: "A send to a wrong phone number answers 400 with docdouble's own text, also when the send is silent.",
    operations: ["sendDocument"],
    sources: [
      { kind: "description", text: "A text message needs an international phone number." },
      { kind: "recorded", text: "The vendor's skill files quote the text for a missing number: A phone number is required." },
    ],
    seen: [vendorSkills({ live: false })],
  }),
  assumption("send.scheduled", {
    statement:
      "A scheduled document is sent by its owner, also while it is locked. A document that cannot be sent stays scheduled.",
  }),
  assumption("sessions.lifetime", {
    statement: "A session lasts one second or longer.",
    operations: ["createDocumentLink"],
  }),
  assumption("sessions.nothing_to_view", {
    statement: "docdouble refuses a session for a document that has nothing to show.",
    operations: ["createDocumentLink"],
    sources: [{ kind: "specification", text: "The specification names draft, waiting_approval, rejected and declined." }],
    seen: [SESSION_IN_DRAFT, changelog("2019")],
  }),
  assumption("sessions.unprocessed", {
    statement: "While the service processes a document, a session answers 400, as in a draft.",
    operations: ["createDocumentLink"],
    sources: [
      {
        kind: "specification",
        text: "The specification lists the statuses that allow a session. It gives one error for all others.",
      },
      { kind: "client", text: "One public client repeats the call when it answers 409." },
    ],
    seen: [SESSION_WHILE_UPLOADED],
  }),
  assumption("sessions.unknown_recipient", {
    statement: "A session for an address of no recipient answers “There is no associated recipient.”",
    operations: ["createDocumentLink"],
    sources: [{ kind: "client", text: "Two public clients search the error for these words." }],
    seen: [UNKNOWN_SESSION_RECIPIENT],
  }),
  assumption("signing.choices", {
    statement: "Every signer whose turn it is may choose rows and quantities. A choice sends no event.",
  }),
  assumption("signing.file_limit", {
    statement: "A file that a signer uploads has a size limit.",
  }),
  assumption("signing.message_members", {
    statement: "The messages of the embedded page have published members only.",
    sources: [{ kind: "description", text: "The types of the official package list these members, and allow further ones." }],
  }),
  assumption("signing.null_names", {
    statement: "If nobody entered a name, the name is null.",
    sources: [{ kind: "description", text: "The types of the official package allow a text and null." }],
  }),
  assumption("signing.opening_messages", {
    statement: "The page of an unknown session posts not.found. Every other page without a document posts loading.error.",
    sources: [{ kind: "description", text: "The official package names both events." }],
  }),
  assumption("signing.qes_audit", {
    statement: "The audit trail shows qualified signatures after the last of them.",
    operations: ["listDocumentAuditTrail"],
  }),
  assumption("signing.verification_attempts", {
    statement: "docdouble limits the number of attempts for codes of text messages only.",
  }),
  assumption("signing.wrong_codes", {
    statement: "docdouble limits the number of wrong codes of text messages. Each new session starts at zero.",
  }),
];
