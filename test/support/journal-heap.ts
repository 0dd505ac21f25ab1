/** A process that measures the memory of several kinds of calls in the journal, and sends the figures to its parent. Needs `--expose-gc`. */
import { createRequire } from "node:module";
import type * as Sandboxes from "../../src/library/sandbox.ts";

// The built engine, because loading the sources takes longer than the measurement.
const { engine } = createRequire(import.meta.url)("../../dist/library.cjs");
const { createSandbox, hostOf }: typeof Sandboxes = engine["library/sandbox.ts"];

interface Kind {
  path: (i: number) => string;
  /** Characters of one header. */
  large?: number;
  /** Number of headers. */
  headers?: number;
}

const CALLS = 150;
const names = (count: number, mark: string) => Array.from({ length: count }, (_, i) => `n${i}${mark}=v${mark}${i}`).join("&");
const KINDS: Record<string, Kind> = {
  "an empty call": { path: () => "/public/v1/nothing" },
  "150 query names": { path: (i) => `/public/v1/nothing?${names(150, `x${i}`)}` },
  "6,000 query names": { path: (i) => `/public/v1/nothing?${names(6000, `x${i}`)}` },
  "wide letters in a query": { path: (i) => `/public/v1/nothing?q=${encodeURIComponent("ж".repeat(3000))}${i}` },
  "a long path": { path: (i) => `/public/v1/${"p".repeat(20_000)}${i}` },
  "a large header": { path: () => "/public/v1/nothing", large: 20_000 },
  "150 headers": { path: () => "/public/v1/nothing", headers: 150 },
};

function collect(): number {
  for (let i = 0; i < 3; i++) globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** Bytes of one call: on the heap, and as the journal counts them. */
async function measure({ path, large = 0, headers = 0 }: Kind): Promise<{ held: number; counted: number }> {
  const sandbox = await createSandbox({ seed: 1, clock: "frozen", strict: false });
  const { journal } = hostOf(sandbox).defaultTenant;
  const call = async (i: number) => {
    const sent: Record<string, string> = large > 0 ? { "x-large": `${i}`.padEnd(large, "y") } : {};
    for (let k = 0; k < headers; k++) sent[`x-${k}-${i}`] = `value ${i} ${k}`;
    await (await sandbox.fetch(path(i), { headers: sent })).text();
  };
  for (let i = 0; i < 20; i++) await call(i);
  journal.clear();
  const before = collect();
  for (let i = 0; i < CALLS; i++) await call(1000 + i);
  const held = (collect() - before) / CALLS;
  const counted = journal.bytes / journal.size;
  await sandbox.close();
  return { held, counted };
}

const held: Record<string, number> = {};
const counted: Record<string, number> = {};
for (const name in KINDS) ({ held: held[name], counted: counted[name] } = await measure(KINDS[name] as Kind));
process.send?.({ held, counted });
process.disconnect?.();
