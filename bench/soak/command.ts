/** The built command as a process, for programs that kill or overload it. */
import { type ChildProcess, spawn } from "node:child_process";
import { addressOf } from "../servers.ts";

export interface Command {
  process: ChildProcess;
  url: string;
  /** Resolves with the exit code, or with null after a signal. */
  ended: Promise<number | null>;
}

/** Starts a server with these flags, and waits until it is ready. With flags of Node it can send messages. */
export async function startCommand(flags: readonly string[], ofNode: readonly string[] = []): Promise<Command> {
  const args = [...ofNode, "dist/cli.cjs", "start", "--port", "0", "--seed", "7", "--log", "silent", ...flags];
  const child = spawn(process.execPath, args, {
    stdio: ["ignore", "pipe", "inherit", ofNode.length > 0 ? "ipc" : "ignore"],
  });
  const ended = new Promise<number | null>((resolve) => child.once("exit", (code) => resolve(code)));
  return { process: child, url: await addressOf(child), ended };
}
