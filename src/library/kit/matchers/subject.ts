import type { Handles, Inbox } from "../../types.ts";
import { isObject } from "./compare.ts";

export function requireSandbox(value: unknown): asserts value is Handles {
  if (isObject(value) && isObject(value.journal) && isObject(value.webhooks)) return;
  throw new TypeError(`it checks a sandbox, as createSandbox or useSandbox returns it, not ${kindOf(value)}`);
}

export function requireInbox(value: unknown): asserts value is Inbox {
  if (isObject(value) && Array.isArray(value.received) && isObject(value.subscription)) return;
  throw new TypeError(`it checks a webhook receiver, as await sandbox.webhooks.receiver() returns it, not ${kindOf(value)}`);
}

function kindOf(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (Array.isArray(value)) return "a list";
  if (isObject(value)) {
    if (typeof value.then === "function") return "a promise: await it first";
    const names = Object.keys(value);
    return names.length === 0 ? "an empty object" : `an object with ${names.slice(0, 4).join(", ")}`;
  }
  return `the ${typeof value} ${JSON.stringify(value)}`;
}
