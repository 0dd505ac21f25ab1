/** The built command with saved worlds. */
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { expect, onTestFinished, test } from "vitest";
import { run, serve } from "../../support/process.ts";

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), "docdouble-world-"));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

const OFFER = {
  template_uuid: "TemplateOneSignerxxxxx",
  name: "Offer",
  recipients: [{ email: "pat@client.example", role: "Client" }],
};
const SILENT = ["--port", "0", "--log", "silent", "--public-url", "https://shop.example"];

test("a world that a command saved goes on in another server, with its clock and its ids", async () => {
  const file = join(folder(), "shop.world");
  const first = await serve([...SILENT, "--seed", "7", "--clock", "frozen", "--now", "2026-03-02T09:00:00Z"]);
  const { id } = (await first.call("POST", "/public/v1/documents", OFFER)).body;
  expect(await run(["world", "save", file, first.url])).toEqual({ code: 0, stdout: `saved the world to ${file}\n`, stderr: "" });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  await first.call("POST", "/__admin/clock/advance", { by: "70d" });
  const expected = (await first.call("POST", "/public/v1/documents", OFFER)).body;

  const second = await serve([...SILENT, "--world", file, "--seed", "other"]);
  expect((await second.call("GET", "/__admin/clock")).body).toMatchObject({ mode: "frozen", now: "2026-03-02T09:00:00.000000Z" });
  await second.call("POST", "/__admin/clock/advance", { by: "70d" });
  expect((await second.call("POST", "/public/v1/documents", OFFER)).body).toEqual(expected);

  const third = await serve([...SILENT, "--seed", "third"]);
  expect((await run(["world", "load", file, third.url, "--json"])).stdout).toContain('"calls":1');
  expect((await third.call("GET", `/public/v1/documents/${id}`)).body.status).toBe("document.uploaded");
  const ended = await second.stop();
  expect(ended.stderr).toContain("the world has its own clock and seed, so --seed has no effect");
});

test("run saves the world of a command that fails, and world show opens the inspector on it", async () => {
  const file = join(folder(), "failed.world.gz");
  const client = `fetch(process.env.DOCDOUBLE_URL + "/public/v1/no-such-path").then(() => process.exit(3))`;
  const ended = await run(["run", "--save-world", file, "--", process.execPath, "--eval", client]);
  expect(ended.code).toBe(3);
  expect(ended.stderr).toContain(`The world is in ${file}. Look at it: npx docdouble world show ${file}\n`);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(gunzipSync(readFileSync(file)).toString()).toContain("no-such-path");
  const shown = await serve(["world", "show", file, "--no-open"]);
  expect(shown.line).toMatch(/^The world of .*failed.world.gz, with a clock that stands: http:\/\/127.0.0.1:\d+\/__admin\/$/);
  const page = await fetch(`${shown.url}?view=journal`);
  expect(await page.text()).toContain("no-such-path");
  expect((await shown.stop("SIGINT")).code).toBe(0);
});

test("a saved world needs a new data file, which then keeps it", async () => {
  const made = folder();
  const [file, data] = [join(made, "shop.world"), join(made, "data.json")];
  const first = await serve(SILENT);
  const { id } = (await first.call("POST", "/public/v1/documents", OFFER)).body;
  await run(["world", "save", file, first.url]);
  const second = await serve([...SILENT, "--world", file, "--data", data]);
  await second.stop();
  const third = await serve([...SILENT, "--data", data]);
  expect((await third.call("GET", `/public/v1/documents/${id}`)).status).toBe(200);
  await third.stop();
  expect(await run(["start", ...SILENT, "--world", file, "--data", data])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("--world needs a new data file"),
  });
});
