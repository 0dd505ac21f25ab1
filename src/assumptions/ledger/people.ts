/** Records about contacts, recipients and links to CRMs. */
import type { AssumptionRecord } from "../record.ts";
import { assumption, REASONS } from "./entry.ts";

export const people: readonly AssumptionRecord[] = [
  assumption("contacts.delete_keeps_recipients", {
    statement:
      "A document keeps its recipients when their contact is deleted. The next document for the address creates a new contact.",
    operations: ["deleteContact"],
    probeable: true,
  }),
  assumption("contacts.not_found", {
    statement: "An unknown contact answers 404 with the usual body.",
    operations: ["detailsContact", "updateContact", "deleteContact"],
    probeable: true,
    sources: [{ kind: "description", text: "The description declares no 404 for contacts." }],
  }),
  assumption("contacts.nothing_required", {
    statement: "A contact may be created without any member.",
    operations: ["createContact"],
    probeable: true,
    sources: [{ kind: "description", text: "The schema marks no member as required." }],
  }),
  assumption("contacts.order", {
    statement: "Contacts are listed by e-mail address; contacts without one come last. The filter ignores case.",
    operations: ["listContacts"],
    probeable: true,
  }),
  assumption("contacts.unknown_in_body", {
    statement: "An unknown contact or group in the body answers 400.",
    operations: ["addDocumentRecipient", "reassignDocumentRecipient"],
    probeable: true,
    sources: [{ kind: "guess", text: "A 404 speaks of the document and the recipient in the path." }],
  }),
  assumption("crm_links.fault_text", {
    statement: "The text of a refused link is that of docdouble.",
    operations: ["createLinkedObject"],
    probeable: true,
  }),
  assumption("crm_links.no_children", {
    statement: "A linked object has no children.",
    operations: ["listLinkedObjects"],
    probeable: REASONS.account,
    sources: [{ kind: "guess", text: "Only the integrations of the CRMs create them." }],
  }),
  assumption("crm_links.order", {
    statement: "An unknown order counts as the order by creation.",
    operations: ["listDocumentsByLinkedObject"],
    probeable: true,
  }),
  assumption("crm_links.owners", {
    statement: "The filter by owner takes ids of memberships and of users.",
    operations: ["listDocumentsByLinkedObject"],
    probeable: true,
  }),
  assumption("crm_links.provider_spelling", {
    statement: "Another spelling of a provider is refused.",
    operations: ["listDocumentsByLinkedObject", "createLinkedObject"],
    probeable: true,
    sources: [{ kind: "guess", text: "The link would not be found." }],
  }),
  assumption("crm_links.template", {
    statement: "A linked document without a template shows an empty template.",
    operations: ["listDocumentsByLinkedObject"],
    probeable: true,
    sources: [{ kind: "description", text: "The description allows no null here." }],
  }),
  assumption("recipients.contact_id", {
    statement: "The id of a contact counts only without e-mail and phone.",
    operations: ["createDocument"],
    probeable: true,
    sources: [{ kind: "description", text: "Some official requests identify people by e-mail or phone, others by contact id." }],
  }),
  assumption("recipients.email_texts", {
    statement: "The texts for refused e-mail addresses are those of docdouble.",
    operations: ["editDocumentRecipient"],
    probeable: true,
    sources: [{ kind: "description", text: "The description states the rules." }],
  }),
  assumption("recipients.empty_name", {
    statement: "An empty name does not overwrite the name of the contact.",
    operations: ["createDocument"],
    probeable: true,
  }),
  assumption("recipients.group_acts", {
    statement: "A group that is named as a whole acts through its first member.",
    probeable: REASONS.local,
  }),
  assumption("recipients.opt_out_texts", {
    statement: "The texts for addresses that opted out are those of docdouble.",
    operations: ["editDocumentRecipient"],
    probeable: REASONS.account,
    sources: [{ kind: "description", text: "The description states the rule." }],
  }),
  assumption("recipients.payer", {
    statement: "The recipient with the payment field pays; without one, the last signer pays.",
    probeable: REASONS.person,
  }),
  assumption("recipients.phone_format", {
    statement: "Spaces, dashes, dots and brackets in a phone number do not count.",
    operations: ["sendDocument"],
    probeable: REASONS.account,
  }),
  assumption("recipients.reassign_cc", {
    statement: "A CC cannot be reassigned.",
    operations: ["reassignDocumentRecipient"],
    probeable: true,
    sources: [{ kind: "description", text: "The description mentions signers only." }],
  }),
  assumption("recipients.reassign_to_recipient", {
    statement: "A contact who is a recipient already takes over the part and stays one recipient.",
    operations: ["reassignDocumentRecipient"],
    probeable: true,
  }),
  assumption("recipients.second_add", {
    statement: "Adding a recipient twice is refused.",
    operations: ["addDocumentRecipient"],
    probeable: true,
  }),
  assumption("recipients.verification_texts", {
    statement: "The texts of refused verification settings are those of docdouble.",
    operations: ["createDocument"],
    probeable: true,
  }),
  assumption("recipients.wrong_status", {
    statement: "Changing recipients in a wrong status answers 400.",
    operations: ["addDocumentRecipient", "editDocumentRecipient", "deleteDocumentRecipient", "reassignDocumentRecipient"],
    probeable: true,
    sources: [{ kind: "description", text: "These operations declare no 409." }],
  }),
  assumption("sms_opt_outs.window", {
    statement: "The list of opt-outs counts only changes inside the window. Both ends belong to the window.",
    operations: ["listRecentSmsOptOuts"],
    probeable: REASONS.person,
  }),
];
