/** Differences between versions of Node, simulated Windows, and how processes end. */
import { execFileSync, spawn } from "node:child_process";
import { getEventListeners, once } from "node:events";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { hostOf } from "../../src/library/sandbox.ts";
import { CLI } from "../support/process.ts";
import { testWorld } from "../support/world.ts";

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), "docdouble-versions-"));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

describe("network faults with each version of Node", () => {
  test.each(["reset", "empty", "garbage", "truncate"])("%s fails a fetch with a TypeError and a cause", async (network) => {
    const world = await testWorld({ port: 0 });
    await world.admin("POST", "/rules", { name: "cut", when: { operation: "listTemplates" }, then: { network } });
    const answer = fetch(`${world.sandbox.url}/public/v1/templates`, {
      headers: { authorization: "API-Key docdouble-key" },
    }).then((one) => one.text());
    // The code of the cause differs, because undici 7 and 8 sometimes omit it.
    await expect(answer).rejects.toMatchObject({ name: "TypeError", cause: expect.any(Error) });
  });
});

describe("docdouble run on Windows", () => {
  /** The arguments that Node's spawn would get on Windows. */
  function onWindows(path: string, command: string, args: readonly string[]): { command: string; args: string[] } {
    const code = `Object.defineProperty(process, "platform", { value: "win32" });
      const { _parse } = require(${JSON.stringify(createRequire(import.meta.url).resolve("cross-spawn"))});
      const { command, args } = _parse(${JSON.stringify(command)}, ${JSON.stringify(args)}, {});
      console.log(JSON.stringify({ command, args }));`;
    const env = { PATH: path, PATHEXT: ".COM;.EXE;.BAT;.CMD", comspec: "cmd.exe" };
    return JSON.parse(execFileSync(process.execPath, ["-e", code], { env, encoding: "utf8" }));
  }

  test("npm is found as npm.cmd and run by cmd.exe, with each argument quoted", () => {
    const path = folder();
    writeFileSync(join(path, "npm.CMD"), "@echo off\n");
    chmodSync(join(path, "npm.CMD"), 0o755);
    const { command, args } = onWindows(path, "npm", [
      "test",
      "--",
      "a b",
      "x&calc",
      "%PATH%",
      'say "hi"',
      "^|<>()!",
      "C:\\dir\\",
    ]);
    expect(command).toBe("cmd.exe");
    expect(args.slice(0, 3)).toEqual(["/d", "/s", "/c"]);
    const [line = ""] = args.slice(3);
    expect(line).toMatch(/^"npm /);
    // On a disk that minds case the simulated search takes npm.CMD.
    // Whatever cmd.exe would obey has a caret before it, so that it is a character.
    const bare = line.slice(1, -1).replace(/\^[\s\S]/g, "");
    expect(bare).not.toMatch(/[&|<>()%!"^]/);
    for (const text of ["^&calc", "^%PATH^%", "a^ b", "^^^|^<^>^(^)^!"]) expect(line).toContain(text);
  });

  test("a program starts without a shell", () => {
    const path = folder();
    writeFileSync(join(path, "node.EXE"), "MZ");
    chmodSync(join(path, "node.EXE"), 0o755);
    expect(onWindows(path, "node", ["-e", "a & b"])).toEqual({ command: "node", args: ["-e", "a & b"] });
  });
});

describe("an unknown path", () => {
  test.each([
    ["GET", "/public/v1/document", "/public/v1/documents"],
    ["GET", "/public/v1/documents/abc/detials", "/public/v1/documents/{id}/details"],
    ["POST", "/public/v1/documents/abc/snd", "/public/v1/documents/{id}/send"],
    ["GET", "/v1/templates", "/public/v1/templates"],
  ])("%s %s names %s in x-docdouble-why", async (method, path, near) => {
    const world = await testWorld();
    const answer = await world.request(method, path);
    expect(answer.status).toBe(404);
    expect(answer.headers.get("x-docdouble-why")).toBe(`the service has no path ${path}; did you mean ${near}?`);
  });
});

describe("how processes and calls end", () => {
  test.each(["SIGHUP", "SIGTERM", "SIGINT"] as const)(
    "run ends its child after %s",
    async (signal) => {
      const path = folder();
      const file = join(path, "s.yaml");
      writeFileSync(file, "version: 1\nname: s\n");
      const child = join(path, "child.mjs");
      writeFileSync(
        child,
        `import { writeFileSync } from "node:fs"; writeFileSync(${JSON.stringify(join(path, "pid"))}, String(process.pid)); console.log("up"); setInterval(() => {}, 1000);`,
      );
      const running = spawn(process.execPath, [CLI, "run", file, "--", process.execPath, child], {
        stdio: ["ignore", "pipe", "ignore"],
      });
      onTestFinished(() => void running.kill("SIGKILL"));
      await once(running.stdout, "data");
      const pid = Number(readFileSync(join(path, "pid"), "utf8"));
      const ended = once(running, "exit");
      running.kill(signal);
      const [code] = await ended;
      expect(code).toBe(128);
      expect(() => process.kill(pid, 0)).toThrow("ESRCH");
    },
    60_000,
  );

  test("a hang leaves no listener on the server's signal", async () => {
    const world = await testWorld();
    const { closing } = hostOf(world.sandbox);
    const before = getEventListeners(closing, "abort").length;
    await world.admin("POST", "/rules", { name: "hang", when: { operation: "listTemplates" }, then: { network: "hang" } });
    for (let i = 0; i < 5; i++) {
      const caller = new AbortController();
      const call = world.sandbox.fetch("/public/v1/templates", {
        headers: { authorization: "API-Key docdouble-key" },
        signal: caller.signal,
      });
      const refused = expect(call).rejects.toThrow();
      await new Promise<void>((resolve) => setImmediate(resolve));
      caller.abort();
      await refused;
    }
    await expect.poll(() => getEventListeners(closing, "abort").length).toBe(before);
  });
});
