import { accessSync, closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { dirname, resolve } from "node:path";

const MIB = 1024 * 1024;
/** Above the limits of each kind of file, whose messages are better. */
const TEXT_BYTES_MAX = 64 * 1024 * 1024;
const BYTES_MAX = 512 * 1024 * 1024;
const STEP_BYTES = MIB;

/** The text of a file that a user names. @throws as `readRegularBytes` */
export function readRegularFile(path: string): string {
  return readRegularBytes(path, TEXT_BYTES_MAX).toString("utf8");
}

/**
 * The bytes of a file that a user names. A device or a pipe could be endless, and would stop the process.
 * @throws Error with a `code` of the system, or with a `code` that says in words why docdouble does not read the file
 */
export function readRegularBytes(path: string, max = BYTES_MAX): Buffer {
  // A pipe without a writer would block without this flag.
  const fd = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const facts = fstatSync(fd);
    if (facts.isDirectory()) throw refusal("EISDIR");
    if (!facts.isFile()) throw refusal("it is not a regular file");
    const tooLarge = () => refusal(`it is larger than ${max / MIB} MiB`);
    if (facts.size > max) throw tooLarge();
    const parts: Buffer[] = [];
    let size = 0;
    for (;;) {
      const part = Buffer.allocUnsafe(Math.min(STEP_BYTES, Math.max(1024, facts.size + 1)));
      const read = readSync(fd, part);
      if (read === 0) return Buffer.concat(parts, size);
      parts.push(part.subarray(0, read));
      size += read;
      if (size > max) throw tooLarge();
    }
  } finally {
    closeSync(fd);
  }
}

/** Opens a file to write it anew. @throws as `readRegularBytes`, also for a pipe without a reader */
export function openToWrite(path: string): number {
  const { O_WRONLY, O_CREAT, O_TRUNC, O_NONBLOCK = 0 } = constants;
  const fd = openSync(path, O_WRONLY | O_CREAT | O_TRUNC | O_NONBLOCK);
  if (fstatSync(fd).isFile()) return fd;
  closeSync(fd);
  throw refusal("it is not a regular file");
}

/** Finds out before long work whether a file can be written, and keeps what it holds. @throws Error with a `code` of the system */
export function requireWritable(path: string): void {
  try {
    // A pipe without a reader would block without the second flag.
    closeSync(openSync(path, constants.O_WRONLY | (constants.O_NONBLOCK ?? 0)));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    requireFolder(dirname(resolve(path)));
  }
}

/** @throws Error with a `code` of the system when no file can be made in the folder */
export function requireFolder(path: string): void {
  // The dot refuses everything that is not a folder.
  accessSync(`${path}/.`, constants.W_OK);
}

function refusal(code: string): Error {
  return Object.assign(new Error(code), { code });
}
