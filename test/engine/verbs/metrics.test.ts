/** The metrics of a server in Prometheus' text form. */
import { expect, test } from "vitest";
import { hostOf } from "../../../src/library/sandbox.ts";
import { receiver } from "../../support/receiver.ts";
import { aSentDocument, anUploadedDocument } from "../../support/stories.ts";
import { within } from "../../support/patience.ts";
import { testWorld, type TestWorld } from "../../support/world.ts";

interface Sample {
  name: string;
  labels: Record<string, string>;
  value: number;
}

const LABEL = /([a-zA-Z_]\w*)="((?:[^"\\\n]|\\["\\n])*)"/;
const SAMPLE = new RegExp(`^([a-zA-Z_:][\\w:]*)(?:\\{(${LABEL.source}(?:,${LABEL.source})*)\\})? (\\S+)$`);

/** Reads the text form strictly: https://prometheus.io/docs/instrumenting/exposition_formats/. @throws for what it does not allow */
function parsed(text: string): Sample[] {
  if (!text.endsWith("\n")) throw new Error("the last line has no end");
  const types = new Map<string, string>();
  const samples: Sample[] = [];
  for (const line of text.trimEnd().split("\n")) {
    const [, word, name = "", rest] = /^# (HELP|TYPE) (\S+) (.+)$/.exec(line) ?? [];
    if (word === "TYPE") {
      if (types.has(name)) throw new Error(`two types of ${name}`);
      types.set(name, rest ?? "");
    }
    if (word !== undefined) continue;
    const found = SAMPLE.exec(line);
    if (!found) throw new Error(`not a sample: ${line}`);
    const [, sample = "", pairs = ""] = found;
    const base = sample.replace(/_(bucket|sum|count)$/, "");
    if (!types.has(sample) && types.get(base) !== "histogram") throw new Error(`no type of ${sample}`);
    const value = Number(found.at(-1));
    if (Number.isNaN(value)) throw new Error(`not a number: ${line}`);
    const labels = [...pairs.matchAll(new RegExp(LABEL.source, "g"))].map(([, label, text]) => [label, text]);
    samples.push({ name: sample, labels: Object.fromEntries(labels), value });
  }
  const keys = samples.map(({ name, labels }) => `${name} ${JSON.stringify(labels)}`);
  if (new Set(keys).size < keys.length) throw new Error("a sample appears twice");
  return samples;
}

async function metrics({ sandbox }: TestWorld): Promise<(name: string, labels?: Record<string, string>) => number | undefined> {
  const answer = await sandbox.fetch("/metrics");
  expect(answer.status).toBe(200);
  expect(answer.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
  const samples = parsed(await answer.text());
  return (name, labels = {}) =>
    samples.find((one) => one.name === name && JSON.stringify(one.labels) === JSON.stringify(labels))?.value;
}

test("metrics count calls, deliveries, documents, jobs and tenants, summed over tenants", async () => {
  const world = await testWorld();
  const hook = await receiver();
  world.sandbox.webhooks.subscribe({ url: hook.url, events: ["document_state_changed"] });
  await aSentDocument(world);
  await anUploadedDocument(world, { key: "test-other" });
  await world.call("statusDocument", { params: { id: "none" } });
  await world.request("GET", "/public/v1/no-such-path");
  await world.sandbox.clock.settle();
  const of = await metrics(world);
  expect(of("docdouble_calls_total", { operation: "createDocument", status: "201" })).toBe(2);
  expect(of("docdouble_calls_total", { operation: "statusDocument", status: "404" })).toBe(1);
  expect(of("docdouble_calls_total", { operation: "none", status: "404" })).toBe(1);
  expect(of("docdouble_call_seconds_count")).toBe(of("docdouble_call_seconds_bucket", { le: "+Inf" }));
  expect(of("docdouble_call_seconds_count")).toBe(5);
  const delivered = hook.received.length;
  expect(delivered).toBeGreaterThan(0);
  expect(of("docdouble_deliveries_total", { event: "document_state_changed", outcome: "delivered" })).toBe(delivered);
  expect(of("docdouble_documents", { status: "document.sent" })).toBe(1);
  expect(of("docdouble_documents", { status: "document.uploaded" })).toBe(1);
  const pending = [...hostOf(world.sandbox).tenants()].map((one) => one.scheduler.waiting).reduce((sum, one) => sum + one, 0);
  const clocks = await Promise.all(
    ["docdouble-key", "test-other"].map(async (key) => (await world.admin("GET", "/clock", undefined, key)).body.pending),
  );
  expect(of("docdouble_jobs_due")).toBe(pending);
  expect(of("docdouble_jobs_due")).toBe(clocks[0] + clocks[1]);
  expect(of("docdouble_tenants")).toBe(2);
  expect(of("process_resident_memory_bytes")).toBeGreaterThan(1_000_000);
});

test("counters survive a reset, and count calls that left the journal", async () => {
  const world = await testWorld({ journalMax: 3 });
  for (let i = 0; i < 5; i++) await world.request("GET", "/public/v1/contacts");
  world.sandbox.journal.all();
  await world.sandbox.reset();
  const of = await metrics(world);
  expect(of("docdouble_journal_dropped_total")).toBe(2);
  expect(of("docdouble_calls_total", { operation: "listContacts", status: "200" })).toBe(5);
});

test("labels stay bounded when rules answer with any status, and a call without an answer has the status none", async () => {
  const world = await testWorld();
  world.sandbox.faults.lostAnswer("createDocument");
  await anUploadedDocument(world).catch(() => undefined);
  const of = await metrics(world);
  const total = ["none", "201"].map((status) => of("docdouble_calls_total", { operation: "createDocument", status }) ?? 0);
  expect(total.reduce((sum, one) => sum + one, 0)).toBe(1);
  const { metrics: counters } = hostOf(world.sandbox);
  for (let i = 0; i < 5000; i++) counters.call(`made-up-${i}`, 200, 1);
  const text = await (await world.sandbox.fetch("/metrics")).text();
  const series = parsed(text).filter(({ name }) => name === "docdouble_calls_total");
  expect(series.length).toBeLessThanOrEqual(2001);
  expect(series.find(({ labels }) => labels.operation === "other")?.value).toBeGreaterThan(2900);
});

test("the histogram adds the seconds of all calls, and counts a call in each bucket that it does not exceed", async () => {
  const world = await testWorld();
  const { metrics: counters } = hostOf(world.sandbox);
  for (const ms of [250, 251, 10_000, 10_001]) counters.call("made-up", 200, ms);
  const of = await metrics(world);
  expect(of("docdouble_call_seconds_sum")).toBeCloseTo(20.502);
  const buckets = ["0.1", "0.25", "0.5", "5", "10", "+Inf"];
  expect(buckets.map((le) => of("docdouble_call_seconds_bucket", { le }))).toEqual([0, 1, 2, 2, 3, 4]);
});

test("with an admin token, metrics need it", async () => {
  const { sandbox } = await testWorld({ adminToken: "secret" });
  expect((await sandbox.fetch("/metrics")).status).toBe(401);
  expect((await sandbox.fetch("/metrics", { headers: { authorization: "Bearer secret" } })).status).toBe(200);
});

test("metrics of 10,000 documents answer in under 100 ms", async () => {
  const world = await testWorld({ strict: false });
  const { documents } = hostOf(world.sandbox).defaultTenant.store;
  const id = await anUploadedDocument(world);
  const row = documents.get(id) as NonNullable<ReturnType<typeof documents.get>>;
  for (let i = 0; i < 10_000; i++) documents.put({ ...row, id: `${id}${i}` });
  await world.sandbox.fetch("/metrics");
  const begun = performance.now();
  const of = await metrics(world);
  expect(performance.now() - begun).toBeLessThan(within(100));
  expect(of("docdouble_documents", { status: "document.uploaded" })).toBe(10_001);
});
