/** The tools that change documents and their recipients. */
import * as z from "zod";
import { manualStatusInput, statusOfCode, withStatusName } from "../statuses.ts";
import { documentId, optional, recipientId, type Tool, tool } from "../tool.ts";
import { contentMembers, recipientList, tagList } from "./creating.ts";

const text = (description: string) => optional(z.string(), description);
const flag = (description: string) => optional(z.boolean(), description);
const members = (description: string) => optional(z.looseObject({}), description);
const contactKind = () => optional(z.enum(["contact", "contact_group"]), "What the id names. Default: contact.");

export const changingTools: readonly Tool[] = [
  tool({
    name: "documents_update",
    title: "Change a draft",
    description: "Changes the name, content, recipients, tags or metadata of a draft.",
    kind: "writes",
    input: z.strictObject({
      document_id: documentId(),
      name: text("The new name."),
      ...contentMembers(),
      recipients: optional(recipientList(), "Recipients to change by id, or to add."),
      tags: tagList(),
      metadata: members("Your own values by name."),
    }),
    operation: "updateDocument",
    request: ({ document_id, ...body }) => ({ params: { id: document_id }, body }),
    result: () => ({ updated: true }),
  }),
  tool({
    name: "documents_fields_assign",
    title: "Assign fields",
    description: "Assigns existing fields of a draft to its recipients. It creates no field.",
    kind: "writes",
    input: z.strictObject({
      document_id: documentId(),
      assignments: z
        .array(
          z.strictObject({
            field_id: z.string().min(1).describe("The uuid of the field."),
            recipient_id: z.string().nullable().describe("The recipient who gets the field. Null takes it away."),
          }),
        )
        .min(1)
        .describe("The fields and their recipients."),
    }),
    operation: "updateDocumentFieldsAssignment",
    request: ({ document_id, assignments }) => ({
      params: { id: document_id },
      body: { fields: assignments.map(({ field_id, recipient_id }) => ({ field_id, assigned_to: recipient_id })) },
    }),
    result: (_, { document_id, assignments }) => ({ document_id, assigned: assignments.length }),
  }),
  tool({
    name: "documents_send",
    title: "Send a document",
    description: "Sends a draft to its recipients. Nobody can take this back: ask the person first.",
    kind: "destroys",
    input: z.strictObject({
      document_id: documentId(),
      message: text("The text of the mail."),
      subject: text("The subject of the mail."),
      silent: flag("Sends no mail."),
      sender: members("Who sends: {email} or {membership_id}."),
      reply_to: text("The address for answers."),
      forwarding_settings: members("Whether recipients may forward the document."),
      selected_approvers: members("The approvers of each step, as approval_execution shows them."),
    }),
    operation: "sendDocument",
    request: ({ document_id, ...body }) => ({ params: { id: document_id }, body }),
    result: (body) => withStatusName(body),
  }),
  tool({
    name: "documents_status_change",
    title: "Change a status by hand",
    description: "Sets the status of a document by hand. Nobody signs or pays by this.",
    kind: "destroys",
    input: z.strictObject({
      document_id: documentId(),
      status: manualStatusInput().describe("The new status."),
      note: text("Why the status changes."),
      notify_recipients: flag("Tells the recipients by mail."),
    }),
    operation: "changeDocumentStatus",
    request: ({ document_id, ...body }) => ({ params: { id: document_id }, body }),
    result: (_, { document_id, status }) => ({ document_id, status: statusOfCode(status) }),
  }),
  tool({
    name: "documents_archive",
    title: "Archive a document",
    description: "Moves a document to the trash. A person can restore it there.",
    kind: "destroys",
    input: z.strictObject({ document_id: documentId() }),
    operation: "deleteDocument",
    request: (input) => ({ params: { id: input.document_id } }),
    result: (_, { document_id }) => ({ archived: true, document_id, forever: false }),
  }),
  tool({
    name: "recipients_add_cc",
    title: "Add a CC recipient",
    description: "Adds a contact as a CC recipient.",
    kind: "writes",
    input: z.strictObject({
      document_id: documentId(),
      contact_id: z.string().min(1).describe("The id of the contact."),
      kind: contactKind(),
    }),
    operation: "addDocumentRecipient",
    request: ({ document_id, contact_id, kind }) => ({ params: { id: document_id }, body: { id: contact_id, kind } }),
    result: (body, { document_id }) => ({ document_id, recipient_id: body.recipient_id }),
  }),
  tool({
    name: "recipients_edit",
    title: "Change a recipient",
    description: "Changes the data of a recipient. The address of a signer stays after the signature.",
    kind: "writes",
    input: z.strictObject({
      document_id: documentId(),
      recipient_id: recipientId(),
      email: text("The new email address."),
      phone: text("The new phone number."),
      first_name: text("The new first name."),
      last_name: text("The new last name."),
      company: text("The company."),
      title: text("The job title."),
      state: text("The state."),
      street_address: text("The street address."),
      city: text("The city."),
      postal_code: text("The postal code."),
      country: text("The country."),
      delivery_methods: members("How the recipient gets the document."),
      redirect: members("Where the recipient goes after the signature."),
      verification_settings: members("How the recipient proves who they are."),
    }),
    operation: "editDocumentRecipient",
    request: ({ document_id, recipient_id, ...body }) => ({ params: { id: document_id, recipient_id }, body }),
    result: (_, { document_id, recipient_id }) => ({ document_id, recipient_id }),
  }),
  tool({
    name: "recipients_reassign",
    title: "Replace a signer",
    description: "Gives the fields of a signer to another contact, before the signature.",
    kind: "writes",
    input: z.strictObject({
      document_id: documentId(),
      recipient_id: recipientId(),
      new_contact_id: z.string().min(1).describe("The id of the contact who signs instead."),
      kind: contactKind(),
    }),
    operation: "reassignDocumentRecipient",
    request: ({ document_id, recipient_id, new_contact_id, kind }) => ({
      params: { id: document_id, recipient_id },
      body: { id: new_contact_id, kind },
    }),
    result: (body, { document_id }) => ({ document_id, recipient_id: body.recipient_id }),
  }),
  tool({
    name: "recipients_delete",
    title: "Remove a recipient",
    description: "Removes a signer from a draft, or a CC recipient.",
    kind: "destroys",
    input: z.strictObject({ document_id: documentId(), recipient_id: recipientId() }),
    operation: "deleteDocumentRecipient",
    request: ({ document_id, recipient_id }) => ({ params: { id: document_id, recipient_id } }),
    result: (_, { document_id, recipient_id }) => ({ document_id, recipient_id, deleted: true }),
  }),
];
