/** Shows the document as sheets, one for each page: its text, then its fields. Links lead to the original PDF files. */
import { pageTexts, tableBlocks, textsOf } from "../../nouns/content/blocks.ts";
import { pdfsOf } from "../../nouns/documents/pages.ts";
import type { Errors, SessionView } from "../../nouns/signing/sessions.ts";
import type { World } from "../../kit/world.ts";
import { blocksHtml } from "./blocks.ts";
import { grandTotalHtml, pricingHtml } from "./choices.ts";
import { fieldControl, fieldsByPage, fieldValueHtml } from "./fields.ts";
import { imageUrls, isEmbeddedImage } from "./images.ts";
import { html, type Html, type Part, raw } from "../../../engine/http/html.ts";
import type { DocumentRow } from "../../nouns/documents/row.ts";
import type { BlockNames, FieldRow, FileRow, NamedImage } from "../../nouns/content/row.ts";

type Open = Extract<SessionView, { is: "open" }>;

type Blocks = Pick<DocumentRow, keyof BlockNames | "tokens">;

export function sheetsHtml(world: World, sight: Open, errors: Errors): Html {
  const { document, session } = sight;
  const fields = fieldsByPage(document);
  const texts = pageTexts(document).map(blocksHtml);
  const count = Math.max(1, document.pages.length, ...[...fields.keys()].map((page) => page + 1));
  const sheets = Array.from({ length: count }, (_, page) => {
    const words = html`${texts[page]}${blocksOfPage(sight, page, errors)}${page === 0 ? restHtml(sight, errors) : null}`;
    return sheetHtml(sight, page, count, words, fields.get(page) ?? [], errors);
  });
  return html`<article class="doc" id="sheet" aria-label="Document" data-testid="document">
${sheets}
${originalsHtml(pdfsOf(world, document), session.id)}
</article>`;
}

/** Nothing for a page without words and fields, except the first. */
function sheetHtml(sight: Open, page: number, count: number, words: Html, fields: readonly FieldRow[], errors: Errors): Part {
  const { document, recipient, mode } = sight;
  const isBlank = String(words) === "" && fields.length === 0;
  if (isBlank && page > 0) return null;
  const title = `Page ${page + 1} of ${count}`;
  const controls = fields.map((field) =>
    mode === "fill" && field.recipient_id === recipient.id
      ? fieldControl(field, errors[field.uuid])
      : fieldValueHtml(document, field, recipient),
  );
  return html`<section class="leaf" aria-label="${title}" data-page="${page}">
${count > 1 ? html`<h2 class="folio">${title}</h2>` : null}
<div class="stage">${String(words) === "" ? null : html`<div class="words">${words}</div>`}${
    controls.length > 0 ? html`<div class="fields">${controls}</div>` : null
  }</div></section>`;
}

function originalsHtml(files: readonly FileRow[], session: string): Part {
  if (files.length === 0) return null;
  const links = files.map(({ id, name }, i) => {
    const text = files.length === 1 ? "Open the original file" : name || `File ${i + 1}`;
    return html`${i > 0 ? raw(" \u00b7 ") : null}<a href="/s/${session}/files/${id}" data-testid="original">${text}</a>`;
  });
  return html`<p class="original">${files.length > 1 ? "The original files: " : null}${links}</p>`;
}

/** The blocks of an added page. */
function blocksOfPage(sight: Open, page: number, errors: Errors): Part {
  const names = sight.document.pages[page]?.blocks;
  if (!names) return null;
  return blocksHtmlOf(
    sight,
    pick(sight.document, (kind, name) => names[kind].includes(name)),
    errors,
  );
}

/** The blocks that belong to no page. */
function restHtml(sight: Open, errors: Errors): Html {
  const { document } = sight;
  const rest = pick(document, (kind, name) => !document.pages.some(({ blocks }) => blocks?.[kind].includes(name)));
  return html`${blocksHtmlOf(sight, rest, errors)}${grandTotalHtml(document)}`;
}

function pick(document: DocumentRow, isWanted: (kind: keyof BlockNames, name: string) => boolean): Blocks {
  return {
    tokens: document.tokens,
    texts: document.texts.filter(({ name }) => isWanted("texts", name)),
    images: document.images.filter(({ name }) => isWanted("images", name)),
    tables: document.tables.filter(({ name }) => isWanted("tables", name)),
    pricing_tables: document.pricing_tables.filter(({ name }) => isWanted("pricing_tables", name)),
    quotes: document.quotes.filter(({ id }) => isWanted("quotes", id)),
  };
}

function blocksHtmlOf({ document, session, mode }: Open, blocks: Blocks, errors: Errors): Html {
  const tables = blocksHtml(tableBlocks({ tables: blocks.tables, pricing_tables: [], quotes: [] }));
  const prices = pricingHtml(document, blocks, errors, mode === "fill");
  return html`${blocksHtml(textsOf(blocks))}${figures(document, blocks.images, session.id)}${tables}${prices}`;
}

/** Images load through this server, so their hosts do not learn who reads the document. */
function figures(document: DocumentRow, images: readonly NamedImage[], session: string): Html[] {
  const all = imageUrls(document);
  return images.flatMap(({ name, urls }) => {
    if (urls.length === 0)
      return [html`<figure class="image none" data-testid="image-${name}"><span>Image ${name}: no image yet</span></figure>`];
    return urls.map(
      (url): Html =>
        html`<figure class="image" data-testid="image-${name}">${imageHtml(url, `/s/${session}/images/${all.indexOf(url)}`, name)}</figure>`,
    );
  });
}

function imageHtml(url: string, proxied: string, name: string): Html {
  if (isEmbeddedImage(url)) return html`<img src="${url}" alt="Image ${name}">`;
  if (!/^https?:\/\//i.test(url)) return html`<span>Image ${name}: its address does not start with http:// or https://</span>`;
  return html`<img src="${proxied}" alt="Image ${name}" data-image="${name}">`;
}
