/** Which parts of the client a Node command runs. Node writes this itself where `NODE_V8_COVERAGE` names a folder. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Larger files take longer to read than a run. */
const BYTES_MAX = 16 * 1024 * 1024;

interface CoverageFile {
  result: {
    url: string;
    functions: { functionName: string; ranges: { startOffset: number; endOffset: number; count: number }[] }[];
  }[];
}

export class CoverageFolder {
  readonly path = mkdtempSync(join(tmpdir(), "docdouble-coverage-"));

  /** Undefined where no folder can be made. */
  static open(): CoverageFolder | undefined {
    try {
      return new CoverageFolder();
    } catch {
      return undefined;
    }
  }

  /** The ranges of code that ran, in files that belong to no package. Empty for other languages. Removes the folder. */
  take(): ReadonlySet<string> {
    const ran = new Set<string>();
    try {
      for (const name of readdirSync(this.path)) this.#read(join(this.path, name), ran);
    } catch {
      // A command that ends early leaves half a file. Coverage only orders the search.
    }
    rmSync(this.path, { recursive: true, force: true });
    return ran;
  }

  #read(file: string, ran: Set<string>): void {
    if (statSync(file).size > BYTES_MAX) return;
    const { result } = JSON.parse(readFileSync(file, "utf8")) as CoverageFile;
    for (const { url, functions } of result) {
      if (!url.startsWith("file:") || url.includes("/node_modules/")) continue;
      for (const { ranges } of functions)
        for (const { startOffset, endOffset, count } of ranges) if (count > 0) ran.add(`${url} ${startOffset} ${endOffset}`);
    }
  }
}
