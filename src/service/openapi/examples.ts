/** Recorded bodies: of calls, of refusals and of deliveries. */
import type { Json } from "./json-schemas.ts";

interface Call {
  request?: unknown;
  status: number;
  response?: unknown;
}

export interface Examples {
  calls: Readonly<Record<string, Call>>;
  /** By operation: the body of a form, and bodies of second successes by status. */
  others: Readonly<Record<string, { request?: unknown; answers?: Readonly<Record<string, unknown>> }>>;
  /** By operation and status. */
  refusals: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  events: Readonly<Record<string, unknown>>;
}

const EXAMPLE_URL = "http://docdouble.test";

/** The examples show the address `url`. */
export async function loadExamples(url: string): Promise<Examples> {
  const [calls, refusals, { calls: others, events }] = [
    (await import("../../../fixtures/api-examples.json", { with: { type: "json" } })).default,
    (await import("../../../fixtures/refusal-examples.json", { with: { type: "json" } })).default,
    (await import("../../../fixtures/event-examples.json", { with: { type: "json" } })).default,
  ];
  const text = JSON.stringify({ calls, others, refusals, events });
  return JSON.parse(text.replaceAll(EXAMPLE_URL, () => JSON.stringify(url).slice(1, -1))) as Examples;
}

/** The body of a request. A form of an address shows its members. */
export function requestExample({ calls, others }: Examples, id: string, isUrlencoded: boolean): unknown {
  const request = calls[id]?.request ?? others[id]?.request;
  return isUrlencoded && typeof request === "string" ? Object.fromEntries(new URLSearchParams(request)) : request;
}

export function answerExample({ calls, others, refusals }: Examples, id: string, status: string): unknown {
  const call = calls[id];
  if (call?.status === Number(status) && call.response !== undefined) return call.response;
  return others[id]?.answers?.[status] ?? refusals[id]?.[status];
}

export function examplesOf(value: unknown): Json {
  return value === undefined ? {} : { examples: { recorded: { summary: "As docdouble answered", value } } };
}
