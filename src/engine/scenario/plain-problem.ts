import type { z } from "zod";

type Issue = z.core.$ZodIssue;

const KINDS: Readonly<Record<string, string>> = {
  string: "a text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "a map",
  record: "a map",
  null: "null",
  undefined: "nothing",
};

export function kindText(kind: string): string {
  return KINDS[kind] ?? kind;
}

const SHOWN_MAX = 60;

export function valueText(value: unknown): string {
  if (value === undefined) return "nothing";
  if (typeof value === "function") return "a function";
  if (typeof value === "object" && value !== null && !Array.isArray(value) && !isPlain(value)) return value.constructor.name;
  const text = typeof value === "number" ? String(value) : (JSON.stringify(value, withNumbers) ?? String(value));
  return text.length > SHOWN_MAX ? `${text.slice(0, SHOWN_MAX)}…` : text;
}

function withNumbers(_: string, one: unknown): unknown {
  return typeof one === "number" && !Number.isFinite(one) ? String(one) : one;
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}

const OWN_WORDS = /^(Invalid|Too (small|big))\b/;

/** Whether the message is zod's own. A schema may bring a better one. */
export function isOfZod({ message }: Issue): boolean {
  return OWN_WORDS.test(message);
}

export function plainProblem(issue: Issue): string {
  if (!isOfZod(issue)) return issue.message;
  switch (issue.code) {
    case "invalid_type":
      return `must be ${kindText(issue.expected)}, not ${valueText(issue.input)}`;
    case "too_small":
      return `${isListOrText(issue.origin) ? sizeText(issue.origin, "at least", issue.minimum) : `must be ${issue.minimum} or more`}, not ${valueText(issue.input)}`;
    case "too_big":
      return `${isListOrText(issue.origin) ? sizeText(issue.origin, "at most", issue.maximum) : `must be ${issue.maximum} or less`}, not ${valueText(issue.input)}`;
    case "invalid_format":
      return issue.format === "email"
        ? `must be an email address such as pat@client.example, not ${valueText(issue.input)}`
        : issue.message;
    default:
      return issue.message;
  }
}

function isListOrText(origin: string): boolean {
  return origin === "array" || origin === "string" || origin === "set";
}

function sizeText(origin: string, limit: string, size: number | bigint): string {
  const unit = origin === "string" ? "character" : "entry";
  const many = unit === "entry" ? "entries" : "characters";
  return `must have ${limit} ${size} ${Number(size) === 1 ? unit : many}`;
}
