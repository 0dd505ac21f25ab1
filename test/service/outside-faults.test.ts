/** The replays of faults that outsiders found: answers of the service (F and K), and what misled new users (N). Each title begins with the fault's id. */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { eventsOf, subscribe } from "../support/content.ts";
import { aDraft, aSentDocument, CLIENT, DIRECTOR, simulate, succeed, TEMPLATES } from "../support/stories.ts";
import { SANDBOX_KEY, type TestWorld, testWorld } from "../support/world.ts";

const FORM = "f0000000-0000-4000-8000-000000000001";
const PAT = { email: "pat@client.example", first_name: "Pat", last_name: "Lee" };

const detailsOf = async (world: TestWorld, id: string) => (await succeed(world.call("detailsDocument", { params: { id } }))).body;
const lintOf = async (world: TestWorld): Promise<string> => JSON.stringify((await succeed(world.admin("GET", "/contract"))).body);
const templateWith = (world: TestWorld, table: object): string =>
  world.sandbox.templates.create({ name: "Priced", roles: [{ name: "Client" }], pricing_tables: [table as never] }).id;
const tableOf = (rows: object[], name = "Pricing Table 1") => [
  { name, data_merge: true, options: {}, sections: [{ title: "Goods", default: true, rows }] },
];

describe("answers", () => {
  test("F1: a form's document carries its link in details, linked objects and webhooks", async () => {
    const world = await testWorld();
    await subscribe(world, ["document_state_changed"]);
    const { body: made } = await succeed(world.admin("POST", `/forms/${FORM}/simulate/submit`, PAT));
    const link = { provider: "pandadoc-eform", entity_id: FORM };
    expect((await detailsOf(world, made.id)).linked_objects).toMatchObject([link]);
    const linked = await succeed(world.call("listLinkedObjects", { params: { id: made.id } }));
    expect(linked.body.linked_objects).toMatchObject([link]);
    const events = await eventsOf(world, "document_state_changed");
    expect(events.length).toBeGreaterThan(0);
    for (const event of events) expect(event.linked_objects, event.status).toMatchObject([link]);
  });

  test("F2: tables of documents and templates tell their columns and whether they take data merge", async () => {
    const world = await testWorld();
    const id = await aDraft(world, { template: "pricing" });
    const document = await detailsOf(world, id);
    const template = (await succeed(world.call("detailsTemplate", { params: { id: TEMPLATES.pricing } }))).body;
    for (const { pricing } of [document, template])
      for (const table of pricing.tables) {
        expect(table.data_merge_enabled).toEqual(expect.any(Boolean));
        expect(table.columns.map(({ name }: { name: string }) => name)).toEqual(
          expect.arrayContaining(["Name", "Description", "Price", "QTY"]),
        );
        for (const column of table.columns)
          expect(column).toEqual({
            header: expect.any(String),
            name: expect.any(String),
            merge_name: expect.any(String),
            hidden: expect.any(Boolean),
          });
      }
  });

  test("F3: rows with data merge for a table that takes none are refused, and nothing is made", async () => {
    const world = await testWorld();
    const template_uuid = templateWith(world, {
      name: "Pricing Table 1",
      accepts_rows: false,
      items: [{ name: "Hour", price: "1", qty: "1" }],
    });
    const rows = [{ options: { optional: false }, data: { Name: "Pump", Price: 7, QTY: 2 } }];
    const body = { template_uuid, name: "Offer", recipients: [CLIENT], pricing_tables: tableOf(rows) };
    const refused = await world.call("createDocument", { body });
    expect([refused.status, JSON.stringify(refused.body)]).toEqual([400, expect.stringContaining("data merge is disabled")]);
    expect(world.tenant.store.documents.all()).toHaveLength(0);
  });

  test("F4: only the last signer's event says that the document is completed", async () => {
    const world = await testWorld();
    await subscribe(world, ["recipient_completed"]);
    const id = await aSentDocument(world, { template: "twoSigners" });
    for (const { email } of [CLIENT, DIRECTOR]) await simulate(world, id, "sign", { recipient: email });
    const statuses = (await eventsOf(world, "recipient_completed")).map(({ status }) => status);
    expect(statuses).toEqual(["document.viewed", "document.completed"]);
  });

  test("F5: a wrong column in a fixtures file is a mistake with the nearest name", async () => {
    const world = await testWorld();
    const table = { name: "Pricing Table 1", merge_names: { Name: "Final Payment" }, items: [] };
    const template = { name: "Wrong", roles: [{ name: "Client" }], pricing_tables: [table] };
    const refused = await world.admin("POST", "/scenarios", { version: 1, name: "wrong", world: { templates: [template] } });
    expect([refused.status, JSON.stringify(refused.body)]).toEqual([400, expect.stringMatching(/Name.*did you mean.*name/i)]);
  });

  test("F6: a bulk delete of another form is refused with the form that is taken", async () => {
    const world = await testWorld();
    const id = await aDraft(world);
    for (const body of [{ ids: [id] }, [id]]) {
      const refused = await world.call("bulkDeleteDocuments", { body });
      expect(refused.status).toBe(400);
      expect(refused.headers.get("x-docdouble-why")).toContain('[{"id"');
    }
  });

  test("F7: details show who still has to approve", async () => {
    const world = await testWorld();
    const template = {
      name: "Two approvers",
      roles: [{ name: "Client" }],
      fields: [{ name: "Sign", type: "signature", role: "Client" }],
      approval: {
        steps: [
          { type: "all", members: ["nora.lind@northpeak.example"] },
          { type: "all", members: ["ines.carvalho@northpeak.example"] },
        ],
      },
    };
    const own = world.sandbox.templates.create(template as never);
    const id = await aDraft(world, { body: { template_uuid: own.id } });
    await succeed(world.call("sendDocument", { params: { id }, body: {} }));
    const before = await detailsOf(world, id);
    await simulate(world, id, "approve");
    const after = await detailsOf(world, id);
    expect(after.status).toBe("document.waiting_approval");
    expect(JSON.stringify(after.approval_execution)).not.toBe(JSON.stringify(before.approval_execution));
  });

  test("F10: images by plain http, for an unknown block and without an address are taken, and client lint names each", async () => {
    const world = await testWorld();
    const { id: template_uuid } = world.sandbox.templates.create({
      name: "Pictures",
      roles: [{ name: "Client" }],
      images: [{ name: "Logo" }, { name: "Photo" }],
    });
    const images = [
      { name: "Logo", urls: ["http://pictures.example.com/logo.png"] },
      { name: "Photo", urls: [] },
      { name: "Fotos", urls: ["https://pictures.example.com/photo.png"] },
    ];
    const made = await world.call("createDocument", { body: { template_uuid, name: "Offer", recipients: [CLIENT], images } });
    expect(made.status).toBe(201);
    const found = world.sandbox.lint().map((one) => [one.kind, one.message, one.place.pointer]);
    expect(found).toEqual(
      expect.arrayContaining([
        ["doubtful_value", 'createDocument got an address without https in "images[0].urls[0]"', "/images/0/urls/0"],
        ["doubtful_value", 'createDocument got an empty list in "images[1].urls"', "/images/1/urls"],
        ["unknown_block", '"Pictures" has no image block "Fotos", so the service ignored it', "/images/2/name"],
      ]),
    );
  });

  test("F11: a sandbox key sends to a member of the workspace, whatever the address", async () => {
    const world = await testWorld();
    const members = [{ email: "guest.member@elsewhere.example", first_name: "Gus", last_name: "Far" }];
    await succeed(world.admin("POST", "/scenarios", { version: 1, name: "members", world: { members } }));
    const id = await aDraft(world, { key: SANDBOX_KEY, body: { recipients: [{ ...members[0], role: "Client" }] } });
    const sent = await world.call("sendDocument", { params: { id }, body: {}, key: SANDBOX_KEY });
    expect([sent.status, sent.body.status]).toEqual([200, "document.sent"]);
  });

  test("K1: a section takes a person of the document with another role", async () => {
    const world = await testWorld();
    const document_id = await aDraft(world);
    const body = { name: "Annex", template_uuid: TEMPLATES.countersigned, recipients: [{ ...CLIENT, role: "Client" }] };
    const another = world.sandbox.templates.create({
      name: "Annex",
      roles: [{ name: "Witness" }],
      fields: [{ name: "Sign", type: "signature", role: "Witness" }],
    });
    const taken = await world.call("uploadSection", {
      params: { document_id },
      body: { ...body, template_uuid: another.id, recipients: [{ ...CLIENT, role: "Witness" }] },
    });
    expect(taken.status, JSON.stringify(taken.body)).toBe(201);
    await world.advance("10s");
    const { recipients } = await detailsOf(world, document_id);
    expect(JSON.stringify(recipients)).toContain("Witness");
    expect(recipients.filter(({ email }: { email: string }) => email === CLIENT.email)).not.toHaveLength(0);
  });

  test("K8: the described 409 of details and send is the one that they answer", async () => {
    const world = await testWorld();
    const description = (await succeed(world.request("GET", "/openapi.json"))).body;
    for (const [path, method] of [
      ["/public/v1/documents/{id}/details", "get"],
      ["/public/v1/documents/{id}/send", "post"],
    ] as const) {
      const refusal = description.paths[path][method].responses["409"];
      const text = JSON.stringify(resolved(description, refusal));
      for (const member of ["id", "status", "info_message"]) expect(text, path).toContain(`"${member}"`);
    }
  });

  test("K10: an update without a body is refused, or taken and named by client lint", async () => {
    const world = await testWorld();
    const id = await aDraft(world);
    const answer = await world.call("updateDocument", { params: { id } });
    if (answer.status !== 400) {
      expect(answer.status).toBe(204);
      expect(await lintOf(world)).toContain("updateDocument");
    }
  });

  test("K11: the description of the admin API has each of its paths, or says what it leaves out", async () => {
    const world = await testWorld();
    const { info } = (await succeed(world.admin("GET", "/openapi.json"))).body;
    expect(info.description).toMatch(/pages/i);
  });
});

describe("what misled new users", () => {
  test("N15: a ready-made story that begins earlier is refused with the way that works", async () => {
    const world = await testWorld();
    await world.advance("365d");
    await succeed(world.call("listContacts"));
    const refused = await world.admin("POST", "/scenarios", readFileSync("scenarios/two-signers.yaml", "utf8"));
    expect([refused.status, refused.body.detail]).toEqual([409, expect.stringContaining("POST /__admin/stories/{name}")]);
    await succeed(world.admin("POST", "/stories/two-signers"));
  });
});

/** The text of a schema with the schemas that it names. */
function resolved(description: { components?: { schemas?: Record<string, unknown> } }, value: unknown): unknown {
  const text = JSON.stringify(value);
  const names = [...text.matchAll(/#\/components\/schemas\/([\w.-]+)/g)].map(([, name]) => name as string);
  return [value, ...names.map((name) => description.components?.schemas?.[name])];
}
