/** Reads and writes files in processes of their own: the one way for bytes from outside to meet the libraries that parse them. */
import type { FileJob, FileJobs } from "./jobs.ts";
import { FileError } from "./limits.ts";
import type { Running } from "./pool.ts";

/** The file work of one tenant. */
export class Files {
  readonly #running = new Set<Running<unknown>>();
  #isClosed = false;

  /** @throws FileError */
  async run<Kind extends FileJob>(kind: Kind, input: FileJobs[Kind]["input"]): Promise<FileJobs[Kind]["output"]> {
    const { runJob } = await import("./pool.ts");
    if (this.#isClosed) throw new FileError("stopped", "the server stopped before the file was done");
    const running = runJob(kind, input);
    this.#running.add(running);
    try {
      return await running.output;
    } finally {
      this.#running.delete(running);
    }
  }

  /** Ends what is running; later jobs fail. */
  close(): void {
    this.#isClosed = true;
    for (const one of this.#running) one.stop();
  }
}
