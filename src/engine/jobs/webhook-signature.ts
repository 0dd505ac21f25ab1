/** The signature of a delivery: the right one, and the wrong ones that a rule or an exploration sends. */
import { createHmac } from "node:crypto";
import type { Signing } from "./rows.ts";

interface Keys {
  readonly key: string;
  readonly oldKey: string | null;
}

/** The service's `signature` in the query: HMAC-SHA256 in lower-case hexadecimal. */
export function sign(body: string, key: string): string {
  return createHmac("sha256", key).update(body, "utf8").digest("hex");
}

export function makeSignature(body: string, subscriber: Keys, signed: Signing): string {
  switch (signed) {
    case "valid":
      // assumed: webhook.signature_time.
      return sign(body, subscriber.key);
    case "old_key":
      return sign(body, subscriber.oldKey ?? `old-${subscriber.key}`);
    case "invalid":
      return sign(body, `forged-${subscriber.key}`);
    case "missing":
      return "";
    case "similar":
      return similarTo(sign(body, subscriber.key));
    case "short":
      return sign(body, subscriber.key).slice(0, SHORT);
  }
}

const SHORT = 16;

/** The second half differs in each digit. */
function similarTo(signature: string): string {
  const half = signature.length / 2;
  const other = [...signature.slice(half)].map((digit) => (Number.parseInt(digit, 16) ^ 1).toString(16));
  return signature.slice(0, half) + other.join("");
}

/** The same JSON with a space after each comma and colon, an escaped slash, and letters beyond ASCII as escapes. */
export function respelled(body: string): string {
  const spaced = JSON.stringify(JSON.parse(body), null, 1).replaceAll(/\n */g, " ");
  return spaced
    .replaceAll("/", "\\/")
    .replaceAll(/[\u0080-\uffff]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

export function withSignature(url: string, signature: string): string {
  const hash = url.indexOf("#");
  const target = hash < 0 ? url : url.slice(0, hash);
  const joint = target.includes("?") ? (/[?&]$/.test(target) ? "" : "&") : "?";
  return `${target}${joint}signature=${signature}${hash < 0 ? "" : url.slice(hash)}`;
}
