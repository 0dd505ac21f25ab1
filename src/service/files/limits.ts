const MIB = 1024 * 1024;

export const LIMITS = {
  /** For each job, with the time to load its code. Processor time, so that the load of the machine does not matter. */
  processor_ms: 8000,
  /** Wall ms that a call waits. The job continues afterwards. */
  answer_ms: 3000,
  heap_mb: 256,
  /** Resident memory of the process. The heap limit does not count buffers. */
  memory_bytes: 512 * MIB,
  input_bytes: 100 * MIB,
  output_bytes: 64 * MIB,
  pages: 1000,
  fields: 5000,
  objects: 500_000,
  letters: 2 * MIB,
  runs: 200_000,
  xml_bytes: 20 * MIB,
  pixels: 16_000_000,
} as const;

export type FileFault = "unreadable" | "limit" | "stopped";

export class FileError extends Error {
  override readonly name = "FileError";
  readonly fault: FileFault;
  constructor(fault: FileFault, message: string) {
    super(message);
    this.fault = fault;
  }
}

export function requireAtMost(count: number, max: number, what: string): void {
  if (count > max) throw new FileError("limit", `the file has more than ${max} ${what}`);
}
