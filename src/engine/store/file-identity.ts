/** The real path of a file, so that two paths to one file share one lock. */
import { lstatSync, readFileSync, readlinkSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";

const LINKS_MAX = 40;

/** The path without links. A dangling link resolves to its future target. @throws */
export function realFile(file: string): string {
  let path = resolve(file);
  for (let links = 0; links <= LINKS_MAX; links++) {
    path = join(realpathSync(dirname(path)), basename(path));
    if (!lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) return path;
    path = resolve(dirname(path), readlinkSync(path));
  }
  throw new Error(`${file} leads through too many links`);
}

/**
 * A file with a second name, or with a separate mount, could get a second lock in another directory.
 * @throws for such a file
 */
export function requireOneName(file: string): void {
  const stat = statSync(file, { throwIfNoEntry: false });
  if (stat && !stat.isFile() && !stat.isDirectory())
    throw new Error(`${file} is not a regular file; give docdouble the name of a file that it may create`);
  if (stat?.isFile() && stat.nlink > 1)
    throw new Error(
      `${file} has ${stat.nlink} names (hard links), so another docdouble may use it by another name; make a copy of its own: cp FILE COPY && mv COPY FILE`,
    );
  if (stat && isMounted(file))
    throw new Error(`${file} is mounted by itself, so its lock is not seen outside; mount its directory instead`);
}

function isMounted(file: string): boolean {
  if (process.platform !== "linux") return false;
  let text: string;
  try {
    text = readFileSync("/proc/self/mountinfo", "utf8");
  } catch {
    return false;
  }
  const escaped = file.replace(/[ \t\n\\]/g, (letter) => `\\${letter.charCodeAt(0).toString(8).padStart(3, "0")}`);
  return text.split("\n").some((line) => line.split(" ")[4] === escaped);
}
