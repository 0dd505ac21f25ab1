/**
 * Other servers that teams put in the place of a real one, beside docdouble on this machine: those that were the fastest of their
 * kind. They are fetched from the npm registry into a folder of their own; WireMock needs Java.
 */
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Figure } from "./figures.ts";
import { compete, rate } from "./rates.ts";
import { benchFixtures, CREATE, DOUBLE, HEADERS, makeDraft, median, sampleOf, type Server, start, stop } from "./servers.ts";

const PACKAGES = { "json-server": "1.0.0-beta.3", emulate: "0.8.0", wiremock: "3.13.2" };
const STARTS = 5;
const KEYLESS = "/documents";

interface Rival {
  name: string;
  /** The command that serves at `port`. */
  command(port: number): readonly [string, ...string[]];
  /** What it is asked first. */
  ready: string;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Starts a rival, and asks until it answers. */
async function begin({ name, command, ready }: Rival): Promise<Server> {
  const port = await freePort();
  const [file, ...args] = command(port);
  const begun = performance.now();
  const child = spawn(file, args, { stdio: "ignore" });
  const ended = new Promise<never>((_, reject) => {
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`${name} ended with ${code}`)));
  });
  ended.catch(() => {});
  const url = `http://localhost:${port}`;
  for (;;) {
    const answer = await Promise.race([fetch(url + ready, { headers: HEADERS }).catch(() => undefined), ended]);
    await answer?.text();
    if (answer) return { url, process: child, firstAnswer_ms: performance.now() - begun };
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}

/** Fetches the rivals and writes what they serve: a document as docdouble answers it. */
function install(status: { id: string }): Rival[] {
  const folder = mkdtempSync(join(tmpdir(), "docdouble-rivals-"));
  const wanted = Object.entries(PACKAGES).map(([name, version]) => `${name}@${version}`);
  execFileSync("npm", ["install", "--prefix", folder, "--no-audit", "--no-fund", ...wanted], { stdio: "ignore" });
  const inside = (...parts: string[]) => join(folder, "node_modules", ...parts);
  writeFileSync(join(folder, "db.json"), JSON.stringify({ documents: [status] }));
  mkdirSync(join(folder, "mappings"));
  const json = { headers: { "Content-Type": "application/json" }, jsonBody: status };
  const mappings = [
    { request: { method: "GET", urlPath: `${KEYLESS}/${status.id}` }, response: { status: 200, ...json } },
    { request: { method: "POST", urlPath: KEYLESS }, response: { status: 201, ...json } },
  ];
  writeFileSync(join(folder, "mappings", "documents.json"), JSON.stringify({ mappings }));
  const { execPath } = process;
  const bin = (name: string) => {
    const { bin: named } = JSON.parse(readFileSync(inside(name, "package.json"), "utf8")) as { bin: Record<string, string> };
    return inside(name, Object.values(named)[0] as string);
  };
  const jar = inside("wiremock", "build", `wiremock-standalone-${PACKAGES.wiremock}.jar`);
  return [
    {
      name: "json-server",
      command: (port) => [execPath, bin("json-server"), "--port", String(port), join(folder, "db.json")],
      ready: `${KEYLESS}/${status.id}`,
    },
    {
      name: "vercel-labs/emulate",
      command: (port) => [execPath, bin("emulate"), "start", "--port", String(port), "--service", "stripe"],
      ready: "/v1/customers",
    },
    {
      name: "WireMock",
      command: (port) => ["java", "-jar", jar, "--port", String(port), "--root-dir", folder, "--disable-banner"],
      ready: `${KEYLESS}/${status.id}`,
    },
  ];
}

export async function measureRivals(): Promise<Figure[]> {
  const double = await start([...DOUBLE, "--fixtures", benchFixtures()], "/__admin/health");
  const id = await makeDraft(double);
  const { status } = JSON.parse(readFileSync(await sampleOf(double, id), "utf8")) as { status: { id: string } };
  const rivals = install(status);

  const starts: Record<string, number[]> = {};
  for (let i = 0; i < STARTS; i++)
    for (const [name, begins] of [
      ["docdouble", () => start(DOUBLE, "/public/v1/documents")] as const,
      ...rivals.map((rival) => [rival.name, () => begin(rival)] as const),
    ]) {
      const server = await begins();
      starts[name] = [...(starts[name] ?? []), server.firstAnswer_ms];
      await stop(server);
    }

  const loaded = rivals.filter(({ ready }) => ready.startsWith(KEYLESS));
  const running = await Promise.all(loaded.map(async (rival) => [rival.name, await begin(rival)] as const));
  const get = { method: "GET", path: `/public/v1/documents/${id}` };
  const theirs = { method: "GET", path: `${KEYLESS}/${status.id}` };
  const read = await compete({
    docdouble: [double, get],
    ...Object.fromEntries(running.map(([name, server]) => [name, [server, theirs]])),
  });
  const made = await compete({
    docdouble: [double, { method: "POST", path: "/public/v1/documents", body: CREATE }],
    ...Object.fromEntries(running.map(([name, server]) => [name, [server, { method: "POST", path: KEYLESS, body: CREATE }]])),
  });
  await Promise.all([double, ...running.map(([, server]) => server)].map(stop));
  return [
    ...loaded.map(({ name }) => rate("`statusDocument`", read.docdouble, name, read[name], 2)),
    ...loaded.map(({ name }) => rate("`createDocument`", made.docdouble, name, made[name], 1.2)),
    ...rivals.map(
      ({ name }): Figure => ({
        what: "spawn to first answer",
        ours: median(starts.docdouble ?? []),
        limit: { name, value: median(starts[name] ?? []) },
        unit: "ms",
        goal: { at: "most", ratio: 1 },
      }),
    ),
  ];
}
