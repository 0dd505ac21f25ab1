/** An upgrade without a gap: a new process takes over the data file and the calls of the old one. */
import { type ChildProcess, spawn } from "node:child_process";
import { createServer as createWebServer, request } from "node:http";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { CLI, files, run, serve } from "../../support/process.ts";
import { CLIENT, TEMPLATES } from "../../support/stories.ts";

const CLIENTS = 4;
const TENANTS = ["docdouble-key", "test-one", "test-two"];

interface Front {
  url: string;
  /** Sends later calls to this address. */
  turnTo(url: string): void;
  /** Resolves when no call to the earlier addresses is in progress. */
  drained(): Promise<void>;
}

/** Stands for a load balancer: each call goes to one address, and no call is repeated. */
async function aFront(first: string): Promise<Front> {
  let target = first;
  const busy = new Map<string, number>();
  const waiting: (() => void)[] = [];
  const server = createWebServer((incoming, outgoing) => {
    const at = target;
    busy.set(at, (busy.get(at) ?? 0) + 1);
    const forward = request(
      at + incoming.url,
      { method: incoming.method ?? "GET", headers: incoming.headers, agent: false },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      },
    );
    forward.on("error", (error) => outgoing.writeHead(502).end(String(error)));
    outgoing.on("close", () => {
      busy.set(at, (busy.get(at) ?? 0) - 1);
      if (isDrained()) for (const done of waiting.splice(0)) done();
    });
    incoming.pipe(forward);
  });
  const isDrained = () => [...busy].every(([at, calls]) => at === target || calls === 0);
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  onTestFinished(() => void server.close());
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    turnTo(url) {
      target = url;
    },
    drained: () => (isDrained() ? Promise.resolve() : new Promise((done) => waiting.push(done))),
  };
}

async function aFreePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  await new Promise((done) => server.close(done));
  return port;
}

/** Starts a server that waits for the data file. Resolves when it holds calls. */
async function aStandby(port: number, data: string): Promise<ChildProcess> {
  const args = ["start", "--port", String(port), "--data", data, "--standby", "--log", "silent"];
  const env = { ...process.env };
  for (const name of ["NODE_OPTIONS", "PORT", "VITEST"]) delete env[name];
  const child = spawn(process.execPath, [CLI, ...args], { env, stdio: ["ignore", "pipe", "pipe"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  let text = "";
  await new Promise<void>((resolve, reject) => {
    child.stderr.setEncoding("utf8").on("data", (more: string) => {
      text += more;
      if (text.includes("holds calls")) resolve();
    });
    child.once("close", (code) => reject(new Error(`ended with ${code}: ${text}`)));
  });
  return child;
}

interface Made {
  key: string;
  status: number;
  id: string;
}

/** Clients that create documents one after another until `stop`. Returns what each call answered. */
function busyClients(url: string): { made: Made[]; stop(): Promise<void> } {
  const made: Made[] = [];
  let isOver = false;
  const work = async (key: string) => {
    for (let i = 0; !isOver; i++) {
      const body = JSON.stringify({ name: `Offer ${i}`, template_uuid: TEMPLATES.oneSigner, recipients: [CLIENT] });
      const headers = { authorization: `API-Key ${key}`, "content-type": "application/json" };
      const answer = await fetch(`${url}/public/v1/documents`, { method: "POST", headers, body });
      const text = await answer.text();
      made.push({ key, status: answer.status, id: answer.status === 201 ? (JSON.parse(text).id as string) : text });
    }
  };
  const all = Array.from({ length: CLIENTS }, (_, i) => work(TENANTS[i % TENANTS.length] as string));
  return {
    made,
    async stop() {
      isOver = true;
      await Promise.all(all);
    },
  };
}

/** Waits until the clients got `count` more answers. */
async function moreAnswers(made: readonly Made[], count: number): Promise<void> {
  const goal = made.length + count;
  while (made.length < goal) await new Promise((next) => setImmediate(next));
}

test("a new process takes over the data file and the calls of the old one, and no call is refused and no change lost", async () => {
  const data = join(files(), "state.jsonl");
  const old = await serve(["--port", "0", "--data", data, "--log", "silent"]);
  const front = await aFront(old.url);
  const clients = busyClients(front.url);
  await moreAnswers(clients.made, 20);

  const port = await aFreePort();
  await aStandby(port, data);
  expect((await fetch(`http://127.0.0.1:${port}/__admin/ready`)).status).toBe(200);
  await moreAnswers(clients.made, 5);
  front.turnTo(`http://127.0.0.1:${port}`);
  await front.drained();
  expect((await old.stop()).code).toBe(0);

  await moreAnswers(clients.made, 20);
  await clients.stop();
  expect(clients.made.filter(({ status }) => status !== 201)).toEqual([]);
  for (const key of TENANTS) {
    const expected = clients.made.filter((one) => one.key === key).map(({ id }) => id);
    const found: string[] = [];
    for (let page = 1; ; page++) {
      const answer = await fetch(`${front.url}/public/v1/documents?count=100&page=${page}`, {
        headers: { authorization: `API-Key ${key}` },
      });
      const { results } = (await answer.json()) as { results: { id: string }[] };
      if (results.length === 0) break;
      found.push(...results.map(({ id }) => id));
    }
    expect(found.sort()).toEqual(expected.sort());
  }
});

test("a standby answers health checks, holds calls, and ends with a reason when it cannot use the file", async () => {
  const data = join(files(), "state.jsonl");
  const old = await serve(["--port", "0", "--data", data, "--log", "silent"]);
  const port = await aFreePort();
  const url = `http://127.0.0.1:${port}`;
  await aStandby(port, data);
  expect(await (await fetch(`${url}/__admin/ready`)).json()).toMatchObject({ status: "standby" });
  expect((await run(["health", url])).code).toBe(0);
  const held = fetch(`${url}/public/v1/documents`, { headers: { authorization: "API-Key docdouble-key" } });
  await old.stop();
  expect((await held).status).toBe(200);
  const foreign = files({ "foreign.txt": "not a data file\n" });
  const refused = await run(["start", "--port", "0", "--data", foreign, "--standby"]);
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining("cannot use the data file")]);
  expect((await run(["start", "--port", "0", "--standby"])).stderr).toContain(
    "--standby waits for the data file of another server",
  );
});
