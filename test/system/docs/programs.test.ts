/** Programs of code blocks and slow tests: a program that hangs is ended with its children, and the error shows what it printed. */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { environment, runIn, serve } from "../../../docs/programs.ts";
import { within } from "../../support/patience.ts";
import { files } from "../../support/process.ts";

/** A shell that starts a child, prints something and waits. The file `child` holds the process id of the child. */
const HANGS = "sleep 1000 & echo $! > child; echo installing; echo slowly >&2; wait";
const LIMIT_MS = within(500);

/** A process that has ended but was not collected by its parent has the state Z. */
function isRunning(pid: string): boolean {
  return /^[^Z]/.test(spawnSync("ps", ["-o", "stat=", "-p", pid.trim()], { encoding: "utf8" }).stdout);
}

describe.each([
  ["runIn", (folder: string, code: string) => runIn(folder, "sh", code, environment({}), LIMIT_MS)],
  ["serve", (folder: string, code: string) => serve(code, folder, environment({}), LIMIT_MS)],
])("%s", (_, start) => {
  test("ends a program that hangs, with its children", async () => {
    const folder = files();
    await expect(start(folder, HANGS)).rejects.toThrow(/^the program took more than \d+ ms\ninstalling\nslowly\n$/);
    expect(isRunning(readFileSync(join(folder, "child"), "utf8"))).toBe(false);
  });

  test("names the exit code and the output of a program that fails", async () => {
    await expect(start(files(), "echo half; echo broken >&2; exit 3")).rejects.toThrow(/ended.*\nhalf\nbroken\n$/);
  });
});
