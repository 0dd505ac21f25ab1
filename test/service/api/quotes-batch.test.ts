/** Several quotes of one document in one call. Source: version 8.20.0 of the official description. */
import { describe, expect, test } from "vitest";
import { faultsByName } from "../../support/faults.ts";
import { plantForeigner } from "../../support/content.ts";
import { aDraft, aSentDocument, anUploadedDocument, succeed } from "../../support/stories.ts";
import { type Answer, type TestWorld, testWorld } from "../../support/world.ts";

const TEMPLATE = "TemplateOfTwoQuotes";
const fixtures = {
  templates: [
    {
      id: TEMPLATE,
      name: "Two quotes",
      roles: [{ name: "Client" }],
      quotes: [
        { sections: [{ name: "Roof", items: [{ name: "Tiles", price: 10 }] }] },
        { sections: [{ name: "Floor", items: [{ name: "Boards", price: 20 }] }] },
      ],
    },
  ],
};

const two = (options = {}) => testWorld({ fixtures, ...options });

/** A draft with two quotes, and the ids of both. */
async function aQuotedDraft(world: TestWorld) {
  const document_id = await aDraft(world, { body: { template_uuid: TEMPLATE } });
  return { document_id, ids: idsOf(world, document_id) };
}

function idsOf(world: TestWorld, document: string): [string, string] {
  const [first, second] = world.tenant.store.documents.get(document)?.quotes ?? [];
  if (!first || !second) throw new Error(`the document ${document} has no two quotes`);
  return [first.id, second.id];
}

function patch(world: TestWorld, document_id: string, quotes: unknown, key?: string): Promise<Answer> {
  return world.call("quotesBatchUpdate", { params: { document_id }, body: { quotes }, ...(key ? { key } : {}) });
}

async function quotesOf(world: TestWorld, id: string): Promise<{ id: string; total: string }[]> {
  return (await succeed(world.call("detailsDocument", { params: { id } }))).body.pricing.quotes;
}

const totals = async (world: TestWorld, id: string) => (await quotesOf(world, id)).map((one) => one.total);
const priced = (id: string, price: number) => ({ id, sections: [{ items: [{ price }] }] });

describe("quotesBatchUpdate", () => {
  test("quotesBatchUpdate names unknown quotes and quotes of other documents, and replaces the others", async () => {
    const world = await two();
    plantForeigner(world);
    const { document_id, ids } = await aQuotedDraft(world);
    const other = await aQuotedDraft(world);
    const template = world.tenant.store.templates.get(TEMPLATE)?.quotes[0]?.id ?? "";
    const { status, body } = await patch(world, document_id, [
      priced("nothing", 1),
      priced(other.ids[0], 1),
      priced(template, 1),
      priced(ids[0], 5),
      priced("", 1),
    ]);
    expect([status, body.count, body.results.map((one: { status: string }) => one.status)]).toEqual([
      200,
      5,
      ["not_found", "not_in_document", "not_found", "ok", "not_found"],
    ]);
    expect(body.results.slice(0, 2)).toEqual([
      { id: "nothing", status: "not_found", description: "The quote was not found." },
      { id: other.ids[0], status: "not_in_document", description: "The quote belongs to another document." },
    ]);
    expect([await totals(world, document_id), await totals(world, other.document_id)]).toEqual([
      ["5", "20"],
      ["10", "20"],
    ]);
  });

  test("quotesBatchUpdate answers validation_error for a price beside price_settings, and replaces the others", async () => {
    const world = await two();
    const { document_id, ids } = await aQuotedDraft(world);
    const price_settings = { base_value: null, tiers: [{ min_qty: 1, value: 2 }] };
    const both = { id: ids[0], sections: [{ items: [{ price: 1, price_settings }] }] };
    const { status, body } = await patch(world, document_id, [both, priced(ids[1], 7)]);
    expect([status, body.results[0]]).toEqual([
      200,
      {
        id: ids[0],
        status: "validation_error",
        description: "an item has either a price or price_settings; leave one of them out",
      },
    ]);
    expect(await totals(world, document_id)).toEqual(["10", "7"]);
    expect(await quotesOf(world, document_id)).toEqual([expect.anything(), body.results[1].quote]);
  });

  test("quotesBatchUpdate answers conflict for each quote outside draft, and changes nothing", async () => {
    const world = await two();
    for (const id of [
      await aSentDocument(world, { body: { template_uuid: TEMPLATE } }),
      await anUploadedDocument(world, { body: { template_uuid: TEMPLATE } }),
    ]) {
      const before = world.tenant.store.documents.get(id);
      const { status, body } = await patch(
        world,
        id,
        idsOf(world, id).map((one) => priced(one, 1)),
      );
      expect([status, body.count, body.results.map((one: { status: string }) => one.status)]).toEqual([
        200,
        2,
        ["conflict", "conflict"],
      ]);
      expect(world.tenant.store.documents.get(id)).toBe(before);
    }
  });

  test("quotesBatchUpdate takes 25 quotes and refuses 26, none, and a repeated id", async () => {
    const world = await two();
    const { document_id, ids } = await aQuotedDraft(world);
    const many = (count: number) => Array.from({ length: count }, (_, i) => ({ id: `quote ${i}` }));
    const most = await patch(world, document_id, many(25));
    expect([most.status, most.body.count]).toEqual([200, 25]);
    const before = world.tenant.store.snapshot();
    for (const [quotes, detail] of [
      [many(26), { quotes: ["Ensure this field has no more than 25 elements."] }],
      [[], { quotes: ["This list may not be empty."] }],
      [[priced(ids[0], 1), priced(ids[1], 1), priced(ids[0], 2)], { "quotes[2].id": ["Quote ids must be unique."] }],
      [[{ sections: [] }], { "quotes[0].id": ["This field is required."] }],
      [undefined, { quotes: ["This field is required."] }],
    ] as const) {
      const answer = await patch(world, document_id, quotes);
      expect([answer.status, faultsByName(answer.body.detail)]).toEqual([400, detail]);
    }
    expect(world.tenant.store.snapshot()).toEqual(before);
  });

  test("quotesBatchUpdate and quoteUpdate take 512 KiB and answer 413 for more", async () => {
    const world = await two();
    const { document_id, ids } = await aQuotedDraft(world);
    const sized = (body: object, bytes: number) => {
      const text = JSON.stringify(body);
      return text + " ".repeat(bytes - text.length);
    };
    const params = { document_id, quote_id: ids[0] };
    const calls = (bytes: number) => [
      world.call("quotesBatchUpdate", { params, body: sized({ quotes: [{ id: ids[0] }] }, bytes) }),
      world.call("quoteUpdate", { params, body: sized({}, bytes) }),
    ];
    const statuses = async (bytes: number) => (await Promise.all(calls(bytes))).map((one) => one.status);
    expect(await statuses(512 * 1024)).toEqual([200, 200]);
    expect(await statuses(512 * 1024 + 1)).toEqual([413, 413]);
  });
});

describe("the two spellings of half a year", () => {
  test("quoteUpdate and quotesBatchUpdate take semiannualy and semiannually, and answer semiannually", async () => {
    const world = await two();
    const { document_id, ids } = await aQuotedDraft(world);
    const sections = [{ items: ["semiannualy", "semiannually"].map((billing_frequency) => ({ price: 3, billing_frequency })) }];
    const one = await succeed(world.call("quoteUpdate", { params: { document_id, quote_id: ids[0] }, body: { sections } }));
    const batch = await succeed(patch(world, document_id, [{ id: ids[1], sections }]));
    for (const quote of [one.body, batch.body.results[0].quote]) {
      expect(quote.sections[0].items.map((item: { billing_frequency: string }) => item.billing_frequency)).toEqual([
        "semiannually",
        "semiannually",
      ]);
      expect(quote.summary.recurring_subtotal).toEqual([{ billing_cycle: "semiannually", value: "6" }]);
    }
  });
});
