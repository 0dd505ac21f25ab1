/** Files that users name: what cannot be read or written safely is refused, and nothing is lost. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openToWrite, readRegularBytes, requireFolder, requireWritable } from "../../../src/engine/core/regular-file.ts";
import { writeWorld } from "../../../src/engine/store/write-world.ts";
import { files } from "../../support/process.ts";

const codeOf = (work: () => unknown): unknown => {
  try {
    work();
  } catch (error) {
    return (error as NodeJS.ErrnoException).code;
  }
  return undefined;
};

function pipeIn(folder: string): string {
  const pipe = join(folder, "pipe");
  execFileSync("mkfifo", [pipe]);
  return pipe;
}

test("bytes are read up to a limit, and a folder is refused", () => {
  const folder = files();
  writeFileSync(join(folder, "file"), Buffer.from([0, 255, 10]));
  expect([...readRegularBytes(join(folder, "file"))]).toEqual([0, 255, 10]);
  writeFileSync(join(folder, "large"), Buffer.alloc(3 * 1024 * 1024));
  expect(codeOf(() => readRegularBytes(join(folder, "large"), 2 * 1024 * 1024))).toBe("it is larger than 2 MiB");
  expect(codeOf(() => readRegularBytes(folder))).toBe("EISDIR");
});

test.skipIf(process.platform === "win32")("a pipe and a device are refused at once, for reading and for writing", () => {
  const pipe = pipeIn(files());
  expect(codeOf(() => readRegularBytes(pipe))).toBe("it is not a regular file");
  expect(codeOf(() => readRegularBytes("/dev/zero"))).toBe("it is not a regular file");
  expect(codeOf(() => openToWrite(pipe))).toBe("ENXIO");
  expect(codeOf(() => openToWrite("/dev/null"))).toBe("it is not a regular file");
  expect(codeOf(() => requireWritable(pipe))).toBe("ENXIO");
});

test("the look at a file before the work keeps its content, and makes no file", () => {
  const folder = files();
  const [old, fresh] = [join(folder, "old.json"), join(folder, "new.json")];
  writeFileSync(old, "of yesterday");
  requireWritable(old);
  requireWritable(fresh);
  expect(readFileSync(old, "utf8")).toBe("of yesterday");
  expect(existsSync(fresh)).toBe(false);
  expect(codeOf(() => requireWritable(folder))).toBe("EISDIR");
  expect(codeOf(() => requireWritable(join(folder, "no", "such")))).toBe("ENOENT");
  expect(codeOf(() => requireFolder(old))).toBe("ENOTDIR");
});

test("a saved world replaces its own file only, and no other file beside it", () => {
  const folder = files();
  const [world, other] = [join(folder, "shop.world"), join(folder, "shop.world.new")];
  writeFileSync(other, "of the user");
  writeWorld(world, Buffer.from("one"));
  writeWorld(world, Buffer.from("two"));
  expect([readFileSync(world, "utf8"), readFileSync(other, "utf8")]).toEqual(["two", "of the user"]);
  mkdirSync(join(folder, "folder.world"));
  expect(codeOf(() => writeWorld(join(folder, "folder.world"), Buffer.from("three")))).toMatch(/EISDIR|EPERM/);
});

test.skipIf(process.platform === "win32")("a saved world replaces a link, and not the file that the link names", () => {
  const folder = files();
  writeFileSync(join(folder, "precious"), "kept");
  symlinkSync("precious", join(folder, "shop.world"));
  writeWorld(join(folder, "shop.world"), Buffer.from("new"));
  expect([readFileSync(join(folder, "precious"), "utf8"), readFileSync(join(folder, "shop.world"), "utf8")]).toEqual([
    "kept",
    "new",
  ]);
});
