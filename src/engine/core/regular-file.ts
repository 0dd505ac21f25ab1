import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";

/** Above the limits of each kind of file, whose messages are better. */
const BYTES_MAX = 64 * 1024 * 1024;
const STEP_BYTES = 1024 * 1024;

/**
 * The text of a file that a user names. A device or a pipe could be endless, and would stop the process.
 * @throws Error with a `code` of the system, or with a `code` that says in words why docdouble does not read the file
 */
export function readRegularFile(path: string): string {
  // A pipe without a writer would block without this flag.
  const fd = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const facts = fstatSync(fd);
    if (facts.isDirectory()) throw refusal("EISDIR");
    if (!facts.isFile()) throw refusal("it is not a regular file");
    const parts: Buffer[] = [];
    let size = 0;
    for (;;) {
      const part = Buffer.allocUnsafe(Math.min(STEP_BYTES, Math.max(1024, facts.size + 1)));
      const read = readSync(fd, part);
      if (read === 0) return Buffer.concat(parts, size).toString("utf8");
      parts.push(part.subarray(0, read));
      size += read;
      if (size > BYTES_MAX) throw refusal("it is larger than 64 MiB");
    }
  } finally {
    closeSync(fd);
  }
}

function refusal(code: string): Error {
  return Object.assign(new Error(code), { code });
}
