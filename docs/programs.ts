/** Programs of code blocks and tests: they run to their end, or serve. */
import { execFile, spawn } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";

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
/** Maximum output of a program in bytes. */
const OUTPUT_BYTES_MAX = 64 * 1024 * 1024;

/** Runs a program to its end and returns its output. @throws when it fails */
export async function runIn(folder: string, language: Language, code: string, env: NodeJS.ProcessEnv, timeout = TIMEOUT_MS) {
  const [program, args] = commandOf(language, code, folder);
  const { stdout } = await promisify(execFile)(program, args, { timeout, cwd: folder, env, maxBuffer: OUTPUT_BYTES_MAX });
  return `${stdout.replaceAll("\r", "").trimEnd()}\n`;
}

export interface Server {
  url: string;
  /** Stops the server and all processes that it started. */
  stop(): Promise<void>;
}

/** Starts a server, and waits until it prints its address. @throws when it ends before that */
export async function serve(code: string, folder: string, env: NodeJS.ProcessEnv): Promise<Server> {
  const [program, args] = commandOf("sh", code, folder);
  const child = spawn(program, args, { cwd: folder, env, detached: true, stdio: ["ignore", "pipe", "pipe"] });
  const ended = new Promise<void>((done) => child.once("close", () => done()));
  let said = "";
  const url = await new Promise<string>((found, failed) => {
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text: string) => {
        said += text;
        const listening = /docdouble listening on (http:\S+)/.exec(said)?.[1];
        if (listening !== undefined) found(listening);
      });
    child.once("error", failed);
    void ended.then(() => failed(new Error(`the program ended before it opened its port: ${said}`)));
  });
  return {
    url,
    async stop() {
      try {
        // The whole process group: the shell, its children and their children.
        if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, "SIGTERM");
      } catch {
        // All of them have ended. Only the event has not arrived yet.
      }
      await ended;
    },
  };
}

function commandOf(language: Language, code: string, folder: string): [program: string, args: string[]] {
  if (language === "sh") return ["bash", ["-euo", "pipefail", "-c", code]];
  if (language === "js") return [process.execPath, ["--input-type=module", "--eval", code]];
  const [file, program, ...args] = OTHERS[language];
  writeFileSync(join(folder, file), code);
  return [program, [...args, file]];
}
