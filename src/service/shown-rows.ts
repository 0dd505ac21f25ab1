import type { DocumentStatus } from "./nouns/documents/status-machine.ts";

/** Rows as the library shows them to its users. Instants are epoch milliseconds. */

export type FieldValue = string | boolean | number | { [key: string]: unknown } | null;

export interface SandboxRecipient {
  /** The recipient's id. */
  id: string;
  /** A person, or a group. One member acts for a group. */
  type: "recipient" | "recipient_group";
  /** What the recipient does: sign, read, or approve. */
  recipient_type: "signer" | "CC" | "approver";
  /** The email address. Null for a recipient without one. */
  email: string | null;
  /** The phone number for text messages. */
  phone: string | null;
  /** The first name. */
  first_name: string;
  /** The last name. */
  last_name: string;
  /** The role in the template. */
  role: string;
  /** All roles of the recipient. */
  roles: string[];
  /** The position in the signing order, from 1. Null without an order. */
  signing_order: number | null;
  /** True after the recipient signed or approved. */
  has_completed: boolean;
  /** When the recipient signed, in epoch ms. Null before. */
  signature_date: number | null;
}

export interface SandboxField {
  /** The field's own id. */
  uuid: string;
  /** The name that API requests use for the field. */
  field_id: string;
  /** The name of the field. */
  name: string;
  /** The label that people see. */
  title: string;
  /** The text that an empty field shows. */
  placeholder: string;
  /** The kind of field. Examples: `text`, `signature`, `checkbox`. */
  type: string;
  /** The current value. Null or empty before a recipient fills in the field. */
  value: FieldValue;
  /** The id of the recipient who fills in the field. Null when nobody does. */
  recipient_id: string | null;
  /** The role that fills in the field. */
  role: string | null;
}

/** A stored document. Instants are epoch milliseconds. */
export interface SandboxDocument {
  /** The document's id. */
  id: string;
  /** The id of the document's workspace. */
  workspace_id: string;
  /** The document's name. */
  name: string;
  /** The document's status. Example: `document.sent`. */
  status: DocumentStatus;
  /** The version. Null until the first change. */
  version: string | null;
  /** The reference number that people see. */
  ref_number: string;
  /** When the document was created. */
  date_created: number;
  /** When the document last changed. */
  date_modified: number;
  /** When the document was sent. Null before. */
  date_sent: number | null;
  /** When the document was completed. Null before. */
  date_completed: number | null;
  /** When a recipient declined the document. Null before. */
  date_declined: number | null;
  /** When the document expires. Null without an expiry. */
  expiration_date: number | null;
  /** The id of the user who created the document. */
  created_by: string;
  /** The id of the member who owns the document. */
  owner: string;
  /** The id of the member who sent the document. Null before. */
  sent_by: string | null;
  /** The template of the document. Null without a template. */
  template: { id: string; name: string } | null;
  /** The id of the document's form. Null without a form. */
  form_id: string | null;
  /** The id of the document's folder. Null outside any folder. */
  folder_uuid: string | null;
  /** The document's metadata, by key. */
  metadata: Record<string, string>;
  /** The document's tags. */
  tags: string[];
  /** The template variables with their values. */
  tokens: { name: string; value: string }[];
  /** The recipients, in the order of the document. */
  recipients: SandboxRecipient[];
  /** The fields that recipients or senders fill in. */
  fields: SandboxField[];
  /** The size of each page, in points. */
  pages: { width: number; height: number }[];
}

/** An outgoing mail or text message. */
export interface Email {
  /** The mail's id. */
  id: string;
  /** The id of the workspace that sent the mail. */
  workspace_id: string;
  /** The kind of message. Examples: `sent`, `reminder`, `completed`. */
  kind: string;
  /** How the message is sent: as a mail or a text message. */
  channel: "email" | "sms";
  /** The receiver's email address or phone number. */
  to: string;
  /** The receiver's name. */
  to_name: string;
  /** The sender's email address and name. */
  from: { email: string; name: string };
  /** The address for answers. Null when answers go to the sender. */
  reply_to: string | null;
  /** The subject line. */
  subject: string;
  /** The plain text of the message. */
  text: string;
  /** The address behind the button, such as the recipient's signing page. */
  link: string | null;
  /** The id of the document that the mail is about. */
  document_id: string | null;
  /** The name of the document that the mail is about. */
  document_name: string | null;
  /** The id of the recipient who gets the mail. Null for other people. */
  recipient_id: string | null;
  /** When the mail was sent, in epoch ms. */
  created: number;
}
