/** What a file process can do. Its modules and their libraries are loaded with the first job that needs them. */
import type { PdfInput } from "./pdf-write.ts";
import type { FileContent } from "./read.ts";
import type { Words } from "./words.ts";

/** Every kind of job: what it takes and what it gives. */
export interface FileJobs {
  read: { input: Uint8Array; output: FileContent };
  write_pdf: { input: PdfInput; output: Uint8Array };
  write_docx: { input: { words: readonly Words[]; date: number }; output: Uint8Array };
  write_zip: { input: { files: Record<string, Uint8Array>; date: number }; output: Uint8Array };
}

export type FileJob = keyof FileJobs;

type Run<Job extends FileJob> = (input: FileJobs[Job]["input"]) => Promise<FileJobs[Job]["output"]>;

/** Loads what a job needs; the time that this takes does not count for the file. */
export const LOADERS: { readonly [Job in FileJob]: (input: FileJobs[Job]["input"]) => Promise<Run<Job>> } = {
  read: async (bytes) => {
    const { loadReaders, readFile } = await import("./read.ts");
    await loadReaders(bytes);
    return readFile;
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
    const [{ writeZip }] = await Promise.all([import("./zip.ts"), import("fflate")]);
    return ({ files, date }) => writeZip(files, date);
  },
};
