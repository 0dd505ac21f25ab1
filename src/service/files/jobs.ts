import type { PdfInput } from "./pdf-write.ts";
import type { FileContent } from "./read.ts";
import type { Words } from "./block-input.ts";
import type { TextLayout } from "./lay-out.ts";

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

/** Loads the code of a job. The time limit starts afterwards. */
export const LOADERS: { readonly [Job in FileJob]: (input: FileJobs[Job]["input"]) => Promise<Run<Job>> } = {
  read: async ({ bytes }) => {
    const [{ loadReaders, readFile }] = await Promise.all([import("./read.ts"), import("@cantoo/pdf-lib")]);
    await loadReaders(bytes);
    return readFile;
  },
  lay_out: async ({ reads }) => {
    const [{ layOut }] = await Promise.all([import("./lay-out.ts"), import("@cantoo/pdf-lib")]);
    if (reads) await (await import("./read.ts")).loadReaders(new Uint8Array());
    return layOut;
  },
  write_pdf: async () => {
    const [{ writePdf }] = await Promise.all([import("./pdf-write.ts"), import("@cantoo/pdf-lib")]);
    return writePdf;
  },
  write_docx: async () => {
    const [{ writeDocx }] = await Promise.all([import("./docx.ts"), import("fflate")]);
    return ({ words, date }) => writeDocx(words, date);
  },
  write_zip: async () => {
    const modules = [import("./zip.ts"), import("./pdf-write.ts"), import("fflate"), import("@cantoo/pdf-lib")] as const;
    const [{ writeZip }, { writePdf }] = await Promise.all(modules);
    return async ({ files, date }) => {
      const written: Record<string, Uint8Array> = {};
      for (const { name, pdf } of files) written[name] = await writePdf(pdf);
      return writeZip(written, date);
    };
  },
};
