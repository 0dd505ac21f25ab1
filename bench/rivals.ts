/**
 * Compares docdouble with other servers that teams use instead of a real one, the fastest of their kind. npm installs them into a
 * temporary folder. WireMock needs Java.
 */
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import type { Figure } from "./figures.ts";
import { rate } from "./rates.ts";
import {
  benchFixtures,
  CREATE,
  DOCDOUBLE_ARGS,
  HEADERS,
  load,
  makeDraft,
  median,
  sampleOf,
  type Server,
  start,
  stop,
} from "./servers.ts";

const PACKAGES = { "json-server": "1.0.0-beta.3", emulate: "0.8.0", wiremock: "3.13.2" };
const STARTS = 5;
const ROUNDS = 2;
const WARM_UP_MS = 4000;
const MEASURED_MS = 1500;
const KEYLESS = "/documents";

interface Rival {
  name: string;
  /** The command that starts the server at `port`. */
  command(port: number): readonly [string, ...string[]];
  /** The path that answers when the server is ready. */
  ready: string;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Starts a rival, and repeats a call until it answers. */
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

/** Installs the rivals and writes the data that they serve: one document, as docdouble answers it. */
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

/** On Linux, servers run on the first processor and the load on the second. Otherwise some servers would use both. */
const CAN_PIN = spawnSync("taskset", ["--version"]).status === 0 && cpus().length > 1;

function pin(pid: number | undefined, processors: string): void {
  if (CAN_PIN) spawnSync("taskset", ["--all-tasks", "--cpu-list", "--pid", processors, String(pid)]);
}

interface Contest {
  begin(): Promise<Server>;
  read: string;
  create: string;
}

/** Calls per second of reads and of creates. The server runs alone and is warmed up. */
async function contest({ begin, read, create }: Contest): Promise<{ read: number; create: number }> {
  const server = await begin();
  pin(server.process.pid, "0");
  const rateOf = async (path: string, method: string, body?: string) => {
    await load(server.url + path, method, body, WARM_UP_MS);
    return (await load(server.url + path, method, body, MEASURED_MS)).perSecond;
  };
  const rates = { read: await rateOf(read, "GET"), create: await rateOf(create, "POST", CREATE) };
  await stop(server);
  return rates;
}

export async function measureRivals(): Promise<Figure[]> {
  const fixtures = benchFixtures();
  const double = await start([...DOCDOUBLE_ARGS, "--fixtures", fixtures], "/__admin/health");
  const { status } = JSON.parse(readFileSync(await sampleOf(double, await makeDraft(double)), "utf8")) as {
    status: { id: string };
  };
  await stop(double);
  const rivals = install(status);

  const starts: Record<string, number[]> = {};
  for (let i = 0; i < STARTS; i++)
    for (const [name, begins] of [
      ["docdouble", () => start(DOCDOUBLE_ARGS, "/public/v1/documents")] as const,
      ...rivals.map((rival) => [rival.name, () => begin(rival)] as const),
    ]) {
      const server = await begins();
      starts[name] = [...(starts[name] ?? []), server.firstAnswer_ms];
      await stop(server);
    }

  const loaded = rivals.filter(({ ready }) => ready.startsWith(KEYLESS));
  // The same seed and clock give the document the same id each time.
  const ours = async () => {
    const server = await start([...DOCDOUBLE_ARGS, "--fixtures", fixtures], "/__admin/health");
    await makeDraft(server);
    return server;
  };
  const contests: Record<string, Contest> = {
    docdouble: { begin: ours, read: `/public/v1/documents/${status.id}`, create: "/public/v1/documents" },
    ...Object.fromEntries(loaded.map((rival) => [rival.name, { begin: () => begin(rival), read: rival.ready, create: KEYLESS }])),
  };
  const rates: Record<string, { read: number; create: number }[]> = {};
  pin(process.pid, "1");
  for (let i = 0; i < ROUNDS; i++)
    for (const [name, one] of Object.entries(contests)) rates[name] = [...(rates[name] ?? []), await contest(one)];
  pin(process.pid, `0-${cpus().length - 1}`);
  const middle = (name: string, what: "read" | "create") => median((rates[name] ?? []).map((one) => one[what]));
  return [
    ...loaded.map(({ name }) => rate("`statusDocument`", middle("docdouble", "read"), name, middle(name, "read"), 2)),
    ...loaded.map(({ name }) => rate("`createDocument`", middle("docdouble", "create"), name, middle(name, "create"), 1.2)),
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
