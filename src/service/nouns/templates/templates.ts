import { ApiError, badRequest, forbidden, invalid, notFound } from "../../../engine/core/errors.ts";
import { byCreation, pageOf } from "../../../engine/core/lists.ts";
import { toPlainText } from "../../files/blocks.ts";
import { always, list, maybe, micros, oneOf, optional, text, texts, view } from "../../kit/view.ts";
import type { World } from "../../kit/world.ts";
import { tableBlocks } from "../content/blocks.ts";
import type { FieldRow } from "../content/row.ts";
import { FIELD_HEAD, FIELD_TAIL, currencyOf } from "../documents/view.ts";
import { personOf, personView, userView } from "../members/members.ts";
import { pricingKind, toPricing } from "../pricing/tables.ts";
import type { ReusableRow, TemplateQuery, TemplateRole, TemplateRow } from "./row.ts";

/** Search by words, in any order, also by parts of words and with slips. The same text and query give the same answer. */

/** A shorter word must be the beginning of a word, and a single letter a whole word. */
const PART_LETTERS_MIN = 3;
/** A shorter word must match without a slip. */
const SLIP_LETTERS_MIN = 5;
/** The share of the trigrams of a word that another word must have. */
const LIKE_MIN = 0.6;

/** The words of a text in lower case, without punctuation. */
export function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

export type TextSearch = (text: string) => boolean;

/** Whether a text has each word of the query. A query without words finds what contains it. */
export function fullTextSearch(query: string): TextSearch {
  const wanted = wordsOf(query);
  if (wanted.length === 0) return (text) => text.toLowerCase().includes(query.toLowerCase());
  return (text) => {
    const present = [...new Set(wordsOf(text))];
    return wanted.every((word) => present.some((one) => isPart(word, one) || isAlike(word, one)));
  };
}

function isPart(word: string, other: string): boolean {
  if (word.length >= PART_LETTERS_MIN) return other.includes(word);
  return word.length === 1 ? other === word : other.startsWith(word);
}

function isAlike(word: string, other: string): boolean {
  if (word.length < SLIP_LETTERS_MIN || other.length < SLIP_LETTERS_MIN) return false;
  const [wanted, present] = [trigramsOf(word), trigramsOf(other)];
  const shared = [...wanted].filter((one) => present.has(one)).length;
  return shared / Math.max(wanted.size, present.size) >= LIKE_MIN;
}

function trigramsOf(word: string): Set<string> {
  return new Set(Array.from({ length: word.length - 2 }, (_, i) => word.slice(i, i + 3)));
}

export function requireTemplate(
  world: World,
  id: string,
  refuse: () => ApiError = () => notFound(`no template "${id}" in this workspace`),
): TemplateRow {
  const template = world.store.templates.get(id);
  if (!template || !isVisible(world, template) || template.internal.deleted_at !== null) throw refuse();
  return template;
}

/** Whether the workspace of the caller owns the template, or another workspace shares it. assumed: templates.shared_use. */
function isVisible({ caller }: World, row: TemplateRow): boolean {
  return row.workspace_id === caller.workspace_id || row.internal.shared_with.includes(caller.workspace_id);
}

/**
 * Only the workspace of a template changes it, and nobody a template of the gallery. assumed: templates.gallery.
 * @throws 404, 403 for a template of the gallery, or one that another workspace shares
 */
export function requireOwnTemplate(world: World, id: string): TemplateRow {
  const template = requireTemplate(world, id);
  if (template.internal.gallery) throw forbidden(`template ${id} belongs to the gallery; duplicate it, and change the copy`);
  if (template.workspace_id === world.caller.workspace_id) return template;
  throw forbidden(`template ${id} belongs to another workspace, which shares it; only that workspace changes it`);
}

/**
 * The template that a request names as the source of content. assumed: create.unknown_template.
 * @throws 400, or 404 in the other reading, for a template that is unknown, deleted, of another workspace or of the gallery
 */
export function requireUsableTemplate(world: World, id: string): TemplateRow {
  const unavailable = (why: string) =>
    world.decide("create.unknown_template") === 404
      ? new ApiError("not_found", UNAVAILABLE, { why })
      : badRequest(UNAVAILABLE, { type: "validation_error", why });
  const template = requireTemplate(world, id, () => unavailable(`no template "${id}" in this workspace`));
  // Source: the vendor's skill files say 400 for gallery templates.
  if (template.internal.gallery)
    throw badRequest(UNAVAILABLE, {
      type: "validation_error",
      why: `the template "${template.name}" belongs to the gallery; copy it into the workspace in the app, and use the copy`,
    });
  if (template.status !== "template.PROCESSED") throw invalid({ template_uuid: ["Template is not processed yet."] });
  return template;
}

const UNAVAILABLE = "Template is not available.";

/** assumed: templates.list_order. */
export function listTemplates(world: World, query: TemplateQuery): TemplateRow[] {
  const { q, ...filters } = query;
  const isFound = searchOf(world, q);
  const found = world.store.templates
    .all()
    .filter(
      (row) =>
        (query.deleted ? row.workspace_id === world.caller.workspace_id : isVisible(world, row)) &&
        matchesListQuery(row, filters) &&
        isFound(row) &&
        (query.shared === undefined || isShared(row) === query.shared) &&
        (query.tag ?? []).every((tag) => row.tags.includes(tag)),
    );
  return pageOf(found.sort(byCreation), query);
}

function isShared(row: TemplateRow): boolean {
  return row.internal.shared || row.internal.shared_with.length > 0;
}

function searchOf(world: World, q: string | undefined): (row: TemplateRow) => boolean {
  if (q === undefined) return () => true;
  if (world.decide("templates.search") === "name") return (row) => row.name.toLowerCase().includes(q.toLowerCase());
  const matches = fullTextSearch(q);
  return (row) => matches(searchedText(row));
}

/** Rows are replaced, never changed, so the text of a row stays. */
const searchedTexts = new WeakMap<TemplateRow, string>();

function searchedText(row: TemplateRow): string {
  const known = searchedTexts.get(row);
  if (known !== undefined) return known;
  const text = [
    row.name,
    ...row.tags,
    ...row.pages.map((page) => page.text ?? ""),
    ...row.texts.map(({ data }) => data),
    ...row.fields.flatMap(({ name, title, placeholder }) => [name, title, placeholder]),
    toPlainText(tableBlocks(row)),
  ].join("\n");
  searchedTexts.set(row, text);
  return text;
}

export function matchesListQuery(
  row: Pick<TemplateRow, "id" | "name" | "folder_uuid"> & { internal: { deleted_at: number | null } },
  query: Pick<TemplateQuery, "q" | "id" | "deleted" | "folder_uuid">,
): boolean {
  return (
    (row.internal.deleted_at !== null) === (query.deleted ?? false) &&
    row.name.toLowerCase().includes(query.q?.toLowerCase() ?? "") &&
    (query.id === undefined || row.id === query.id) &&
    (query.folder_uuid === undefined || row.folder_uuid === query.folder_uuid)
  );
}

/** What every list of templates and library items shows. */
export const listed = view<ReusableRow>()({ id: text, name: text, date_created: micros, date_modified: micros, version: text });

export const templateItem = view<TemplateRow>()({ ...listed.shape, content_date_modified: optional(micros) });

/** `content_date_modified` only when the query asks for it. */
export function toTemplateItem(row: TemplateRow, withContentDate: boolean) {
  return withContentDate ? templateItem.of(row) : listed.of(row);
}

const { version: _, ...copied } = listed.shape;
const copyMeta = view<TemplateRow>()({ source_template_id: [text, (source) => source.id] });
export const templateCopy = view<TemplateRow, TemplateRow>()({ ...copied, meta: [copyMeta, (_, source) => source] });

/** `data` of a template's event. assumed: templates.event_members. */
export const templateEvent = view<TemplateRow, World>()({
  ...copied,
  created_by: [personView, (row, world) => personOf(world, row.created_by)],
  metadata: texts,
  tags: list(text),
  version: text,
});

export const templateStatus = view<TemplateRow>()({
  ...listed.shape,
  status: oneOf(["template.UPLOADED", "template.PROCESSED", "template.ERROR"]),
});

type Preassigned = NonNullable<TemplateRole["preassigned_person"]>;

const preassigned = view<Preassigned>()({ email: maybe(text), first_name: maybe(text), last_name: maybe(text), type: text });

const placedPerson = view<Preassigned>()({
  ...preassigned.shape,
  placeholder_name: [maybe(text), () => null],
  placeholder_source: [maybe(text), () => null],
});

const roleView = view<TemplateRole>()({
  id: text,
  name: text,
  signing_order: [maybe(text), ({ signing_order }) => (signing_order === null ? null : String(signing_order))],
  preassigned_person: maybe(placedPerson),
});

const roleOfField = view<TemplateRole | undefined>()({
  id: [text, (role) => role?.id ?? ""],
  name: [text, (role) => role?.name ?? ""],
  preassigned_person: [maybe(preassigned), (role) => role?.preassigned_person ?? null],
  type: always("role"),
});

/** A field with the roles of its template. */
const templateField = view<FieldRow & { roles: readonly TemplateRole[] }>()({
  ...FIELD_HEAD,
  assigned_to: [roleOfField, ({ roles, role }) => roles.find((one) => one.name === role)],
  ...FIELD_TAIL,
});

const placeholder = view<ReusableRow["content_placeholders"][number]>()({ uuid: text, block_id: text, description: text });
const image = view<ReusableRow["images"][number]>()({ name: text, block_uuid: text, urls: list(text) });
const namedBlock = view<{ name: string }>()({ name: text });
const token = view<ReusableRow["tokens"][number]>()({ name: text, value: text });

/** What the details of templates and library items end with. */
const content = view<ReusableRow, World>()({
  metadata: texts,
  tokens: list(token),
  fields: [list(templateField), ({ fields, roles }) => fields.map((field) => ({ ...field, roles }))],
  pricing: [pricingKind, (row, world) => toPricing(row, currencyOf(world, row), "hidden")],
  tags: list(text),
  roles: list(roleView),
  content_placeholders: list(placeholder),
  tables: list(namedBlock),
  images: list(image),
});

export const templateDetails = view<TemplateRow, World>()({
  id: text,
  name: text,
  // assumed: templates.root_folder.
  folder_uuid: [text, (row) => row.folder_uuid ?? ""],
  date_created: micros,
  date_modified: micros,
  content_date_modified: micros,
  created_by: [personView, (row, world) => personOf(world, row.created_by)],
  version: text,
  ...content.shape,
});

export const itemDetails = view<ReusableRow, World>()({
  ...listed.shape,
  content_date_modified: micros,
  created_by: [userView, (row, world) => personOf(world, row.created_by)],
  ...content.shape,
});
