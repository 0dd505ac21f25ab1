/** Sends hostile files, named and generated ones, to a server with a data file. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { generatedFiles, type HostileFile, namedFiles } from "../../support/hostile-files.ts";
import { files as folder, type Served, serve } from "../../support/process.ts";
import { CLIENT, TEMPLATES } from "../../support/stories.ts";
import { KEY as PRODUCTION_KEY } from "../../support/world.ts";
import { load, within } from "../../support/patience.ts";

const ANSWER_MS = 3500;
/** The first ten named files take the most time and memory. */
const HARDEST = 10;
/** Files in progress at one time. */
const AT_ONCE = 4;

const KEY = { authorization: `API-Key ${PRODUCTION_KEY}` };
const TYPES = {
  pdf: "application/pdf",
  docx: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
  rtf: "application/rtf",
  markdown: "text/markdown",
} as const;

async function start(data: string): Promise<Served> {
  const server = await serve(["--port", "0", "--log", "silent", "--data", data, "--seed", "7"]);
  const body = { model: "document.processing", progression: "immediate" };
  expect((await server.call("POST", "/__admin/transitions", body)).status).toBeLessThan(300);
  return server;
}

interface Timed {
  status: number;
  text: string;
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Sends files, and records the answer that took longest, compared with its limit. The load at that time sets the limit. */
class Client {
  readonly #url: string;
  slowest = { ms: 0, limit_ms: within(ANSWER_MS), what: "" };

  constructor(url: string) {
    this.#url = url;
  }

  async ask(what: string, path: string, init: RequestInit = {}): Promise<Timed> {
    const began = performance.now();
    const answer = await fetch(this.#url + path, { ...init, headers: { ...KEY, ...init.headers } });
    const text = await answer.text();
    const ms = performance.now() - began;
    const limit_ms = within(ANSWER_MS);
    if (ms / limit_ms > this.slowest.ms / this.slowest.limit_ms) this.slowest = { ms, limit_ms, what: `${what}: ${path}` };
    return { status: answer.status, text };
  }

  /** Sends a file in the way that its kind needs. Returns the id of the document. */
  async send({ name, kind, bytes }: HostileFile): Promise<string> {
    if (kind === "image") {
      const url = `data:image/png;base64,${Buffer.from(bytes).toString("base64")}`;
      const body = { template_uuid: TEMPLATES.everyField, recipients: [], images: [{ name: "Logo", urls: [url] }] };
      return this.#idOf(name, await this.ask(name, "/public/v1/documents", json(body)));
    }
    const form = new FormData();
    const type = { type: TYPES[kind] };
    form.set("file", new Blob([bytes as Uint8Array<ArrayBuffer>], type), `file.${kind === "markdown" ? "md" : kind}`);
    const fields = kind === "pdf" && name.includes("field") ? { parse_form_fields: true } : {};
    form.set("data", JSON.stringify({ name: "Hostile", recipients: [CLIENT], ...fields }));
    const variant = kind === "markdown" ? "upload-markdown" : "upload";
    return this.#idOf(name, await this.ask(name, `/public/v1/documents?${variant}`, { method: "POST", body: form }));
  }

  #idOf(name: string, { status, text }: Timed): string {
    expect([name, status, text.slice(0, 200)]).toEqual([name, 201, text.slice(0, 200)]);
    return JSON.parse(text).id;
  }

  /** Polls until the document is processed. Returns its status. */
  async processed(name: string, id: string): Promise<string> {
    for (;;) {
      const { text } = await this.ask(`${name}, status`, `/public/v1/documents/${id}`);
      const { status } = JSON.parse(text);
      if (status !== "document.uploaded") return status;
      await pause(50);
    }
  }

  /** Polls until the PDF is made or has failed. Returns the status of the last answer. */
  async downloaded(name: string, id: string): Promise<number> {
    for (;;) {
      const { status } = await this.ask(`${name}, download`, `/public/v1/documents/${id}/download`);
      if (status !== 202) return status;
      await pause(50);
    }
  }
}

function json(body: unknown): RequestInit {
  return { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
}

/** Resident memory of a process in MiB, or 0 if the system does not report it. */
function memoryOf(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1024;
}

/** Waits for the document of a sent file, downloads a draft, and opens its signing page. Returns the statuses. */
async function use(client: Client, file: HostileFile, id: string): Promise<string[]> {
  const status = await client.processed(file.name, id);
  expect([file.name, status]).toEqual([file.name, expect.stringMatching(/^document\.(draft|error)$/)]);
  if (status === "document.error") return [status];
  const download = await client.downloaded(file.name, id);
  expect([file.name, download]).toEqual([file.name, expect.toBeOneOf([200, 409])]);
  if (file.kind === "image") return [status, `download ${download}`];
  expect((await client.ask(file.name, `/public/v1/documents/${id}/send`, json({ silent: true }))).status).toBe(200);
  const session = await client.ask(file.name, `/public/v1/documents/${id}/session`, json({ recipient: CLIENT.email }));
  expect([file.name, session.status]).toEqual([file.name, 201]);
  const page = await client.ask(file.name, `/s/${JSON.parse(session.text).id}/`);
  expect([file.name, page.status]).toEqual([file.name, 200]);
  return [status, `download ${download}`];
}

/** Sends and uses all files. Returns the seen statuses. */
async function play(client: Client, all: readonly HostileFile[]): Promise<string[]> {
  const statuses: string[] = [];
  const waiting = [...all];
  const work = async () => {
    for (let file = waiting.shift(); file; file = waiting.shift())
      statuses.push(...(await use(client, file, await client.send(file))));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return statuses;
}

/** Starts a server with a data file, runs `attack`, and expects quick answers, little memory, and a second start with the data. */
async function survives(files: readonly HostileFile[], attack: (client: Client) => Promise<string[]>): Promise<string[]> {
  const data = join(folder(), "data.json");
  const server = await start(data);
  const client = new Client(server.url);
  const before = memoryOf(server.pid);
  const began = performance.now();
  const statuses = await attack(client);
  const after = memoryOf(server.pid);
  if (process.env.FILES_REPORT)
    console.log({
      files: files.length,
      seconds: (performance.now() - began) / 1000,
      drafts: statuses.filter((one) => one === "document.draft").length,
      slowest: client.slowest,
      before,
      after,
      load: load(),
    });
  expect(client.slowest.ms, client.slowest.what).toBeLessThan(client.slowest.limit_ms);
  // The server keeps each sent file twice as text: in rows and in the data file.
  const sent = files.reduce((sum, { bytes }) => sum + bytes.length, 0) / 1024 / 1024;
  expect(after).toBeLessThan(before + 250 + 4 * sent);
  expect((await server.stop()).code).toBe(0);
  const again = await start(data);
  expect((await again.call("GET", "/health")).body.status).toBe("healthy");
  expect((await again.stop()).code).toBe(0);
  return statuses;
}

/** Times 2000 calls of a document's status, one every 5 ms. Returns the time of the slowest of 99 in 100 calls, in milliseconds. */
async function statusTime(client: Client, id: string): Promise<number> {
  const times: number[] = [];
  const calls: Promise<void>[] = [];
  const began = performance.now();
  for (let count = 0; count < 2000; count++) {
    await pause(Math.max(0, began + count * 5 - performance.now()));
    const at = performance.now();
    calls.push(
      client.ask("status", `/public/v1/documents/${id}`).then(({ status }) => {
        expect(status).toBe(200);
        times.push(performance.now() - at);
      }),
    );
  }
  await Promise.all(calls);
  return times.sort((a, b) => a - b)[Math.floor(times.length * 0.99)] as number;
}

/** A small document, ready for calls of its status. */
async function aSmallDocument(client: Client): Promise<string> {
  const id = await client.send({ name: "small", kind: "markdown", bytes: Buffer.from("Hello") });
  await client.processed("small", id);
  return id;
}

describe("hostile files", () => {
  // An idle server on the same machine tells how much of the time is the load of the machine.
  test(
    "99 of 100 status calls take hardly longer than those of an idle server while ten hostile files are converted",
    async () => {
      const ten = namedFiles().slice(0, HARDEST);
      const idle = await start(join(folder(), "idle.json"));
      const idleClient = new Client(idle.url);
      const idleId = await aSmallDocument(idleClient);
      await survives(ten, async (client) => {
        const id = await aSmallDocument(client);
        const ids = await Promise.all(ten.map((file) => client.send(file)));
        const uses = ten.map((file, i) => use(client, file, ids[i] as string));
        const [busy_ms, idle_ms, statuses] = await Promise.all([
          statusTime(client, id),
          statusTime(idleClient, idleId),
          Promise.all(uses),
        ]);
        if (process.env.FILES_REPORT) console.log({ busy_ms, idle_ms, load: load() });
        expect(busy_ms).toBeLessThan(50 + 3 * idle_ms);
        return statuses.flat();
      });
      expect((await idle.stop()).code).toBe(0);
    },
    within(180_000),
  );

  test(
    "no file crashes the server, delays an answer, keeps memory or prevents a start",
    async () => {
      const generated = await generatedFiles();
      expect(generated.length).toBeGreaterThanOrEqual(200);
      // The test above has already sent the hardest files.
      const all = [...namedFiles().slice(HARDEST), ...generated];
      const statuses = await survives(all, (client) => play(client, all));
      expect(statuses).toContain("document.error");
      expect(statuses).toContain("download 200");
    },
    within(900_000),
  );
});
