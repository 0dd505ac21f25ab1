/** A client that polls without end makes one finding, and that keeps a hundred calls. */
import { expect, test } from "vitest";
import type { JournalEntry } from "../../../src/engine/journal/journal.ts";
import { lintClient } from "../../../src/inspector/lint/client-lint.ts";
import type { Tenant } from "../../../src/service/service.ts";

const poll = (i: number, at: number) =>
  ({
    id: `call-${i}`,
    at,
    took_ms: 0,
    method: "GET",
    operationId: "statusDocument",
    url: "/public/v1/documents/a",
    path: "/public/v1/documents/a",
    query: {},
    headers: {},
    body: "",
    status: 200,
    own: 200,
    responseHeaders: {},
    responseBody: '{"status":"document.uploaded"}',
  }) as unknown as JournalEntry;

const lintOf = (count: number, step: number, wall: (i: number) => number) => {
  const calls = Array.from({ length: count }, (_, i) => poll(i, i * step));
  const none = { all: () => [], get: () => undefined };
  return lintClient({
    clock: { mode: "frozen" },
    journal: { all: () => calls, wallTimesSince: () => calls.map((_, i) => wall(i)) },
    store: { deliveries: none, documents: none, tokens: none },
  } as unknown as Tenant);
};

test.each<[string, number, string, (i: number) => number]>([
  ["while the clock stands", 0, "was polled 4999 times while the clock did not move", () => 0],
  ["in a hurry", 1, "was polled 4999 times less than 500 ms apart", (i) => i],
])("5,000 polls %s have a finding with a hundred calls at most", (_, step, message, wall) => {
  const found = lintOf(5000, step, wall);
  expect(found.map((one) => one.message)).toEqual([expect.stringContaining(message)]);
  expect(found[0]?.entries).toHaveLength(100);
});

test("a short streak names each of its calls once", () => {
  expect(lintOf(4, 1, (i) => i).map(({ entries }) => entries)).toEqual([["call-1", "call-2", "call-3"]]);
});
