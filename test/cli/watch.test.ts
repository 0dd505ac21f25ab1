/** Tests `--watch` inside this process, for every way in which files change. Each step waits for the line that reports it. */
import { mkdirSync, renameSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { watchFiles } from "../../src/cli/watch.ts";
import { files } from "../support/process.ts";
import { aDraft, statusOf } from "../support/stories.ts";
import { testWorld } from "../support/world.ts";
import type { SandboxOptions } from "../../src/library/types.ts";

const RELOADED = "docdouble reloaded its files; the state stays";
const rule = (error: string, operation = "listContacts") =>
  `version: 1\nrules:\n  - { name: busy, when: { operation: ${operation} }, then: { error: ${error} } }\n`;

/** A world that watches its files. `nextLine` returns the next line of output. */
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
  const nextLine = async () => {
    if (lines.length === 0)
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    return lines.shift() as string;
  };
  const status = async () => (await world.call("listContacts")).status;
  return { world, nextLine, status };
}

test("--watch applies changed rules, and keeps documents, the clock, and the counts of unchanged rules", async () => {
  const file = files({ "s.yaml": rule("throttled") });
  const { world, nextLine, status } = await watching({ scenario: file });
  const id = await aDraft(world);
  const now = world.tenant.clock.now();
  expect(await status()).toBe(429);
  writeFileSync(
    file,
    `${rule("throttled")}  - { name: second, when: { operation: listDocuments }, then: { error: forbidden } }\n`,
  );
  expect(await nextLine()).toBe(RELOADED);
  expect([await status(), (await world.call("listDocuments")).status]).toEqual([429, 403]);
  const { rules } = (await world.admin("GET", "/rules")).body;
  expect(rules.map((one: { name: string; hits: number }) => [one.name, one.hits])).toEqual([
    ["busy", 2],
    ["second", 1],
  ]);
  expect([await statusOf(world, id), world.tenant.clock.now()]).toEqual(["document.draft", now]);
});

test("--watch keeps the rules after a broken edit, and prints file:line:column of each mistake in all files", async () => {
  const file = files({ "a.yaml": rule("throttled"), "b.yaml": "version: 1\nname: b\n" });
  const other = join(dirname(file), "b.yaml");
  const { nextLine, status } = await watching({ scenario: [file, other] });
  writeFileSync(other, "version: 1\nname: b\nexpct: {}\n");
  writeFileSync(file, rule("throtled"));
  expect(await nextLine()).toBe(
    `${file}:3:69 rules.0.then.error: "throtled" is unknown; did you mean "throttled"? It must be one of locked, conflict, throttled, not_found, forbidden, unauthorized, invalid\n${other}:3:1 unknown name "expct"; did you mean "expect"?\ndocdouble keeps the last good files`,
  );
  expect(await status()).toBe(429);
  writeFileSync(other, "version: 1\nname: b\n");
  expect(await nextLine()).not.toContain(other);
  writeFileSync(file, rule("forbidden"));
  expect(await nextLine()).toBe(RELOADED);
  expect(await status()).toBe(403);
});

test("--watch follows an included file in a subfolder that is missing, created, removed and created again", async () => {
  const file = files({ "top.yaml": "version: 1\n" });
  const folder = join(dirname(file), "parts");
  const part = join(folder, "rules.yaml");
  const { nextLine, status } = await watching({ scenario: file });
  writeFileSync(file, "version: 1\ninclude: [parts/rules.yaml]\n");
  expect(await nextLine()).toContain(`${file}:2:11 include.0: cannot read ${part}`);
  expect(await status()).toBe(200);
  mkdirSync(folder);
  writeFileSync(part, rule("throttled"));
  expect(await nextLine()).toBe(RELOADED);
  expect(await status()).toBe(429);
  rmSync(folder, { recursive: true });
  expect(await nextLine()).toContain(`cannot read ${part}`);
  expect(await status()).toBe(429);
  const ready = join(dirname(file), "ready");
  mkdirSync(ready);
  writeFileSync(join(ready, "rules.yaml"), rule("forbidden"));
  renameSync(ready, folder);
  expect(await nextLine()).toBe(RELOADED);
  expect(await status()).toBe(403);
});

test("--watch notices saves by rename, saves with a backup file, and links with a new target", async () => {
  const real = files({ "v1.yaml": rule("throttled"), "v2.yaml": rule("forbidden") });
  const folder = files();
  const file = join(folder, "s.yaml");
  symlinkSync(real, file);
  const { nextLine, status } = await watching({ scenario: file });
  // A mounted configuration changes like this: its link gets a new target.
  symlinkSync(real.replace("v1", "v2"), `${file}.new`);
  renameSync(`${file}.new`, file);
  expect(await nextLine()).toBe(RELOADED);
  expect(await status()).toBe(403);
  // The target of the link changes.
  writeFileSync(real.replace("v1", "v2"), rule("unauthorized"));
  expect(await nextLine()).toBe(RELOADED);
  expect(await status()).toBe(401);
  // vim saves like this: it moves the old file aside and renames a new file into its place.
  unlinkSync(file);
  expect(await nextLine()).toContain("cannot read");
  writeFileSync(`${file}~`, "old");
  writeFileSync(`${file}.tmp`, rule("throttled"));
  renameSync(`${file}.tmp`, file);
  expect(await nextLine()).toBe(RELOADED);
  expect(await status()).toBe(429);
});
