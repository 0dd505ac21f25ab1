/** Files from outside cannot hurt the server: what the review sent, and generated files, to a server with a data file. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parseMarkdown } from "../../../src/core/blocks.ts";
import { withoutTags } from "../../../src/domain/content/field-tags.ts";
import { generatedFiles, type HostileFile, namedFiles } from "../../support/hostile-files.ts";
import { files as folder, type Served, serve } from "../../support/process.ts";
import { receiver } from "../../support/receiver.ts";
import { CLIENT, TEMPLATES } from "../../support/stories.ts";

/** No answer takes longer. Machines that run other things meanwhile are slower. */
const ANSWER_MS_MAX = process.env.CI ? 4000 : 2000;
/** The files take minutes, as many end at a limit of time: `npm run fuzz` sends them, and the suite does not. */
const IS_FUZZ = process.env.FUZZ_SECONDS !== undefined;

const KEY = { authorization: "API-Key docdouble-key" };
const TYPES = {
  pdf: "application/pdf",
  docx: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
  rtf: "application/rtf",
  markdown: "text/markdown",
} as const;

function start(data: string, more: readonly string[] = []): Promise<Served> {
  return serve(["--port", "0", "--log", "silent", "--data", data, "--seed", "7", ...more]);
}

interface Timed {
  status: number;
  ms: number;
  text: string;
}

class Client {
  readonly #url: string;
  /** The slowest answer so far. */
  slowest = { ms: 0, what: "" };

  constructor(url: string) {
    this.#url = url;
  }

  async ask(what: string, path: string, init: RequestInit = {}): Promise<Timed> {
    const began = performance.now();
    const answer = await fetch(this.#url + path, { ...init, headers: { ...KEY, ...init.headers } });
    const text = await answer.text();
    const ms = performance.now() - began;
    if (ms > this.slowest.ms) this.slowest = { ms, what: `${what}: ${path}` };
    return { status: answer.status, ms, text };
  }

  /** Sends a file as its kind wants it. Returns the id of the document. */
  async send({ name, kind, bytes }: HostileFile): Promise<string> {
    if (kind === "image") {
      const url = `data:image/png;base64,${Buffer.from(bytes).toString("base64")}`;
      const body = { template_uuid: TEMPLATES.everyField, recipients: [], images: [{ name: "Logo", urls: [url] }] };
      return this.#idOf(name, await this.ask(name, "/public/v1/documents", json(body)));
    }
    const form = new FormData();
    form.set(
      "file",
      new Blob([bytes as Uint8Array<ArrayBuffer>], { type: TYPES[kind] }),
      `file.${kind === "markdown" ? "md" : kind}`,
    );
    const fields = kind === "pdf" && name.includes("field") ? { parse_form_fields: true } : {};
    form.set("data", JSON.stringify({ name: "Hostile", recipients: [CLIENT], ...fields }));
    const variant = kind === "markdown" ? "upload-markdown" : "upload";
    return this.#idOf(name, await this.ask(name, `/public/v1/documents?${variant}`, { method: "POST", body: form }));
  }

  #idOf(name: string, { status, text }: Timed): string {
    expect([name, status, text.slice(0, 200)]).toEqual([name, 201, text.slice(0, 200)]);
    return JSON.parse(text).id;
  }

  /** Asks until the document is processed, and returns its status. */
  async processed(id: string): Promise<string> {
    for (;;) {
      const { text } = await this.ask("status", `/public/v1/documents/${id}`);
      const { status } = JSON.parse(text);
      if (status !== "document.uploaded") return status;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}

function json(body: unknown): RequestInit {
  return { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
}

/** Resident memory of a process in MiB, where the system tells it. */
function memoryOf(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1024;
}

/** Asks a server for a list every few milliseconds. `stop` gives the 99th of a hundred answer times. */
function probing(server: Served): { stop(): Promise<number> } {
  const times: number[] = [];
  let isOver = false;
  const loop = (async () => {
    while (!isOver) {
      const began = performance.now();
      expect((await server.call("GET", "/public/v1/templates")).status).toBe(200);
      times.push(performance.now() - began);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  })();
  return {
    stop: async () => {
      isOver = true;
      await loop;
      return times.sort((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? 0;
    },
  };
}

/** Sends each file, waits for what becomes of it, downloads what became a draft, and looks at it as its signer. */
async function play(client: Client, all: readonly HostileFile[]): Promise<Map<string, number>> {
  const outcomes = new Map<string, number>();
  const count = (outcome: string) => outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
  for (const file of all) {
    const id = await client.send(file);
    const status = await client.processed(id);
    count(status);
    expect([file.name, status]).toEqual([file.name, expect.stringMatching(/^document\.(draft|error)$/)]);
    if (status === "document.error") continue;
    const download = await client.ask(file.name, `/public/v1/documents/${id}/download`);
    count(`download ${download.status}`);
    expect([file.name, [200, 409].includes(download.status) ? 200 : download.text]).toEqual([file.name, 200]);
    if (file.kind === "image") continue;
    await client.ask(file.name, `/public/v1/documents/${id}/send`, json({ silent: true }));
    const session = await client.ask(file.name, `/public/v1/documents/${id}/session`, json({ recipient: CLIENT.email }));
    if (session.status !== 201) continue;
    const page = await client.ask(file.name, `/s/${JSON.parse(session.text).id}/`);
    expect([file.name, page.status]).toEqual([file.name, 200]);
  }
  return outcomes;
}

if (IS_FUZZ)
  describe("H1, H2, M7, M8, M9 files from outside", () => {
    test.each([
      ["H1, H2, M7, M8, M9 every file that the review names", async () => namedFiles()],
      [
        "H1, H2, M7, M8, M9 every generated file",
        async () => {
          const all = await generatedFiles();
          expect(all.length).toBeGreaterThanOrEqual(200);
          return all;
        },
      ],
    ])(
      "%s: no crash, no slow answer, memory comes back, and the data file opens again",
      async (_, list) => {
        const data = join(folder(), "data.json");
        const server = await start(data);
        const transitions = await server.call("POST", "/__admin/transitions", {
          model: "document.processing",
          progression: "immediate",
        });
        expect(transitions.status).toBeLessThan(300);
        const client = new Client(server.url);
        const all = await list();
        const before = memoryOf(server.pid);
        const probe = probing(server);
        const outcomes = await play(client, all);
        const p99_ms = await probe.stop();
        const after = memoryOf(server.pid);
        if (process.env.FILES_REPORT)
          console.log({ files: all.length, ...Object.fromEntries(outcomes), slowest: client.slowest, p99_ms, before, after });
        // What was sent is kept, twice as text: in rows and in the file.
        const sent = all.reduce((sum, { bytes }) => sum + bytes.length, 0) / 1024 / 1024;
        expect(after).toBeLessThan(before + 250 + 4 * sent);
        expect([...outcomes.keys()]).toContain("document.error");
        expect([client.slowest.what, client.slowest.ms < ANSWER_MS_MAX ? "in time" : client.slowest.ms]).toEqual([
          client.slowest.what,
          "in time",
        ]);
        expect((await server.stop()).code).toBe(0);
        const again = await start(data);
        expect((await again.call("GET", "/health")).status).toBe(200);
        expect((await again.stop()).code).toBe(0);
      },
      600_000,
    );

    test("H1 a file that ends the server twice is given up at the third start", async () => {
      const source = await receiver();
      source.answerWith("hang");
      const data = join(folder(), "data.json");
      const usual = ["--clock", "frozen", "--now", "2026-03-02T09:00:00Z"];
      const answers: string[] = [];
      const first = await start(data, usual);
      const { body } = await first.call("POST", "/public/v1/documents", {
        name: "By address",
        url: `${source.url}/file.pdf`,
        recipients: [CLIENT],
        parse_form_fields: false,
      });
      for (const [i, server] of [first, () => start(data, usual)].entries()) {
        const running = typeof server === "function" ? await server() : server;
        running.call("POST", "/__admin/clock/advance", { by: "10s" }).catch(() => answers.push("cut off"));
        await source.arrived(i + 1);
        await running.stop("SIGKILL");
      }
      const third = await start(data, usual);
      await third.call("POST", "/__admin/clock/advance", { by: "10s" });
      expect(source.received).toHaveLength(2);
      expect((await third.call("GET", `/public/v1/documents/${body.id}`)).body.status).toBe("document.error");
      expect(answers).toEqual(["cut off", "cut off"]);
    });
  });

describe("H2, M8 readers of texts", () => {
  const timed = (run: () => unknown): number => {
    const before = process.cpuUsage();
    run();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  };

  test.each([
    ["brackets", "["],
    ["stars", "**a "],
    ["underlines", "__a "],
    ["addresses", "[a](b "],
  ])("M8 Markdown of %s: twice the text takes no more than five times as long", (_, mark) => {
    timed(() => parseMarkdown(mark.repeat(10_000)));
    const once = timed(() => parseMarkdown(mark.repeat(200_000)));
    expect(timed(() => parseMarkdown(mark.repeat(400_000)))).toBeLessThan(5 * once + 200);
  });

  test("M8 131,000 field tags are taken out of a text in less than two seconds", () => {
    const text = "a{text:a:b______}".repeat(131_000);
    let rest = "";
    expect(timed(() => (rest = withoutTags(text)))).toBeLessThan(2000);
    expect(rest).toBe("a".repeat(131_000));
  });
});
