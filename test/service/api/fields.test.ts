import { describe, expect, test } from "vitest";
import { faultsByName } from "../../support/faults.ts";
import { aDraft, CLIENT } from "../../support/stories.ts";
import { type TestWorld, useWorld } from "../../support/world.ts";

const world = useWorld();

const LAYOUT = {
  page: 1,
  position: { offset_x: 10, offset_y: 20.5, anchor_point: "topleft" },
  style: { width: 108, height: 33 },
};
const NOBODY = {
  id: "",
  first_name: "",
  last_name: "",
  email: "",
  phone: "",
  recipient_type: "",
  has_completed: false,
  signing_order: null,
  delivery_methods: {},
  redirect: {},
  type: "recipient",
};

async function details(world: TestWorld, id: string) {
  return (await world.call("detailsDocument", { params: { id } })).body;
}

describe("createDocumentFields", () => {
  test("createDocumentFields stores settings, options, merge field and id, and makes the recipient a signer", async () => {
    const id = await aDraft(world, { body: { recipients: [CLIENT, { email: "copy@client.example" }] } });
    const { recipients } = await details(world, id);
    expect(recipients[1].recipient_type).toBe("CC");
    const options = [
      { text: "Yes", position: { offset_x: 0, offset_y: 0 } },
      { text: "No", position: { offset_x: 0, offset_y: 38 } },
    ];
    const answer = await world.call("createDocumentFields", {
      params: { id },
      body: {
        fields: [
          { type: "radio_buttons", layout: LAYOUT, settings: { show_values: false, required: false, options } },
          {
            type: "text",
            layout: LAYOUT,
            field_id: "mine",
            merge_field: "City",
            assigned_to: recipients[1].id,
            settings: { placeholder: "Where", masked: true, multiline: true },
          },
          { type: "signature", layout: LAYOUT, assigned_to: recipients[1].id },
        ],
      },
    });
    expect(answer.status).toBe(200);
    const [radio, text, signature] = answer.body.fields;
    expect(radio.settings).toEqual({
      required: false,
      placeholder: "",
      masked: false,
      multiline: false,
      show_values: false,
      options,
    });
    expect(text).toMatchObject({
      field_id: "mine",
      merge_field: "City",
      placeholder: "Where",
      settings: { required: true, placeholder: "Where", masked: true, multiline: true },
      assigned_to: { id: recipients[1].id, recipient_type: "signer" },
    });
    expect(signature).toMatchObject({ name: "Signature", value: {}, is_filled: false });
    expect((await details(world, id)).recipients[1].recipient_type).toBe("signer");
    const updated = await world.call("updateDocument", { params: { id }, body: { fields: { City: { value: "Brno" } } } });
    expect(updated.status).toBe(204);
    const { body } = await world.call("listDocumentFields", { params: { id } });
    expect(body.fields.find((field: { field_id: string }) => field.field_id === "mine")).toMatchObject({
      value: "Brno",
      is_filled: true,
    });
  });

  test("createDocumentFields reports every mistake and creates no field", async () => {
    const id = await aDraft(world);
    const before = world.tenant.store.snapshot();
    const sense = await world.call("createDocumentFields", {
      params: { id },
      body: {
        fields: [
          { type: "text", layout: LAYOUT },
          {
            type: "signature",
            merge_field: "Sig",
            field_id: "signature1",
            assigned_to: "nobody",
            layout: { ...LAYOUT, page: 9 },
          },
          { type: "text", field_id: "twin", layout: LAYOUT },
          { type: "text", field_id: "twin", layout: LAYOUT },
        ],
      },
    });
    expect([sense.status, sense.body.type]).toEqual([400, "validation_error"]);
    expect(faultsByName(sense.body.detail)).toEqual({
      "fields[1].field_id": ["Field with this field_id already exists."],
      "fields[1].merge_field": ["Merge field is not supported by fields of type signature."],
      "fields[1].layout.page": ["Ensure this value is less than or equal to 1."],
      "fields[1].assigned_to": ["Recipient not found."],
      "fields[3].field_id": ["Field with this field_id already exists."],
    });
    expect(world.tenant.store.snapshot()).toEqual(before);
  });
});

describe("updateDocumentFieldsAssignment", () => {
  test("updateDocumentFieldsAssignment sets, changes and clears assignments in one call, and recipient types follow", async () => {
    const id = await aDraft(world, { template: "twoSigners", body: { fields: { ClientName: { value: "Ivo" } } } });
    const { recipients, fields } = await details(world, id);
    const [client, director] = recipients;
    const uuid = (name: string) => fields.find((field: { name: string }) => field.name === name).uuid;
    const answer = await world.call("updateDocumentFieldsAssignment", {
      params: { id },
      body: {
        fields: [
          { field_id: uuid("ClientName"), assigned_to: director.id },
          { field_id: uuid("ClientDate"), assigned_to: null },
          { field_id: uuid("ClientSignature"), assigned_to: null },
        ],
      },
    });
    expect({ status: answer.status, size: answer.body.length }).toEqual({ status: 204, size: 0 });
    const { body } = await world.call("listDocumentFields", { params: { id } });
    const owners = body.fields.map((field: { name: string; value: unknown; assigned_to: { id: string } }) => [
      field.name,
      field.assigned_to.id,
    ]);
    expect(owners).toEqual([
      ["ClientName", director.id],
      ["ClientDate", ""],
      ["ClientSignature", ""],
      ["DirectorSignature", director.id],
    ]);
    expect(body.fields[0].value).toBe("Ivo");
    expect(body.fields[1].assigned_to).toEqual(NOBODY);
    const after = await details(world, id);
    expect(after.recipients.map((one: { id: string; recipient_type: string }) => [one.id, one.recipient_type])).toEqual([
      [client.id, "CC"],
      [director.id, "signer"],
    ]);
  });

  test("updateDocumentFieldsAssignment changes nothing when one entry is wrong", async () => {
    const id = await aDraft(world);
    const { fields } = await details(world, id);
    const before = world.tenant.store.snapshot();
    const answer = await world.call("updateDocumentFieldsAssignment", {
      params: { id },
      body: {
        fields: [
          { field_id: fields[0].uuid, assigned_to: null },
          { field_id: "d6948f39-612a-4626-a439-ca9e0cbbda7c", assigned_to: "nobody" },
        ],
      },
    });
    expect({ status: answer.status, body: answer.body }).toEqual({
      status: 400,
      body: {
        type: "validation_error",
        detail: { fields: [{}, { field_id: ["Field not found."], assigned_to: ["Recipient not found."] }] },
      },
    });
    expect(world.tenant.store.snapshot()).toEqual(before);
  });
});

test("createDocumentFields accepts an option with half of a position, and sets the other half to 0", async () => {
  const layout = { page: 1, position: { offset_x: 1, offset_y: 2, anchor_point: "topleft" }, style: { width: 10, height: 10 } };
  const settings = { options: [{ text: "a" }, { text: "b", position: { offset_x: 5 } }] };
  const body = { fields: [{ type: "radio_buttons", layout, settings }] };
  const made = await world.call("createDocumentFields", { params: { id: await aDraft(world) }, body });
  expect(made.body.fields[0].settings.options).toEqual([{ text: "a" }, { text: "b", position: { offset_x: 5, offset_y: 0 } }]);
});
