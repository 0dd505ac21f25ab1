import { execFile } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { promisify } from "node:util";
import { describe, expect, onTestFinished, test } from "vitest";
import { lock } from "../../../src/engine/store/lock.ts";
import { temporary } from "../../support/data-file.ts";
import { run } from "../../support/process.ts";

function taken(file: string): () => void {
  const release = lock(file);
  onTestFinished(release);
  return release;
}

const filesBeside = (file: string) => readdirSync(dirname(file));

/** The id of a process that has just ended. */
async function deadProcess(): Promise<number> {
  const child = promisify(execFile)(process.execPath, ["-e", ""]);
  await child;
  return child.child.pid as number;
}

describe("the lock of a data file", () => {
  test("a lock holds the process id, and release removes it", () => {
    const file = temporary();
    const release = taken(file);
    expect(readFileSync(`${file}.lock`, "utf8")).toBe(String(process.pid));
    release();
    expect(filesBeside(file)).toEqual([]);
  });

  test("a second lock of the same process fails, and leaves the first lock in place", () => {
    const file = temporary();
    const release = taken(file);
    expect(() => lock(file)).toThrow(`${file} is in use by docdouble, process ${process.pid}`);
    expect(filesBeside(file)).toEqual(["state.json.lock"]);
    release();
    taken(file);
  });

  test("a running process holds its lock, and the message says what to do", () => {
    const file = temporary();
    writeFileSync(`${file}.lock`, String(process.ppid));
    expect(() => lock(file)).toThrow(
      `${file} is in use by docdouble, process ${process.ppid}; stop that process, or use another file. If that process is not docdouble, remove ${file}.lock`,
    );
    expect(readFileSync(`${file}.lock`, "utf8")).toBe(String(process.ppid));
  });

  test("the lock of an ended process is taken over", async () => {
    const file = temporary();
    writeFileSync(`${file}.lock`, String(await deadProcess()));
    taken(file);
    expect(readFileSync(`${file}.lock`, "utf8")).toBe(String(process.pid));
    expect(filesBeside(file)).toEqual(["state.json.lock"]);
  });

  test.each([
    ["of an ended container whose process had the same id", String(process.pid)],
    ["without a process id", ""],
    ["with another text", "half a lo"],
  ])("a lock %s is taken over", (_, text) => {
    const file = temporary();
    writeFileSync(`${file}.lock`, text);
    taken(file);
  });

  test("release leaves a lock that another process has taken meanwhile", () => {
    const file = temporary();
    const release = taken(file);
    writeFileSync(`${file}.lock`, "1");
    release();
    expect(readFileSync(`${file}.lock`, "utf8")).toBe("1");
  });

  test("when many processes find the lock of an ended process at once, exactly one takes it", async () => {
    const file = temporary();
    writeFileSync(`${file}.lock`, String(await deadProcess()));
    const script = `import { lock } from ${JSON.stringify(new URL("../../../src/engine/store/lock.ts", import.meta.url).href)};
      try { lock(process.argv[1]); console.log("mine"); } catch (error) { console.log(error.message.includes("in use") ? "refused" : error.message); }
      await new Promise((resolve) => setTimeout(resolve, 1500));`;
    const args = ["--import", "tsx", "--input-type=module", "-e", script, file];
    const said = await Promise.all(
      Array.from({ length: 4 }, async () => (await promisify(execFile)(process.execPath, args)).stdout.trim()),
    );
    expect(said.sort()).toEqual(["mine", "refused", "refused", "refused"]);
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
});
