import * as z from "zod";
import { lazy, shapeOf } from "../../core/operation.ts";
import { durationText, momentText } from "../../core/inputs.ts";
import { EVENTS, STATUSES } from "../document-model/status-machine.ts";
import { RULE_ACTIONS, RULE_COMPARISONS, RULE_CONDITIONS } from "../pricing/rows.ts";
import { LICENSES } from "../workspaces/rows.ts";
import { FORM_STATUSES } from "../forms/rows.ts";
import { NOTARY_STATUSES } from "../notary/rows.ts";
import { actor } from "../recipients/inputs.ts";
import { FIELD_TYPES } from "../content/rows.ts";
import { quoteRequest } from "../pricing/inputs.ts";
import { itemFixture } from "../product-catalog/inputs.ts";

/** A copy of an API schema that rejects unknown names at every depth. */
export function strictly<T extends z.ZodType>(schema: T): T {
  const definition = schema._zod.def as unknown as Record<string, unknown>;
  const inner = (value: unknown) => (value instanceof z.ZodType ? strictly(value) : value);
  const change: Record<string, unknown> = {};
  for (const name of ["innerType", "element", "valueType", "in"]) {
    const changed = inner(definition[name]);
    if (changed !== definition[name]) change[name] = changed;
  }
  if (definition.type === "union") change.options = (definition.options as z.ZodType[]).map(strictly);
  if (definition.type === "object") {
    change.shape = Object.fromEntries(Object.entries(definition.shape as object).map(([name, one]) => [name, inner(one)]));
    change.catchall = z.never();
  }
  return Object.keys(change).length === 0 ? schema : (schema.clone({ ...definition, ...change } as never) as T);
}

const id = () => z.string().min(1).optional();
const text = () => z.string();

const approvalStep = () =>
  z.union([
    z.array(text()).min(1),
    z.strictObject({ type: z.enum(["all", "any", "selectable"]), members: z.array(text()).min(1) }),
  ]);
const ago = () => durationText().optional();
const money = () => z.string().regex(/^-?\d+(\.\d+)?$/);

const adjustment = () => z.strictObject({ type: z.enum(["percent", "absolute"]), value: money(), name: text().optional() });

const TEMPLATE = {
  folder: lazy(() => text().optional()),
  tags: lazy(() => z.array(text()).optional()),
  metadata: lazy(() => z.record(z.string(), text()).optional()),
  roles: lazy(() =>
    z
      .array(
        z.strictObject({
          id: id(),
          name: text(),
          signing_order: z.number().int().min(1).optional(),
          email: text().optional(),
          first_name: text().optional(),
          last_name: text().optional(),
        }),
      )
      .optional(),
  ),
  fields: lazy(() =>
    z
      .array(
        z.strictObject({
          name: text(),
          type: z.enum(FIELD_TYPES),
          role: text(),
          required: z.boolean().optional(),
          value: z.union([text(), z.boolean(), z.number()]).optional(),
          title: text().optional(),
          placeholder: text().optional(),
          options: z.array(text()).optional(),
          multiline: z.boolean().optional(),
          page: z.number().int().min(0).optional(),
        }),
      )
      .optional(),
  ),
  tokens: lazy(() => z.array(z.strictObject({ name: text(), value: text().optional() })).optional()),
  texts: lazy(() => z.array(z.strictObject({ name: text(), data: text().optional() })).optional()),
  images: lazy(() => z.array(z.strictObject({ name: text(), urls: z.array(text()).optional() })).optional()),
  tables: lazy(() => z.array(z.strictObject({ name: text() })).optional()),
  pricing_tables: lazy(() =>
    z
      .array(
        z.strictObject({
          name: text(),
          currency: text().optional(),
          accepts_rows: z.boolean().optional(),
          merge_names: z.record(z.string(), text()).optional(),
          discount: adjustment().optional(),
          tax: adjustment().optional(),
          items: z
            .array(
              z.strictObject({
                name: text(),
                description: text().optional(),
                sku: text().optional(),
                qty: money().optional(),
                price: money().optional(),
                optional: z.boolean().optional(),
                multichoice_enabled: z.boolean().optional(),
                optional_selected: z.boolean().optional(),
                qty_editable: z.boolean().optional(),
              }),
            )
            .optional(),
        }),
      )
      .optional(),
  ),
  quotes: lazy(() => z.array(quoteFixture()).optional()),
  content_placeholders: lazy(() => z.array(z.strictObject({ block_id: text(), description: text().optional() })).optional()),
  approval: lazy(() => z.strictObject({ steps: z.array(approvalStep()).min(1) }).optional()),
  payment: lazy(() =>
    z.strictObject({ provider: text().optional(), amount: money().optional(), currency: text().optional() }).optional(),
  ),
  pages: lazy(() => z.number().int().min(1).max(1000).optional()),
  shared: lazy(() => z.boolean().optional()),
};
const { approval: _, payment: __, shared: ___, ...LIBRARY_ITEM } = TEMPLATE;

export const templateFixture = lazy(() => templateFor(undefined));
/** As `templateFixture`, for these rows alone: without the members that all of them lack. */
const templateFor = (rows: unknown) => z.strictObject({ id: id(), name: text(), ...shapeOf(TEMPLATE, rows) });
const libraryItemFor = (rows: unknown) => z.strictObject({ id: id(), name: text(), ...shapeOf(LIBRARY_ITEM, rows) });

export type TemplateFixture = z.infer<ReturnType<typeof templateFixture>>;

export const quoteFixture = lazy(() =>
  strictly(quoteRequest()).extend({
    merge_rules: z
      .array(
        z.strictObject({
          id: text().optional(),
          enabled: z.boolean().optional(),
          action: z.strictObject({ type: z.enum(RULE_ACTIONS).optional(), section_id: text() }),
          condition: z.strictObject({
            field_name: text(),
            type: z.enum(RULE_CONDITIONS).optional(),
            comparison: z.array(z.strictObject({ type: z.enum(RULE_COMPARISONS), value: z.string() })).min(1),
          }),
        }),
      )
      .optional(),
  }),
);
export type QuoteFixture = z.infer<ReturnType<typeof quoteFixture>>;

/** The sections of a fixtures file. */
const SECTIONS = {
  workspaces: lazy(() =>
    z
      .array(
        z.strictObject({
          id: id(),
          name: text(),
          active: z.boolean().optional(),
          settings: z
            .strictObject({
              esign_disclosure: z.strictObject({ company_name: text(), esign_disclosure_text: text() }).nullable().optional(),
              notary: z.boolean().optional(),
              cfr_part_11: z.boolean().optional(),
              sms_consent_certified: z.boolean().optional(),
              payment_app: z.boolean().optional(),
              trial: z.boolean().optional(),
              currency: text().optional(),
              allow_join_by_domain: z.boolean().optional(),
              allow_request_access: z.boolean().optional(),
              icon_url: text().nullable().optional(),
              custom_roles: z.array(text()).optional(),
              licenses: z.partialRecord(z.enum(LICENSES), z.number().int().min(0)).optional(),
              notary_transactions: z.number().int().min(0).nullable().optional(),
            })
            .optional(),
        }),
      )
      .optional(),
  ),
  members: lazy(() =>
    z
      .array(
        z.strictObject({
          id: id(),
          user_id: id(),
          workspace_id: text().optional(),
          email: text(),
          first_name: text().optional(),
          last_name: text().optional(),
          phone_number: text().nullable().optional(),
          role: text().optional(),
          license: z.enum(["Full", "eSign", "Read-only", "Creator", "Guest"]).optional(),
          is_organization_owner: z.boolean().optional(),
          is_organization_admin: z.boolean().optional(),
          is_active: z.boolean().optional(),
        }),
      )
      .optional(),
  ),
  api_keys: lazy(() =>
    z.array(z.strictObject({ key: text(), member: text(), kind: z.enum(["production", "sandbox"]).optional() })).optional(),
  ),
  oauth_clients: lazy(() =>
    z
      .array(
        z.strictObject({
          client_id: text(),
          client_secret: text(),
          name: text().optional(),
          redirect_uris: z.array(text()).optional(),
          member: text().optional(),
        }),
      )
      .optional(),
  ),
  folders: lazy(() =>
    z
      .array(
        z.strictObject({ id: id(), kind: z.enum(["document", "template"]).optional(), name: text(), parent: text().optional() }),
      )
      .optional(),
  ),
  contacts: lazy(() =>
    z
      .array(
        z.strictObject({
          id: id(),
          email: text(),
          first_name: text().optional(),
          last_name: text().optional(),
          company: text().optional(),
          job_title: text().optional(),
          phone: text().optional(),
          country: text().optional(),
          state: text().optional(),
          street_address: text().optional(),
          city: text().optional(),
          postal_code: text().optional(),
        }),
      )
      .optional(),
  ),
  contact_groups: lazy(() => z.array(z.strictObject({ id: id(), name: text(), members: z.array(text()).min(1) })).optional()),
  templates: (rows?: unknown) => z.array(rows === undefined ? templateFixture() : templateFor(rows)).optional(),
  forms: lazy(() =>
    z
      .array(
        z.strictObject({
          id: id(),
          name: text(),
          status: z.enum(FORM_STATUSES).optional(),
          responses: z.number().int().min(0).optional(),
          template: text().optional(),
          role: text().optional(),
          created_ago: ago(),
          modified_ago: ago(),
        }),
      )
      .optional(),
  ),
  email_opt_outs: lazy(() => z.array(text()).optional()),
  sms_opt_outs: lazy(() =>
    z
      .array(
        z.strictObject({ id: id(), phone_number: text(), status: z.enum(["opt-in", "opt-out"]).optional(), changed_ago: ago() }),
      )
      .optional(),
  ),
  catalog_items: lazy(() => z.array(strictly(itemFixture())).optional()),
  notaries: lazy(() =>
    z
      .array(
        z.strictObject({
          id: id(),
          email: text(),
          name: text().nullable().optional(),
          status: z.enum(NOTARY_STATUSES).optional(),
          commission_state: text().nullable().optional(),
        }),
      )
      .optional(),
  ),
  content_library_items: (rows?: unknown) => z.array(libraryItemFor(rows)).optional(),
  documents: lazy(() =>
    z
      .array(
        z.strictObject({
          as: text().optional(),
          id: id(),
          name: text(),
          template: text(),
          status: z.enum(STATUSES).optional(),
          send_at: momentText().optional(),
          recipients: z.array(strictly(actor())).optional(),
          fields: z.record(z.string(), z.union([text(), z.boolean(), z.number()])).optional(),
          metadata: z.record(z.string(), text()).optional(),
          tags: z.array(text()).optional(),
          folder: text().optional(),
        }),
      )
      .optional(),
  ),
  webhook_subscriptions: lazy(() =>
    z
      .array(
        z.strictObject({
          id: id(),
          name: text().optional(),
          url: text(),
          triggers: z.array(z.enum(EVENTS)),
          payload: z.array(z.enum(["metadata", "fields", "products", "tokens", "pricing"])).optional(),
          active: z.boolean().optional(),
          shared_key: text().optional(),
        }),
      )
      .optional(),
  ),
};

export const fixtures = lazy(() => z.strictObject(shapeOf(SECTIONS)));

/** As `fixtures`, for `raw` alone: without the sections that it lacks. */
export function fixturesFor(raw: unknown): ReturnType<typeof fixtures> {
  return z.strictObject(shapeOf(SECTIONS, raw)) as ReturnType<typeof fixtures>;
}
export type Fixtures = z.infer<ReturnType<typeof fixtures>>;
export type Fixture<K extends keyof Fixtures> = NonNullable<Fixtures[K]>[number];
