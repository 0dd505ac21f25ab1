import type { Block } from "../../files/blocks.ts";
import { drawableFacts } from "../../files/images.ts";
import { namedImage } from "./blocks.ts";
import { keepFile } from "./files.ts";
import type { World } from "../../model/world.ts";
import type { DocumentRow } from "../../model/documents/document.ts";
import type { NamedImage } from "../../model/content/rows.ts";
import { findDocument } from "../document-model/find.ts";

export type Fetch = (url: string) => Promise<Uint8Array>;

export interface FetchImage {
  (url: string): Promise<Uint8Array>;
  /** A fetch now would repeat an earlier failure. */
  fails(url: string): boolean;
}

export type Fetched = ReadonlyMap<string, Uint8Array | null>;

export function unfetched({ images }: Pick<DocumentRow, "images">): string[] {
  return [...new Set(images.flatMap((image) => (image.file_id === undefined ? image.urls.slice(0, 1) : [])))];
}

/** Without a promise when no fetch can succeed, because a document then costs as much as one without images. */
export function fetchImages(urls: readonly string[], fetchFile: FetchImage): Fetched | Promise<Fetched> {
  if (urls.every((url) => fetchFile.fails(url))) return new Map(urls.map((url) => [url, null]));
  return fetchAll(urls, fetchFile);
}

async function fetchAll(urls: readonly string[], fetchFile: Fetch): Promise<Fetched> {
  const found = await Promise.all(
    urls.map(async (url): Promise<[string, Uint8Array | null]> => {
      const bytes = await read(url, fetchFile).catch(() => undefined);
      return [url, bytes && drawableFacts(bytes) ? bytes : null];
    }),
  );
  return new Map(found);
}

async function read(url: string, fetchFile: Fetch): Promise<Uint8Array | undefined> {
  const [, base64] = /^data:image\/\w+;base64,([A-Za-z0-9+/=\s]+)$/.exec(url) ?? [];
  if (base64 !== undefined) return Buffer.from(base64, "base64");
  return /^https?:\/\//i.test(url) ? fetchFile(url) : undefined;
}

export function withImages(world: World, document: DocumentRow, fetched: Fetched): DocumentRow {
  const ids = new Map<string, string>();
  const keep = (image: NamedImage): NamedImage => {
    const url = image.urls[0];
    const bytes = url === undefined || image.file_id !== undefined ? undefined : fetched.get(url);
    if (url === undefined || bytes === undefined) return image;
    if (bytes === null) return { ...image, file_id: null };
    const file_id = ids.get(url) ?? keepFile(world, { name: image.name, type: drawableFacts(bytes)?.type ?? "", bytes });
    ids.set(url, file_id);
    return { ...image, file_id };
  };
  return { ...document, images: document.images.map(keep) };
}

export function planImages(world: World, document: DocumentRow): void {
  if (unfetched(document).length > 0) world.jobs.schedule("fetch_images", 0, { document: document.id });
}

export function fetchDocumentImages(world: World, id: string, fetchFile: FetchImage): undefined | Promise<() => void> {
  const document = findDocument(world, id);
  const urls = document ? unfetched(document) : [];
  if (urls.length === 0) return undefined;
  const keep = (fetched: Fetched) => {
    const current = findDocument(world, id);
    if (current) world.store.documents.put(withImages(world, current, fetched));
  };
  const images = fetchImages(urls, fetchFile);
  if (images instanceof Promise) return images.then((fetched) => () => keep(fetched));
  keep(images);
  return undefined;
}

export function giveUpImages(world: World, id: string): void {
  const document = findDocument(world, id);
  if (document) world.store.documents.put(withImages(world, document, new Map(unfetched(document).map((url) => [url, null]))));
}

export function imageBlock(world: World, image: NamedImage): Block[] {
  const file = world.store.files.get(image.file_id ?? "");
  const facts = file && drawableFacts(Buffer.from(file.base64, "base64"));
  return namedImage(image).map((block) =>
    file && facts && block.kind === "entry" ? { ...block, kind: "image", base64: file.base64, ...facts } : block,
  );
}
