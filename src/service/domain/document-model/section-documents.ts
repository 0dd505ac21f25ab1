import type { World } from "../../model/world.ts";
import type { DocumentRow } from "../../model/documents/document.ts";
import type { ContentPage } from "../../model/content/rows.ts";

const NO_FILE: DocumentRow["internal"]["source"] = { kind: "template", template_id: "", file_id: null };

function emptied({ text: _, file: __, blocks: ___, ...page }: ContentPage): ContentPage {
  return page;
}

export function sectionDocuments(world: World, document: DocumentRow): { title: string; document: DocumentRow }[] {
  const added = world.store.sections.where("document", document.id).filter((row) => !row.deleted);
  const isFirstGone = world.store.sections.get(document.id)?.deleted ?? false;
  if (added.length === 0) return [{ title: document.name, document }];
  const pick = (uuid: string, name: string, holds: (kind: keyof (typeof added)[number]["blocks"], block: string) => boolean) => ({
    title: name,
    document: {
      ...document,
      name,
      internal: uuid === document.id ? document.internal : { ...document.internal, source: NO_FILE },
      // Pages of other sections stay as empty pages, so that page numbers of fields stay valid.
      pages: document.pages.map((page) => ((page.section ?? document.id) === uuid ? page : emptied(page))),
      fields: document.fields.filter((field) => (field.section_uuid ?? document.id) === uuid),
      texts: document.texts.filter((block) => holds("texts", block.name)),
      images: document.images.filter((block) => holds("images", block.name)),
      tables: document.tables.filter((block) => holds("tables", block.name)),
      pricing_tables: document.pricing_tables.filter((block) => holds("pricing_tables", block.name)),
      quotes: document.quotes.filter((quote) => holds("quotes", quote.id)),
    },
  });
  const first = pick(document.id, document.name, (kind, name) => !added.some((row) => row.blocks[kind].includes(name)));
  const others = added.map((row) => pick(row.id, row.name, (kind, name) => row.blocks[kind].includes(name)));
  return isFirstGone ? others : [first, ...others];
}
