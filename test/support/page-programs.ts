/** Programs of code blocks: they run to their end, or serve. */
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { promisify } from "node:util";

/** The command that runs the code of a block, without the code. */
const COMMANDS = {
  sh: ["bash", "-euo", "pipefail", "-c"],
  js: [process.execPath, "--input-type=module", "--eval"],
  python: ["python3", "-c"],
} as const;
const TIMEOUT_MS = 55_000;

export type Language = keyof typeof COMMANDS;

export function isLanguage(word: string): word is Language {
  return Object.hasOwn(COMMANDS, word);
}

/** The environment for a child process, without the variables of a test runner. With them, the child would run as a test. */
export function environment(more: Record<string, string>): NodeJS.ProcessEnv {
  const env: NodeJS.ProcessEnv = { ...process.env, DOCDOUBLE_PORT: "0", ...more };
  for (const name of ["NODE_OPTIONS", "VITEST", "NODE_TEST_CONTEXT", "DOCDOUBLE_URL", "PORT"]) delete env[name];
  return env;
}

/** Runs a program to its end and returns its output. @throws when it fails, or takes too long */
export async function runIn(folder: string, language: Language, code: string, env: NodeJS.ProcessEnv): Promise<string> {
  const [program, ...args] = COMMANDS[language];
  const options = { cwd: folder, env, timeout: TIMEOUT_MS, killSignal: "SIGKILL" } as const;
  const running = promisify(execFile)(program, [...args, code], options);
  running.child.stdin?.end();
  return `${(await running).stdout.replaceAll("\r", "").trimEnd()}\n`;
}

export interface Server {
  url: string;
  /** Stops the server and all processes that it started. */
  stop(): Promise<void>;
}

/** Starts a server, and waits until it prints its address. @throws when it ends before that, or takes too long */
export async function serve(code: string, folder: string, env: NodeJS.ProcessEnv): Promise<Server> {
  const [program, ...args] = COMMANDS.sh;
  // The shell leads a process group, so a signal reaches its children too.
  const child = spawn(program, [...args, code], { cwd: folder, env, detached: true, stdio: ["ignore", "pipe", "pipe"] });
  const ended = once(child, "close");
  const stop = async () => {
    if (child.exitCode === null && child.pid !== undefined) process.kill(-child.pid, "SIGTERM");
    await ended;
  };
  let printed = "";
  const listening = new Promise<string>((found) => {
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (text) => {
        printed += text;
        const url = /docdouble listening on (http:\S+)/.exec(printed)?.[1];
        if (url !== undefined) found(url);
      });
  });
  const limit = setTimeout(stop, TIMEOUT_MS);
  const url = await Promise.race([listening, ended.then(() => undefined)]);
  clearTimeout(limit);
  if (url === undefined) throw new Error(`the server did not open its port: ${printed}`);
  return { url, stop };
}
