/** A parser of Prometheus' text form reads `/metrics`. */
// @ts-expect-error the package has no types
import parse from "parse-prometheus-text-format";
import { expect, test } from "vitest";
import { serve } from "../../support/process.ts";

interface Family {
  name: string;
  type: string;
  help: string;
  metrics: { value?: string; labels?: Record<string, string>; buckets?: Record<string, string>; count?: string; sum?: string }[];
}

test("a parser from outside finds each family with its type, labels and values", async () => {
  const server = await serve(["start", "--port", "0", "--seed", "7"]);
  const calls = [
    await server.call("GET", "/public/v1/contacts"),
    await server.call("GET", "/public/v1/contacts"),
    await server.call("POST", "/public/v1/contacts", { email: 3 }),
  ];
  const answer = await fetch(`${server.url}/metrics`);
  const text = await answer.text();
  await server.stop();
  expect(calls.map(({ status }) => status)).toEqual([200, 200, 400]);
  const families = parse(text) as Family[];
  expect(Object.fromEntries(families.map(({ name, type }) => [name, type]))).toEqual({
    docdouble_calls_total: "COUNTER",
    docdouble_call_seconds: "HISTOGRAM",
    docdouble_deliveries_total: "COUNTER",
    docdouble_documents: "GAUGE",
    docdouble_jobs_due: "GAUGE",
    docdouble_tenants: "GAUGE",
    docdouble_journal_dropped_total: "COUNTER",
    process_resident_memory_bytes: "GAUGE",
    nodejs_heap_size_used_bytes: "GAUGE",
  });
  expect(families.filter(({ help }) => !/^[A-Z].*\.$/.test(help))).toEqual([]);
  const of = (name: string) => families.find((one) => one.name === name)?.metrics ?? [];
  expect(of("docdouble_calls_total")).toEqual([
    { value: "2", labels: { operation: "listContacts", status: "200" } },
    { value: "1", labels: { operation: "createContact", status: "400" } },
  ]);
  const [seconds] = of("docdouble_call_seconds");
  expect(seconds).toMatchObject({ count: "3" });
  expect(seconds?.buckets?.["+Inf"]).toBe("3");
  const bound = (text: string) => (text === "+Inf" ? Number.POSITIVE_INFINITY : Number(text));
  const counts = Object.entries(seconds?.buckets ?? {})
    .sort(([a], [b]) => bound(a) - bound(b))
    .map(([, count]) => Number(count));
  expect(counts).toEqual(counts.toSorted((a, b) => a - b));
  expect(Number(seconds?.sum)).toBeGreaterThan(0);
});
