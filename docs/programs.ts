/** Programs of code blocks and tests: they run to their end, or serve. */
import { spawn } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";

export type Language = "sh" | "js" | keyof typeof OTHERS;

/** Languages that a machine may lack: the file for the block, and the command that runs the file. */
export const OTHERS = {
  python: ["story.py", "python3"],
  java: ["Story.java", "java", "-XX:TieredStopAtLevel=1", "-Xshare:auto"],
  php: ["story.php", "php"],
  ruby: ["story.rb", "ruby"],
  go: ["story.go", "go", "run"],
} as const;

export function isOther(language: string): language is keyof typeof OTHERS {
  return Object.hasOwn(OTHERS, language);
}

/** The program that this machine lacks for a language. Undefined when it lacks none. */
export function missing(language: Language): string | undefined {
  if (!isOther(language)) return undefined;
  const [, program] = OTHERS[language];
  return (process.env.PATH ?? "").split(delimiter).some((folder) => existsSync(join(folder, program))) ? undefined : program;
}

/** The environment for a child process, without the variables of a test runner. With them, the child would run as a test. */
export function environment(more: Record<string, string>): NodeJS.ProcessEnv {
  const env: NodeJS.ProcessEnv = { ...process.env, DOCDOUBLE_PORT: "0", ...more };
  for (const name of ["NODE_OPTIONS", "VITEST", "NODE_TEST_CONTEXT", "DOCDOUBLE_URL", "PORT"]) delete env[name];
  return env;
}

const TIMEOUT_MS = 55_000;

/** A running program with all processes that it starts. */
interface Program {
  readonly printed: { stdout: string; stderr: string };
  onOutput(listener: () => void): void;
  /** Resolves with the exit code, or with null after a signal. Rejects when the program cannot start. */
  readonly ended: Promise<number | null>;
  /** Sends a signal to all processes and waits until they end. */
  end(signal: NodeJS.Signals): Promise<void>;
}

function start(folder: string, language: Language, code: string, env: NodeJS.ProcessEnv): Program {
  const [program, args] = commandOf(language, code, folder);
  // The program leads a process group, so a signal reaches the shell, its children and their children.
  const child = spawn(program, args, { cwd: folder, env, detached: true, stdio: ["ignore", "pipe", "pipe"] });
  const printed = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const)
    child[name].setEncoding("utf8").on("data", (text: string) => {
      printed[name] += text;
    });
  let isRunning = true;
  const ended = new Promise<number | null>((done, failed) => {
    child.once("error", failed);
    // Comes after the end of all processes that share the output.
    child.once("close", (exit) => {
      isRunning = false;
      done(exit);
    });
  });
  return {
    printed,
    onOutput(listener) {
      for (const stream of [child.stdout, child.stderr]) stream.on("data", listener);
    },
    ended,
    async end(signal) {
      try {
        if (child.pid !== undefined && isRunning) process.kill(-child.pid, signal);
      } catch {
        // All of them have ended. Only the event has not arrived yet.
      }
      await ended.catch(() => undefined);
    },
  };
}

/** Waits for `work` at most `timeout` milliseconds. Before it throws, it ends all processes of the program. */
async function inTime<T>(program: Program, timeout: number, work: Promise<T>): Promise<T> {
  let limit: NodeJS.Timeout | undefined;
  const timeIsOver = new Promise<never>((_, failed) => {
    limit = setTimeout(() => failed(new Error(`the program took more than ${timeout} ms`)), timeout);
  });
  try {
    return await Promise.race([work, timeIsOver]);
  } catch (error) {
    await program.end("SIGKILL");
    const { stdout, stderr } = program.printed;
    throw new Error(`${(error as Error).message}\n${stdout}${stderr}`);
  } finally {
    clearTimeout(limit);
  }
}

/** Runs a program to its end and returns its output. @throws when it fails, or takes more than `timeout` milliseconds */
export async function runIn(folder: string, language: Language, code: string, env: NodeJS.ProcessEnv, timeout = TIMEOUT_MS) {
  const program = start(folder, language, code, env);
  const succeeded = program.ended.then((exit) => {
    if (exit !== 0) throw new Error(`the program ended with ${exit}: ${code}`);
  });
  await inTime(program, timeout, succeeded);
  return `${program.printed.stdout.replaceAll("\r", "").trimEnd()}\n`;
}

export interface Server {
  url: string;
  /** Stops the server and all processes that it started. */
  stop(): Promise<void>;
}

/**
 * Starts a server, and waits until it prints its address.
 * @throws when it ends before that, or takes more than `timeout` milliseconds
 */
export async function serve(code: string, folder: string, env: NodeJS.ProcessEnv, timeout = TIMEOUT_MS): Promise<Server> {
  const program = start(folder, "sh", code, env);
  const { printed } = program;
  const listening = new Promise<string>((found, failed) => {
    program.onOutput(() => {
      const url = /docdouble listening on (http:\S+)/.exec(printed.stdout + printed.stderr)?.[1];
      if (url !== undefined) found(url);
    });
    program.ended.then(() => failed(new Error("the program ended before it opened its port")), failed);
  });
  return { url: await inTime(program, timeout, listening), stop: () => program.end("SIGTERM") };
}

function commandOf(language: Language, code: string, folder: string): [program: string, args: string[]] {
  if (language === "sh") return ["bash", ["-euo", "pipefail", "-c", code]];
  if (language === "js") return [process.execPath, ["--input-type=module", "--eval", code]];
  const [file, program, ...args] = OTHERS[language];
  writeFileSync(join(folder, file), code);
  return [program, [...args, file]];
}
