/** Tests which lines the console prints, and when. */
import { expect, test } from "vitest";
import type { LogEvent } from "../../src/inspector/log/log-event.ts";
import { watchLog } from "../../src/inspector/log/watch-log.ts";
import { Console, hasColor, type LogFormat, type Output } from "../../src/cli/console.ts";
import { datedLines, toEntries } from "../../src/cli/log-lines.ts";
import { hostOf } from "../../src/library/sandbox.ts";
import { subscribed } from "../support/lab.ts";
import { aDraft, aSentDocument, simulate, succeed } from "../support/stories.ts";
import { testWorld, type TestWorld } from "../support/world.ts";

interface Screen extends Output {
  /** The lines on the screen at the end. */
  lines(): string[];
  written: string;
}

/** A file, or a terminal. */
function screen(isTTY: boolean): Screen {
  return {
    isTTY,
    written: "",
    write(text) {
      this.written += text;
    },
    lines() {
      return this.written.split("\n").filter(Boolean);
    },
  };
}

/** Runs a story and returns the lines that the console shows. */
async function shown(world: TestWorld, format: LogFormat, story: () => Promise<unknown>, isTTY = false): Promise<string[]> {
  const output = screen(isTTY);
  const log = new Console(format, output, { NO_COLOR: "1" });
  const stop = watchLog(world.tenant, (event) => event && log.hear(event));
  await story();
  stop();
  log.flush();
  return output.lines();
}

/** Replaces the parts that differ from run to run: durations, ports, the ends of ids, and the texts of lint findings. */
function stable(lines: readonly string[]): string[] {
  return lines.map((line) =>
    line
      .replace(/(?<= · )\d+ ms(?= · |$)/, "0 ms")
      .replace(/127\.0\.0\.1:\d+/, "host")
      .replace(/…\w{4}/, "…tail")
      .replace(/(?<=unknown_field: ).*/, "…"),
  );
}

test("the console prints calls, jobs, deliveries, acts and clock moves in order, with names and new statuses", async () => {
  const world = await testWorld();
  const hook = await subscribed(world, ["document_state_changed"]);
  hook.answerWith(500);
  const lines = await shown(world, "pretty", async () => {
    const id = await aSentDocument(world);
    await simulate(world, id, "sign");
    await world.advance("20s");
    await world.call("sendDocument", { params: { id }, body: {} });
  });
  expect(stable(lines)).toMatchInlineSnapshot(`
    [
      "2026-03-02",
      "09:00:00.000  POST    201  /public/v1/documents · Service agreement · 0 ms",
      "09:00:00.000  clock        moved 5 s to 2026-03-02 09:00:05 · frozen",
      "09:00:03.661  job          convert document · Service agreement → document.draft",
      "09:00:03.661  hook    500  document_state_changed → http://host · Service agreement document.draft · 0 ms · retry in 1 min",
      "09:00:05.000  POST    200  /public/v1/documents/…tail/send · Service agreement → document.sent · 0 ms · answered as docdouble assumes (assumption send.recipient_id)",
      "09:00:05.000  act          Ivo Marek viewed Service agreement → document.viewed",
      "09:00:05.000  act          Ivo Marek signed Service agreement → document.completed",
      "09:00:05.000  clock        moved 20 s to 2026-03-02 09:00:25 · frozen",
      "09:00:05.000  hook    500  document_state_changed → http://host · Service agreement document.sent · 0 ms · retry in 1 min",
      "09:00:05.000  hook    500  document_state_changed → http://host · Service agreement document.viewed · 0 ms · retry in 1 min",
      "09:00:05.000  hook    500  document_state_changed → http://host · Service agreement document.completed · 0 ms · retry in 1 min",
      "09:00:07.267  job          make pdf · Service agreement",
      "09:00:25.000  POST    409  /public/v1/documents/…tail/send · Service agreement · 0 ms · Cannot send the document, because it was already sent: the document is in document.completed. Allowed in: document.draft, document.approved. To get there, move it to draft",
    ]
  `);
});

test("the console prints a move of the clock before what it causes, with a date for each day", async () => {
  const world = await testWorld();
  const id = await aSentDocument(world);
  const lines = await shown(world, "pretty", async () => {
    await world.advance("61d");
    await world.admin("POST", "/clock/advance", { until: "next" });
    await world.admin("POST", "/clock/advance", { until: "idle" });
  });
  expect(lines.filter((line) => !/remind/.test(line))).toEqual([
    "2026-03-02",
    "09:00:05.000  clock        moved 61 d to 2026-05-02 09:00:05 · frozen",
    "2026-05-01",
    "09:00:05.000  job          expire document · Service agreement → document.voided",
    "2026-05-02",
    "09:00:05.000  clock        moved 0 ms to 2026-05-02 09:00:05 · frozen",
    "09:00:05.000  clock        moved 0 ms to 2026-05-02 09:00:05 · frozen",
  ]);
  expect(id).toMatch(/^\w{22}$/);
});

test("E8: the line after a conversion says why the document is in error, that docdouble fetched nothing, and what helps", async () => {
  const world = await testWorld();
  const url = "http://127.0.0.1:9/sample.pdf";
  await succeed(world.call("createDocument", { body: { name: "Sample", url, recipients: [] } }));
  const lines = await shown(world, "pretty", () => world.advance("10s"));
  const after = lines.slice(lines.findIndex((line) => line.includes("convert document"))).join(" ");
  expect(after).toContain(`document.error: Failed to download file from link ${url}.`);
  expect(after).toContain("docdouble fetched nothing. Serve the file on this machine, such as at http://127.0.0.1:8000/");
});

test("the story of a failed run has a date for each day, and none for a single day", () => {
  const events = [call("/a", 1, { method: "POST" }), call("/b", 2, { method: "POST" })];
  expect(datedLines(toEntries(events), false)).toEqual([
    "09:00:01.000  POST    200  /a · 0 ms",
    "09:00:02.000  POST    200  /b · 0 ms",
  ]);
  const later = { ...(events[1] as LogEvent), at: "2026-03-05T09:00:02.000Z" };
  expect(datedLines(toEntries([...events, later]), false)).toEqual([
    "2026-03-02",
    "09:00:01.000  POST    200  /a · 0 ms",
    "09:00:02.000  POST    200  /b · 0 ms",
    "2026-03-05",
    "09:00:02.000  POST    200  /b · 0 ms",
  ]);
});

test("automatic time says that it moved before the jobs of the new time", async () => {
  const world = await testWorld({ clock: "auto" });
  const events: LogEvent[] = [];
  const stop = watchLog(world.tenant, (event) => event && events.push(event));
  const { body } = await world.call("createDocument", {
    body: {
      name: "Offer",
      template_uuid: "TemplateOneSignerxxxxx",
      recipients: [{ email: "pat@client.example", role: "Client" }],
    },
  });
  for (let polls = 0; polls < 6; polls++) await world.call("statusDocument", { params: { id: body.id } });
  stop();
  const kinds = events.map((one) => (one.type === "job" ? one.kind : one.type));
  expect(kinds.slice(0, kinds.indexOf("convert_document") + 1).slice(-2)).toEqual(["clock", "convert_document"]);
  const job = events[kinds.indexOf("convert_document")] as LogEvent;
  expect(kinds).toContain("convert_document");
  expect(events[kinds.indexOf("convert_document") - 1]?.at).toBe(job.at);
});

const call = (url: string, second: number, more: object = {}): LogEvent => ({
  type: "call",
  at: `2026-03-02T09:00:${String(second).padStart(2, "0")}.000Z`,
  tenant: "default",
  method: "GET",
  url,
  status: 200,
  took_ms: 0,
  ...more,
});

test.each([[true], [false]])("repeated calls fold into one line while nothing else happens (terminal: %s)", async (isTTY) => {
  const output = screen(isTTY);
  const log = new Console("pretty", output, { NO_COLOR: "1" });
  for (let second = 0; second < 6; second += 2) {
    log.hear(call("/a", second));
    log.hear(call("/b", second + 1));
    // Lets the console print each poll before the next poll comes.
    await Promise.resolve();
  }
  expect(output.written).toBe("");
  log.hear(call("/a", 7, { method: "POST" }));
  log.hear(call("/a", 8, { status: 404, why: "gone" }));
  log.hear(call("/a", 9));
  log.flush();
  expect(output.lines()).toEqual([
    "2026-03-02",
    "09:00:00.000  GET     200  /a · 0 ms · ×3 in 4 s",
    "09:00:01.000  GET     200  /b · 0 ms · ×3 in 4 s",
    "09:00:07.000  POST    200  /a · 0 ms",
    "09:00:08.000  GET     404  /a · 0 ms · gone",
    "09:00:09.000  GET     200  /a · 0 ms",
  ]);
});

test("a line that waits for repetitions is printed after half a second", async () => {
  const output = screen(false);
  const timers: [number, () => void][] = [];
  const log = new Console("plain", output, {}, (ms, run) => {
    timers.push([ms, run]);
    return () => {};
  });
  log.hear(call("/a", 1));
  await Promise.resolve();
  expect(output.lines()).toEqual([]);
  const [[ms, run] = []] = timers;
  run?.();
  expect([ms, output.lines()]).toEqual([500, ["2026-03-02T09:00:01.000Z  GET     200  /a · 0 ms"]]);
});

test("the console prints an actor's refused step, an injected error, a lint finding, a clock change and a reset", async () => {
  const world = await testWorld({
    scenario: {
      version: 1,
      name: "story",
      rules: [{ name: "busy", when: { operation: "sendDocument" }, then: { error: "throttled", times: 1 } }],
      actors: [{ name: "boss", on: "document.draft", steps: [{ do: "sign" }] }],
    },
  });
  const lines = await shown(world, "plain", async () => {
    const id = await aDraft(world);
    await world.call("sendDocument", { params: { id }, body: { mesage: "typo" } });
    await world.admin("PUT", "/clock", { speed: 60 });
  });
  expect(stable(lines).map((line) => line.slice("2026-03-02T09:00:00.000Z  ".length))).toMatchInlineSnapshot(`
    [
      "POST    201  /public/v1/documents · Service agreement · 0 ms",
      "clock        moved 5 s to 2026-03-02 09:00:05 · frozen",
      "job          convert document · Service agreement → document.draft",
      "job          boss cannot sign · Service agreement · Cannot sign the document: the document is in document.draft. Allowed in: document.sent, document.viewed. To get there, send it",
      "POST    429  /public/v1/documents/…tail/send · Service agreement · 0 ms · injected by rule busy",
      "clock        set to 2026-03-02 09:00:05 · frozen, 60 times as fast",
      "lint         unknown_field: …",
    ]
  `);
  const reset = await shown(world, "plain", () => world.admin("POST", "/reset"));
  expect(reset.at(-1)).toBe("2026-03-02T09:00:00.000Z  reset        back to the initial state");
});

test("--log json prints each event as one line, without folding", async () => {
  const world = await testWorld();
  const lines = await shown(world, "json", async () => {
    await world.call("listTemplates", { query: { count: 1 } });
    await world.call("listTemplates", { query: { count: 1 } });
  });
  const listed = { type: "call", method: "GET", url: "/public/v1/templates?count=1", status: 200, operationId: "listTemplates" };
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([listed, listed]);
});

test("NO_COLOR and FORCE_COLOR decide on colors, and otherwise the terminal decides", () => {
  const [terminal, file] = [screen(true), screen(false)];
  expect([hasColor(terminal, {}), hasColor(file, {})]).toEqual([true, false]);
  expect([hasColor(terminal, { NO_COLOR: "1" }), hasColor(terminal, { NO_COLOR: "" })]).toEqual([false, true]);
  expect([hasColor(file, { FORCE_COLOR: "1" }), hasColor(file, { FORCE_COLOR: "0" })]).toEqual([true, false]);
  expect([hasColor(terminal, { TERM: "dumb" }), hasColor(file, { FORCE_COLOR: "1", NO_COLOR: "1" })]).toEqual([false, false]);
  const log = new Console("pretty", terminal, {});
  log.hear(call("/a", 1, { status: 500 }));
  log.flush();
  expect(terminal.written).toContain("\u001b[31m500\u001b[39m");
});

test("a tenant can go while the console watches its log", async () => {
  const world = await testWorld({ tenantsMax: 2 });
  for (const key of ["test-a", "test-b"]) {
    await world.call("listTemplates", { key });
    const tenant = [...hostOf(world.sandbox).tenants()].find((one) => one.id === key);
    if (tenant) watchLog(tenant, () => {});
  }
  await world.call("listTemplates", { key: "test-c" });
  expect(hostOf(world.sandbox).find("test-a")).toBeUndefined();
});
