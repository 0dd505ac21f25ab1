import { execFile } from "node:child_process";
import { existsSync, readdirSync, readFileSync, readlinkSync, utimesSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { dirname } from "node:path";
import { promisify } from "node:util";
import { describe, expect, onTestFinished, test } from "vitest";
import { type Lock, lock } from "../../../src/engine/store/lock.ts";
import { temporary } from "../../support/data-file.ts";

async function taken(file: string): Promise<Lock> {
  const one = await lock(file);
  onTestFinished(() => one.release());
  return one;
}

/** The files in the folder of the data file, without the socket. */
function visible(file: string): string[] {
  return readdirSync(dirname(file)).filter((name) => !name.startsWith(".docdouble-"));
}

/** The id of a process that has just ended. */
async function deadProcess(): Promise<number> {
  const child = promisify(execFile)(process.execPath, ["-e", ""]);
  await child;
  return child.child.pid as number;
}

function holder(change: object): string {
  const since = "2026-01-01T00:00:00.000Z";
  const pids = existsSync("/proc/self/ns/pid") ? readlinkSync("/proc/self/ns/pid") : null;
  return JSON.stringify({ pids, pid: process.pid, began: null, host: hostname(), since, token: "another", ...change });
}

describe("lock", () => {
  test("a lock names its holder, and release removes it", async () => {
    const file = temporary();
    const one = await taken(file);
    expect(JSON.parse(readFileSync(`${file}.lock`, "utf8"))).toMatchObject({ pid: process.pid, host: hostname() });
    one.release();
    expect(readdirSync(dirname(file))).toEqual([]);
  });

  test("a second lock fails, names the process that holds the first lock, and leaves that lock in place", async () => {
    const file = temporary();
    const first = await taken(file);
    await expect(lock(file)).rejects.toThrow(`${file} is in use by the docdouble with process id ${process.pid}`);
    expect(visible(file)).toEqual(["state.json.lock"]);
    first.release();
    await taken(file);
  });

  test("the lock of an ended process is taken over", async () => {
    const file = temporary();
    writeFileSync(`${file}.lock`, holder({ pid: await deadProcess() }));
    await taken(file);
    expect(JSON.parse(readFileSync(`${file}.lock`, "utf8"))).toMatchObject({ pid: process.pid });
    expect(visible(file)).toEqual(["state.json.lock"]);
  });

  test.runIf(existsSync("/proc/self/stat"))(
    "a lock is free when its process id now belongs to a process with another start time",
    async () => {
      const file = temporary();
      writeFileSync(`${file}.lock`, holder({ pid: process.ppid, began: "1" }));
      await taken(file);
    },
  );

  test.runIf(existsSync("/proc/self/stat"))(
    "the lock of an early version is taken over at once when its process ended, and holds while it runs",
    async () => {
      const early = (pid: number, began: string | null) => {
        const since = "2026-01-01T00:00:00.000Z";
        return JSON.stringify({ pid, began, host: hostname(), since, token: `${pid}/${began}/1` });
      };
      const file = temporary();
      writeFileSync(`${file}.lock`, early(process.ppid, null));
      await expect(lock(file)).rejects.toThrow(`process id ${process.ppid}`);
      for (const text of [early(await deadProcess(), "5"), early(process.ppid, "1")]) {
        writeFileSync(`${file}.lock`, text);
        const one = await taken(file);
        // The process may run in another container, so its late writes must not reach the file.
        expect(one.isLastUncertain).toBe(true);
        one.release();
        expect(readdirSync(dirname(file))).toEqual([]);
      }
    },
  );

  test("a running process holds its lock, whichever user runs it", async () => {
    const file = temporary();
    writeFileSync(`${file}.lock`, holder({ pid: process.ppid }));
    await expect(lock(file)).rejects.toThrow(`process id ${process.ppid}`);
  });

  test("an incomplete lock file is taken over", async () => {
    const file = temporary();
    writeFileSync(`${file}.lock`, "half a lo");
    await taken(file);
  });

  test("a lock from another machine holds as long as its file is refreshed", async () => {
    const file = temporary();
    writeFileSync(`${file}.lock`, holder({ host: "elsewhere", pid: 1 }));
    await expect(lock(file)).rejects.toThrow("on elsewhere since 2026-01-01");
    const longAgo = new Date(Date.now() - 120_000);
    utimesSync(`${file}.lock`, longAgo, longAgo);
    await taken(file);
  });

  test("when many processes find a dead lock at once, exactly one takes it", async () => {
    const file = temporary();
    writeFileSync(`${file}.lock`, holder({ pid: await deadProcess() }));
    const script = `import { lock } from ${JSON.stringify(new URL("../../../src/engine/store/lock.ts", import.meta.url).href)};
      try { await lock(process.argv[1]); console.log("mine"); } catch (error) { console.log(error.message.includes("in use") ? "refused" : error.message); }
      await new Promise((resolve) => setTimeout(resolve, 1500));`;
    const args = ["--import", "tsx", "--input-type=module", "-e", script, file];
    const said = await Promise.all(
      Array.from({ length: 4 }, async () => (await promisify(execFile)(process.execPath, args)).stdout.trim()),
    );
    expect(said.sort()).toEqual(["mine", "refused", "refused", "refused"]);
  });
});
