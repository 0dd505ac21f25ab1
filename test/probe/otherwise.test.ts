/** A service that behaves otherwise: the answers of a double are changed to those of another reading, and each story contradicts. */
import { describe, expect, test } from "vitest";
import type { CallAnswer, CallRequest } from "../../src/compare/exchange.ts";
import { storiesFor } from "../../src/probe/stories/index.ts";
import type { Story } from "../../src/probe/stories/story.ts";
import { type Alteration, actor } from "../support/probe-actor.ts";
import { SANDBOX_KEY } from "../support/world.ts";

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
type Json = any;

/** Another behavior: the calls whose answers differ, by method and target, and the other answer. */
type Otherwise = readonly [calls: RegExp, change: (answer: CallAnswer) => CallAnswer];

/** Changes the JSON of an answer. */
function json(change: (body: Json) => void): (answer: CallAnswer) => CallAnswer {
  return (answer) => {
    const body: Json = JSON.parse(answer.body.toString("utf8"));
    change(body);
    return { ...answer, body: Buffer.from(JSON.stringify(body)) };
  };
}

/** Another answer. */
function gives(status: number, body: unknown = {}): () => CallAnswer {
  return () => ({ status, headers: { "content-type": "application/json" }, body: Buffer.from(JSON.stringify(body)) });
}

const OTHERWISE: Record<string, Otherwise> = {
  "catalog.bundled_item": [/^DELETE .*\/items\//, gives(204)],
  "catalog.categories": [/^POST .*\/items$/, gives(200, { uuid: "another" })],
  "catalog.highlights": [
    /\/search/,
    json((body) => {
      for (const one of body.items) one.highlights = null;
    }),
  ],
  "catalog.missing_sku": [
    /^POST .*\/items$/,
    json((body) => {
      body.variants[0].sku = "";
    }),
  ],
  "catalog.search_order": [/\/search\?per_page/, json((body) => body.items.reverse())],
};

describe("probe: a service that behaves otherwise", () => {
  test.each(Object.entries(OTHERWISE))("%s is contradicted", async (id, [calls, change]) => {
    const { tell } = await actor();
    const alter: Alteration = (answer, { method, target }: CallRequest) =>
      calls.test(`${method} ${target}`) ? change(answer) : answer;
    const { seen } = await tell(storiesFor(SANDBOX_KEY).get(id) as Story, alter);
    expect(seen).toEqual(expect.any(String));
    expect(seen).not.toBe("as_stated");
  });
});
