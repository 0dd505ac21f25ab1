const MIB = 1024 * 1024;

export const LIMITS = {
  /** Processor ms, so that the load of the machine does not matter. */
  read_ms: 5000,
  write_ms: 1500,
  /** Wall ms that a call waits. The job continues afterwards. */
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

export function timeOf(job: string): number {
  return job === "read" ? LIMITS.read_ms : LIMITS.write_ms;
}

export function requireAtMost(count: number, max: number, what: string): void {
  if (count > max) throw new FileError("limit", `the file has more than ${max} ${what}`);
}
