/** Answers that are pages, with the headers that go with them. */
import { headerSafe } from "../core/text.ts";
import type { SessionView } from "../domain/signing/sessions.ts";
import { DRAWING } from "../web/signing/drawing-script.ts";
import { hashSource, type Html, pageBytes } from "../web/html.ts";
import { SCRIPT } from "../web/signing/script.ts";
import { STYLE } from "../web/signing/style.ts";

const HEADERS = {
  "content-type": "text/html; charset=utf-8",
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "content-security-policy": [
    "default-src 'none'",
    "img-src data: 'self'",
    `style-src ${hashSource(STYLE)}`,
    // The page's own two scripts; from elsewhere nothing but the PDF reader, which reads the document's own file.
    `script-src ${hashSource(SCRIPT)} ${hashSource(DRAWING)} 'self'`,
    "worker-src 'self'",
    "connect-src 'self'",
    // The letters that come with a PDF, and those of the reader.
    "font-src data: 'self'",
    "base-uri 'none'",
    // Everybody may embed it: that is what it is for.
    "frame-ancestors *",
  ].join("; "),
};

/** `why` is for the journal. */
export function page(content: Html, status = 200, why?: string): Response {
  const headers = why === undefined ? HEADERS : { ...HEADERS, "x-docdouble-why": headerSafe(why) };
  return new Response(pageBytes(content) as Uint8Array<ArrayBuffer>, { status, headers });
}

export function statusOf(sight: SessionView): number {
  if (sight.is !== "stopped") return 200;
  return sight.why === "unknown" ? 404 : sight.why === "session_expired" ? 410 : 200;
}

/** What the page says after an act that led back to it. */
export const SAID: Readonly<Record<string, string>> = {
  save: "Saved. You can come back with the same link.",
  comment: "Your comment was added.",
  forward: "Forwarded.",
  pay: "Thank you, the payment has arrived.",
  pay_fail: "The payment failed. You can try again.",
  verify: "Thank you, that was right.",
  opened: "Thank you, that was right.",
  send_code: "The code is on its way.",
};

export function redirect(location: string): Response {
  return new Response(null, {
    status: 303,
    headers: { location, "cache-control": "no-store", "referrer-policy": "no-referrer" },
  });
}
