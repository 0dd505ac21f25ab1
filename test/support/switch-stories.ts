/** One story for each switch. Its result is what a client sees with each reading. */
import type { SwitchId } from "../../src/service/assumptions/switches.ts";
import { eventsOf, subscribe } from "./content.ts";
import { PEOPLE_CASES } from "./people-switch-stories.ts";
import { SEARCH_CASES } from "./search-switch-stories.ts";
import { aPdf } from "./pdf-texts.ts";
import { WORKSPACE } from "./people.ts";
import { receiver } from "./receiver.ts";
import {
  aCompletedDocument,
  aDraft,
  anUploadedDocument,
  aSentDocument,
  CLIENT,
  simulate,
  succeed,
  TEMPLATES,
} from "./stories.ts";
import { type Answer, SANDBOX_KEY, type TestWorld } from "./world.ts";

export interface Case {
  /** The result that a client sees. */
  observe: (world: TestWorld) => Promise<unknown>;
  expected: readonly (readonly [reading: unknown, seen: unknown])[];
  /** Whether the last answer of the story names the assumption. */
  isNamed?: boolean;
}

const status = ({ status }: Answer) => status;
const create = (world: TestWorld, body: object) =>
  world.call("createDocument", { body: { template_uuid: TEMPLATES.oneSigner, name: "Deal", recipients: [CLIENT], ...body } });
const details = async (world: TestWorld, id: string) => (await succeed(world.call("detailsDocument", { params: { id } }))).body;

/** Rows of one product at 100, for the table of the templates with prices. */
const priceTable = (rows: object[], options: object = {}) => ({
  name: "Pricing Table 1",
  options,
  sections: [{ title: "A", rows: rows.map((row) => ({ data: { name: "Roof", price: 100, qty: 1 }, options: {}, ...row })) }],
});

const DOLLARS = { amount: "900", currency: "USD" };

export const CASES: Record<SwitchId, Case> = {
  ...PEOPLE_CASES,
  ...SEARCH_CASES,
  "auth.key_as_bearer": {
    observe: async (world) =>
      status(
        await world.request("GET", "/public/v1/documents", { key: null, headers: { authorization: "Bearer docdouble-key" } }),
      ),
    expected: [
      ["refuse", 401],
      ["accept", 200],
    ],
    isNamed: true,
  },
  "contacts.known_email": {
    async observe(world) {
      const [first, second] = [
        await world.call("createContact", { body: { email: "a@b.example", first_name: "Ann" } }),
        await world.call("createContact", { body: { email: "A@b.example", first_name: "Bea" } }),
      ];
      return [second.status, second.body.id === first.body.id, second.body.detail?.email];
    },
    expected: [
      ["update", [201, true, undefined]],
      ["duplicate", [201, false, undefined]],
      ["refuse", [400, false, ["Contact with this email already exists."]]],
    ],
    isNamed: true,
  },
  "create.unknown_role": {
    async observe(world) {
      const made = await create(world, { recipients: [CLIENT, { email: "x@client.example", role: "Nobody" }] });
      if (made.status !== 201) return [made.status, made.body.detail];
      await world.advance("5s");
      return (await details(world, made.body.id)).recipients.map((one: { recipient_type: string }) => one.recipient_type);
    },
    expected: [
      ["refuse", [400, { non_field_errors: ["Role 'Nobody' does not exist"] }]],
      ["cc", ["signer", "CC"]],
      ["drop", ["signer"]],
    ],
  },
  "decline.date_completed": {
    async observe(world) {
      const id = await aCompletedDocument(world);
      await succeed(world.call("changeDocumentStatus", { params: { id }, body: { status: 12 } }));
      return (await details(world, id)).date_completed === null;
    },
    expected: [
      ["keep", false],
      ["clear", true],
    ],
  },
  "delete.bulk_locked": {
    async observe(world) {
      const id = await aDraft(world);
      await simulate(world, id, "lock");
      return status(await world.call("bulkDeleteDocuments", { body: [{ id }] }));
    },
    expected: [
      ["delete", 200],
      ["refuse", 423],
    ],
    isNamed: true,
  },
  "delete.second": {
    async observe(world) {
      const id = await aDraft(world);
      await succeed(world.call("deleteDocument", { params: { id } }));
      return status(await world.call("deleteDocument", { params: { id } }));
    },
    expected: [
      [403, 403],
      [404, 404],
    ],
    isNamed: true,
  },
  "details.grand_total": {
    async observe(world) {
      const ids = [await aDraft(world, { template: "quote" }), await aDraft(world, { template: "euro" })];
      const totals = [];
      for (const id of ids) totals.push((await details(world, id)).grand_total);
      return totals;
    },
    expected: [
      ["same_currency", [DOLLARS, { amount: "0", currency: "USD" }]],
      ["pricing", [DOLLARS, { amount: "408", currency: "EUR" }]],
      [
        "zero",
        [
          { amount: "0", currency: "USD" },
          { amount: "0", currency: "USD" },
        ],
      ],
    ],
    isNamed: true,
  },
  "details.right_after_create": {
    observe: async (world) => status(await world.call("detailsDocument", { params: { id: await anUploadedDocument(world) } })),
    expected: [
      [409, 409],
      [404, 404],
    ],
    isNamed: true,
  },
  "download.before_completion": {
    async observe(world) {
      const id = await aSentDocument(world);
      return status(await world.call("downloadDocument", { params: { id } }));
    },
    expected: [
      ["given", 200],
      ["refused", 409],
    ],
    isNamed: true,
  },
  "errors.list_paths": {
    observe: async (world) => (await create(world, { recipients: [CLIENT, { email: "nobody" }] })).body.detail,
    expected: [
      ["nested", { recipients: [{}, { email: ["Enter a valid email address."] }] }],
      ["flat", { "recipients[1].email": ["Enter a valid email address."] }],
    ],
    isNamed: true,
  },
  "field_tags.undeclared": {
    async observe(world) {
      const parts = { file: await aPdf(["{t:Client:city}"]), data: { name: "Tags", recipients: [CLIENT], fields: {} } };
      const { body } = await succeed(world.call("createDocumentFromUpload", { parts }));
      await world.advance("5s");
      return (await world.call("statusDocument", { params: { id: body.id } })).body.status;
    },
    expected: [
      ["drop", "document.draft"],
      ["error", "document.error"],
    ],
  },
  "json.types": {
    async observe(world) {
      const made = await create(world, { name: 7, recipients: [{ ...CLIENT, signing_order: "2" }], parse_form_fields: "true" });
      return made.status === 201 ? made.body.name : [made.status, made.body.detail.name];
    },
    expected: [
      ["strict", [400, ["Not a valid string."]]],
      ["lenient", "7"],
    ],
    isNamed: true,
  },
  "list.date_sent": {
    async observe(world) {
      const [sent, draft] = [await aSentDocument(world), await aDraft(world)];
      const { results } = (await succeed(world.call("listDocuments"))).body;
      const of = (id: string) => results.find((one: { id: string }) => one.id === id).date_sent;
      return [of(sent) === (await details(world, sent)).date_sent, of(draft)];
    },
    expected: [
      ["present", [true, null]],
      ["absent", [false, undefined]],
    ],
  },
  "pricing.column_names": {
    async observe(world) {
      const rows = [{ options: {}, data: { NAME: "Roof", Price: "10", qty: "1" } }];
      const pricing_tables = [{ name: "Pricing Table 1", data_merge: false, sections: [{ title: "A", rows }] }];
      const made = await create(world, { template_uuid: TEMPLATES.pricing, pricing_tables });
      if (made.status !== 201) return made.status;
      await world.advance("5s");
      const [item] = (await details(world, made.body.id)).pricing.tables[0].items;
      return [item.name, item.price];
    },
    expected: [
      ["check", 400],
      ["any", ["Roof", "10"]],
    ],
  },
  "privacy.ai_off": {
    async observe(world) {
      const body = { ai_features_enabled: false };
      await succeed(world.call("updateWorkspacePrivacySettings", { params: { workspace_id: WORKSPACE }, body }));
      return status(await world.call("searchDocumentsAi", { query: { q: "offer" } }));
    },
    expected: [
      ["refuse", 403],
      ["serve", 200],
    ],
    isNamed: true,
  },
  "pricing.discount_name": {
    async observe(world) {
      const options = { promo: { type: "percent", name: "Special discount", value: 10 } };
      const id = await aDraft(world, { template: "euro", body: { pricing_tables: [priceTable([{}], options)] } });
      return (await details(world, id)).pricing.tables[0].summary.discount;
    },
    expected: [
      ["key", "25"],
      ["single", "10"],
    ],
  },
  "pricing.negative_total": {
    async observe(world) {
      const options = { Discount: { type: "absolute", name: "Discount", value: 150 } };
      const made = await create(world, { template_uuid: TEMPLATES.euro, pricing_tables: [priceTable([{}], options)] });
      if (made.status !== 201) return [made.status, made.body.detail];
      await world.advance("5s");
      return (await details(world, made.body.id)).pricing.total;
    },
    expected: [
      ["take", "-50"],
      ["refuse", [400, { pricing_tables: [{ non_field_errors: ["Ensure this value is greater than or equal to 0."] }] }]],
    ],
  },
  "pricing.other_currency": {
    async observe(world) {
      const pricing_tables = [priceTable([{}], { currency: "USD" })];
      const made = await create(world, { template_uuid: TEMPLATES.euro, pricing_tables });
      const id = await aDraft(world, { template: "euro" });
      const updated = await world.call("updateDocument", { params: { id }, body: { pricing_tables } });
      return [made.status, updated.status, (await details(world, id)).pricing.tables[0].currency];
    },
    expected: [
      ["vendor", [400, 204, "EUR"]],
      ["take", [201, 204, "USD"]],
    ],
  },
  "pricing.row_options": {
    observe: async (world) =>
      status(await create(world, { template_uuid: TEMPLATES.euro, pricing_tables: [priceTable([{ options: undefined }])] })),
    expected: [
      ["required", 400],
      ["optional", 201],
    ],
    isNamed: true,
  },
  "query.empty_values": {
    async observe(world) {
      await aDraft(world);
      const [number, text] = [
        await world.call("listDocuments", { query: { page: "" } }),
        await world.call("listDocuments", { query: { q: "" } }),
      ];
      return [number.status, text.status];
    },
    expected: [
      ["check", [400, 200]],
      ["refuse", [400, 400]],
      ["ignore", [200, 200]],
    ],
    isNamed: true,
  },
  "rate_limit.profile": {
    async observe(world) {
      let count = 0;
      while (count < 120 && (await world.call("listContacts")).status === 200) count++;
      return count;
    },
    expected: [
      ["none", 120],
      ["sandbox", 10],
      ["production", 100],
    ],
  },
  "recipients.same_email": {
    async observe(world) {
      const recipients = ["Client", "Director"].map((role) => ({ ...CLIENT, role }));
      const made = await create(world, { template_uuid: TEMPLATES.twoSigners, recipients });
      if (made.status !== 201) return [made.status, made.body.detail];
      await world.advance("5s");
      return (await details(world, made.body.id)).recipients.map((one: { roles: string[] }) => one.roles);
    },
    expected: [
      ["refuse", [400, { recipients: [{}, { email: [`${CLIENT.email} already in recipients list`] }] }]],
      ["join", [["Client", "Director"]]],
      ["separate", [["Client"], ["Director"]]],
    ],
  },
  "revert.draft": {
    observe: async (world) => status(await world.call("documentRevertToDraft", { params: { id: await aDraft(world) } })),
    expected: [
      ["allow", 200],
      ["refuse", 409],
    ],
    isNamed: true,
  },
  "revert.error": {
    async observe(world) {
      await succeed(world.admin("POST", "/transitions", { model: "document.processing", progression: "fail" }));
      return status(await world.call("documentRevertToDraft", { params: { id: await aDraft(world) } }));
    },
    expected: [
      ["allow", 200],
      ["refuse", 409],
    ],
    isNamed: true,
  },
  "sandbox.foreign_recipients": {
    async observe(world) {
      const id = await aDraft(world, { key: SANDBOX_KEY });
      return status(await world.call("sendDocument", { params: { id }, body: {}, key: SANDBOX_KEY }));
    },
    expected: [
      ["refuse", 403],
      ["trial", 200],
    ],
    isNamed: true,
  },
  "send.recipient_id": {
    async observe(world) {
      const id = await aDraft(world);
      const { body } = await succeed(world.call("sendDocument", { params: { id }, body: {} }));
      return typeof body.recipients[0].id;
    },
    expected: [
      ["text", "string"],
      ["integer", "number"],
    ],
    isNamed: true,
  },
  "send.without_recipients": {
    async observe(world) {
      // A signature without a recipient would block the send.
      const parts = { file: await aPdf(["Nothing to sign"]), data: { name: "Notice" } };
      const { id } = (await succeed(world.call("createDocumentFromUpload", { parts }))).body;
      await world.advance("5s");
      return status(await world.call("sendDocument", { params: { id }, body: {} }));
    },
    expected: [
      ["allow", 200],
      ["refuse", 400],
    ],
    isNamed: true,
  },
  "update.outside_draft": {
    async observe(world) {
      const id = await aSentDocument(world);
      return status(await world.call("updateDocument", { params: { id }, body: { name: "New" } }));
    },
    expected: [
      [400, 400],
      [409, 409],
    ],
    isNamed: true,
  },
  "webhook.https_only": {
    async observe(world) {
      const body = { name: "Mine", url: "http://127.0.0.1:9/hook", triggers: ["document_state_changed"] };
      return status(await world.call("createWebhookSubscription", { body }));
    },
    expected: [
      ["off", 201],
      ["on", 400],
    ],
    isNamed: true,
  },
  "webhook.retry_schedule": {
    async observe(world) {
      const hook = await receiver();
      hook.answerWith(500);
      const body = { name: "Mine", url: hook.url, triggers: ["document_state_changed"] };
      await succeed(world.call("createWebhookSubscription", { body }));
      await aDraft(world);
      await world.advance("50s");
      const [first, ...retries] = hook.received;
      return first ? retries.length : undefined;
    },
    expected: [
      [[60_000, 300_000, 1_800_000], 0],
      [[10_000, 20_000], 2],
    ],
  },
  "webhook.shared_link": {
    async observe(world) {
      await subscribe(world, ["document_state_changed"]);
      await aSentDocument(world);
      const events = await eventsOf(world, "document_state_changed");
      return events.map((one) => /^http/.test(one.recipients[0].shared_link));
    },
    expected: [
      ["empty", [false, false]],
      ["link", [true, true]],
    ],
  },
  "webhook.zero_total": {
    async observe(world) {
      await subscribe(world, ["document_state_changed"]);
      await aDraft(world);
      return (await eventsOf(world, "document_state_changed"))[0].grand_total.amount;
    },
    expected: [
      ["cents", "0.00"],
      ["plain", "0"],
    ],
  },
};
