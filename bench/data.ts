/**
 * Measures how long a change takes with `--data` and in memory, in worlds of 1,000, 10,000 and 100,000 documents. It also measures
 * the longest wait of the event loop while the file is filled and rewritten.
 */
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSandbox, hostOf } from "../src/library/sandbox.ts";
import type { DocumentRow } from "../src/service/model/documents/document.ts";

const SIZES = [1000, 10_000, 100_000] as const;
const RUNS = 2000;
/** Documents per transaction while the file is filled. */
const FILL = 100;

export interface DataFigures {
  size: number;
  /** Median time of a change of one document, in ms. */
  change_ms: { memory: number; file: number };
  /** Bytes of the whole file, and bytes that one change adds to it. */
  bytes: number;
  bytesPerChange: number;
  /** Longest wait of the event loop in ms while the file was filled. docdouble rewrites the file several times meanwhile. */
  longestWait_ms: number;
  /** Time to start from the file, in ms. */
  open_ms: number;
}

export async function measureData(): Promise<DataFigures[]> {
  const figures: DataFigures[] = [];
  for (const size of SIZES) {
    const folder = mkdtempSync(join(tmpdir(), "docdouble-bench-"));
    try {
      figures.push(await measure(size, join(folder, "data.json")));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
  return figures;
}

async function measure(size: number, data: string): Promise<DataFigures> {
  const memory = await filled(size, undefined);
  const inMemory = await changes(memory);
  await memory.sandbox.close();
  const file = await filled(size, data);
  const before = statSync(data).size;
  const inFile = await changes(file);
  const bytesPerChange = (statSync(data).size - before) / RUNS;
  await file.sandbox.close();
  const bytes = statSync(data).size;
  const begun = performance.now();
  const again = await createSandbox({ seed: 1, clock: "frozen", data });
  const open_ms = performance.now() - begun;
  const { size: found } = hostOf(again).defaultTenant.store.documents;
  await again.close();
  if (found !== size) throw new Error(`${found} documents came back of ${size}`);
  return {
    size,
    change_ms: { memory: inMemory, file: inFile },
    bytes,
    bytesPerChange,
    longestWait_ms: file.longestWait_ms,
    open_ms,
  };
}

async function filled(size: number, data: string | undefined) {
  const sandbox = await createSandbox({ seed: 1, clock: "frozen", ...(data === undefined ? {} : { data }) });
  const { store } = hostOf(sandbox).defaultTenant;
  const answer = await sandbox.fetch("/public/v1/documents", {
    method: "POST",
    headers: { authorization: `API-Key ${sandbox.apiKey}`, "content-type": "application/json" },
    body: JSON.stringify({
      template_uuid: "TemplateOneSignerxxxxx",
      recipients: [{ email: "a@client.example", role: "Client" }],
    }),
  });
  const { id } = (await answer.json()) as { id: string };
  await sandbox.clock.advance("1m");
  const model = store.documents.get(id) as DocumentRow;
  let longestWait_ms = 0;
  for (let i = 1; i < size; i += FILL) {
    store.transaction(() => {
      for (let k = i; k < Math.min(size, i + FILL); k++)
        store.documents.put({ ...model, id: `document${k}`, name: `Agreement no ${k}` });
    });
    const begun = performance.now();
    await new Promise((resolve) => setImmediate(resolve));
    longestWait_ms = Math.max(longestWait_ms, performance.now() - begun);
  }
  return { sandbox, store, model, size, longestWait_ms };
}

/** The median time of a change in ms: of a transaction and the end of its turn, which writes the change. */
async function changes({ store, size }: Awaited<ReturnType<typeof filled>>): Promise<number> {
  const times: number[] = [];
  for (let i = 0; i < RUNS; i++) {
    const row = store.documents.get(`document${1 + ((i * 7919) % (size - 1))}`) as DocumentRow;
    const begun = performance.now();
    store.transaction(() => store.documents.put({ ...row, name: `Changed ${i}` }));
    await Promise.resolve();
    times.push(performance.now() - begun);
    if (i % 50 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  return times.sort((a, b) => a - b)[times.length >> 1] as number;
}

/** The figures as a Markdown table. */
export function dataTable(figures: readonly DataFigures[]): string {
  const mib = (bytes: number) => `${(bytes / 2 ** 20).toFixed(1)} MiB`;
  const rows = figures.map(
    ({ size, change_ms, bytes, bytesPerChange, longestWait_ms, open_ms }) =>
      `| ${size.toLocaleString("en")} | ${change_ms.memory.toFixed(3)} ms | ${change_ms.file.toFixed(3)} ms | ${Math.round(bytesPerChange)} bytes | ${mib(bytes)} | ${longestWait_ms.toFixed(0)} ms | ${Math.round(open_ms).toLocaleString("en")} ms |`,
  );
  return [
    "| documents | a change in memory | with `--data` | difference | file | longest wait | start from the file |",
    "|---|---|---|---|---|---|---|",
    ...rows,
  ].join("\n");
}

if (process.argv[1]?.endsWith("data.ts")) process.stdout.write(`${dataTable(await measureData())}\n`);
