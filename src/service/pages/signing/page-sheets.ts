/**
 * Shows the document as sheets, one for each page. A script draws the pages of a PDF and lays the fields over them. Without the script, a
 * sheet shows the page's text and then its fields.
 */
import { tableBlocks, pageTexts, textsOf } from "../../domain/content/blocks.ts";
import { LETTER } from "../../domain/content/content.ts";
import { currencyOf } from "../../domain/document-model/view.ts";
import { boxOf, type PageSource, pageSourceOf, originalPdf, pdfsOf } from "../../domain/document-model/pages.ts";
import type { Errors, SessionView } from "../../domain/signing/sessions.ts";
import type { World } from "../../model/world.ts";
import { blocksHtml } from "./blocks.ts";
import { grandTotalHtml, pricingHtml } from "./choices.ts";
import { fieldControl, fieldsByPage, fieldValueHtml } from "./fields.ts";
import { type Translate, translator } from "./languages.ts";
import { imageUrls, isEmbeddedImage } from "./images.ts";
import { html, type Html, type Part, raw } from "../../../engine/http/html.ts";
import type { DocumentRow } from "../../model/documents/document.ts";
import type { BlockNames, FieldRow, FileRow, NamedImage } from "../../model/content/rows.ts";

type Open = Extract<SessionView, { is: "open" }>;

export function isDrawn(world: World, sight: SessionView): boolean {
  return sight.is === "open" && pdfsOf(world, sight.document).length > 0;
}

type Beside = Pick<DocumentRow, keyof BlockNames | "tokens">;

interface Leaf {
  page: number;
  drawing: PageSource | undefined;
  words: Html;
  beside: Html;
  fields: FieldRow[];
}

export function sheetsHtml(world: World, sight: Open, errors: Errors): Html {
  const { document, session } = sight;
  const t = translator(document);
  const hasFile = originalPdf(world, document) !== undefined;
  const fields = new Map(fieldsByPage(document).map((one) => [one.page, one.fields]));
  const texts = pageTexts(document).map((blocks) => blocksHtml(blocks));
  const currency = currencyOf(world, document.workspace_id);
  const rest = html`${besideHtml(sight, restOf(document), errors)}${grandTotalHtml(document, currency)}`;
  const count = Math.max(document.pages.length, ...[...fields.keys()].map((page) => page + 1));
  const leaves = Array.from({ length: count }, (_, page): Leaf => {
    const drawing = pageSourceOf(world, document, page);
    const blocks = document.pages[page]?.blocks;
    const own = blocks
      ? besideHtml(
          sight,
          pick(document, (kind, name) => blocks[kind].includes(name)),
          errors,
        )
      : html``;
    // The content of a template begins on the first page.
    const words = html`${texts[page]}${drawing ? null : own}${page === 0 && !hasFile ? rest : null}`;
    return { page, drawing, words, beside: drawing ? own : html``, fields: fields.get(page) ?? [] };
  }).filter((leaf) => hasFile || leaf.page === 0 || leaf.drawing || String(leaf.words) !== "" || leaf.fields.length > 0);
  const shown = new Set(leaves.map((leaf) => leaf.page));
  const continuedPages = document.pages.filter((page, i) => page.is_continued && !shown.has(i)).length;
  return html`<article class="doc" id="sheet" aria-label="${t("Document")}" data-testid="document">
${leaves.map((leaf) => html`${leafHtml(sight, leaf, count, errors)}${asideHtml(t, leaf.beside)}`)}
${blankHtml(t, count - leaves.length - continuedPages)}
${hasFile ? asideHtml(t, rest) : null}
${originalsHtml(t, pdfsOf(world, document), session.id)}
</article>`;
}

function blankHtml(t: Translate, pages: number): Part {
  if (pages === 0) return null;
  return html`<p class="folio" data-testid="blank">${pages === 1 ? t("One page is blank.") : t("{count} pages are blank.", { count: pages })}</p>`;
}

function asideHtml(t: Translate, content: Html): Part {
  if (String(content) === "") return null;
  return html`<section class="leaf" aria-label="${t("Also part of the document")}"><div class="stage"><div class="words">${content}</div></div></section>`;
}

function originalsHtml(t: Translate, files: readonly FileRow[], session: string): Part {
  if (files.length === 0) return null;
  const links = files.map(({ id, name }, i) => {
    const text = files.length === 1 ? t("Open the original file") : name || t("File {number}", { number: i + 1 });
    return html`${i > 0 ? raw(" \u00b7 ") : null}<a href="${fileUrl(session, id)}" data-testid="original">${text}</a>`;
  });
  return html`<p class="original">${files.length > 1 ? html`${t("The original files:")} ` : null}${links}</p>`;
}

function fileUrl(session: string, id: string): string {
  return `/s/${session}/files/${id}`;
}

function drawingAttributes({ file, page, hidesForm, hidesTags }: PageSource, session: string): Html {
  return html` data-pdf="${fileUrl(session, file.id)}" data-number="${page + 1}"${hidesForm ? raw(" data-form") : null}${
    hidesTags ? raw(" data-tags") : null
  }`;
}

function leafHtml(sight: Open, { page, drawing, words, fields }: Leaf, count: number, errors: Errors): Html {
  const { document, recipient, mode, session } = sight;
  const { width, height } = document.pages[page] ?? LETTER;
  const t = translator(document);
  const title = t("Page {page} of {count}", { page: page + 1, count });
  return html`<section class="leaf" aria-label="${title}" data-page="${page}" data-width="${width}" data-height="${height}"${
    drawing ? drawingAttributes(drawing, session.id) : null
  }>
${count > 1 ? html`<h2 class="folio">${title}</h2>` : null}
<div class="stage"><svg class="spacer" viewBox="0 0 ${width} ${height}" aria-hidden="true"></svg>
${String(words) === "" ? null : html`<div class="words">${words}</div>`}
${
  fields.length > 0
    ? html`<div class="fields">${fields.map((field) => {
        const isOwn = mode === "fill" && field.recipient_id === recipient.id;
        const { x, y, width: w, height: h } = boxOf(document, field);
        return html`<div class="at${isOwn && field.settings.widgets ? " spread" : ""}" data-box="${x} ${y} ${w} ${h}"${isOwn ? raw(" data-own") : null}>${
          isOwn ? fieldControl(t, field, errors[field.uuid]) : fieldValueHtml(t, document, field, recipient)
        }</div>`;
      })}</div>`
    : null
}</div></section>`;
}

function pick(document: DocumentRow, isWanted: (kind: keyof BlockNames, name: string) => boolean): Beside {
  const { tokens } = document;
  return {
    tokens,
    texts: document.texts.filter(({ name }) => isWanted("texts", name)),
    images: document.images.filter(({ name }) => isWanted("images", name)),
    tables: document.tables.filter(({ name }) => isWanted("tables", name)),
    pricing_tables: document.pricing_tables.filter(({ name }) => isWanted("pricing_tables", name)),
    quotes: document.quotes.filter(({ id }) => isWanted("quotes", id)),
  };
}

function restOf(document: DocumentRow): Beside {
  return pick(document, (kind, name) => !document.pages.some(({ blocks }) => blocks?.[kind].includes(name)));
}

function besideHtml({ document, session, mode }: Open, content: Beside, errors: Errors): Html {
  const { tables } = content;
  const t = translator(document);
  const pricing = html`${blocksHtml(tableBlocks({ tables, pricing_tables: [], quotes: [] }), t)}${pricingHtml(document, content, errors, mode === "fill")}`;
  return html`${blocksHtml(textsOf(content))}${figures(t, document, content.images, session.id)}${pricing}`;
}

/** Images load through this server, so their hosts do not learn who reads the document. */
function figures(t: Translate, document: DocumentRow, images: readonly NamedImage[], session: string): Html[] {
  const all = imageUrls(document);
  return images.flatMap((image) => {
    const name = image.name;
    const missing = html`<figure class="image none" data-testid="image-${name}"><span>${t("Image {name}: no image yet", { name })}</span></figure>`;
    if (image.urls.length === 0) return [missing];
    return image.urls.map(
      (url): Html =>
        html`<figure class="image" data-testid="image-${name}">${imageHtml(t, url, `/s/${session}/images/${all.indexOf(url)}`, name)}</figure>`,
    );
  });
}

function imageHtml(t: Translate, url: string, proxied: string, name: string): Part {
  if (isEmbeddedImage(url)) return html`<img src="${url}" alt="${t("Image {name}", { name })}">`;
  if (!/^https?:\/\//i.test(url))
    return html`<span>${t("Image {name}: its address does not start with http:// or https://", { name })}</span>`;
  return html`<img src="${proxied}" alt="${t("Image {name}", { name })}" data-image="${name}">`;
}
