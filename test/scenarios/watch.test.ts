/** `--watch`, from within: every way in which files change. Each step waits for the line that tells of it. */
import { mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { watchFiles } from "../../src/cli/watch.ts";
import { files } from "../support/process.ts";
import { aDraft, statusOf } from "../support/stories.ts";
import { testWorld } from "../support/world.ts";
import type { SandboxOptions } from "../../src/types.ts";

const RELOADED = "docdouble reloaded its files; the state stays";
const rule = (error: string, operation = "listContacts") =>
  `version: 1\nrules:\n  - { name: busy, when: { operation: ${operation} }, then: { error: ${error} } }\n`;

/** A world that watches its files; `says` is the next line that it tells. */
async function watching(options: SandboxOptions) {
  const world = await testWorld(options);
  const lines: string[] = [];
  let wake = () => {};
  const stop = watchFiles(
    world.sandbox,
    () => world.sandbox.files(),
    (line) => {
      lines.push(line);
      wake();
    },
  );
  onTestFinished(stop);
  const says = async () => {
    if (lines.length === 0)
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    return lines.shift() as string;
  };
  const status = async () => (await world.call("listContacts")).status;
  return { world, says, status };
}

test("--watch: rules change and the state stays: documents, counts of rules that did not change, the clock", async () => {
  const file = files({ "s.yaml": rule("throttled") });
  const { world, says, status } = await watching({ scenario: file });
  const id = await aDraft(world);
  const now = world.tenant.clock.now();
  expect(await status()).toBe(429);
  writeFileSync(
    file,
    `${rule("throttled")}  - { name: second, when: { operation: listDocuments }, then: { error: forbidden } }\n`,
  );
  expect(await says()).toBe(RELOADED);
  expect([await status(), (await world.call("listDocuments")).status]).toEqual([429, 403]);
  const { rules } = (await world.admin("GET", "/rules")).body;
  expect(rules.map((one: { name: string; hits: number }) => [one.name, one.hits])).toEqual([
    ["busy", 2],
    ["second", 1],
  ]);
  expect([await statusOf(world, id), world.tenant.clock.now()]).toEqual(["document.draft", now]);
});

test("--watch: a broken edit keeps the rules and tells file:line:column of each mistake, in all files", async () => {
  const file = files({ "a.yaml": rule("throttled"), "b.yaml": "version: 1\nname: b\n" });
  const other = join(dirname(file), "b.yaml");
  const { says, status } = await watching({ scenario: [file, other] });
  writeFileSync(other, "version: 1\nname: b\nexpct: {}\n");
  writeFileSync(file, rule("throtled"));
  expect(await says()).toBe(
    `${file}:3:69 rules.0.then.error: must be one of locked, conflict, throttled, not_found, forbidden, unauthorized, invalid; did you mean "throttled"?\n${other}:3:1 unknown name "expct"; did you mean "expect"?\ndocdouble keeps the last good files`,
  );
  expect(await status()).toBe(429);
  writeFileSync(other, "version: 1\nname: b\n");
  expect(await says()).not.toContain(other);
  writeFileSync(file, rule("forbidden"));
  expect(await says()).toBe(RELOADED);
  expect(await status()).toBe(403);
});

test("--watch: an included file that is not there yet, comes, goes and comes again, in a folder of its own", async () => {
  const file = files({ "top.yaml": "version: 1\n" });
  const folder = join(dirname(file), "parts");
  const part = join(folder, "rules.yaml");
  const { says, status } = await watching({ scenario: file });
  writeFileSync(file, "version: 1\ninclude: [parts/rules.yaml]\n");
  expect(await says()).toContain(`${file}:2:11 include.0: cannot read ${part}`);
  expect(await status()).toBe(200);
  mkdirSync(folder);
  writeFileSync(part, rule("throttled"));
  expect(await says()).toBe(RELOADED);
  expect(await status()).toBe(429);
  rmSync(folder, { recursive: true });
  expect(await says()).toContain(`cannot read ${part}`);
  expect(await status()).toBe(429);
  const ready = join(dirname(file), "ready");
  mkdirSync(ready);
  writeFileSync(join(ready, "rules.yaml"), rule("forbidden"));
  renameSync(ready, folder);
  expect(await says()).toBe(RELOADED);
  expect(await status()).toBe(403);
});

test("--watch: saves by rename, by a backup beside, and links that lead to another file", async () => {
  const real = files({ "v1.yaml": rule("throttled"), "v2.yaml": rule("forbidden") });
  const folder = files();
  const file = join(folder, "s.yaml");
  symlinkSync(real, file);
  const { says, status } = await watching({ scenario: file });
  // What a mounted configuration does: the link leads elsewhere.
  symlinkSync(real.replace("v1", "v2"), `${file}.new`);
  renameSync(`${file}.new`, file);
  expect(await says()).toBe(RELOADED);
  expect(await status()).toBe(403);
  // The file that the link leads to is edited.
  writeFileSync(real.replace("v1", "v2"), rule("unauthorized"));
  expect(await says()).toBe(RELOADED);
  expect(await status()).toBe(401);
  // As vim does: the old one aside, a new one in its place.
  unlinkSync(file);
  expect(await says()).toContain("cannot read");
  writeFileSync(`${file}~`, "old");
  writeFileSync(`${file}.tmp`, rule("throttled"));
  renameSync(`${file}.tmp`, file);
  expect(await says()).toBe(RELOADED);
  expect(await status()).toBe(429);
});

test("--watch: fixtures count from the next reset on; what others write in the folder is no reason to read anything", async () => {
  const given = JSON.parse(readFileSync("fixtures/default.json", "utf8"));
  const file = files({ "f.json": JSON.stringify(given), "s.yaml": rule("throttled", "listTemplates") });
  const scenario = join(dirname(file), "s.yaml");
  const { world, says } = await watching({ fixtures: file, scenario });
  const named = async () => (await world.call("listContacts")).body.results.length as number;
  const before = await named();
  for (let i = 0; i < 20; i++) writeFileSync(join(dirname(file), "other.log"), `line ${i}\n`);
  given.contacts.pop();
  writeFileSync(file, JSON.stringify(given));
  expect(await says()).toBe(RELOADED);
  expect(await named()).toBe(before);
  await world.admin("POST", "/reset");
  expect(await named()).toBe(before - 1);
  // What only planting finds would leave the next reset without a world.
  writeFileSync(file, JSON.stringify({ ...given, api_keys: [{ key: "k", member: "nobody" }] }));
  expect(await says()).toMatch(/f\.json:1:\d+ api_keys\.0: api key k: no member nobody\ndocdouble keeps the last good files$/);
  expect((await world.admin("POST", "/reset")).status).toBe(200);
  expect(await named()).toBe(before - 1);
  writeFileSync(file, JSON.stringify({ ...given, contcts: [] }));
  expect(await says()).toContain(`${file}:1:`);
});
