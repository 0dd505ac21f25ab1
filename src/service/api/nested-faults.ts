import type { FieldMessages } from "../../engine/core/errors.ts";
import { fieldPath, WHOLE } from "../../engine/core/field-path.ts";
import { getOrMake } from "../../engine/core/maps.ts";

interface Node {
  messages: string[];
  children: Map<string | number, Node>;
}

/**
 * Nests messages by field name and list index, as Django REST framework does. `sent` is the body, which tells the length of lists.
 * Source: public clients read `{"recipients": [{"email": [text]}]}`. assumed: errors.nesting.
 */
export function nestFaults(faults: FieldMessages, sent: unknown): unknown {
  const root: Node = { messages: [], children: new Map() };
  for (const [name, messages] of Object.entries(faults)) {
    let node = root;
    for (const step of fieldPath(name)) node = getOrMake(node.children, step, () => ({ messages: [], children: new Map() }));
    node.messages.push(...messages);
  }
  return render(root, sent);
}

function render({ messages, children }: Node, sent: unknown): unknown {
  if (children.size === 0) return messages;
  const indexes = [...children.keys()].filter((step) => typeof step === "number");
  if (indexes.length < children.size) {
    const named = [...children].map(([step, child]) => [step, render(child, memberOf(sent, step))]);
    return Object.fromEntries(messages.length > 0 ? [[WHOLE, messages], ...named] : named);
  }
  if (messages.length > 0) return messages;
  if (!holdsObjects(children, sent)) return Object.fromEntries([...children].map(([step, child]) => [step, child.messages]));
  const length = Math.max(Array.isArray(sent) ? sent.length : 0, ...indexes.map((index) => index + 1));
  return Array.from({ length }, (_, index) => {
    const child = children.get(index);
    if (!child) return {};
    return child.children.size === 0 ? { [WHOLE]: child.messages } : render(child, memberOf(sent, index));
  });
}

function holdsObjects(children: Node["children"], sent: unknown): boolean {
  const isObject = (entry: unknown) => typeof entry === "object" && entry !== null;
  return (
    [...children.values()].some((child) => child.children.size > 0 || child.messages.some(isAboutObject)) ||
    (Array.isArray(sent) && sent.some(isObject))
  );
}

function isAboutObject(message: string): boolean {
  return message.startsWith("Invalid data. Expected a dictionary");
}

function memberOf(value: unknown, step: string | number): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, step)
    ? (value as Record<string | number, unknown>)[step]
    : undefined;
}
