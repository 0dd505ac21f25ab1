/** How much one job on a file may take. `docs/limits.md` lists these numbers. */

const MIB = 1024 * 1024;

export const LIMITS = {
  /** Processor time, so that a busy machine fails no file. Reading happens in the background. */
  read_ms: 5000,
  /** Processor time of a job whose output a caller waits for. */
  write_ms: 1500,
  /** Wall time that a call waits for a file. The job goes on beyond it. */
  answer_ms: 1500,
  /** Wall time, for a process that uses no processor time at all. A busy machine stays below it. */
  wall_ms: 60_000,
  heap_mb: 256,
  /** Resident memory of the whole process. The heap limit does not count buffers. */
  memory_bytes: 512 * MIB,
  input_bytes: 100 * MIB,
  output_bytes: 64 * MIB,
  pages: 1000,
  fields: 5000,
  /** Objects of a PDF in one reference stream. */
  objects: 500_000,
  /** Letters of text. */
  letters: 2 * MIB,
  /** Pieces of text with a place on a page. */
  runs: 200_000,
  /** Unpacked bytes of the XML in a DOCX. */
  xml_bytes: 20 * MIB,
  /** Pixels of all images that one file shows. */
  pixels: 16_000_000,
} as const;

/** Why a file could not be read or written. */
export type FileFault =
  /** It is broken, locked, or no file of its kind. */
  | "unreadable"
  /** It is beyond a limit. */
  | "limit"
  /** The tenant was stopped meanwhile. */
  | "stopped";

export class FileError extends Error {
  override readonly name = "FileError";
  readonly fault: FileFault;
  constructor(fault: FileFault, message: string) {
    super(message);
    this.fault = fault;
  }
}

/** Processor time of a job in ms. */
export function timeOf(job: string): number {
  return job === "read" ? LIMITS.read_ms : LIMITS.write_ms;
}

/** @throws FileError when `count` is beyond the limit */
export function requireAtMost(count: number, most: number, what: string): void {
  if (count > most) throw new FileError("limit", `the file has more than ${most} ${what}`);
}
