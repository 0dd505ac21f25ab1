import { describe, expect, test } from "vitest";
import { z } from "zod";
import { operations } from "../../../src/service/nouns/index.ts";
import { NEWER, OFFICIAL, type OfficialOperation } from "./official.ts";
import { UNSERVED } from "../../../src/service/nouns/index.ts";

/**
 * Intended differences between the registry and the official description: the parts of the registry, and the reason.
 * An entry without a real difference fails the test.
 */
const DIFFERENCES: Record<string, { [part in "ok" | "errors" | "query"]?: unknown[] } & { why: string }> = {
  getWorkspacesList: { query: ["count", "page", "q"], why: "version 8.20.0 adds the filter by name" },
  quoteUpdate: { errors: [401, 403, 404, 409, 413, 429], why: "version 8.20.0 adds 413 for a body above 512 KiB" },
  deleteDocument: { errors: [403, 404, 423], why: "a second delete is 403, as the changelog of 2018 says" },
};

const official = new Map([...OFFICIAL, ...NEWER].map((one) => [one.id, one]));
const numbers = (a: number, b: number) => a - b;

/** The parameter names of a query schema. */
function queryOf(operation: (typeof operations)[number]): string[] {
  if (!operation.query) return [];
  const schema = z.toJSONSchema(operation.query() as z.ZodType, { io: "input", unrepresentable: "any" });
  return Object.keys(schema.properties ?? {});
}

function partsOf(operation: (typeof operations)[number]) {
  return {
    ok: Object.keys(operation.responses).map(Number).sort(numbers),
    errors: [...operation.errors].sort(numbers),
    query: queryOf(operation).sort(),
  };
}

function officialParts(one: OfficialOperation) {
  return { ok: [...one.ok].sort(numbers), errors: [...one.errors].sort(numbers), query: [...one.query].sort() };
}

describe("the official list", () => {
  test("has 127 operations with unique ids and routes", () => {
    expect(OFFICIAL).toHaveLength(127);
    expect(official.size).toBe(127 + NEWER.length);
    expect(new Set([...official.values()].map((one) => one.route)).size).toBe(official.size);
  });

  test("has, with the additions of version 8.20.0, exactly the served and the unserved operations", () => {
    const ours = [...operations.map(({ id, route }) => ({ id, route })), ...UNSERVED.map(({ id, route }) => ({ id, route }))];
    const theirs = [...official.values()].map(({ id, route }) => ({ id, route }));
    const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1);
    expect(ours.sort(byId)).toEqual(theirs.sort(byId));
    expect(ours).toHaveLength(127 + NEWER.length);
  });
});

describe("served operations", () => {
  test.each(operations.map((one) => [one.id, one] as const))(
    "%s has the official route, parameters and statuses, or an intended difference",
    (id, one) => {
      const wanted = official.get(id) as OfficialOperation;
      expect(one.route).toBe(wanted.route);
      const { why: _, ...differs } = DIFFERENCES[id] ?? { why: "" };
      for (const [part, own] of Object.entries(differs))
        expect(own, `${id}.${part} is listed as a difference and is none`).not.toEqual(officialParts(wanted)[part as "ok"]);
      expect(partsOf(one)).toEqual({ ...officialParts(wanted), ...differs });
    },
  );

  test("each intended difference belongs to a served operation and has a reason", () => {
    const all = Object.entries(DIFFERENCES);
    const ids = new Set(operations.map((one) => one.id));
    expect(all.length).toBeGreaterThan(0);
    expect(all.filter(([id]) => !ids.has(id)).map(([id]) => id)).toEqual([]);
    expect(all.filter(([, { why }]) => why.length <= 20).map(([id]) => id)).toEqual([]);
  });

  test("the limits of an operation are one line of text", () => {
    const limited = operations.flatMap(({ id, limits }) => (limits === undefined ? [] : [{ id, limits }]));
    expect(limited.length).toBeGreaterThan(0);
    expect(limited.filter(({ limits }) => limits !== limits.trim().split("\n")[0])).toEqual([]);
  });
});
