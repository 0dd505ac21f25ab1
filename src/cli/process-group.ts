import type { ChildProcess } from "node:child_process";
import spawn from "cross-spawn";

/** Start a command with these options, so that `killGroup` also ends its child processes. Windows finds them without a group. */
export const IN_GROUP = { detached: process.platform !== "win32" } as const;

export function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    if (process.platform === "win32") spawn.sync("taskkill", ["/pid", String(pid), "/T", "/F"], { stdio: "ignore" });
    else process.kill(-pid, "SIGKILL");
  } catch {
    // The process has ended already.
  }
}
