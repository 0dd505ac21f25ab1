/** Parts of an exploration: together they find what one search finds. */
import { expect, test } from "vitest";
import { explore, type ExploreOptions, type ExploreReport } from "../../../src/index.ts";
import type { Sandbox } from "../../../src/library/types.ts";
import { mergeReports, readShard } from "../../../src/tools/explore/shard.ts";
import { type Gap, listens, offers } from "./clients.ts";

const QUIET: ExploreOptions = { out: false, throwOnBreak: false, budget: "1h" };

const cellsOf = ({ cells }: Pick<ExploreReport, "cells">) =>
  cells.map(({ operation, nth, fault, reading, outcome }) => [operation, nth, fault, reading, outcome].join(" ")).sort();
const breaksOf = ({ breaks }: Pick<ExploreReport, "breaks">) =>
  breaks.map(({ name, symptom, faults }) => [name, symptom, JSON.stringify(faults)].join(" ")).sort();

async function partsOf(client: (sandbox: Sandbox) => unknown, of: number, options: ExploreOptions = {}) {
  const reports: ExploreReport[] = [];
  for (let part = 1; part <= of; part++) reports.push(await explore(client, { ...QUIET, ...options, shard: `${part}/${of}` }));
  return reports.map((report, i) => ({ file: `${i + 1}.json`, report }));
}

test.each<[string, (sandbox: Sandbox, gap?: Gap) => unknown, Gap | undefined, number]>([
  ["a client that looks only once", offers, "second_look", 3],
  ["a client without retries", offers, "retries", 2],
  ["a client that waits for webhooks", listens, undefined, 2],
])("all parts of the search with %s find the cells and breaks of the whole", { timeout: 300_000 }, async (_, play, gap, of) => {
  const client = (sandbox: Sandbox) => play(sandbox, gap);
  const whole = await explore(client, QUIET);
  const parts = await partsOf(client, of);
  const { report: merged, missing } = mergeReports(parts);
  expect(missing).toEqual([]);
  expect(cellsOf(merged)).toEqual(cellsOf(whole));
  expect(breaksOf(merged)).toEqual(breaksOf(whole));
  expect(merged).toMatchObject({ ended: whole.ended, not_tried: whole.not_tried });
  expect(merged.runs).toBeLessThanOrEqual(1.3 * whole.runs);
  // No part has all, and no two parts share a cell.
  const all = parts.flatMap(({ report }) => cellsOf(report));
  expect(new Set(all).size).toBe(all.length);
  for (const { report } of parts) expect(report.cells.length).toBeLessThan(whole.cells.length);
});

test.each(["0/3", "4/3", "1", "a/b", "1/0", "1/3/5", "-1/3", "1/10001", "1.5/3", ""])("the part %j is refused", async (text) => {
  await expect(explore(() => {}, { ...QUIET, shard: text })).rejects.toThrow(
    `explore: the option shard is a part such as 1/3, and not ${JSON.stringify(text)}.`,
  );
});

test("reports of other explorations cannot be joined, and a missing part has a name", async () => {
  const client = async (sandbox: Sandbox) => {
    await sandbox.fetch("/public/v1/contacts", { headers: { authorization: `API-Key ${sandbox.apiKey}` } });
  };
  const [one, two] = await partsOf(client, 2, { pairs: false });
  if (!one || !two) throw new Error("no reports");
  expect(mergeReports([two])).toMatchObject({ missing: ["1/2"], report: { shard: "2/2" } });
  expect(() => mergeReports([one, one])).toThrow("Cannot merge 1.json: 1.json is part 1/2 too.");
  const changed = (change: Partial<ExploreReport>) => ({ file: "b.json", report: { ...two.report, ...change } });
  expect(() => mergeReports([one, changed({ seed: "9" })])).toThrow(
    "Cannot merge b.json: its seed is 9, and not 1 as in 1.json.",
  );
  expect(() => mergeReports([one, changed({ shard: "2/3" })])).toThrow("another number of parts");
  const clean = { ...two.report.clean, calls: [] };
  expect(() => mergeReports([one, changed({ clean })])).toThrow("its run without a fault has other calls than that of 1.json.");
  expect(readShard("2/2")).toEqual({ part: 2, of: 2 });
  const broken = { name: "late", symptom: "failed", faults: [], steps: [] };
  const unfinished = changed({ breaks: [broken as never], not_shrunk: ["late", "gone"] });
  expect(mergeReports([one, unfinished]).report.not_shrunk).toEqual(["late"]);
});
