/** Proves the specification's rules about documents. */
import { describe, expect, test } from "vitest";
import { aDraft, aSentDocument, CLIENT, DIRECTOR, simulate, succeed } from "../../support/stories.ts";
import { type Answer, type TestWorld, useWorld } from "../../support/world.ts";

const world = useWorld();

async function detailsOf(world: TestWorld, id: string) {
  return (await succeed(world.call("detailsDocument", { params: { id } }))).body;
}

function plain({ status, body }: Answer): unknown {
  return { status, body };
}

describe("document details", () => {
  test("detailsDocument shows the approval steps, and after approval and a second send also the sender and dates", async () => {
    const id = await aSentDocument(world, { template: "approval", body: { owner: { membership_id: "MemberSamxxxxxxxxxxxxx" } } });
    const sends = async () => (await world.call("sendDocument", { params: { id }, body: {} })).status;
    const step = (user: string) => ({
      id: expect.any(String),
      group: { id: expect.any(String), type: "all", assignees: [{ user, is_selected: true }] },
    });
    const waiting = {
      status: "document.waiting_approval",
      ref_number: expect.stringMatching(/^[A-Z]{5}(-[A-Z]{5}){3}$/),
      created_by: expect.objectContaining({ email: "nora.lind@northpeak.example" }),
      approval_execution: {
        document_uuid: id,
        revision_number: 1,
        steps: [step("UserSamxxxxxxxxxxxxxxx"), step("UserInesxxxxxxxxxxxxxx")],
      },
      sent_by: null,
      date_sent: null,
      date_completed: null,
      expiration_date: null,
    };
    for (const status of ["document.waiting_approval", "document.approved"]) {
      expect(await detailsOf(world, id)).toMatchObject(waiting);
      expect(await sends()).toBe(409);
      await simulate(world, id, "approve");
      expect((await detailsOf(world, id)).status).toBe(status);
    }
    await world.advance("1h");
    expect(await sends()).toBe(200);
    await world.advance("1h");
    await simulate(world, id, "sign");
    expect(await detailsOf(world, id)).toMatchObject({
      ...waiting,
      status: "document.completed",
      sent_by: {
        id: "UserNoraxxxxxxxxxxxxxx",
        email: "nora.lind@northpeak.example",
        first_name: "Nora",
        last_name: "Lind",
        avatar: null,
      },
      date_sent: "2026-03-02T10:00:05.000000Z",
      date_completed: "2026-03-02T11:00:05.000000Z",
      expiration_date: "2026-05-01T10:00:05.000000Z",
      recipients: [{ has_completed: true, signature_date: "2026-03-02T11:00:05.000000Z" }],
    });
  });

  test("detailsDocument shows a new date_modified after any change, and a new content_date_modified only after content changes", async () => {
    const id = await aDraft(world);
    await world.advance("1h");
    await succeed(world.call("updateDocument", { params: { id }, body: { texts: [{ name: "Terms", data: "New" }] } }));
    const edited = await detailsOf(world, id);
    expect([edited.date_modified, edited.content_date_modified]).toEqual(Array(2).fill("2026-03-02T10:00:05.000000Z"));
    await world.advance("1h");
    await succeed(world.call("sendDocument", { params: { id }, body: { silent: true } }));
    const sent = await detailsOf(world, id);
    expect([sent.date_modified, sent.content_date_modified]).toEqual([
      "2026-03-02T11:00:05.000000Z",
      "2026-03-02T10:00:05.000000Z",
    ]);
    await world.advance("1h");
    await simulate(world, id, "fill", { fields: { Company: "Client Ltd" } });
    const filled = await detailsOf(world, id);
    expect([filled.date_modified, filled.content_date_modified]).toEqual(Array(2).fill("2026-03-02T12:00:05.000000Z"));
  });

  test("detailsDocument shows each value in the type of its field, and an uploaded file with name and URL", async () => {
    const id = await aSentDocument(world, { template: "everyField" });
    const session = await succeed(world.call("createDocumentLink", { params: { id }, body: { recipient: CLIENT.email } }));
    expect(session.body.id).toMatch(/^\w{10,}$/);
    expect(session.body).toEqual({ id: session.body.id, expires_at: "2026-03-02T10:00:05.000000Z" });
    expect(session.body.id).not.toBe(id);
    expect(plain(await world.call("createDocumentLink", { params: { id }, body: { recipient: DIRECTOR.email } }))).toEqual({
      status: 400,
      body: { type: "request_error", detail: { recipient: ["There is no associated recipient."] } },
    });
    const { fields } = await detailsOf(world, id);
    const nothing = { text: "", checkbox: false, date: null, dropdown: "", radio_buttons: "" };
    const drawn = { initials: {}, stamp: {}, signature: {} };
    const valuesOf = (list: { type: string; value: unknown }[]) =>
      Object.fromEntries(list.map((one) => [one.type, one.value]).reverse());
    expect(valuesOf(fields)).toEqual({ ...nothing, ...drawn, collect_file: {} });
    const uuid = (type: string) => fields.find((one: { type: string }) => one.type === type).uuid;
    const form = new FormData();
    for (const [name, value] of [
      ["act", "save"],
      ["fields", "1"],
      [`f.${uuid("checkbox")}`, "on"],
      [`f.${uuid("text")}`, "Filled in"],
    ] as const)
      form.append(name, value);
    form.append(`u.${uuid("collect_file")}`, new File(["passport"], "passport.txt", { type: "text/plain" }));
    expect((await world.sandbox.fetch(`/s/${session.body.id}/`, { method: "POST", body: form })).status).toBe(303);
    const file = { name: "passport.txt", url: expect.stringMatching(/\/files\/[\w-]+\/passport\.txt$/) };
    const values = valuesOf((await detailsOf(world, id)).fields);
    expect(values).toEqual({ ...nothing, ...drawn, text: "Filled in", checkbox: true, collect_file: file });
    await simulate(world, id, "sign");
    expect(valuesOf((await detailsOf(world, id)).fields)).toMatchObject({
      ...drawn,
      date: "2026-03-02",
      dropdown: "Small",
      radio_buttons: "Post",
    });
    const fetched = await world.sandbox.fetch(new URL(values.collect_file.url).pathname);
    expect([fetched.status, await fetched.text()]).toEqual([200, "passport"]);
  });

  test("detailsDocument shows a complete pricing table, with money values as strings", async () => {
    const id = await aDraft(world, { template: "pricing" });
    const { pricing, grand_total } = await detailsOf(world, id);
    expect([pricing.total, grand_total]).toEqual(["829.05", { amount: "829.05", currency: "USD" }]);
    const [{ items, ...table }] = pricing.tables;
    expect(table).toEqual({
      name: "Pricing Table 1",
      id: expect.stringMatching(/^[\w-]{36}$/),
      total: "829.05",
      is_included_in_total: true,
      currency: "USD",
      data_merge_enabled: true,
      columns: expect.arrayContaining([{ header: "Name", name: "Name", merge_name: "Name", hidden: false }]),
      summary: { subtotal: "849", discount: "84.9", tax: "64.95", fee: "0", total: "829.05" },
    });
    const none = { value: "0", type: "percent" };
    const item = (qty: string, price: string, subtotal: string, options: { optional: boolean; optional_selected: boolean }) => ({
      id: expect.stringMatching(/^[\w-]{36}$/),
      sku: expect.stringMatching(/^[\w-]+$/),
      qty,
      name: expect.any(String),
      cost: "",
      price,
      description: expect.any(String),
      custom_fields: {},
      custom_columns: {},
      discount: none,
      tax_first: none,
      tax_second: none,
      subtotal,
      options: { ...options, multichoice_enabled: false, multichoice_selected: false },
      sale_price: String(Number(price)),
      taxes: {},
      discounts: { Discount: { type: "percent", value: "10" } },
      fees: {},
      merged_data: { Name: expect.any(String), Price: price, QTY: qty },
    });
    const counted = { optional: false, optional_selected: true };
    expect(items).toEqual([
      item("2", "199.50", "399", counted),
      item("1", "450", "450", counted),
      item("3", "25", "75", { optional: true, optional_selected: false }),
    ]);
    // No request can set these two members of a row, because they come from a template. So the test writes them into the store.
    const { documents } = world.tenant.store;
    const row = documents.get(id);
    if (!row) throw new Error("no document");
    const named = {
      taxes: { VAT: { type: "percent", value: "10" } },
      discounts: { Early: { type: "absolute", value: "9" } },
    } as const;
    documents.put({
      ...row,
      pricing_tables: row.pricing_tables.map((one) => ({ ...one, items: one.items.map((two) => ({ ...two, ...named })) })),
    });
    const [first] = (await detailsOf(world, id)).pricing.tables[0].items;
    const discounts = { ...items[0].discounts, ...named.discounts };
    expect(first).toEqual({ ...items[0], ...named, discounts, sale_price: "195" });
  });
});

describe("document statuses", () => {
  test("createDocumentLink refuses an expired document, which is voided and cannot be filled or signed", async () => {
    const id = await aSentDocument(world);
    const before = await succeed(
      world.call("createDocumentLink", { params: { id }, body: { recipient: CLIENT.email, lifetime: 9e6 } }),
    );
    await simulate(world, id, "view");
    await world.advance("5183999s");
    expect((await detailsOf(world, id)).status).toBe("document.viewed");
    await world.advance("1s");
    expect((await detailsOf(world, id)).status).toBe("document.voided");
    expect((await world.call("createDocumentLink", { params: { id }, body: { recipient: CLIENT.email } })).status).toBe(400);
    const session = `/s/${before.body.id}/`;
    const finish = new URLSearchParams({ act: "finish" });
    const page = await world.sandbox.fetch(session, { method: "POST", body: finish });
    expect(await page.text()).toContain('data-why="expired"');
    expect((await world.admin("POST", `/documents/${id}/simulate/sign`, {})).status).toBeGreaterThanOrEqual(400);
    expect((await detailsOf(world, id)).status).toBe("document.voided");
  });

  test("changeDocumentStatus to paid needs a connected payment application", async () => {
    const id = await aDraft(world);
    const { workspaces } = world.tenant.store;
    const [home] = workspaces.all();
    if (!home) throw new Error("no workspace");
    workspaces.put({ ...home, settings: { ...home.settings, payment_app: false } });
    const pay = () => world.call("changeDocumentStatus", { params: { id }, body: { status: 10 } });
    expect(plain(await pay())).toEqual({
      status: 409,
      body: {
        id,
        status: "document.draft",
        info_message: "The document cannot be set to paid without a connected payment application",
      },
    });
    const other = await aDraft(world);
    expect((await world.call("changeDocumentStatus", { params: { id: other }, body: { status: 2 } })).status).toBe(204);
    workspaces.put(home);
    expect((await pay()).status).toBe(204);
    expect((await detailsOf(world, id)).status).toBe("document.paid");
  });

  test("changeDocumentStatusWithUpload accepts a note and an optional file, and answers 204", async () => {
    const id = await aSentDocument(world);
    const parts = {
      file: new File(["signed on paper"], "paper.txt", { type: "text/plain" }),
      data: JSON.stringify({ status: 2, note: "on paper", notify_recipients: false }),
    };
    const answer = await world.call("changeDocumentStatusWithUpload", { params: { id }, parts });
    expect([answer.status, answer.body]).toEqual([204, new Uint8Array()]);
    expect((await detailsOf(world, id)).status).toBe("document.completed");
    const [note] = world.tenant.store.documents.get(id)?.internal.notes ?? [];
    expect(note).toMatchObject({ text: "on paper", file_id: expect.any(String) });
    const bare = await world.call("changeDocumentStatusWithUpload", { params: { id }, parts: { data: '{"status":12}' } });
    expect([bare.status, (await detailsOf(world, id)).status]).toEqual([204, "document.declined"]);
  });

  test("changeDocumentStatus accepts only the codes 2, 10, 11 and 12", async () => {
    const id = await aSentDocument(world);
    const before = world.tenant.store.snapshot();
    const change = (status: unknown) => world.call("changeDocumentStatus", { params: { id }, body: { status } });
    for (const status of [-1, 0, 1, 3, 4, 5, 6, 7, 8, 9, 13, 14, 15, 2.5, "3", "x", null])
      expect([status, (await change(status)).status]).toEqual([status, 400]);
    expect(world.tenant.store.snapshot()).toEqual(before);
    for (const [code, status] of [
      [11, "document.voided"],
      [2, "document.completed"],
      [12, "document.declined"],
      [10, "document.paid"],
    ] as const)
      expect([code, (await change(code)).status, (await detailsOf(world, id)).status]).toEqual([code, 204, status]);
  });
});
