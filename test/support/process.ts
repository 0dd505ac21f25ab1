/** The built command, run as users run it. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

export interface Finished {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface RunOptions {
  env?: Record<string, string>;
}

export const CLI = "dist/cli.cjs";

function launch(args: readonly string[], options: RunOptions): { child: ChildProcess; done: Promise<Finished> } {
  const env: NodeJS.ProcessEnv = { ...process.env, ...options.env };
  // Vitest sets variables that would affect the child process.
  for (const name of ["NODE_OPTIONS", "PORT", "VITEST"]) if (options.env?.[name] === undefined) delete env[name];
  const child = spawn(process.execPath, [CLI, ...args], { env, stdio: ["ignore", "pipe", "pipe"] });
  const out = { stdout: "", stderr: "" };
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    out.stdout += text;
  });
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    out.stderr += text;
  });
  const done = new Promise<Finished>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => resolve({ code, ...out }));
  });
  onTestFinished(() => {
    child.kill("SIGKILL");
  });
  return { child, done };
}

/** Runs a command to its end. */
export function run(args: readonly string[], options: RunOptions = {}): Promise<Finished> {
  return launch(args, options).done;
}

export interface Served {
  url: string;
  pid: number;
  /** The ready line. */
  line: string;
  /** Sends a signal and waits for the end. */
  stop(signal?: NodeJS.Signals): Promise<Finished>;
  /** Calls a path with the default key, and parses the answer as JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers of every shape
  call(method: string, path: string, body?: unknown): Promise<{ status: number; body: any }>;
}

/** Starts a server and waits for its ready line. */
export async function serve(args: readonly string[], options: RunOptions = {}): Promise<Served> {
  const { child, done } = launch(args, options);
  const line = await new Promise<string>((resolve, reject) => {
    let text = "";
    child.stdout?.on("data", (more: string) => {
      text += more;
      if (text.includes("\n")) resolve(text.slice(0, text.indexOf("\n")));
    });
    void done.then(({ code, stderr }) => reject(new Error(`ended with ${code} before it was ready: ${stderr}`)));
  });
  const url = line.slice(line.indexOf("http"));
  return {
    url,
    pid: child.pid ?? 0,
    line,
    stop: (signal = "SIGTERM") => {
      child.kill(signal);
      return done;
    },
    async call(method, path, body) {
      const answer = await fetch(url + path, {
        method,
        headers: { authorization: "API-Key docdouble-key", "content-type": "application/json" },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await answer.text();
      return { status: answer.status, body: text === "" ? undefined : JSON.parse(text) };
    },
  };
}

/** A temporary folder with `files`. Returns the path of the first file, or of the folder without files. */
export function files(contents: Record<string, string> = {}): string {
  const folder = mkdtempSync(join(tmpdir(), "docdouble-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(contents)) writeFileSync(join(folder, name), text);
  const [first] = Object.keys(contents);
  return first === undefined ? folder : join(folder, first);
}
