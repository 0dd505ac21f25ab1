/** The configuration of an integration of the zoo, and a few helpers that all integrations share. */
import { createHmac, timingSafeEqual } from "node:crypto";

/** Receives a delivery and returns the answer. */
export interface Post {
  raw: string;
  signature: string | null;
  eventId: string;
}

export interface Place {
  /** The base address for the official client and axios. */
  url: string;
  apiKey: string;
  fetch: typeof fetch;
  /** Opens a webhook receiver and subscribes it to `document_state_changed`. Returns the key of its signatures. */
  receive(handle: (post: Post) => Promise<number>): Promise<{ key: string; close(): Promise<void> }>;
}

/** The result of an integration: documents with their status, by id. */
export type View = Record<string, string>;

/** How many times faster an integration sleeps. Processes read it from their environment. */
const PACE = Number(process.env.ZOO_PACE ?? 1);

/** Real milliseconds at pace 1. At any pace, an integration waits at least as long as an answer `asked`. */
export const sleep = (ms: number, asked = 0): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, Math.max(asked, ms / PACE)));

export function isSigned({ raw, signature }: Post, key: string): boolean {
  const [right, sent] = [Buffer.from(createHmac("sha256", key).update(raw).digest("hex")), Buffer.from(signature ?? "")];
  return right.length === sent.length && timingSafeEqual(right, sent);
}

export const ENDS = ["document.completed", "document.declined", "document.voided", "document.error"];

/** The address makes the recipient sign 20 seconds after the invitation. */
export const SIGNER = { email: "pat+sign.after=20s@client.example", first_name: "Pat", last_name: "Lee", role: "Client" };

export function offer(name: string, metadata: { order: string }) {
  return { name, template_uuid: "TemplateOneSignerxxxxx", recipients: [SIGNER], metadata };
}
