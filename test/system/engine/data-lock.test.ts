/** Only one server may use a data file. These tests attack the lock with real processes and namespaces. */
import { spawn, spawnSync } from "node:child_process";
import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { lock } from "../../../src/engine/store/lock.ts";
import { opened, temporary, turn } from "../../support/data-file.ts";
import { CLI, run } from "../../support/process.ts";

/** The reason why this machine cannot make namespaces, or undefined. */
const noNamespaces = (() => {
  const tried = spawnSync("unshare", ["--user", "--map-root-user", "--pid", "--net", "--mount", "--fork", "true"]);
  return tried.status === 0 ? undefined : `unshare is not allowed here: ${tried.error?.message ?? tried.stderr}`;
})();

const IN_USE = /is in use by the docdouble with process id \d+/;

function clean(): NodeJS.ProcessEnv {
  const { NODE_OPTIONS, PORT, VITEST, ...env } = process.env;
  return env;
}

/** Starts a server in separate namespaces. Resolves when it listens. */
async function serverApart(namespaces: string[], args: string[]): Promise<{ kill(): Promise<void> }> {
  const child = spawn(
    "unshare",
    ["--user", "--map-root-user", ...namespaces, "--fork", "--kill-child", process.execPath, CLI, ...args],
    { env: clean(), stdio: ["ignore", "pipe", "inherit"] },
  );
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  onTestFinished(() => void child.kill("SIGKILL"));
  await new Promise<void>((resolve, reject) => {
    child.stdout.once("data", () => resolve());
    void ended.then(() => reject(new Error("ended before it was ready")));
  });
  return {
    async kill() {
      child.kill("SIGKILL");
      await ended;
    },
  };
}

function apart(namespaces: string[], args: string[]) {
  const all = ["--user", "--map-root-user", ...namespaces, "--fork", process.execPath, CLI, ...args];
  return spawnSync("unshare", all, { encoding: "utf8", env: clean() });
}

const lockFiles = (file: string) => readdirSync(dirname(file)).filter((name) => name !== "state.json");

describe("the lock of a data file", () => {
  test.skipIf(noNamespaces)(`a lock is detected from other process and network namespaces ${noNamespaces ?? ""}`, async () => {
    const file = temporary();
    await opened(file);
    for (const namespaces of [["--pid"], ["--net"], ["--pid", "--net", "--mount", "--uts"]]) {
      const refused = apart(namespaces, ["start", "--port", "0", "--data", file]);
      expect([refused.status, refused.stderr]).toEqual([2, expect.stringMatching(IN_USE)]);
    }
  });

  test.skipIf(noNamespaces)(
    `a lock from another process namespace is detected, and is free after its owner is killed ${noNamespaces ?? ""}`,
    async () => {
      const file = temporary();
      const server = await serverApart(["--pid"], ["start", "--port", "0", "--data", file]);
      await expect(lock(file)).rejects.toThrow(IN_USE);
      await server.kill();
      const mine = await lock(file);
      expect(mine.isLastUncertain).toBe(false);
      mine.release();
      expect(lockFiles(file)).toEqual([]);
    },
  );

  test("a suspended owner that lost its lock stops writing, and does not touch the new lock", async () => {
    const file = temporary();
    const first = await opened(file);
    first.store.things.put({ id: "a" });
    await turn();
    // Like an owner on another machine, which did not answer for two minutes.
    const text = readFileSync(`${file}.lock`, "utf8");
    writeFileSync(`${file}.lock`, JSON.stringify({ ...JSON.parse(text), boot: "another", host: "elsewhere", socket: null }));
    const longAgo = new Date(Date.now() - 120_000);
    utimesSync(`${file}.lock`, longAgo, longAgo);
    const second = await opened(file);
    second.store.things.put({ id: "b" });
    await turn();
    utimesSync(`${file}.lock`, longAgo, longAgo);
    // The first server wakes up.
    first.store.things.put({ id: "lost" });
    await turn();
    await expect(first.database.flush()).rejects.toThrow("this server has stopped writing to it");
    expect(first.notices).toEqual([expect.stringMatching(/in use by .*stopped writing to it; docdouble still answers/)]);
    expect(first.database.health()).toMatchObject({ ok: false, problem: expect.stringContaining("is in use by") });
    expect(Math.round(statSync(`${file}.lock`).mtimeMs)).toBe(longAgo.getTime());
    await expect(first.database.close()).rejects.toThrow("stopped writing");
    await second.database.close();
    expect((await opened(file)).store.things.all().map((one) => one.id)).toEqual(["a", "b"]);
  });

  test("a takeover replaces the file, so late writes of the old owner go to the old file only", async () => {
    const file = temporary();
    await opened(file);
    const before = statSync(file).ino;
    const text = readFileSync(`${file}.lock`, "utf8");
    writeFileSync(`${file}.lock`, JSON.stringify({ ...JSON.parse(text), boot: "another", host: "elsewhere", socket: null }));
    utimesSync(`${file}.lock`, 1, 1);
    await opened(file);
    expect(statSync(file).ino).not.toBe(before);
  });

  test("a symbolic link that dangles at the first start shares the lock of its target", async () => {
    const file = temporary();
    const links = join(dirname(file), "links");
    mkdirSync(links);
    symlinkSync("../state.json", join(links, "one.json"));
    symlinkSync("one.json", join(links, "two.json"));
    await opened(join(links, "two.json"));
    expect(existsSync(file)).toBe(true);
    await expect(opened(file)).rejects.toThrow(IN_USE);
    await expect(opened(join(links, "one.json"))).rejects.toThrow(IN_USE);
  });

  test("a file with a hard link is refused, and the message explains how to copy it", async () => {
    const file = temporary();
    const { database } = await opened(file);
    linkSync(file, join(dirname(file), "other.json"));
    await expect(opened(join(dirname(file), "other.json"))).rejects.toThrow("has 2 names (hard links)");
    await database.close();
    const ended = await run(["start", "--port", "0", "--data", file]);
    expect([ended.code, ended.stderr]).toEqual([2, expect.stringContaining("cp FILE COPY && mv COPY FILE")]);
  });

  test.skipIf(noNamespaces)(`a file that is a mount point is refused ${noNamespaces ?? ""}`, async () => {
    const file = temporary();
    writeFileSync(file, "");
    writeFileSync(`${file}.source`, "");
    const script = `mount --bind ${file}.source ${file} && exec ${process.execPath} ${CLI} start --port 0 --data ${file}`;
    const refused = spawnSync("unshare", ["--user", "--map-root-user", "--mount", "sh", "-c", script], {
      encoding: "utf8",
      env: clean(),
    });
    expect([refused.status, refused.stderr]).toEqual([2, expect.stringContaining("mount its directory instead")]);
  });

  test("a server whose file and lock are removed stops writing after a second server takes them", async () => {
    const file = temporary();
    const first = await opened(file);
    for (const name of readdirSync(dirname(file))) rmSync(join(dirname(file), name));
    const second = await opened(file);
    first.store.things.put({ id: "lost" });
    second.store.things.put({ id: "kept" });
    await turn();
    await expect(first.database.flush()).rejects.toThrow("stopped writing");
    await first.database.close().catch(() => {});
    expect(existsSync(`${file}.lock`)).toBe(true);
    await second.database.close();
    expect((await opened(file)).store.things.all().map((one) => one.id)).toEqual(["kept"]);
  });

  test("a server whose file and lock are removed writes both again when no other server took them", async () => {
    const file = temporary();
    const { store, database, notices } = await opened(file);
    store.things.put({ id: "a" });
    await turn();
    for (const name of readdirSync(dirname(file))) rmSync(join(dirname(file), name));
    store.things.put({ id: "b" });
    await turn();
    await database.flush();
    expect(notices).toEqual([expect.stringContaining("somebody removed its lock"), expect.stringContaining("is written again")]);
    await expect(opened(file)).rejects.toThrow(IN_USE);
    await database.close();
    expect((await opened(file)).store.things.all().map((one) => one.id)).toEqual(["a", "b"]);
  });

  test.each(["in a new file", "in the same file"])(
    "the records that another server wrote %s are kept in a separate file",
    async (where) => {
      const file = temporary();
      const first = await opened(file);
      first.store.things.put({ id: "first" });
      await turn();
      rmSync(`${file}.lock`);
      if (where === "in a new file") rmSync(file);
      const second = await opened(file);
      second.store.things.put({ id: "second" });
      await second.database.close();
      await first.database.flush();
      expect(first.notices.join("\n")).toContain(`what it wrote is kept in ${file}.replaced`);
      await first.database.close();
      expect((await opened(file)).store.things.all().map((one) => one.id)).toEqual(["first"]);
      expect((await opened(`${file}.replaced`)).store.things.get("second")).toEqual({ id: "second" });
    },
  );

  test("a path that is too long for a socket is locked too", async () => {
    const folder = join(dirname(temporary()), "a".repeat(120), "b".repeat(120));
    mkdirSync(folder, { recursive: true });
    const file = join(folder, "state.json");
    const one = await lock(file);
    expect(JSON.parse(readFileSync(`${file}.lock`, "utf8")).socket).toMatch(/^\.docdouble-/);
    await expect(lock(file)).rejects.toThrow(IN_USE);
    one.release();
    expect(lockFiles(file)).toEqual([]);
  });

  test("a takeover that died is taken over in the same way", async () => {
    const file = temporary();
    const dead = (token: string) => JSON.stringify({ pid: 1, began: "0", host: "x", boot: null, socket: null, since: "", token });
    for (const [name, token] of [
      [`${file}.lock`, "first"],
      [`${file}.lock.after.first`, "second"],
      [`${file}.lock.after.second`, "third"],
    ] as const) {
      writeFileSync(name, dead(token));
      utimesSync(name, 1, 1);
    }
    const one = await lock(file);
    expect(lockFiles(file).filter((name) => !name.startsWith(".docdouble-"))).toEqual(["state.json.lock"]);
    one.release();
    expect(lockFiles(file)).toEqual([]);
  });
});

test("an unreadable lock ends the start with its name and the reason", async () => {
  const file = temporary();
  mkdirSync(`${file}.lock`);
  const ended = await run(["start", "--port", "0", "--data", file]);
  expect([ended.code, ended.stderr]).toEqual([
    2,
    expect.stringContaining(`cannot read the lock ${file}.lock: EISDIR; make it readable`),
  ]);
});

test.skipIf(noNamespaces)(`a start on a full disk leaves no files behind ${noNamespaces ?? ""}`, () => {
  const folder = dirname(temporary());
  const script = `mount -t tmpfs -o size=4k tmpfs ${folder} && head -c 4096 /dev/zero > ${folder}/full && ${process.execPath} ${CLI} start --port 0 --data ${folder}/state.json; ls -A ${folder}`;
  const ended = spawnSync("unshare", ["--user", "--map-root-user", "--mount", "sh", "-c", script], {
    encoding: "utf8",
    env: clean(),
  });
  expect([ended.stdout, ended.stderr]).toEqual(["full\n", expect.stringContaining("ENOSPC")]);
});
