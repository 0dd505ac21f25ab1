import { lazy } from "../../engine/core/operation.ts";
import { headerSafe } from "../../engine/core/text.ts";
import type { BlockReason, SessionView } from "../nouns/signing/sessions.ts";
import { hashSource, type Html, pageBytes } from "../../engine/http/html.ts";
import { SIGNING_SCRIPT, SIGNING_STYLE } from "./assets.ts";

const pageHeaders = lazy(() => ({
  "content-type": "text/html; charset=utf-8",
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "content-security-policy": [
    "default-src 'none'",
    "img-src data: 'self'",
    `style-src ${hashSource(SIGNING_STYLE)}`,
    `script-src ${hashSource(SIGNING_SCRIPT)}`,
    "connect-src 'self'",
    "base-uri 'none'",
    // Any page may embed a session, because that is a session's purpose.
    "frame-ancestors *",
  ].join("; "),
}));

export const WHY_STOPPED: Readonly<Record<BlockReason, string>> = {
  unknown: "no signing session, shared link or file has this address",
  session_expired: "the signing session has expired; create another one",
  not_out: "the document is not sent yet",
  review: "the document is in external review",
  expired: "the document has expired",
  declined: "a recipient has declined the document",
  turn: "another recipient must sign first",
  handed_over: "the recipient has forwarded the document to somebody else",
};

export function page(content: Html, status = 200, why?: string): Response {
  const headers = why === undefined ? pageHeaders() : { ...pageHeaders(), "x-docdouble-why": headerSafe(why) };
  return new Response(pageBytes(content) as Uint8Array<ArrayBuffer>, { status, headers });
}

export function statusOf(view: SessionView): number {
  if (view.is !== "stopped") return 200;
  return view.why === "unknown" ? 404 : view.why === "session_expired" ? 410 : 200;
}

export const ACT_NOTICES: Readonly<Record<string, string>> = {
  save: "Saved. You can come back with the same link.",
  comment: "Your comment was added.",
  forward: "Forwarded.",
  pay: "Thank you, the payment has arrived.",
  pay_fail: "The payment failed. You can try again.",
  verify: "Thank you. This is correct.",
  opened: "Thank you. This is correct.",
  send_code: "The code is on its way.",
};

export function redirect(location: string): Response {
  return new Response(null, {
    status: 303,
    headers: { location, "cache-control": "no-store", "referrer-policy": "no-referrer" },
  });
}
