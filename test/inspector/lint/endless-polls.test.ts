/** A client that polls without end costs client lint as much at each call, and the finding keeps a hundred calls. */
import { expect, test } from "vitest";
import type { JournalEntry } from "../../../src/engine/journal/journal.ts";
import { RepeatedCalls } from "../../../src/inspector/lint/repeated-calls.ts";
import type { Tenant } from "../../../src/service/service.ts";

const poll = (i: number, at: number) =>
  ({
    id: `call-${i}`,
    at,
    took_ms: 0,
    method: "GET",
    operationId: "statusDocument",
    url: "/public/v1/documents/a",
    body: "",
    status: 200,
    own: 200,
    responseHeaders: {},
    responseBody: '{"status":"document.uploaded"}',
  }) as unknown as JournalEntry;

test.each<[string, number, string, (i: number) => number]>([
  ["while the clock stands", 0, "was polled 4999 times while the clock did not move", () => 0],
  ["in a hurry", 1, "was polled 4999 times less than 500 ms apart", (i) => i],
])("5,000 polls %s have a finding with a hundred calls at most", (_, step, message, wall) => {
  const calls = new RepeatedCalls({ clock: { mode: "frozen" } } as Tenant);
  const found = Array.from({ length: 5000 }, (_, i) => calls.see(poll(i, i * step), "a", wall(i))).flat();
  expect(found.at(-1)?.message).toContain(message);
  expect(Math.max(...found.map(({ before = [] }) => before.length))).toBe(99);
  expect(found.at(-1)?.before).toEqual([]);
});

test("a short streak names each of its calls once", () => {
  const calls = new RepeatedCalls({ clock: { mode: "frozen" } } as Tenant);
  const found = [0, 1, 2, 3].flatMap((i) => calls.see(poll(i, i), "a", i));
  expect(found.map(({ before }) => before)).toEqual([["call-1", "call-2"]]);
});
