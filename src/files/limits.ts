/** Limits of one job on a file. `docs/limits.md` lists them. */

const MIB = 1024 * 1024;

export const LIMITS = {
  /** Processor time, so that the load of the machine does not matter. Reading happens in the background. */
  read_ms: 5000,
  /** Processor time. A caller waits for the output. */
  write_ms: 1500,
  /** Wall time that a call waits. The job continues afterwards. */
  answer_ms: 1500,
  /** Wall time, against a process that hangs without using processor time. */
  wall_ms: 60_000,
  heap_mb: 256,
  /** Resident memory of the process. The heap limit does not count buffers. */
  memory_bytes: 512 * MIB,
  input_bytes: 100 * MIB,
  output_bytes: 64 * MIB,
  pages: 1000,
  fields: 5000,
  /** Objects of a PDF in one reference stream. */
  objects: 500_000,
  /** UTF-16 units. */
  letters: 2 * MIB,
  /** Positioned pieces of text. */
  runs: 200_000,
  /** Unpacked bytes of the XML in a DOCX. */
  xml_bytes: 20 * MIB,
  /** Pixels of all images of a written file. */
  pixels: 16_000_000,
} as const;

export type FileFault =
  /** Broken, encrypted, or another format. */
  | "unreadable"
  | "limit"
  /** The tenant stopped before the end. */
  | "stopped";

export class FileError extends Error {
  override readonly name = "FileError";
  readonly fault: FileFault;
  constructor(fault: FileFault, message: string) {
    super(message);
    this.fault = fault;
  }
}

export function timeOf(job: string): number {
  return job === "read" ? LIMITS.read_ms : LIMITS.write_ms;
}

export function requireAtMost(count: number, max: number, what: string): void {
  if (count > max) throw new FileError("limit", `the file has more than ${max} ${what}`);
}
