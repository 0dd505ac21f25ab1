/** The rows of a sandbox as the library shows them. Instants are epoch milliseconds. */
import type { DocumentStatus } from "../scenario/file-types.ts";

export type FieldValue = string | boolean | number | { [key: string]: unknown } | null;

export interface SandboxRecipient {
  /** The id. */
  id: string;
  /** A person, or a group of which one member acts. */
  type: "recipient" | "recipient_group";
  /** What the recipient does: sign, approve, or read. */
  recipient_type: "signer" | "CC" | "approver";
  /** The email address. */
  email: string | null;
  /** The phone number. */
  phone: string | null;
  /** The first name. */
  first_name: string;
  /** The last name. */
  last_name: string;
  /** The role in the template. */
  role: string;
  /** All roles of the recipient. */
  roles: string[];
  /** The turn, from 1; null without one. */
  signing_order: number | null;
  /** Whether the recipient has signed or approved. */
  has_completed: boolean;
  /** Epoch ms. */
  signature_date: number | null;
}

export interface SandboxField {
  /** The id of the field. */
  uuid: string;
  /** The id that requests use. */
  field_id: string;
  /** The name. */
  name: string;
  /** The title. */
  title: string;
  /** The text of an empty field. */
  placeholder: string;
  /** The kind of field. */
  type: string;
  /** The value. */
  value: FieldValue;
  /** The id of the recipient. */
  recipient_id: string | null;
  /** The role in the template. */
  role: string | null;
}

/** A stored document. Instants are epoch milliseconds. */
export interface SandboxDocument {
  /** The id. */
  id: string;
  /** The id of the workspace. */
  workspace_id: string;
  /** The name. */
  name: string;
  /** The document's status. */
  status: DocumentStatus;
  /** The version; null until the first change. */
  version: string | null;
  /** The reference number. */
  ref_number: string;
  /** When it was created. */
  date_created: number;
  /** When it was last changed. */
  date_modified: number;
  /** When it was sent. */
  date_sent: number | null;
  /** When it was completed. */
  date_completed: number | null;
  /** When a recipient declined it. */
  date_declined: number | null;
  /** When it expires. */
  expiration_date: number | null;
  /** Ids of users and members. */
  created_by: string;
  /** The id of the member who owns it. */
  owner: string;
  /** The id of the member who sent it. */
  sent_by: string | null;
  /** The template that it was made from. */
  template: { id: string; name: string } | null;
  /** The form that it was made from. */
  form_id: string | null;
  /** The id of its folder. */
  folder_uuid: string | null;
  /** Metadata by key. */
  metadata: Record<string, string>;
  /** The tags. */
  tags: string[];
  /** The variables with their values. */
  tokens: { name: string; value: string }[];
  /** The recipients. */
  recipients: SandboxRecipient[];
  /** The fields. */
  fields: SandboxField[];
  /** Number and size of the pages, in points. */
  pages: { width: number; height: number }[];
}

/** An outgoing mail or text message. */
export interface Email {
  /** The id. */
  id: string;
  /** The id of the workspace. */
  workspace_id: string;
  /** The kind of message, such as `sent`, `reminder` or `completed`. */
  kind: string;
  /** Mail, or text message. */
  channel: "email" | "sms";
  /** An address, or a phone number. */
  to: string;
  /** The name of the receiver. */
  to_name: string;
  /** The sender. */
  from: { email: string; name: string };
  /** The address for answers. */
  reply_to: string | null;
  /** The subject of the mail. */
  subject: string;
  /** The text. */
  text: string;
  /** The target of the button: the signing page for a recipient. */
  link: string | null;
  /** The id of the document. */
  document_id: string | null;
  /** The name of the document. */
  document_name: string | null;
  /** The id of the recipient. */
  recipient_id: string | null;
  /** Epoch ms. */
  created: number;
}

export type DeliveryState = "pending" | "delivered" | "failed" | "dropped";

/** One attempt of a delivery. */
export interface Attempt {
  /** Epoch ms on the tenant's clock. */
  at: number;
  /** HTTP status; null without an answer. */
  status: number | null;
  /** Why there was no answer, in the words of the service. */
  error: "INTERNAL_ERROR" | "NOT_VALID_URL" | "CONNECT_ERROR" | "TIMEOUT_ERROR" | null;
  /** Why there was no answer, in plain words. */
  reason: string | null;
  /** Wall milliseconds. */
  duration_ms: number;
  /** The signature that was sent. */
  signature: string;
  /** Whether the signature was right. Webhook rules send wrong ones. */
  signed: "valid" | "invalid" | "missing" | "old_key";
  /** The body of the answer. */
  response_body: string | null;
  /** The headers of the answer. */
  response_headers: Record<string, string> | null;
}

/** One event on its way to one subscriber. */
export interface Delivery {
  /** The id. */
  id: string;
  /** The name of the event. */
  event: string;
  /** The id of the event. A duplicate has the same one. */
  event_id: string;
  /** The id of the event's document or template. */
  subject: string;
  /** The document's status in the event. */
  status: string | null;
  /** The id of the subscription. */
  subscriber: string;
  /** The name of the subscription. */
  subscriber_name: string;
  /** The address. */
  url: string;
  /** The exact bytes that are posted and signed. */
  body: string;
  /** Epoch ms. */
  created: number;
  /** Whether the delivery has arrived. */
  state: DeliveryState;
  /** All attempts, the oldest first. */
  attempts: Attempt[];
}
