/**
 * Whether a program that sleeps on docdouble's clock is still at work. On a busy machine a program may wait long for a processor, and
 * its silence then says nothing. Linux tells it; elsewhere silence decides.
 */
import { readdirSync, readFileSync, readlinkSync } from "node:fs";

/** `<pid>@<place>`, or `<pid>.<thread>@<place>`. */
const NAME = /^(\d{1,10})(?:\.\d{1,10})?@(\S{1,80})$/;

let here: string | undefined;

/** Names the machine and its namespace of process ids. Empty where no file tells them. */
export function machineName(): string {
  here ??= readMachine();
  return here;
}

function readMachine(): string {
  try {
    return `${readFileSync("/proc/sys/kernel/random/boot_id", "latin1").trim()}/${readlinkSync("/proc/self/ns/pid")}`;
  } catch {
    return "";
  }
}

/** Whether docdouble can tell if the program is at work. */
export function isVisible(name: string): boolean {
  return stateOf(name) !== undefined;
}

/**
 * @param name the name that the program gave to its sleep
 * @returns true when a thread of the program runs, waits for a processor or waits for a disk. False also for a program that docdouble
 * cannot see, and for docdouble's own process
 */
export function isAtWork(name: string): boolean {
  return stateOf(name)?.some((state) => state === "R" || state === "D") ?? false;
}

/** The state of each thread, as one letter. Undefined for a program that docdouble cannot see. */
function stateOf(name: string): string[] | undefined {
  const [, pid, place] = NAME.exec(name) ?? [];
  if (pid === undefined || place !== machineName() || Number(pid) === process.pid) return undefined;
  try {
    return readdirSync(`/proc/${pid}/task`).map((thread) => {
      const line = readFileSync(`/proc/${pid}/task/${thread}/stat`, "latin1");
      // The name of the program comes first, in parentheses, and may hold any character.
      return line.charAt(line.lastIndexOf(")") + 2);
    });
  } catch {
    return undefined;
  }
}
