/** Exploration finds the planted fault of each integration of the zoo with its symptom, and accuses no mended twin. Found files play. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { within } from "../support/patience.ts";
import { run } from "../support/process.ts";
import { zooCommand } from "./bundle.ts";
import { exploreClient, foundIn } from "./explore-pair.ts";
import { CLIENTS, type ClientName, type Pair, PAIRS } from "./pairs.ts";

const table: string[] = [];
const folder = mkdtempSync(join(tmpdir(), "docdouble-zoo-"));
afterAll(() => {
  console.log(table.join("\n"));
  rmSync(folder, { recursive: true, force: true });
});

/** The scenario file of each planted fault. */
const files = new Map<Pair, string>();

const line = (...cells: (string | number)[]) =>
  table.push(
    cells
      .map((cell) => String(cell).padEnd(50))
      .join("")
      .trimEnd(),
  );

describe("finds", () => {
  // One kind of fault each. `npm run test:slow` gives exploration all of them.
  const titled = PAIRS.map((pair) => [`${pair.client}, which ${pair.planted}: ${pair.symptom} by ${pair.fault}`, pair] as const);
  test.each(titled)("%s", async (_, pair) => {
    const out = join(folder, `${pair.client}-${pair.gap}`);
    const report = await exploreClient(pair.client, pair.gap, { only: pair.fault, pairs: false, out });
    const [found] = report.breaks;
    line(
      `${pair.client}: ${pair.planted}`,
      found ? `${found.symptom} by ${found.faults[0]?.fault}` : "nothing",
      `${report.runs} runs`,
    );
    expect(report.breaks.map(({ symptom, faults }) => ({ symptom, fault: faults[0]?.fault }))).toContainEqual({
      symptom: pair.symptom,
      fault: pair.fault,
    });
    expect(foundIn(report, pair)).toBe(true);
    const own = report.breaks.find(({ symptom, faults }) => symptom === pair.symptom && faults[0]?.fault === pair.fault);
    files.set(pair, own?.scenario ?? "");
  });
});

/** How many times faster the integrations sleep. One that handles webhooks must not poll before it has handled them. */
const PACE: Partial<Record<ClientName, string>> = { bookings: "10" };
/** At that pace, a client that does not end is known soon. */
const HUNG_AFTER = `ends_within: ${Math.round(within(6))}s`;
const SIDE_BY_SIDE = 3;

test("docdouble run plays each found file: it fails the integration, and passes the mended twin", async () => {
  const zoo = await zooCommand(folder);
  const left = [...files];
  const wrong: string[] = [];
  const next = async (): Promise<void> => {
    for (let one = left.shift(); one; one = left.shift()) {
      const [{ client, gap, planted }, file] = one;
      const env = { ZOO_PACE: PACE[client] ?? "50" };
      writeFileSync(file, readFileSync(file, "utf8").replace(/ends_within: \w+/, HUNG_AFTER));
      const broken = await run(["run", file, "--", ...zoo, client, gap], { env });
      const mended = await run(["run", file, "--", ...zoo, client], { env });
      if (broken.code === 0) wrong.push(`${client}, which ${planted}, passes ${file}:\n${broken.stderr}`);
      if (mended.code !== 0) wrong.push(`${client}, mended, fails ${file}:\n${mended.stderr}`);
    }
  };
  await Promise.all(Array.from({ length: SIDE_BY_SIDE }, next));
  expect(wrong.join("\n\n")).toBe("");
  expect(files.size).toBe(PAIRS.length);
});

describe("accuses no twin", () => {
  test.each(Object.keys(CLIENTS) as ClientName[])("%s", async (client) => {
    const report = await exploreClient(client, undefined, { pairs: false });
    line(`${client}, mended`, "nothing", `${report.runs} runs`);
    expect(report.breaks.map(({ name, message }) => ({ name, message }))).toEqual([]);
    expect(report.ended).toBe("complete");
  });
});
