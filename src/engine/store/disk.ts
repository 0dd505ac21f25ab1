/** The data file's calls to the file system. Tests replace them with a full or read-only disk. */
import {
  closeSync,
  fstatSync,
  fsync,
  ftruncateSync,
  lstatSync,
  openSync,
  readSync,
  rmSync,
  statSync,
  write,
  writeSync,
} from "node:fs";
import { open } from "node:fs/promises";
import { dirname } from "node:path";
import { replaceFile } from "./replace-file.ts";

export interface Disk {
  open(file: string, flags: "r+" | "w+"): number;
  size(fd: number): number;
  /** Fills `buffer` from `position`. Returns the number of bytes read. */
  read(fd: number, buffer: Uint8Array, position: number): number;
  write(fd: number, bytes: Uint8Array, position: number): void;
  writeSoon(fd: number, bytes: Uint8Array, position: number): Promise<void>;
  truncate(fd: number, size: number): void;
  sync(fd: number): Promise<void>;
  /** Syncs the directory of `file`. Never rejects: some systems cannot sync directories. */
  syncDirectory(file: string): Promise<void>;
  close(fd: number): void;
  rename(from: string, to: string): void;
  remove(file: string): void;
  exists(file: string): boolean;
  isAt(fd: number, file: string): boolean;
}

const OWNER_ONLY = 0o600;

export const realDisk: Disk = {
  open: (file, flags) => openSync(file, flags, OWNER_ONLY),
  size: (fd) => fstatSync(fd).size,
  read(fd, buffer, position) {
    let filled = 0;
    for (let more = -1; filled < buffer.length && more !== 0; filled += more)
      more = readSync(fd, buffer, filled, buffer.length - filled, position + filled);
    return filled;
  },
  write(fd, bytes, position) {
    for (let written = 0; written < bytes.length; )
      written += writeSync(fd, bytes, written, bytes.length - written, position + written);
  },
  async writeSoon(fd, bytes, position) {
    for (let written = 0; written < bytes.length; )
      written += await new Promise<number>((resolve, reject) => {
        write(fd, bytes, written, bytes.length - written, position + written, (error, count) =>
          error ? reject(error) : resolve(count),
        );
      });
  },
  truncate: ftruncateSync,
  sync: (fd) => new Promise((resolve, reject) => fsync(fd, (error) => (error ? reject(error) : resolve()))),
  async syncDirectory(file) {
    const directory = await open(dirname(file), "r").catch(() => undefined);
    await directory?.sync().catch(() => {});
    await directory?.close();
  },
  close: closeSync,
  rename: replaceFile,
  remove: (file) => rmSync(file, { force: true }),
  exists: (file) => lstatSync(file, { throwIfNoEntry: false }) !== undefined,
  isAt(fd, file) {
    const [open, named] = [fstatSync(fd), statSync(file, { throwIfNoEntry: false })];
    return named !== undefined && open.ino === named.ino && open.dev === named.dev;
  },
};
