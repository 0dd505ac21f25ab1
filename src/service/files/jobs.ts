import type { Words } from "./block-input.ts";
import type { TextLayout } from "./lay-out.ts";
import { FileError, LIMITS } from "./limits.ts";
import type { PdfInput } from "./pdf-write.ts";
import type { FileContent } from "./read.ts";

export interface FileJobs {
  /** A title stands above the text in the PDF of a file. */
  read: { input: { bytes: Uint8Array; title: string }; output: FileContent };
  lay_out: { input: { words: readonly Words[]; reads: boolean }; output: TextLayout };
  write_pdf: { input: PdfInput; output: Uint8Array };
  write_docx: { input: { words: readonly Words[]; date: number }; output: Uint8Array };
  write_zip: { input: { files: readonly { name: string; pdf: PdfInput }[]; date: number }; output: Uint8Array };
}

export type FileJob = keyof FileJobs;

type Run<Job extends FileJob> = (input: FileJobs[Job]["input"]) => Promise<FileJobs[Job]["output"]>;

/** Each job loads the code that it needs. @throws FileError */
export const JOBS: { readonly [Job in FileJob]: Run<Job> } = {
  read: async (input) => (await import("./read.ts")).readFile(input),
  lay_out: async (input) => (await import("./lay-out.ts")).layOut(input),
  write_pdf: async (input) => sized(await (await import("./pdf-write.ts")).writePdf(input)),
  write_docx: async ({ words, date }) => sized(await (await import("./docx.ts")).writeDocx(words, date)),
  write_zip: async ({ files, date }) => {
    const { writePdf } = await import("./pdf-write.ts");
    const written: Record<string, Uint8Array> = {};
    for (const { name, pdf } of files) written[name] = await writePdf(pdf);
    return sized(await (await import("./zip.ts")).writeZip(written, date));
  },
};

function sized(bytes: Uint8Array): Uint8Array {
  if (bytes.length <= LIMITS.output_bytes) return bytes;
  throw new FileError("limit", `the file becomes larger than ${LIMITS.output_bytes / 1024 / 1024} MiB`);
}
