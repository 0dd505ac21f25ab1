import * as z from "zod";
import { durationText, momentText } from "../../engine/core/inputs.ts";
import { lazy, shapeOf } from "../../engine/core/operation.ts";
import { currencyCode } from "../kit/inputs.ts";
import { itemFixture } from "../nouns/catalog/inputs.ts";
import { FIELD_TYPES } from "../nouns/content/row.ts";
import { EVENTS, STATUSES } from "../nouns/documents/status-machine.ts";
import { FORM_STATUSES } from "../nouns/forms.ts";
import { NOTARY_STATUSES } from "../nouns/notary/row.ts";
import { actor } from "../nouns/people/inputs.ts";
import { quoteRequest } from "../nouns/pricing/inputs.ts";
import { RULE_ACTIONS, RULE_COMPARISONS, RULE_CONDITIONS } from "../nouns/pricing/row.ts";
import { LICENSES } from "../nouns/workspaces/row.ts";

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

// Members share these schemas: a new schema takes longer to build than to check the member.
const id = lazy(() => z.string().min(1).optional());
const text = lazy(() => z.string());
const optionalText = lazy(() => text().optional());
const optionalFlag = lazy(() => z.boolean().optional());

const approvalStep = () =>
  z.union([
    z.array(text()).min(1),
    z.strictObject({ type: z.enum(["all", "any", "selectable"]), members: z.array(text()).min(1) }),
  ]);
const ago = lazy(() => durationText().optional());
const currency = lazy(() => currencyCode().optional());
const money = lazy(() => z.string().regex(/^-?\d+(\.\d+)?$/));

const adjustment = lazy(() => z.strictObject({ type: z.enum(["percent", "absolute"]), value: money(), name: optionalText() }));

/** How recipients are reached when a request names no delivery methods. */
const delivery = lazy(() => z.strictObject({ email: z.boolean(), sms: z.boolean() }).optional());

const TEMPLATE = {
  folder: lazy(() => optionalText()),
  tags: lazy(() => z.array(text()).optional()),
  metadata: lazy(() => z.record(z.string(), text()).optional()),
  roles: lazy(() =>
    z
      .array(
        z.strictObject({
          id: id(),
          name: text(),
          signing_order: z.number().int().min(1).optional(),
          email: optionalText(),
          first_name: optionalText(),
          last_name: optionalText(),
          delivery_methods: delivery(),
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
          required: optionalFlag(),
          value: z.union([text(), z.boolean(), z.number()]).optional(),
          title: optionalText(),
          placeholder: optionalText(),
          merge_field: text().nullable().optional(),
          field_id: id(),
          options: z.array(text()).optional(),
          multiline: optionalFlag(),
          page: z.number().int().min(0).optional(),
        }),
      )
      .optional(),
  ),
  tokens: lazy(() => z.array(z.strictObject({ name: text(), value: optionalText() })).optional()),
  texts: lazy(() => z.array(z.strictObject({ name: text(), data: optionalText() })).optional()),
  images: lazy(() => z.array(z.strictObject({ name: text(), urls: z.array(text()).optional() })).optional()),
  tables: lazy(() => z.array(z.strictObject({ name: text() })).optional()),
  pricing_tables: lazy(() =>
    z
      .array(
        z.strictObject({
          name: text(),
          currency: currency(),
          accepts_rows: optionalFlag(),
          data_merge_enabled: optionalFlag(),
          columns: z
            .array(
              z.strictObject({
                name: text(),
                header: optionalText(),
                merge_name: optionalText(),
                hidden: optionalFlag(),
              }),
            )
            .optional(),
          merge_names: z.record(z.string(), text()).optional(),
          discount: adjustment().optional(),
          tax: adjustment().optional(),
          items: z
            .array(
              z.strictObject({
                name: text(),
                description: optionalText(),
                sku: optionalText(),
                qty: money().optional(),
                price: money().optional(),
                optional: optionalFlag(),
                multichoice_enabled: optionalFlag(),
                optional_selected: optionalFlag(),
                qty_editable: optionalFlag(),
              }),
            )
            .optional(),
        }),
      )
      .optional(),
  ),
  quotes: lazy(() => z.array(quoteFixture()).optional()),
  content_placeholders: lazy(() => z.array(z.strictObject({ block_id: text(), description: optionalText() })).optional()),
  approval: lazy(() => z.strictObject({ steps: z.array(approvalStep()).min(1) }).optional()),
  payment: lazy(() => z.strictObject({ provider: optionalText(), amount: money().optional(), currency: currency() }).optional()),
  pages: lazy(() => z.number().int().min(1).max(1000).optional()),
  shared: lazy(() => optionalFlag()),
  gallery: lazy(() => optionalFlag()),
};
const { approval: _, payment: __, shared: ___, gallery: ____, ...LIBRARY_ITEM } = TEMPLATE;

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
          id: optionalText(),
          enabled: optionalFlag(),
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
          active: optionalFlag(),
          settings: z
            .strictObject({
              esign_disclosure: z.strictObject({ company_name: text(), esign_disclosure_text: text() }).nullable().optional(),
              notary: optionalFlag(),
              cfr_part_11: optionalFlag(),
              sms_consent_certified: optionalFlag(),
              payment_app: optionalFlag(),
              trial: optionalFlag(),
              currency: currency(),
              allow_join_by_domain: optionalFlag(),
              allow_request_access: optionalFlag(),
              icon_url: text().nullable().optional(),
              custom_roles: z.array(text()).optional(),
              licenses: z.partialRecord(z.enum(LICENSES), z.number().int().min(0)).optional(),
              notary_transactions: z.number().int().min(0).nullable().optional(),
              privacy: z
                .strictObject({
                  hipaa_compliance_enabled: optionalFlag(),
                  ai_features_enabled: optionalFlag(),
                  ai_on_premises_processing_enabled: optionalFlag(),
                  ai_cloud_third_party_enabled: optionalFlag(),
                  ai_on_premises_training_enabled: optionalFlag(),
                  ai_third_party_training_enabled: optionalFlag(),
                })
                .optional(),
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
          workspace_id: optionalText(),
          email: text(),
          first_name: optionalText(),
          last_name: optionalText(),
          phone_number: text().nullable().optional(),
          role: optionalText(),
          license: z.enum(["Full", "eSign", "Read-only", "Creator", "Guest"]).optional(),
          is_organization_owner: optionalFlag(),
          is_organization_admin: optionalFlag(),
          is_active: optionalFlag(),
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
          name: optionalText(),
          redirect_uris: z.array(text()).optional(),
          member: optionalText(),
        }),
      )
      .optional(),
  ),
  folders: lazy(() =>
    z
      .array(
        z.strictObject({ id: id(), kind: z.enum(["document", "template"]).optional(), name: text(), parent: optionalText() }),
      )
      .optional(),
  ),
  contacts: lazy(() =>
    z
      .array(
        z.strictObject({
          id: id(),
          email: text(),
          first_name: optionalText(),
          last_name: optionalText(),
          company: optionalText(),
          job_title: optionalText(),
          phone: optionalText(),
          country: optionalText(),
          state: optionalText(),
          street_address: optionalText(),
          city: optionalText(),
          postal_code: optionalText(),
          delivery_methods: delivery(),
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
          template: optionalText(),
          role: optionalText(),
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
          as: optionalText(),
          id: id(),
          name: text(),
          template: text(),
          status: z.enum(STATUSES).optional(),
          send_at: momentText().optional(),
          recipients: z.array(strictly(actor())).optional(),
          fields: z.record(z.string(), z.union([text(), z.boolean(), z.number()])).optional(),
          metadata: z.record(z.string(), text()).optional(),
          tags: z.array(text()).optional(),
          folder: optionalText(),
        }),
      )
      .optional(),
  ),
  webhook_subscriptions: lazy(() =>
    z
      .array(
        z.strictObject({
          id: id(),
          name: optionalText(),
          url: text(),
          triggers: z.array(z.enum(EVENTS)),
          payload: z.array(z.enum(["metadata", "fields", "products", "tokens", "pricing"])).optional(),
          active: optionalFlag(),
          shared_key: optionalText(),
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
export type FixturesFile = z.input<ReturnType<typeof fixtures>>;
export type Fixture<K extends keyof Fixtures> = NonNullable<Fixtures[K]>[number];
