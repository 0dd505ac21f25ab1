/**
 * Exploration finds the planted fault of each integration of the zoo with its symptom, and found files play it again.
 * test/system/tools/zoo-twins.test.ts explores the fixed twins.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import type { Break, FaultPlace } from "../../src/tools/explore/report.ts";
import type { ScenarioFile } from "../../src/library/file-types.ts";
import { within } from "../support/patience.ts";
import { run } from "../support/process.ts";
import { zooCommand } from "./bundle.ts";
import { exploreClient, foundIn } from "./explore-pair.ts";
import { type ClientName, type Pair, PAIRS } from "./pairs.ts";

const table: string[] = [];
const folder = mkdtempSync(join(tmpdir(), "docdouble-zoo-"));
afterAll(() => {
  console.log(table.join("\n"));
  rmSync(folder, { recursive: true, force: true });
});

/** The scenario files of each planted fault. The first file is for the planted fault itself. */
const files = new Map<Pair, string[]>();

const reports = new Map<Pair, ReturnType<typeof exploreClient>>();

/** Explores the client of a planted fault, unless a test before has done it, and keeps the found files. */
async function exploredOnce(pair: Pair) {
  const out = join(folder, `${pair.client}-${pair.gap}`);
  const exploring = reports.get(pair) ?? exploreClient(pair.client, pair.gap, { only: pair.fault, pairs: false, out });
  reports.set(pair, exploring);
  const report = await exploring;
  const isPlanted = ({ symptom, faults }: Break) => symptom === pair.symptom && faults[0]?.fault === pair.fault;
  const sorted = [...report.breaks].sort((a, b) => Number(isPlanted(b)) - Number(isPlanted(a)));
  files.set(
    pair,
    sorted.map(({ scenario }) => scenario ?? ""),
  );
  return report;
}

const line = (...cells: (string | number)[]) =>
  table.push(
    cells
      .map((cell) => String(cell).padEnd(50))
      .join("")
      .trimEnd(),
  );

describe("finds", () => {
  // One kind of fault each. `npm run test:system` gives exploration all kinds.
  const titled = PAIRS.map((pair) => [`${pair.client}, which ${pair.planted}: ${pair.symptom} by ${pair.fault}`, pair] as const);
  test.each(titled)("%s", async (_, pair) => {
    const report = await exploredOnce(pair);
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
  });
});

/** How many times faster the integrations sleep. An integration with webhooks must handle them before it polls. */
const PACE: Partial<Record<ClientName, number>> = { bookings: 10 };
/** At that pace, a client that does not end is detected soon. */
const HUNG_AFTER = `ends_within: ${Math.round(within(6))}s`;
const SIDE_BY_SIDE = 3;

/** Plays a found file. Returns the exit code, the number of unmet expectations and the error output. */
async function played(file: string, command: readonly string[], client: ClientName, timesSlower = 1) {
  const { code, stdout, stderr } = await run(["run", file, "--json", "--sleep", "real", "--", ...command], {
    env: { ZOO_PACE: String((PACE[client] ?? 50) / timesSlower) },
  });
  const { expectations } = JSON.parse(stdout) as { expectations: { ok: boolean }[] };
  return { code, unmet: expectations.filter(({ ok }) => !ok).length, said: stderr };
}

test("docdouble run plays found files: the expectation fails for the integration, and holds for the fixed twin", async () => {
  for (const pair of PAIRS) await exploredOnce(pair);
  const zoo = await zooCommand(folder);
  // One file of each planted fault. The next test plays all files in this process.
  const left = [...files].map(([pair, [file = ""]]) => ({ ...pair, file }));
  const wrong: string[] = [];
  const next = async (): Promise<void> => {
    for (let one = left.shift(); one; one = left.shift()) {
      const { client, gap, planted, symptom, file } = one;
      writeFileSync(file, readFileSync(file, "utf8").replace(/ends_within: \w+/, HUNG_AFTER));
      // On a busy machine, deliveries may arrive after the client has looked, which hides a symptom. So the second try sleeps longer.
      // A client that hangs has a time limit, which every client would exceed at that pace.
      const isBroken = async (timesSlower: number) => {
        const { code, unmet } = await played(file, [...zoo, client, gap], client, timesSlower);
        return code !== 0 && unmet > 0;
      };
      if (!((await isBroken(1)) || (await isBroken(symptom === "hung" ? 1 : 5))))
        wrong.push(`${client}, which ${planted}, passes ${file}`);
      const { code, said } = await played(file, [...zoo, client], client);
      if (code !== 0) wrong.push(`${client}, mended, fails ${file}:\n${said}`);
    }
  };
  await Promise.all(Array.from({ length: SIDE_BY_SIDE }, next));
  expect(wrong.join("\n\n")).toBe("");
});

/** For each fault, the scenario without this fault. */
function withoutOneFault(text: string): ScenarioFile[] {
  const { faults } = JSON.parse(/^# docdouble explore: (.*)$/m.exec(text)?.[1] ?? "") as { faults: FaultPlace[] };
  return faults.map((left) => {
    const scenario = parse(text) as ScenarioFile;
    const isKept = ({ name }: { name?: string | undefined }) => name !== `${left.fault} at ${left.operation} ${left.nth}`;
    const others: ScenarioFile = {
      ...scenario,
      rules: scenario.rules?.filter(isKept),
      webhooks: scenario.webhooks?.filter(isKept),
    };
    return left.fault.startsWith("recipient_") || left.fault === "document_expires" ? { ...others, instead: [] } : others;
  });
}

test("each found file fails the integration, passes the fixed twin, and needs each of its faults", async () => {
  for (const pair of PAIRS) await exploredOnce(pair);
  const wrong: string[] = [];
  for (const [{ client, gap }, names] of files)
    for (const file of names) {
      const text = readFileSync(file, "utf8");
      const plays = async (scenario: ScenarioFile, planted: string | undefined) =>
        exploreClient(client, planted, { scenario, skip: "*", pairs: false }).then(
          ({ breaks }) => breaks.map(({ message }) => message).join(),
          (error: Error) => error.message,
        );
      // Only a command can meet an expectation with `truthful`.
      if (!text.includes("truthful: true") && (await plays(parse(text), gap)) === "")
        wrong.push(`${file} does not break ${client}`);
      const mended = await plays(parse(text), undefined);
      if (mended !== "") wrong.push(`${file} breaks ${client}, mended: ${mended}`);
      for (const part of withoutOneFault(text)) {
        const said = await plays(part, gap);
        if (said !== "") wrong.push(`${file} still breaks ${client}: ${said}`);
      }
    }
  expect(wrong.join("\n")).toBe("");
});
