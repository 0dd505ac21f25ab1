/** What an agent gets from `docdouble mcp`: each answer stays short, and long things become files. */
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { describe, expect, onTestFinished, test } from "vitest";
import { ANSWER_MAX, bounded } from "../../../src/tools/mcp/bounded.ts";
import { Session } from "../../../src/tools/mcp/session.ts";
import { TOOLS } from "../../../src/tools/mcp/tools.ts";
import { files } from "../../support/process.ts";
import { refusal } from "../../support/refusal.ts";
import { CLIENT, TEMPLATES } from "../../support/stories.ts";
import { testWorld } from "../../support/world.ts";

const LONG = "long ".repeat(1200);

/** A world whose answers would be long: many documents, calls, mails and rules, with long texts. */
async function aFullWorld() {
  const world = await testWorld({ port: 0, publicUrl: "http://docdouble.test" });
  let document = "";
  for (let i = 0; i < 40; i++) {
    const body = {
      name: `Offer ${i} ${"x".repeat(200)}`,
      template_uuid: TEMPLATES.oneSigner,
      recipients: [CLIENT],
      metadata: { note: LONG },
    };
    const made = await world.call("createDocument", { body });
    document = made.body.id;
  }
  for (let i = 0; i < 40; i++)
    await world.request("POST", "/public/v1/contacts", { body: { email: `no address ${i}`, note: LONG } });
  for (let i = 0; i < 40; i++)
    await world.admin("POST", "/rules", {
      name: `rule ${i} ${"y".repeat(300)}`,
      when: { operation: "sendDocument" },
      then: { error: "locked" },
    });
  await world.advance("5s");
  const session = new Session(world.sandbox.url, { key: world.sandbox.apiKey });
  onTestFinished(() => session.close());
  const use = async (name: string, input: object) => {
    const tool = TOOLS.find((one) => one.name === name);
    if (!tool) throw new Error(`no tool ${name}`);
    return bounded(await tool.run(input as never, session)) as Record<string, never>;
  };
  return { world, document, use };
}

describe("a tool", () => {
  test("answers with at most 40,000 characters in a full world, and every tool is tried", async () => {
    const { document, use, world } = await aFullWorld();
    const folder = files();
    const [call] = (await world.admin("GET", "/requests?limit=1")).body.requests;
    const inputs: Record<string, object | null> = {
      // These two leave the world of this test, and `explore` starts a program.
      start: null,
      attach: null,
      explore: null,
      seed: { story: "declined" },
      create_document: { name: LONG.slice(0, 200) },
      list_documents: {},
      show_document: { document_id: document },
      simulate: { document_id: document, act: "lock" },
      advance_clock: { by: "3d" },
      add_fault: { operation: "createDocument", fault: "throttled" },
      read_requests: { limit: 200 },
      read_deliveries: {},
      explain: { id: call.id },
      lint: {},
      save_world: { file: join(folder, "full.world") },
      load_world: { file: join(folder, "full.world") },
      show_world: { file: join(folder, "full.world") },
      save_har: { file: join(folder, "full.har") },
      verify: { operation: "createDocument" },
      reset: {},
    };
    expect(Object.keys(inputs).sort()).toEqual(TOOLS.map((one) => one.name).sort());
    for (const [name, input] of Object.entries(inputs)) {
      if (input === null) continue;
      const answer = await use(name, input);
      expect(JSON.stringify(answer).length, name).toBeLessThanOrEqual(ANSWER_MAX);
      expect(Object.keys(answer).length, name).toBeGreaterThan(0);
    }
  });

  test("bounded keeps a short answer as it is, and bounds any shape with a note", () => {
    expect(bounded({ a: [1, 2], b: "text" })).toEqual({ a: [1, 2], b: "text" });
    const wide = Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`member ${i}`, LONG]));
    const deep = Array.from({ length: 2 }).reduce<object>((one) => ({ one, list: Array(30).fill(one) }), { text: LONG });
    for (const shape of [wide, { list: Array(3).fill(wide) }, { [LONG.repeat(8)]: LONG }, { text: LONG.repeat(60) }]) {
      const answer = bounded(shape);
      expect(JSON.stringify(answer).length).toBeLessThanOrEqual(ANSWER_MAX);
      expect(answer.shortened).toMatch(/too long/);
    }
    expect(JSON.stringify(bounded(deep, 500)).length).toBeLessThanOrEqual(1200);
  });

  test("save_world, show_world and load_world carry the whole state, and only the owner reads the file", async () => {
    const { use, world, document } = await aFullWorld();
    const file = join(files(), "saved.world.gz");
    expect(await use("save_world", { file })).toEqual({ file, bytes: statSync(file).size });
    expect([statSync(file).mode & 0o777, gunzipSync(readFileSync(file)).subarray(0, 200).toString()]).toEqual([
      0o600,
      expect.stringContaining("docdouble-world"),
    ]);
    expect(await use("show_world", { file })).toMatchObject({
      documents: 40,
      by_status: { "document.draft": 40 },
      calls: 80,
      failed: 40,
      clock: "frozen",
      now: "2026-03-02T09:00:05.000Z",
    });
    await use("reset", {});
    expect((await world.admin("GET", "/requests")).body.meta.total).toBe(0);
    expect(await use("load_world", { file })).toMatchObject({ calls: 80 });
    expect((await world.call("statusDocument", { params: { id: document } })).body.status).toBe("document.draft");
  });

  test.each([
    ["load_world", { file: "/nowhere/shop.world" }, "cannot read /nowhere/shop.world: ENOENT"],
    ["load_world", { file: "/dev/zero" }, "cannot read /dev/zero: it is not a regular file"],
    ["load_world", { file: "." }, "cannot read .: EISDIR"],
    ["show_world", { file: "package.json" }, "the world is not a world of docdouble."],
    ["save_world", { file: "/nowhere/shop.world" }, "cannot write /nowhere/shop.world: ENOENT"],
    ["save_har", { file: "/nowhere/shop.har" }, "cannot write /nowhere/shop.har: ENOENT"],
    ["save_har", { file: "x.har", document_id: "none" }, "none"],
  ])("%s refuses %j in one sentence", async (name, input, sentence) => {
    const { sandbox } = await testWorld({ port: 0, publicUrl: "http://docdouble.test" });
    const session = new Session(sandbox.url, { key: sandbox.apiKey });
    const tool = TOOLS.find((one) => one.name === name);
    expect(await refusal(() => tool?.run(input as never, session) as Promise<object>)).toContain(sentence);
  });

  test("load_world refuses a damaged file and changes nothing", async () => {
    const { use, world } = await aFullWorld();
    const file = join(files(), "cut.world");
    await use("save_world", { file });
    writeFileSync(file, readFileSync(file).subarray(0, 5000));
    const before = Buffer.from(await world.sandbox.world.save());
    expect(await refusal(() => use("load_world", { file }))).toMatch(/damaged|cut/);
    expect(Buffer.from(await world.sandbox.world.save()).equals(before)).toBe(true);
  });
});
