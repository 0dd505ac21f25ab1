import spawn from "cross-spawn";
import { systemClock } from "../engine/core/clock.ts";
import { LAST_OUTPUT_MAX } from "../tools/explore/last-output.ts";
import type { Sandbox } from "../library/types.ts";
import { IN_GROUP, killGroup } from "./process-group.ts";

const SHELL_EXIT_NOT_FOUND = 127;
/** Terminals and CI jobs send these. The command ends first, then docdouble checks the expectations. */
const FORWARDED = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

export interface Execution {
  env?: NodeJS.ProcessEnv;
  isQuiet?: boolean | undefined;
  /** Real milliseconds. After them, docdouble ends the command and all processes that it started. */
  limit_ms?: number | undefined;
  keepsOutput?: boolean | undefined;
}

export interface Executed {
  code: number;
  /** The limit passed. The exit code is then 0, because an expectation reports it. */
  isStopped: boolean;
  stdout: string;
}

export function execute(
  command: readonly string[],
  { url, apiKey }: Pick<Sandbox, "url" | "apiKey">,
  { env = {}, isQuiet = false, limit_ms, keepsOutput = false }: Execution = {},
): Promise<Executed> {
  const [program = "", ...args] = command;
  // On Windows, cross-spawn finds npm.cmd and quotes for cmd.exe.
  const child = spawn(program, args, {
    stdio: ["inherit", keepsOutput ? "pipe" : isQuiet ? 2 : "inherit", "inherit"],
    ...(limit_ms === undefined ? {} : IN_GROUP),
    env: { ...process.env, DOCDOUBLE_URL: url, DOCDOUBLE_API_KEY: apiKey, ...env },
  });
  let stdout = "";
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    stdout = (stdout + text).slice(-LAST_OUTPUT_MAX);
    (isQuiet ? process.stderr : process.stdout).write(text);
  });
  const forward = (signal: NodeJS.Signals) => child.kill(signal);
  for (const signal of FORWARDED) process.on(signal, forward);
  return new Promise((resolve) => {
    let isStopped = false;
    const stop = () => {
      isStopped = true;
      killGroup(child);
    };
    const cancel = limit_ms === undefined ? () => {} : systemClock.after(limit_ms, stop);
    const finish = (code: number) => {
      cancel();
      for (const signal of FORWARDED) process.off(signal, forward);
      resolve({ code: isStopped ? 0 : code, isStopped, stdout });
    };
    child.on("error", (error) => {
      process.stderr.write(`cannot run ${program}: ${error.message}\n`);
      finish(SHELL_EXIT_NOT_FOUND);
    });
    // Output is complete at `close`, which waits for processes that the command leaves behind.
    child.on(keepsOutput ? "close" : "exit", (code, signal) => finish(code ?? (signal ? 128 : 0)));
  });
}
