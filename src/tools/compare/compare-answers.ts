import { type Comparing, areAlike, compareValues } from "./compare-values.ts";
import type { Difference } from "./difference.ts";
import { type CallAnswer, isJson, jsonOf, mediaType } from "./exchange.ts";

/** For rate limits only the presence counts. */
const RATE_LIMIT = /^(?:x-)?ratelimit-|^retry-after$/;

export function compareAnswers(real: CallAnswer, double: CallAnswer, comparing: Comparing): Difference[] {
  if (real.status !== double.status) {
    // Both may have made the thing, which later calls name. Its id must get a tie, and the status is difference enough.
    if (isMade(real) && isMade(double)) compareValues(jsonOf(real), jsonOf(double), comparing);
    return [{ kind: "status", pointer: "", real: real.status, double: double.status }];
  }
  const found = compareHeaders(real, double, comparing);
  const [a, b] = [jsonOf(real), jsonOf(double)];
  if (a !== undefined && b !== undefined) return [...found, ...compareValues(a, b, comparing)];
  const broken = brokenJson("real", real, a) ?? brokenJson("double", double, b);
  if (broken) return [...found, broken];
  // The bytes of files differ from service to service.
  if (!real.isPartial && found.length === 0 && (real.body.length === 0) !== (double.body.length === 0))
    found.push({ kind: "value", pointer: "", real: sizeOf(real), double: sizeOf(double) });
  return found;
}

function isMade({ status }: CallAnswer): boolean {
  return status === 200 || status === 201;
}

function brokenJson(side: "real" | "double", answer: CallAnswer, parsed: unknown): Difference | undefined {
  if (!isJson(answer.headers) || parsed !== undefined || answer.body.length === 0) return undefined;
  const text = `not JSON: ${answer.body.toString("utf8", 0, 200)}`;
  return { kind: "value", pointer: "", real: null, double: null, [side]: text };
}

function sizeOf({ body }: CallAnswer): string {
  return body.length === 0 ? "an empty body" : `${body.length} bytes`;
}

function compareHeaders(real: CallAnswer, double: CallAnswer, comparing: Comparing): Difference[] {
  const found: Difference[] = [];
  const add = (name: string, a: string | undefined, b: string | undefined) =>
    found.push({ kind: "header", pointer: name, real: a, double: b });
  const [type, other] = [mediaType(real.headers), mediaType(double.headers)];
  if (type !== other && (real.body.length > 0 || double.body.length > 0))
    add("content-type", type || undefined, other || undefined);
  const [to, there] = [real.headers.location, double.headers.location];
  if (
    (to === undefined) !== (there === undefined) ||
    (to !== undefined && there !== undefined && !areAlike(to, there, "location", comparing))
  )
    add("location", to, there);
  const names = new Set([...Object.keys(real.headers), ...Object.keys(double.headers)].filter((name) => RATE_LIMIT.test(name)));
  for (const name of names)
    if ((real.headers[name] === undefined) !== (double.headers[name] === undefined))
      add(name, real.headers[name], double.headers[name]);
  return found;
}
