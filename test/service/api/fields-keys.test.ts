/** Facts about fields that the vendor published in September 2026. The titles begin with the row of the facts. */
import { describe, expect, test } from "vitest";
import { aDraft, CLIENT, LIBRARY_ITEM, succeed, TEMPLATES } from "../../support/stories.ts";
import { type TestWorld, testWorld, useWorld } from "../../support/world.ts";

const world = useWorld();

interface Shown {
  uuid: string;
  name: string;
  field_id: string;
  merge_field: string | null | undefined;
  value: unknown;
  is_filled: boolean;
}

async function fieldsOf(world: TestWorld, id: string): Promise<Shown[]> {
  return (await succeed(world.call("detailsDocument", { params: { id } }))).body.fields;
}

const update = (world: TestWorld, id: string, fields: object) =>
  world.call("updateDocument", { params: { id }, body: { fields } });

const findings = async (world: TestWorld) => (await world.admin("GET", "/contract")).body.findings;

const placeholderFields = (fields: object) => ({
  recipients: [{ ...CLIENT, role: "Signer" }],
  content_placeholders: [
    {
      block_id: "placeholder1",
      content_library_items: [{ id: LIBRARY_ITEM, fields, recipients: [{ email: "ann@client.example", role: "Approver" }] }],
    },
  ],
});

describe("keys of fields", () => {
  test.each(["name", "field_id", "uuid"] as const)(
    "a creation ignores the %s of a field, and client lint names it",
    async (key) => {
      const template = (await world.call("detailsTemplate", { params: { id: TEMPLATES.sharedNames } })).body;
      const field = template.fields[0];
      const id = await aDraft(world, { template: "sharedNames", body: { fields: { [field[key]]: { value: "Blank" } } } });
      expect((await fieldsOf(world, id))[0]).toMatchObject({ name: "Company", value: "", is_filled: false });
      expect(await findings(world)).toMatchObject([
        {
          kind: "unknown_document_field",
          message: expect.stringContaining("no field has this merge name, so the service ignored it"),
          fix: 'Write "Company name".',
          place: { pointer: `/fields/${field[key]}` },
        },
      ]);
    },
  );

  test("a creation ignores an unknown key, and client lint names it", async () => {
    const id = await aDraft(world, { body: { fields: { Compny: { value: "Blank" } } } });
    expect((await fieldsOf(world, id))[0]).toMatchObject({ value: "", is_filled: false });
    expect(await findings(world)).toMatchObject([{ kind: "unknown_document_field", fix: 'Write "Company".' }]);
  });

  test("an update refuses keys that no merge name has, and changes nothing", async () => {
    const id = await aDraft(world, { template: "sharedNames" });
    const before = (await world.call("detailsDocument", { params: { id } })).body;
    const [{ uuid }] = before.fields;
    const refused = await world.call("updateDocument", {
      params: { id },
      body: {
        name: "Another name",
        fields: { Company: { value: "A" }, start_date: { value: "B" }, [uuid]: { value: "C" }, "Company name": { value: "D" } },
      },
    });
    expect(refused.status).toBe(400);
    expect(refused.body).toEqual({
      type: "validation_error",
      detail: `There are no such fields in the document: Company, start_date, ${uuid}`,
    });
    expect((await world.call("detailsDocument", { params: { id } })).body).toEqual(before);
  });

  test("a library item in a placeholder takes only merge fields", async () => {
    const filled = await aDraft(world, { template: "everyField", body: placeholderFields({ Remark: { value: "yes" } }) });
    const ignored = await aDraft(world, { template: "everyField", body: placeholderFields({ text1: { value: "no" } }) });
    const remark = async (id: string) => (await fieldsOf(world, id)).find((one) => one.name === "Remark")?.value;
    expect([await remark(filled), await remark(ignored)]).toEqual(["yes", ""]);
    expect(await findings(world)).toMatchObject([{ kind: "unknown_document_field", fix: 'Write "Remark".' }]);
  });

  test("a section takes only merge fields", async () => {
    const id = await aDraft(world);
    const body = { template_uuid: TEMPLATES.sharedNames, recipients: [CLIENT], fields: { start_date: { value: "no" } } };
    await succeed(world.call("uploadSection", { params: { document_id: id }, body }));
    await world.advance("10s");
    expect((await fieldsOf(world, id)).find((one) => one.name === "Start")).toMatchObject({ value: "", is_filled: false });
    expect(await findings(world)).toMatchObject([{ kind: "unknown_document_field", fix: 'Write "MM / DD / YYYY".' }]);
  });

  test("an update fills a field that the API made by its merge field alone", async () => {
    const id = await aDraft(world);
    const layout = {
      page: 1,
      position: { offset_x: 1, offset_y: 1, anchor_point: "topleft" },
      style: { width: 100, height: 20 },
    };
    const fields = [
      { type: "text", field_id: "own", merge_field: "Own name", layout },
      { type: "text", field_id: "nameless", layout },
    ];
    await succeed(world.call("createDocumentFields", { params: { id }, body: { fields } }));
    expect((await update(world, id, { own: { value: "x" } })).status).toBe(400);
    expect((await update(world, id, { nameless: { value: "x" } })).status).toBe(400);
    expect((await update(world, id, { "Own name": { value: "x" } })).status).toBe(204);
    expect((await fieldsOf(world, id)).slice(-2)).toMatchObject([
      { field_id: "own", merge_field: "Own name", value: "x" },
      { field_id: "nameless", merge_field: null, value: "" },
    ]);
  });
});

describe("roles of fields", () => {
  const recipients = [
    { email: "ann@client.example", role: "Client" },
    { email: "bob@client.example", role: "Director" },
  ];
  const created = async (world: TestWorld, fields: object) => {
    const body = { template_uuid: TEMPLATES.twoSigners, recipients, fields };
    const { id } = (await succeed(world.call("createDocument", { body }))).body;
    await world.advance("10s");
    return (await succeed(world.call("detailsDocument", { params: { id } }))).body;
  };

  test("a creation gives a field to the role that the request names, and only that field", async () => {
    const before = await created(world, {});
    const key = before.fields.find(
      (one: Shown & { assigned_to: { role: string } }) => one.merge_field && one.assigned_to.role === "Client",
    );
    const after = await created(world, { [key.merge_field]: { value: "Ann", role: "Director" } });
    const rolesOf = (document: { fields: { field_id: string; assigned_to: { role: string } }[] }) =>
      Object.fromEntries(document.fields.map((one) => [one.field_id, one.assigned_to.role]));
    expect(rolesOf(after)).toEqual({ ...rolesOf(before), [key.field_id]: "Director" });
  });

  test("a role that no recipient has changes nothing, and client lint names it", async () => {
    const before = await created(world, {});
    const key = before.fields.find((one: Shown) => one.merge_field);
    const after = await created(world, { [key.merge_field]: { value: "Ann", role: "Witness" } });
    const roles = (document: { fields: { assigned_to: { role: string } }[] }) =>
      document.fields.map((one) => one.assigned_to.role);
    expect(roles(after)).toEqual(roles(before));
    expect((await findings(world)).map((one: { kind: string }) => one.kind)).toContain("unknown_role");
  });
});

describe("fields of fixtures", () => {
  const template = (fields: object[]) => ({ templates: [{ name: "Mine", roles: [{ name: "Client" }], fields }] });

  test("a template has the field_id of its fixtures, and generated ids keep clear of it", async () => {
    const world = await testWorld({
      scenario: {
        version: 1,
        world: template([
          { name: "Plan", type: "dropdown", role: "Client", field_id: "Plan_2" },
          { name: "One", type: "text", role: "Client", field_id: "text2" },
          { name: "Two", type: "text", role: "Client" },
          { name: "Three", type: "text", role: "Client" },
        ]),
      } as never,
    });
    const { body } = await world.call("listTemplates", { query: { q: "Mine" } });
    const details = (await world.call("detailsTemplate", { params: { id: body.results[0].id } })).body;
    expect(details.fields.map((one: Shown) => one.field_id)).toEqual(["Plan_2", "text2", "text3", "text4"]);
  });

  test.each([
    ["two fields with one field_id", [{ field_id: "a" }, { field_id: "a" }], "two fields have the field_id a"],
    ["a merge_field of a signature", [{ type: "signature", merge_field: "Sign" }], "type signature cannot have a merge_field"],
  ])("fixtures refuse %s", async (_, fields, text) => {
    const rows = fields.map((one, i) => ({ name: `F${i}`, type: "text", role: "Client", ...one }));
    await expect(testWorld({ scenario: { version: 1, world: template(rows) } as never })).rejects.toThrow(text);
  });

  test("a document of the fixtures refuses a field that no merge name has", async () => {
    const document = { name: "Seeded", template: "Shared merge names", fields: { Company: "Blank" } };
    await expect(testWorld({ scenario: { version: 1, world: { documents: [document] } } as never })).rejects.toThrow(
      'no field has this merge name. Write "Company name".',
    );
  });
});
