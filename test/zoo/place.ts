/** What an integration of the zoo is configured with, and the few helpers that every integration has. */
import { createHmac, timingSafeEqual } from "node:crypto";

/** A delivery, and the answer to it. */
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

/** What an integration believes at its end: documents with their status, by id. */
export type View = Record<string, string>;

/** How many times faster than written an integration sleeps. Processes read it from their environment, as settings usually are. */
const PACE = Number(process.env.ZOO_PACE ?? 1);

/** Real milliseconds, at pace 1. An integration waits at least as long as an answer `asked`, at any pace. */
export const sleep = (ms: number, asked = 0): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, Math.max(asked, ms / PACE)));

export function isSigned({ raw, signature }: Post, key: string): boolean {
  const [right, sent] = [Buffer.from(createHmac("sha256", key).update(raw).digest("hex")), Buffer.from(signature ?? "")];
  return right.length === sent.length && timingSafeEqual(right, sent);
}

export const ENDS = ["document.completed", "document.declined", "document.voided", "document.error"];

/** The recipient's address makes the recipient sign 20 seconds after the invitation. */
export const SIGNER = { email: "pat+sign.after=20s@client.example", first_name: "Pat", last_name: "Lee", role: "Client" };

export function offer(name: string, metadata: { order: string }) {
  return { name, template_uuid: "TemplateOneSignerxxxxx", recipients: [SIGNER], metadata };
}
