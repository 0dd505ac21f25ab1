/**
 * The document itself: its pages as sheets, with their text and the fields that lie on them. A script draws the pages of a
 * PDF and lays the fields over them; without it each sheet is the page's text and then its fields.
 */
import { pageTexts, tablesOf, textsOf } from "../domain/document-text.ts";
import { LETTER } from "../domain/content.ts";
import { boxOf, originalPdf } from "../domain/pages.ts";
import type { Errors, Sight } from "../domain/sessions.ts";
import type { DocumentRow, FieldRow } from "../domain/tables.ts";
import type { World } from "../domain/world.ts";
import { blocksHtml } from "./blocks.ts";
import { fieldControl, fieldsByPage, fieldValueHtml } from "./fields.ts";
import { imageUrls, isShownAsIs } from "./images.ts";
import { type Html, html, type Part, raw } from "./html.ts";

type Open = Extract<Sight, { is: "open" }>;

/** Whether the page needs the script that draws. */
export function isDrawn(world: World, sight: Sight): boolean {
  return sight.is === "open" && originalPdf(world, sight.document) !== undefined;
}

export function sheetsHtml(world: World, sight: Open, errors: Errors): Html {
  const { document } = sight;
  const file = originalPdf(world, document);
  const fields = new Map(fieldsByPage(document).map((one) => [one.page, one.fields]));
  const texts = pageTexts(document).map(blocksHtml);
  const rest = contentHtml(world, sight);
  const count = Math.max(document.pages.length, ...[...fields.keys()].map((page) => page + 1));
  const leaves = Array.from({ length: count }, (_, page) => ({
    page,
    // The pages of a file are told by themselves; all that a template holds begins on the first.
    words: file ? texts[page] : page === 0 ? html`${texts}${rest}` : undefined,
    fields: fields.get(page) ?? [],
  })).filter((leaf) => file || leaf.page === 0 || leaf.fields.length > 0);
  const { source } = document.internal;
  const isForm = "parse_form_fields" in source && source.parse_form_fields === true;
  return html`<article class="doc" id="sheet" aria-label="Document" data-testid="document"${
    file ? html` data-pdf="/files/${file.id}/document" data-form="${isForm ? "fields" : "drawn"}"` : null
  }>
${leaves.map((leaf) => leafHtml(sight, leaf, count, errors))}
${file && rest ? html`<section class="leaf" aria-label="Also part of the document"><div class="stage"><div class="words">${rest}</div></div></section>` : null}
${file ? html`<p class="original"><a href="/files/${file.id}/document" data-testid="original">Open the original file</a></p>` : null}
</article>`;
}

interface Leaf {
  page: number;
  words: Html | undefined;
  fields: FieldRow[];
}

function leafHtml(sight: Open, { page, words, fields }: Leaf, count: number, errors: Errors): Html {
  const { document, recipient, mode } = sight;
  const { width, height } = document.pages[page] ?? LETTER;
  const title = `Page ${page + 1} of ${count}`;
  return html`<section class="leaf" aria-label="${title}" data-page="${page}" data-width="${width}" data-height="${height}">
${count > 1 ? html`<h2 class="folio">${title}</h2>` : null}
<div class="stage"><svg class="spacer" viewBox="0 0 ${width} ${height}" aria-hidden="true"></svg>
${words && words.text !== "" ? html`<div class="words">${words}</div>` : null}
${
  fields.length > 0
    ? html`<div class="fields">${fields.map((field) => {
        const isOwn = mode === "fill" && field.recipient_id === recipient.id;
        const { x, y, width: w, height: h } = boxOf(document, field);
        return html`<div class="at" data-box="${x} ${y} ${w} ${h}"${isOwn ? raw(" data-own") : null}>${
          isOwn ? fieldControl(field, errors[field.uuid]) : fieldValueHtml(document, field, recipient)
        }</div>`;
      })}</div>`
    : null
}</div></section>`;
}

/** What stands in the document beside the pages of a file; undefined when there is nothing. */
function contentHtml(world: World, { document, session }: Open): Html | undefined {
  const currency = world.store.workspaces.get(document.workspace_id)?.settings.currency ?? "USD";
  const parts = [blocksHtml(textsOf(document)), ...figures(document, session.id), blocksHtml(tablesOf(document, currency))];
  return parts.some((part) => part.text !== "") ? html`${parts}` : undefined;
}

/** Images come from here and never from where they are kept: who looks at a document is told to nobody. */
function figures(document: DocumentRow, session: string): Html[] {
  const all = imageUrls(document);
  return document.images.flatMap((image) => {
    const name = image.name;
    const missing = html`<figure class="image none" data-testid="image-${name}"><span>Image ${name}: nobody gave one</span></figure>`;
    if (image.urls.length === 0) return [missing];
    return image.urls.map(
      (url): Html =>
        html`<figure class="image" data-testid="image-${name}">${imageHtml(url, `/s/${session}/images/${all.indexOf(url)}`, name)}</figure>`,
    );
  });
}

function imageHtml(url: string, proxied: string, name: string): Part {
  if (isShownAsIs(url)) return html`<img src="${url}" alt="Image ${name}">`;
  if (!/^https?:\/\//i.test(url)) return html`<span>Image ${name}: its address is none of the web</span>`;
  return html`<img src="${proxied}" alt="Image ${name}" data-image="${name}">`;
}
