import type { Model, World } from "../../kit/world.ts";
import { progressionOf, stepDuration } from "../documents/transitions.ts";
import { CreationFailure } from "./field-tags.ts";
import type { FileContent, Reading } from "./file-content.ts";
import {
  BROKEN,
  GIVEN_UP,
  isStopped,
  keepFile,
  pagesOf,
  readContent,
  readStoredFile,
  sourceFailure,
  textBlocks,
  textPages,
} from "./file-content.ts";
import type { Content, ContentPage, ConversionState, FileSource } from "./row.ts";

/** spec: Limits, Creation processing time about 3 to 5 seconds. */
export const CONVERSION_MS = [3000, 5000] as const;
/** Limit of files by URL and of sections. Source: the service's limits page. */
export const FILE_MB_MAX = 50;

export type Failure = NonNullable<ConversionState["failure"]>;

export interface ReadFile {
  file_id: string;
  content: FileContent;
}

export interface ConversionKind<R> {
  readonly model: Model;
  readonly job: string;
  /** Whether the text of the file may declare fields. Absent: never. */
  readsTags?(row: R): boolean;
  /** The name of the row, which stands above its text. */
  titleOf(row: R): string;
  pending(world: World, id: string): R | undefined;
  state(row: R): ConversionState;
  withState(row: R, state: ConversionState): R;
  put(world: World, row: R): R;
  /** @throws CreationFailure that fails the conversion */
  finish(world: World, row: R, file: ReadFile | null): void;
  fail(world: World, row: R, failure: Failure): void;
}

export function newConversion(source: FileSource | null): ConversionState {
  return { source, polls: 0, failure: null };
}

export function sourceOf(
  world: World,
  url: string | undefined,
  file: { name: string; type: string; bytes: Uint8Array } | undefined,
): FileSource | null {
  if (file) return { kind: "upload", file_id: keepFile(world, file) };
  return url === undefined ? null : { kind: "url", url };
}

export function startConversion<R>(world: World, kind: ConversionKind<R>, id: string): void {
  const wait = stepDuration(world, progressionOf(world, kind.model), CONVERSION_MS);
  if (wait !== undefined) world.jobs.schedule(kind.job, wait, { id });
}

export function pollConversion<R>(world: World, kind: ConversionKind<R>, id: string): void {
  const progression = progressionOf(world, kind.model);
  const row = progression.progression === "polls" ? kind.pending(world, id) : undefined;
  if (!row || progression.progression !== "polls") return;
  const state = kind.state(row);
  kind.put(world, kind.withState(row, { ...state, polls: state.polls + 1 }));
  if (state.polls + 1 === progression.times) world.jobs.schedule(kind.job, 0, { id });
}

export function convertFile<R>(
  world: World,
  kind: ConversionKind<R>,
  id: string,
  fetchFile: (url: string) => Promise<Uint8Array>,
): undefined | Promise<() => void> {
  const row = kind.pending(world, id);
  if (!row) return undefined;
  const progression = progressionOf(world, kind.model);
  if (progression.progression === "fail") {
    failConversion(world, kind, row, { type: "processing", detail: progression.detail ?? BROKEN });
    return undefined;
  }
  const { source } = kind.state(row);
  if (!source) {
    finishConversion(world, kind, row, null);
    return undefined;
  }
  return readSource(world, source, fetchFile, { title: kind.titleOf(row), readsTags: kind.readsTags?.(row) ?? false }).then(
    ({ bytes, content }) =>
      () => {
        const current = kind.pending(world, id);
        if (!current) return;
        finishConversion(world, kind, current, { file_id: fileIdOf(world, source, bytes), content });
      },
    (error: unknown) => () => {
      const current = kind.pending(world, id);
      if (current && !isStopped(error)) failConversion(world, kind, current, failureOf(error));
    },
  );
}

export function giveUpFile<R>(world: World, kind: ConversionKind<R>, id: string): void {
  const row = kind.pending(world, id);
  if (row) failConversion(world, kind, row, { type: "processing", detail: GIVEN_UP });
}

function finishConversion<R>(world: World, kind: ConversionKind<R>, row: R, file: ReadFile | null): void {
  try {
    world.store.savepoint(() => kind.finish(world, row, file));
  } catch (error) {
    failConversion(world, kind, row, failureOf(error));
  }
}

export function failConversion<R>(world: World, kind: ConversionKind<R>, row: R, failure: Failure): void {
  kind.fail(world, kind.withState(row, { ...kind.state(row), failure }), failure);
}

interface FileRow extends Pick<Content, "pages" | "texts"> {
  date_modified: number;
  content_date_modified: number;
  internal: { file_id: string | null };
}

export function withFileContent<R extends FileRow>(world: World, row: R, file: ReadFile | null): R {
  const now = world.clock.now();
  const { pages, texts, file_id } = contentFrom(row, file);
  return { ...row, date_modified: now, content_date_modified: now, pages, texts, internal: { ...row.internal, file_id } };
}

function contentFrom(row: Pick<Content, "pages" | "texts">, file: ReadFile | null) {
  if (!file) return { pages: row.pages, texts: row.texts, file_id: null };
  const { content, file_id } = file;
  if ("pdf" in content) return { pages: pagesOf(content.pdf, content.texts, true), texts: row.texts, file_id };
  return { pages: textPages(content.layout), texts: textBlocks(content, true), file_id: null };
}

export function withSourceFile(pages: readonly ContentPage[], id: string | null): ContentPage[] {
  return pages.map((page, i) => (id === null ? page : { ...page, file: { id, page: i } }));
}

function failureOf(error: unknown): Failure {
  if (error instanceof CreationFailure) return { type: error.type, detail: error.message };
  throw error;
}

export async function readSource(
  world: World,
  source: FileSource,
  fetchFile: (url: string) => Promise<Uint8Array>,
  reading: Reading,
): Promise<{ bytes: Uint8Array; content: FileContent }> {
  if (source.kind === "upload") return readStoredFile(world, source.file_id, reading);
  const bytes = await fetchFile(source.url).catch((error: unknown) => {
    throw sourceFailure(source.url, error, FILE_MB_MAX);
  });
  return { bytes, content: await readContent(world, bytes, reading) };
}

function fileIdOf(world: World, source: FileSource, bytes: Uint8Array): string {
  if (source.kind === "upload") return source.file_id;
  return keepFile(world, { name: source.url.slice(source.url.lastIndexOf("/") + 1), type: "application/octet-stream", bytes });
}
