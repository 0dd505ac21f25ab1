/** Changes the answers of a double to those of a service that behaves differently. */
import type { CallAnswer } from "../../src/tools/compare/exchange.ts";
import { storiesFor } from "../../src/tools/probe/stories/index.ts";
import type { Story } from "../../src/tools/probe/stories/story.ts";
import { type Alteration, actor } from "./probe-actor.ts";
import { SANDBOX_KEY } from "./world.ts";

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
type Json = any;
export type Change = (answer: CallAnswer, nth: number) => CallAnswer;

/** The calls whose answers change, by method and target, and the change. */
export type Otherwise = readonly [calls: RegExp, change: Change];

/** Changes the JSON of an answer. */
export function json(change: (body: Json, nth: number) => void): Change {
  return (answer, nth) => {
    const body: Json = JSON.parse(answer.body.toString("utf8"));
    change(body, nth);
    return { ...answer, body: Buffer.from(JSON.stringify(body)) };
  };
}

/** Sets the member at a path with dots. A star stands for each entry of a list. A function receives the number of the call. */
export function set(path: string, value: unknown): Change {
  const names = path.split(".");
  return json((body, nth) => put(body, names, typeof value === "function" ? value(nth) : value));
}

function put(body: Json, [name = "", ...rest]: string[], value: unknown): void {
  for (const key of name === "*" ? Object.keys(body) : [name]) {
    if (rest.length === 0) body[key] = value;
    else put(body[key], rest, value);
  }
}

/** Replaces the answer. */
export function gives(status: number, body: unknown = {}): Change {
  return () => ({ status, headers: { "content-type": "application/json" }, body: Buffer.from(JSON.stringify(body)) });
}

/** The verdict of an assumption's story against such a service. Undefined when the story decides nothing. */
export async function seenOtherwise(id: string, [calls, change]: Otherwise): Promise<string | number | undefined> {
  const { tell } = await actor();
  const alter: Alteration = (answer, { method, target }, nth) =>
    calls.test(`${method} ${target}`) ? change(answer, nth) : answer;
  return (await tell(storiesFor(SANDBOX_KEY).get(id) as Story, alter)).seen;
}
