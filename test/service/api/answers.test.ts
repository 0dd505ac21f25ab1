/** Answers and deliveries where the sources conflict: links, totals, members, contacts, files and pricing rows. */
import { gzipSync } from "node:zlib";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { receiver } from "../../support/receiver.ts";
import { aDraft, aSentDocument, aSubscription, CLIENT, statusOf, succeed, TEMPLATES } from "../../support/stories.ts";
import { aPdf } from "../../support/pdf-texts.ts";
import { type TestWorld, useWorld } from "../../support/world.ts";

const world = useWorld();

const detailsOf = async (world: TestWorld, id: string) => (await succeed(world.call("detailsDocument", { params: { id } }))).body;

describe("webhooks", () => {
  test("a total of zero is 0.00 in webhooks and 0 in details, and other totals have no trailing zeros", async () => {
    const hook = await receiver();
    await aSubscription(world, hook, { triggers: ["document_created"], payload: ["pricing"] });
    const rows = [{ options: {}, data: { name: "Toy", price: "199.00" } }];
    const pricing_tables = [
      { name: "Pricing Table 1", options: { discount: { value: 0 }, tax: { value: 0 } }, sections: [{ title: "A", rows }] },
    ];
    const free = await aDraft(world);
    const paid = await aDraft(world, { template: "pricing", body: { pricing_tables } });
    const amounts = hook.events().map(({ data }) => [data.id, data.grand_total.amount]);
    expect(amounts).toEqual([
      [free, "0.00"],
      [paid, "199"],
    ]);
    expect((await detailsOf(world, free)).grand_total.amount).toBe("0");
    expect((await detailsOf(world, paid)).grand_total.amount).toBe("199");
  });

  test("a delivery accepts gzip, and reads a compressed answer up to its limit", async () => {
    const asked: unknown[] = [];
    const bodies = [gzipSync("packed hello"), gzipSync("x".repeat(40_000_000)), Buffer.from("no gzip at all")];
    const server = createServer((request, response) => {
      asked.push(request.headers["accept-encoding"]);
      request.resume();
      response.writeHead(200, { "content-encoding": "gzip" }).end(bodies.shift());
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    await succeed(world.call("createWebhookSubscription", { body: { name: "Packed", url, triggers: ["document_created"] } }));
    for (let i = 0; i < 3; i++) await aDraft(world);
    const query = { count: 10, page: 1 };
    const { items } = (await succeed(world.call("listWebhookEvent", { query }))).body;
    const answers = [];
    for (const { uuid } of items)
      answers.push((await succeed(world.call("detailsWebhookEvent", { params: { id: uuid } }))).body.response_body);
    expect(asked).toEqual(["gzip", "gzip", "gzip"]);
    // A compressed bomb is unpacked only as far as answers are kept.
    expect(answers.reverse()).toEqual(["packed hello", "x".repeat(16_384), "no gzip at all"]);
  });
});

describe("documents", () => {
  test("the document's state and the inspector show the note and the file of a manual status change", async () => {
    const id = await aSentDocument(world);
    const file = new File(["signed on paper"], "paper.pdf", { type: "application/pdf" });
    const parts = { file, data: { status: 2, note: "Signed on paper" } };
    await succeed(world.call("changeDocumentStatusWithUpload", { params: { id }, parts }));
    const { notes } = (await succeed(world.admin("GET", `/documents/${id}`))).body;
    expect(notes).toEqual([
      {
        text: "Signed on paper",
        by: "nora.lind@northpeak.example",
        at: "2026-03-02T09:00:05.000000Z",
        file: { name: "paper.pdf", type: "application/pdf", size: 15 },
      },
    ]);
    const page = await world.sandbox.fetch(`/__admin/?view=documents&id=${id}`);
    expect(await page.text()).toContain("paper.pdf · application/pdf · 15 bytes");
  });

  test("a second delete answers 403, which the description declares", async () => {
    const id = await aDraft(world);
    const remove = () => world.call("deleteDocument", { params: { id } });
    expect((await remove()).status).toBe(204);
    expect(await remove()).toMatchObject({ status: 403, body: { type: "permissions_error" } });
    for (const operation of ["statusDocument", "detailsDocument", "downloadDocument"] as const)
      expect([operation, (await world.call(operation, { params: { id } })).status]).toEqual([operation, 404]);
    const description = (await world.request("GET", "/openapi.json")).body;
    expect(Object.keys(description.paths["/public/v1/documents/{id}"].delete.responses)).toEqual(
      expect.arrayContaining(["204", "403", "404", "423"]),
    );
  });
});

describe("field tags", () => {
  const upload = async (world: TestWorld, text: string, fields: object) => {
    const data = { name: "Tagged", recipients: [CLIENT], fields };
    const { id } = (await succeed(world.call("createDocumentFromUpload", { parts: { file: await aPdf([text]), data } }))).body;
    await world.advance("6s");
    expect(await statusOf(world, id)).toBe("document.draft");
    return (await detailsOf(world, id)).fields.map((one: { field_id: string; type: string }) => [one.field_id, one.type]);
  };

  test("a field tag that is undeclared, or that repeats an id, makes no field and no error", async () => {
    const text = "{t:Client:city} {t:Client:town} {d:Client:city} {s:Client}";
    expect(await upload(world, text, { city: {} })).toEqual([
      ["city", "text"],
      ["signature1", "signature"],
    ]);
  });
});

describe("pricing rows", () => {
  const create = (world: TestWorld, data: object, data_merge?: boolean, template_uuid: string = TEMPLATES.pricing) => {
    const pricing_tables = [{ name: "Pricing Table 1", data_merge, sections: [{ title: "A", rows: [{ options: {}, data }] }] }];
    return world.call("createDocument", { body: { template_uuid, recipients: [CLIENT], pricing_tables } });
  };
  const itemOf = async (world: TestWorld, ...row: [object, boolean?, string?]) => {
    const { id } = (await succeed(create(world, ...row))).body;
    await world.advance("6s");
    return (await detailsOf(world, id)).pricing.tables[0].items[0];
  };

  test("tax, fee and discount in merged_data are objects with value and type", async () => {
    const tax = { value: 20, type: "percent" };
    const row = { Name: "Toy", Price: 10, QTY: 3, Tax: tax, Fee: { value: 5, type: "absolute" }, Discount: 7 };
    expect((await itemOf(world, row, true)).merged_data).toEqual({
      Name: "Toy",
      Price: "10",
      QTY: "3",
      Tax: { value: "20", type: "percent" },
      Fee: { value: "5", type: "absolute" },
      Discount: { value: "7", type: "percent" },
    });
  });

  test("rows with data_merge accept only merge names, and rows without it only built-in names", async () => {
    const shown = { name: "Toy", description: "Soft", price: "10", qty: "3", sku: "T-1" };
    const merged = { Name: "Toy", Description: "Soft", Price: 10, QTY: 3, SKU: "T-1" };
    const plain = { name: "Toy", description: "Soft", price: 10, qty: 3, sku: "T-1" };
    expect(await itemOf(world, merged, true)).toMatchObject(shown);
    expect(await itemOf(world, plain, false)).toMatchObject(shown);
    expect(await itemOf(world, plain)).toMatchObject(shown);
    expect((await itemOf(world, plain)).merged_data).toEqual({
      Name: "Toy",
      Description: "Soft",
      Price: "10",
      QTY: "3",
      SKU: "T-1",
    });
    const before = world.tenant.store.snapshot();
    for (const [row, data_merge, wrong] of [
      [plain, true, ["name", "description", "price", "qty", "sku"]],
      [{ Name: "Toy", Colour: "red" }, true, ["Colour"]],
      [{ name: "Toy", QTY: 3 }, false, ["QTY"]],
      [{ Name: "Toy" }, undefined, ["Name"]],
    ] as const) {
      const answer = await create(world, row, data_merge);
      const data = wrong.map((name) => `"${name}" is not a column of the pricing table.`);
      expect({ status: answer.status, body: answer.body }).toEqual({
        status: 400,
        body: { type: "validation_error", detail: { pricing_tables: [{ sections: [{ rows: [{ data }] }] }] } },
      });
    }
    expect(world.tenant.store.snapshot()).toEqual(before);
  });
});
