import { ApiError } from "../../engine/core/errors.ts";
import { FixtureError } from "../../engine/scenario/fixture-error.ts";
import { hint } from "../../engine/core/text.ts";
import { LETTER } from "../nouns/content/content.ts";
import { newConversion } from "../nouns/content/file-conversion.ts";
import { declaredColumns } from "./pricing-columns.ts";
import { emptyItem } from "../nouns/pricing/table-input.ts";
import { mergeNameOf } from "../nouns/pricing/table-columns.ts";
import { newQuote } from "../nouns/pricing/quotes.ts";
import type { World } from "../kit/world.ts";
import type { FieldRow } from "../nouns/content/row.ts";
import { MERGE_TYPES } from "../nouns/documents/view.ts";
import type { PricingTableRow, QuoteRow } from "../nouns/pricing/row.ts";
import { DISCOUNT_NAME } from "../nouns/pricing/row.ts";
import type { Fixture, QuoteFixture, TemplateFixture } from "./inputs.ts";
import type { TemplateRow } from "../nouns/templates/row.ts";
import type { LibraryItemRow } from "../nouns/library/items.ts";

export function seedEach<T>(rows: readonly T[] | undefined, seedOne: (row: T, index: number) => void): void {
  const refused: FixtureError[] = [];
  for (const [i, row] of (rows ?? []).entries())
    try {
      seedOne(row, i);
    } catch (error) {
      if (!(error instanceof FixtureError) && !(error instanceof ApiError)) throw error;
      const fixtureError = error instanceof FixtureError ? error : new FixtureError(`is refused: ${messageOf(error)}`);
      fixtureError.row ??= row;
      refused.push(fixtureError);
    }
  const [first, ...further] = refused;
  if (first) throw Object.assign(first, { further });
}

function messageOf({ message, options }: ApiError): string {
  return options.why === undefined || options.why.startsWith("refused by") ? message : options.why;
}

export function memberOf(world: World, by: string, what: string) {
  const user = world.store.users.where("email", by.toLowerCase())[0];
  const member = world.store.members.get(by) ?? (user && world.store.members.where("user", user.id)[0]);
  if (!member) throw new FixtureError(`${what}: no member ${by}${hint(by, emailsOf(world))}`);
  return member;
}

function emailsOf({ store }: World): string[] {
  return store.users.all().map(({ email }) => email);
}

export function toTemplate(world: World, one: TemplateFixture, workspace_id: string, now: number): TemplateRow {
  const { ids, store } = world;
  const author = store.members.first()?.id ?? "";
  const roles = (one.roles ?? []).map((role) => ({
    id: role.id ?? ids.short(),
    name: role.name,
    signing_order: role.signing_order ?? null,
    ...(role.delivery_methods && { delivery_methods: role.delivery_methods }),
    preassigned_person: role.email
      ? { email: role.email, first_name: role.first_name ?? null, last_name: role.last_name ?? null, type: "preassigned contact" }
      : null,
  }));
  for (const field of one.fields ?? []) {
    if (!roles.some((role) => role.name === field.role))
      throw new FixtureError(
        `template ${one.name}: field ${field.name} names the role ${field.role}, which it does not have${hint(
          field.role,
          roles.map(({ name }) => name),
        )}`,
      );
  }
  return {
    id: one.id ?? ids.short(),
    workspace_id,
    name: one.name,
    status: "template.PROCESSED",
    version: "2",
    folder_uuid: one.folder ?? null,
    date_created: now,
    date_modified: now,
    content_date_modified: now,
    created_by: author,
    owner: author,
    metadata: one.metadata ?? {},
    tags: one.tags ?? [],
    roles,
    fields: toFields(world, one),
    tokens: (one.tokens ?? []).map((token) => ({ name: token.name, value: token.value ?? "" })),
    texts: (one.texts ?? []).map((text) => ({ name: text.name, data: text.data ?? "" })),
    images: (one.images ?? []).map((image) => ({ name: image.name, urls: image.urls ?? [], block_uuid: ids.uuid() })),
    tables: (one.tables ?? []).map((each) => ({ name: each.name, data: { sections: [] } })),
    pricing_tables: (one.pricing_tables ?? []).map((each) => toPricingTable(world, each)),
    quotes: (one.quotes ?? []).map((each) => toQuote(world, one.name, each)),
    pages: Array.from({ length: one.pages ?? 1 }, () => LETTER),
    content_placeholders: (one.content_placeholders ?? []).map((place) => ({
      uuid: ids.uuid(),
      block_id: place.block_id,
      description: place.description ?? "",
    })),
    internal: {
      deleted_at: null,
      shared: one.shared ?? false,
      shared_with: [],
      gallery: one.gallery ?? false,
      language: "en-US",
      approval: one.approval
        ? {
            steps: one.approval.steps.map((step) => ({
              id: ids.short(),
              group: { id: ids.short(), type: Array.isArray(step) ? ("all" as const) : step.type },
              approvers: (Array.isArray(step) ? step : step.members).map((member) => ({
                membership_id: memberOf(world, member, `template ${one.name}, approval`).id,
                is_selected: Array.isArray(step) || step.type !== "selectable",
                decision: null,
                at: null,
              })),
            })),
          }
        : null,
      payment: one.payment
        ? {
            provider: one.payment.provider ?? "stripe",
            amount: one.payment.amount ?? null,
            currency: one.payment.currency ?? "USD",
          }
        : null,
      file_id: null,
      conversion: newConversion(null),
    },
  };
}

export function toLibraryItem(
  world: World,
  one: Fixture<"content_library_items">,
  workspace_id: string,
  now: number,
): LibraryItemRow {
  const { status: _, owner: __, internal, ...row } = toTemplate(world, one, workspace_id, now);
  const { deleted_at, file_id, conversion } = internal;
  return { ...row, status: "cli.PROCESSED", internal: { deleted_at, file_id, conversion } };
}

const FIELD_HEIGHT = 32;

function toFields(world: World, { name: template, fields = [] }: Pick<TemplateFixture, "name" | "fields">): FieldRow[] {
  const counts = new Map<string, number>();
  const given = fields.flatMap(({ field_id }) => field_id ?? []);
  const repeated = given.find((id, i) => given.indexOf(id) !== i);
  if (repeated !== undefined) throw new FixtureError(`template ${template}: two fields have the field_id ${repeated}`);
  return fields.map((field, i) => {
    let count = counts.get(field.type) ?? 0;
    do count++;
    while (field.field_id === undefined && given.includes(`${field.type}${count}`));
    counts.set(field.type, count);
    if (field.merge_field && !MERGE_TYPES.includes(field.type))
      throw new FixtureError(`template ${template}: field ${field.name} of type ${field.type} cannot have a merge_field`);
    return {
      uuid: world.ids.uuid(),
      field_id: field.field_id ?? `${field.type}${count}`,
      name: field.name,
      title: field.title ?? "",
      placeholder: field.placeholder ?? field.name,
      type: field.type,
      merge_field: !MERGE_TYPES.includes(field.type) ? null : field.merge_field === undefined ? field.name : field.merge_field,
      value: field.value ?? (field.type === "checkbox" ? false : null),
      recipient_id: null,
      role: field.role,
      settings: { required: field.required ?? true, ...(field.multiline ? { multiline: true } : {}) },
      options: field.options ?? [],
      layout: {
        page: field.page ?? 0,
        position: { offset_x: 72, offset_y: 180 + i * (FIELD_HEIGHT + 16), anchor_point: "topleft" },
        style: { width: field.type === "checkbox" ? 20 : 216, height: field.type === "checkbox" ? 20 : FIELD_HEIGHT },
      },
      section_uuid: null,
    };
  });
}

function toPricingTable(world: World, each: NonNullable<TemplateFixture["pricing_tables"]>[number]): PricingTableRow {
  const columns = declaredColumns(each);
  const accepts_rows = each.accepts_rows ?? each.data_merge_enabled ?? true;
  return {
    id: world.ids.uuid(),
    name: each.name,
    ...(columns.length > 0 ? { columns } : {}),
    currency: each.currency ?? "USD",
    is_included_in_total: true,
    data_merge_enabled: each.data_merge_enabled ?? accepts_rows,
    accepts_rows,
    discounts: each.discount ? [{ ...each.discount, name: each.discount.name ?? DISCOUNT_NAME }] : [],
    tax: each.tax ?? null,
    fee: null,
    items: (each.items ?? []).map((item) => ({
      ...emptyItem(world),
      sku: item.sku ?? "",
      name: item.name,
      description: item.description ?? "",
      qty: item.qty ?? "1",
      price: item.price ?? "0",
      options: {
        optional: item.optional ?? false,
        optional_selected: item.optional_selected ?? !item.optional,
        multichoice_enabled: item.multichoice_enabled ?? false,
        multichoice_selected: item.multichoice_enabled === true && item.optional_selected === true,
        qty_editable: item.qty_editable ?? false,
      },
      merged_data: {
        [mergeNameOf({ columns }, "name")]: item.name,
        [mergeNameOf({ columns }, "price")]: item.price ?? "0",
        [mergeNameOf({ columns }, "qty")]: item.qty ?? "1",
      },
    })),
  };
}

function toQuote(world: World, template: string, fixture: QuoteFixture): QuoteRow {
  const quote = newQuote(world, "USD", fixture);
  const merge_rules = (fixture.merge_rules ?? []).map(({ id, enabled, action, condition }) => {
    const at = (fixture.sections ?? []).findIndex((section) => [section.id, section.name].includes(action.section_id));
    const section = quote.sections[at];
    if (!section)
      throw new FixtureError(
        `template ${template}: a merge rule names the section ${action.section_id}, which the quote does not have`,
      );
    return {
      id: id ?? world.ids.uuid(),
      enabled: enabled ?? true,
      action: { type: action.type ?? "add_to_section", section_id: section.id },
      condition: { ...condition, type: condition.type ?? "and" },
    };
  });
  return { ...quote, merge_rules };
}
