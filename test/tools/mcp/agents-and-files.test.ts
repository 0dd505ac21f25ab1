/** Low findings: an agent or a file that a user names neither stops docdouble nor reaches more than it may. */
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { readRegularFile } from "../../../src/engine/core/regular-file.ts";
import { createSandbox } from "../../../src/index.ts";
import { Session } from "../../../src/tools/mcp/session.ts";
import { TOOLS } from "../../../src/tools/mcp/tools.ts";
import { yamlLibrary } from "../../../src/engine/scenario/yaml.ts";
import { localServer } from "../../support/local-server.ts";
import { testWorld } from "../../support/world.ts";
import { files } from "../../support/process.ts";

function anAgent() {
  const session = new Session(undefined, {});
  onTestFinished(() => session.close());
  const use = (name: string, input: object = {}): Promise<never> =>
    Promise.resolve(TOOLS.find((one) => one.name === name)?.run(input as never, session)) as Promise<never>;
  return { session, use };
}

const pipe = () => {
  const path = join(files(), "pipe");
  execFileSync("mkfifo", [path]);
  return path;
};

test("low: devices, pipes, folders and endless files are refused in words, and a file is read whole", () => {
  const path = join(files(), "a.yaml");
  writeFileSync(path, "version: 1\n".repeat(500_000));
  expect(readRegularFile(path)).toHaveLength(5_500_000);
  const codeOf = (name: string) => {
    try {
      return readRegularFile(name);
    } catch (error) {
      return (error as NodeJS.ErrnoException).code;
    }
  };
  writeFileSync(join(files(), "empty"), "");
  expect([codeOf("/dev/zero"), codeOf("/dev/null"), codeOf(files()), codeOf("/nowhere")]).toEqual([
    "it is not a regular file",
    "it is not a regular file",
    "EISDIR",
    "ENOENT",
  ]);
  if (process.platform !== "win32") expect(codeOf(pipe())).toBe("it is not a regular file");
  expect(readRegularFile("/proc/self/status")).toContain("Pid:");
});

test("low: scenarios, included files and fixtures that are devices are refused in a sentence", async () => {
  const why = "cannot read /dev/zero: it is not a regular file";
  await expect(createSandbox({ scenario: "/dev/zero" })).rejects.toThrow(why);
  await expect(createSandbox({ fixtures: "/dev/zero" })).rejects.toThrow(why);
  const including = join(files(), "including.yaml");
  writeFileSync(including, 'version: 1\ninclude: ["/dev/zero"]\n');
  await expect(createSandbox({ scenario: including })).rejects.toThrow("cannot read /dev/zero");
  const { use } = anAgent();
  await expect(use("start", { scenario: "/dev/zero" })).rejects.toThrow(why);
});

test("low: an id of an agent never leads to another path of the admin API", async () => {
  const { session, use } = anAgent();
  await use("start", {});
  for (const id of ["..", ".", "%2e%2E", ""])
    await expect(session.admin("GET", `/requests/${id}`)).rejects.toThrow("is not an id. Copy the id from an earlier answer.");
  await expect(use("read_requests", { id: ".." })).rejects.toThrow("is not an id");
  await expect(use("explain", { id: ".." })).rejects.toThrow("is not an id");
});

test("low: an agent attaches to no link-local address and no metadata service, in any notation", async () => {
  const { use } = anAgent();
  for (const url of [
    "http://169.254.169.254/",
    "http://0xa9fea9fe:4010",
    "http://[fe80::1]",
    "http://[::ffff:169.254.1.1]:80",
    "http://0.0.0.0:1",
  ])
    await expect(use("attach", { url })).rejects.toThrow(`Cannot attach to ${url}: docdouble never calls`);
});

test("low: an agent follows no redirect, not to a metadata service and not to another server", async () => {
  let calls = 0;
  const other = await localServer((_, response) => {
    calls++;
    response.setHeader("content-type", "application/json").end("{}");
  });
  const url = await localServer((_, response) => {
    response.writeHead(302, { location: `${other}/__admin/version` }).end();
  });
  const { use } = anAgent();
  await expect(use("attach", { url, key: "secret" })).rejects.toThrow(`${url} redirects to another address`);
  expect(calls).toBe(0);
});

test("an attach that fails keeps the server in use", async () => {
  const { session, use } = anAgent();
  const { url } = (await use("start", {})) as { url: string };
  await expect(use("attach", { url: "http://127.0.0.1:9" })).rejects.toThrow("Cannot reach http://127.0.0.1:9");
  const page = await localServer((_, response) => void response.writeHead(404).end("<h1>Not here</h1>"));
  await expect(use("attach", { url: page })).rejects.toThrow("it answered 404 without JSON, so it is no docdouble");
  expect(await session.connection()).toMatchObject({ url });
});

test("a world is neither saved nor loaded where something else than docdouble answers", async () => {
  const folder = dirname(files({ "a.world": "x" }));
  const { session, use } = anAgent();
  const url = await localServer((request, response) => {
    if (request.url === "/__admin/version") response.setHeader("content-type", "application/json").end("{}");
    else response.writeHead(404).end("<h1>Not here</h1>");
  });
  await session.attach(url, {});
  const refusal = "it answered 404 without JSON, so it is no docdouble";
  await expect(use("save_world", { file: join(folder, "b.world") })).rejects.toThrow(refusal);
  await expect(use("load_world", { file: join(folder, "a.world") })).rejects.toThrow(refusal);
});

test("low: a scenario of the admin API with 10,000 wrong rules is not given to the YAML library", async () => {
  const world = await testWorld();
  const parser = vi.spyOn(yamlLibrary().Parser.prototype, "parse");
  onTestFinished(() => parser.mockRestore());
  const load = async (body: string) => {
    const headers = { authorization: `API-Key ${world.sandbox.apiKey}`, "content-type": "text/plain" };
    const answer = await world.sandbox.fetch("/__admin/scenarios", { method: "POST", headers, body });
    return { status: answer.status, text: await answer.text() };
  };
  const rules = Array.from({ length: 10_000 }, (_, i) => ({ name: `r${i}`, wen: { operation: "x" } }));
  const yaml = `version: 1\nrules:\n${rules.map((rule) => `  - ${JSON.stringify(rule)}\n`).join("")}`;
  const refused = await load(yaml);
  expect([refused.status, refused.text]).toEqual([
    400,
    expect.stringContaining("The YAML has more than 128 KiB. Write it as JSON."),
  ]);
  const json = await load(JSON.stringify({ version: 1, rules }));
  expect([json.status, json.text]).toEqual([400, expect.stringContaining('unknown name \\"wen\\"')]);
  const row = await load(
    JSON.stringify({ version: 1, world: { documents: Array(5000).fill({ name: "Offer", template: "none" }) } }),
  );
  expect(row.status).toBe(400);
  expect(parser).not.toHaveBeenCalled();
  // A short file with a mistake has its position.
  const short = await load("version: 1\nrules:\n  - wen: 1\n");
  expect([short.status, short.text]).toEqual([400, expect.stringContaining("scenario:3:")]);
  expect(parser).toHaveBeenCalled();
});

test("low: an agent reads the latest twenty deliveries with the beginning of long texts, and the total", async () => {
  const { session, use } = anAgent();
  const sandbox = await session.start({ clock: "frozen" });
  const inbox = await sandbox.webhooks.receiver({ events: ["document_state_changed"] });
  for (let i = 0; i < 25; i++) await sandbox.documents.create({ name: `Offer ${i} ${"x".repeat(100)}`, status: "document.sent" });
  await sandbox.clock.settle();
  const all = (await use("read_deliveries", { limit: 200 })) as { deliveries: { id: string }[]; meta: { total: number } };
  const latest = (await use("read_deliveries")) as typeof all;
  expect([all.meta.total, all.deliveries.length, latest.deliveries.length]).toEqual([50, 50, 20]);
  expect(latest.deliveries.map((one) => one.id)).toEqual(all.deliveries.slice(-20).map((one) => one.id));
  expect(JSON.stringify(latest).length).toBeLessThan(200_000);
  expect(inbox.received).toHaveLength(50);
});
