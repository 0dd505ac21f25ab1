import { timingSafeEqual } from "node:crypto";

/** Compares a secret with what a caller sent. How long it takes does not tell how much of it was right. */
export function isSameText(secret: string, sent: string): boolean {
  const [expected, actual] = [Buffer.from(secret), Buffer.from(sent)];
  return actual.length === expected.length && timingSafeEqual(actual, expected);
}
