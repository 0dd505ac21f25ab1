import { timingSafeEqual } from "node:crypto";

export function isSameText(secret: string, sent: string): boolean {
  const [expected, actual] = [Buffer.from(secret), Buffer.from(sent)];
  return actual.length === expected.length && timingSafeEqual(actual, expected);
}
