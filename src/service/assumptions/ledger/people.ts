import type { AssumptionRecord } from "../../../engine/assumptions/record.ts";
import { assumption, vendorSkills } from "./entry.ts";
import { DESCRIPTION_8_8 } from "./sightings.ts";

export const people: readonly AssumptionRecord[] = [
  assumption("contacts.delete_keeps_recipients", {
    statement:
      "A document keeps its recipients when their contact is deleted. The next document for the address creates a new contact.",
    operations: ["deleteContact"],
  }),
  assumption("contacts.not_found", {
    statement: "An unknown contact answers 404 with the usual body.",
    operations: ["detailsContact", "updateContact", "deleteContact"],
    sources: [
      {
        kind: "description",
        text: "The official description lists no 404 for contacts. docdouble uses the error body that other operations have.",
      },
    ],
  }),
  assumption("contacts.nothing_required", {
    statement: "A request may create a contact without any value: no single value is required.",
    operations: ["createContact"],
    sources: [{ kind: "description", text: "The schema of the official description marks no member as required." }],
    seen: [DESCRIPTION_8_8],
  }),
  assumption("contacts.order", {
    statement: "A list shows contacts by email address. Contacts without an address come last. The filter ignores case.",
    operations: ["listContacts"],
  }),
  assumption("contacts.unknown_in_body", {
    statement: "An unknown contact or group in the body answers 400.",
    operations: ["addDocumentRecipient", "reassignDocumentRecipient"],
    sources: [
      {
        kind: "guess",
        text: "In these operations a 404 is about the document and the recipient in the path, so docdouble answers 400.",
      },
    ],
  }),
  assumption("crm_links.entities", {
    statement: "A link may name any CRM. Every type and every entity of it exists.",
    operations: ["createLinkedObject"],
    sources: [
      {
        kind: "description",
        text: "The service checks in the CRM whether the entity exists. docdouble has no CRM.",
      },
    ],
    seen: [DESCRIPTION_8_8],
  }),
  assumption("crm_links.fault_text", {
    statement: "When it refuses a link, docdouble uses its own text.",
    operations: ["createLinkedObject"],
  }),
  assumption("crm_links.form", {
    statement:
      "A document made from a form has a linked object of the provider pandadoc-eform. Its entity is the form, and its entity type is form.",
    operations: ["detailsDocument", "listLinkedObjects", "listDocumentsByLinkedObject"],
    sources: [
      {
        kind: "client",
        text: "Several programs of the vendor's staff read this provider from details, and take the document for one of a form. None reads the entity type.",
      },
    ],
  }),
  assumption("crm_links.no_children", {
    statement: "A linked object has no child objects.",
    operations: ["listLinkedObjects"],
    sources: [{ kind: "guess", text: "Only the integrations with CRM systems create them, and the public API does not." }],
  }),
  assumption("crm_links.order", {
    statement: "If a request asks for an unknown order, the list has the order of creation.",
    operations: ["listDocumentsByLinkedObject"],
  }),
  assumption("crm_links.owners", {
    statement: "The filter by owner accepts ids of memberships and ids of users.",
    operations: ["listDocumentsByLinkedObject"],
  }),
  assumption("crm_links.provider_spelling", {
    statement: "docdouble refuses the name of a provider in another spelling.",
    operations: ["listDocumentsByLinkedObject", "createLinkedObject"],
    sources: [{ kind: "guess", text: "Otherwise a later call could not find the link." }],
  }),
  assumption("crm_links.template", {
    statement: "A linked document without a template shows an empty template.",
    operations: ["listDocumentsByLinkedObject"],
    sources: [{ kind: "description", text: "The schema of the official description does not allow null here." }],
    seen: [DESCRIPTION_8_8],
  }),
  assumption("recipients.contact_id", {
    statement: "docdouble uses the id of a contact only when the request has no email address and no phone number.",
    operations: ["createDocument"],
    sources: [
      {
        kind: "description",
        text: "Some official requests name people by email address or phone number. Others name them by the id of their contact.",
      },
    ],
    seen: [DESCRIPTION_8_8],
  }),
  assumption("recipients.default_delivery", {
    statement:
      "Without delivery methods in the request, those of the template's role count. Without these, those of the contact count.",
    operations: ["createDocument", "createDocumentFromUpload", "addDocumentRecipient"],
    sources: [
      {
        kind: "recorded",
        text: "The vendor's skill files say that recipients can default to text messages, by their contact or by the template.",
      },
    ],
    seen: [vendorSkills({ live: false })],
  }),
  assumption("recipients.email_texts", {
    statement: "When it refuses email addresses, docdouble uses its own texts.",
    operations: ["editDocumentRecipient"],
    sources: [
      { kind: "description", text: "The official description states the rules. It does not give the text of the refusal." },
    ],
  }),
  assumption("recipients.empty_name", {
    statement: "An empty name in a request does not replace the name of the contact.",
    operations: ["createDocument"],
  }),
  assumption("recipients.group_acts", {
    statement: "If a request names a whole group, the first member of the group acts.",
  }),
  assumption("recipients.group_overlap", {
    statement: "A member of a group may have another part in the document, alone or in another group.",
    operations: ["createDocument", "updateDocument", "addDocumentRecipient", "editDocumentRecipient"],
    sources: [
      {
        kind: "recorded",
        text: "The vendor's skill files say that the service refuses one address in two roles. They do not mention groups.",
      },
    ],
    seen: [vendorSkills({ live: true })],
  }),
  assumption("recipients.opt_out_texts", {
    statement: "For addresses that opted out, docdouble uses its own texts.",
    operations: ["editDocumentRecipient"],
    sources: [
      { kind: "description", text: "The official description states the rule. It does not give the text of the refusal." },
    ],
  }),
  assumption("recipients.payer", {
    statement: "The recipient with the payment field pays. If no recipient has one, the last signer pays.",
  }),
  assumption("recipients.phone_format", {
    statement: "docdouble ignores spaces, dashes, dots and brackets in a phone number.",
    operations: ["sendDocument"],
  }),
  assumption("recipients.phone_only", {
    statement: "Without delivery methods, a recipient with a phone number only has delivery by email. So no message arrives.",
    operations: ["createDocument", "sendDocument"],
  }),
  assumption("recipients.reassign_cc", {
    statement: "Nobody can reassign a CC recipient.",
    operations: ["reassignDocumentRecipient"],
    sources: [{ kind: "description", text: "The official description mentions signers only." }],
    seen: [DESCRIPTION_8_8],
  }),
  assumption("recipients.reassign_to_recipient", {
    statement:
      "If a client reassigns a part to a contact who is a recipient, the contact has both parts and stays one recipient.",
    operations: ["reassignDocumentRecipient"],
  }),
  assumption("recipients.redirect_without_url", {
    statement: "A redirect may lack its address, and then redirects nobody.",
    operations: ["createDocument", "updateDocument", "editDocumentRecipient"],
    sources: [
      {
        kind: "description",
        text: "The schema of the official description requires both members of a redirect. It also gives a default for each.",
      },
    ],
    seen: [DESCRIPTION_8_8],
  }),
  assumption("recipients.second_add", {
    statement: "docdouble refuses to add a recipient twice.",
    operations: ["addDocumentRecipient"],
  }),
  assumption("recipients.verification_texts", {
    statement: "When it refuses verification settings, docdouble uses its own texts.",
    operations: ["createDocument"],
  }),
  assumption("recipients.wrong_status", {
    statement: "A change of recipients in a wrong status answers 400.",
    operations: ["addDocumentRecipient", "editDocumentRecipient", "deleteDocumentRecipient", "reassignDocumentRecipient"],
    sources: [{ kind: "description", text: "The official description lists no 409 for these operations." }],
    seen: [DESCRIPTION_8_8],
  }),
  assumption("sms_opt_outs.window", {
    statement: "The list of opt-outs counts the changes within the requested time. Its first and last instant count too.",
    operations: ["listRecentSmsOptOuts"],
  }),
];
