import { describe, expect, test } from "vitest";
import { eventsOf, subscribe } from "../../support/content.ts";
import { succeed, TEMPLATES } from "../../support/stories.ts";
import { type TestWorld, useWorld } from "../../support/world.ts";

const world = useWorld();

const FORM = "f0000000-0000-4000-8000-000000000001";
const PAT = { email: "pat@client.example", first_name: "Pat", last_name: "Lee" };

const submit = (world: TestWorld, body: object = PAT, id = FORM) => world.admin("POST", `/forms/${id}/simulate/submit`, body);

/** Loads a form whose template has these roles, with a text field and a signature field for each role. */
async function aForm(world: TestWorld, roles: object[], more: { form?: object; template?: object } = {}) {
  const fields = (roles as { name: string }[]).flatMap(({ name }) => [
    { name: `${name} says`, type: "text", role: name },
    { name: `${name} signs`, type: "signature", role: name },
  ]);
  const template = { name: "Request", roles, fields, ...more.template };
  const form = {
    id: "f0000000-0000-4000-8000-0000000000aa",
    name: "Ask us",
    status: "active",
    template: "Request",
    ...more.form,
  };
  const loaded = await world.admin("POST", "/scenarios", {
    version: 1,
    name: "form",
    world: { templates: [template], forms: [form] },
  });
  return { id: form.id, loaded };
}

describe("adminSimulateForm", () => {
  test("adminSimulateForm creates a completed document that listDocuments finds by form_id", async () => {
    const { status, body } = await submit(world);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      id: expect.stringMatching(/^\w{22}$/),
      status: "document.completed",
      form_id: FORM,
      recipients: [{ ...PAT, role: "Client", has_completed: true }],
    });
    const list = await succeed(world.call("listDocuments", { query: { form_id: FORM } }));
    expect(list.body.results).toMatchObject([{ id: body.id, name: "Contact request", status: "document.completed" }]);
    const none = await world.call("listDocuments", { query: { form_id: "f0000000-0000-4000-8000-000000000002" } });
    expect(none.body).toEqual({ results: [] });
    const details = (await succeed(world.call("detailsDocument", { params: { id: body.id } }))).body;
    expect(details).toMatchObject({
      name: "Contact request",
      template: { id: TEMPLATES.oneSigner },
      version: "2",
      created_by: { email: "nora.lind@northpeak.example" },
      metadata: { document__creation_source: "form" },
    });
    expect(details.metadata).not.toHaveProperty("document__created_via_public_api");
    // The only job left for the document makes its PDF.
    await world.advance("10s");
    expect((await world.call("downloadDocument", { params: { id: body.id } })).status).toBe(200);
    expect((await submit(world)).body.id).not.toBe(body.id);
    expect(world.tenant.store.forms.get(FORM)?.responses).toBe(14);
  });

  test("adminSimulateForm links the document to its form, in details, lists of links and every event", async () => {
    await subscribe(world, ["document_state_changed", "recipient_completed"]);
    const { id } = (await submit(world)).body;
    const link = { id: expect.any(String), provider: "pandadoc-eform", entity_type: "form", entity_id: FORM };
    const params = { id };
    expect((await world.call("detailsDocument", { params })).body.linked_objects).toEqual([{ ...link, children: [] }]);
    expect((await world.call("listLinkedObjects", { params })).body.linked_objects).toEqual([{ ...link, children: [] }]);
    const { provider, entity_type, entity_id } = link;
    const found = await world.call("listDocumentsByLinkedObject", { query: { provider, entity_type, entity_id } });
    expect(found.body.map((one: { id: string }) => one.id)).toEqual([id]);
    for (const event of ["document_state_changed", "recipient_completed"])
      for (const data of await eventsOf(world, event)) expect(data.linked_objects).toEqual([link]);
  });

  test("adminSimulateForm stores field values, and refuses unknown fields and invalid bodies without a change", async () => {
    const { id } = await aForm(world, [{ name: "Guest" }]);
    const { body } = await submit(world, { ...PAT, fields: { "Guest says": "Hello" } }, id);
    const { fields } = (await world.call("listDocumentFields", { params: { id: body.id } })).body;
    expect(fields.find((field: { name: string }) => field.name === "Guest says").value).toBe("Hello");
    const before = world.tenant.store.snapshot();
    const refused = await submit(world, { ...PAT, fields: { Nothing: "x" } }, id);
    expect(refused).toMatchObject({ status: 400, body: { why: expect.stringContaining("Guest says") } });
    for (const wrong of [{}, { email: 7 }, { email: "pat" }, { ...PAT, fields: [] }, { ...PAT, mail: "x" }])
      expect((await submit(world, wrong, id)).status, JSON.stringify(wrong)).toBe(400);
    expect(world.tenant.store.snapshot()).toEqual(before);
  });

  test("adminSimulateForm assigns the role of the form, skips the approval, and leaves the payment open", async () => {
    const { id } = await aForm(world, [{ name: "Witness" }, { name: "Guest" }], {
      form: { role: "Guest" },
      template: {
        // A signature field without a recipient would prevent the send.
        fields: [
          { name: "Witness says", type: "text", role: "Witness" },
          { name: "Guest signs", type: "signature", role: "Guest" },
        ],
        approval: { steps: [["nora.lind@northpeak.example"]] },
        payment: { provider: "stripe", amount: "10", currency: "USD" },
      },
    });
    const { body } = await submit(world, PAT, id);
    expect(body).toMatchObject({ status: "document.waiting_pay", recipients: [{ email: PAT.email, role: "Guest" }] });
    expect((await world.admin("POST", `/documents/${body.id}/simulate/pay`)).body.status).toBe("document.paid");
  });

  test("adminSimulateForm refuses a form with a signature that nobody can give, and creates no document", async () => {
    const { id } = await aForm(world, [{ name: "Witness" }, { name: "Guest" }], { form: { role: "Guest" } });
    const before = world.tenant.store.snapshot();
    expect(await submit(world, PAT, id)).toMatchObject({
      status: 400,
      body: {
        type: "request_error",
        detail: "Not all signature, initials fields were assigned",
        why: expect.stringContaining("Witness signs of the role Witness"),
      },
    });
    expect(world.tenant.store.snapshot()).toEqual(before);
  });

  test("adminSimulateForm starts the actors of a scenario", async () => {
    const roles = [
      { name: "Guest", signing_order: 1 },
      { name: "Boss", signing_order: 2, email: "boss@northpeak.example" },
    ];
    const { id } = await aForm(world, roles);
    const actors = [
      { name: "boss", on: "recipient_completed", recipient: { role: "Boss" }, steps: [{ after: "1h", do: "sign" }] },
    ];
    await succeed(world.admin("POST", "/scenarios", { version: 1, name: "boss", actors }));
    const { body } = await submit(world, PAT, id);
    await world.advance("1h");
    expect((await world.call("statusDocument", { params: { id: body.id } })).body.status).toBe("document.completed");
  });

  test("adminSimulateForm refuses a form that is inactive, unknown or without a template, and any act except submit", async () => {
    for (const [one, status] of [
      [2, "draft"],
      [3, "disabled"],
    ] as const) {
      const id = `f0000000-0000-4000-8000-00000000000${one}`;
      expect(await submit(world, PAT, id)).toMatchObject({ status: 409, body: { id, status } });
    }
    expect(await submit(world, PAT, "nothing")).toMatchObject({ status: 404, body: { why: "no form nothing" } });
    expect(await world.admin("POST", `/forms/${FORM}/simulate/fill`, PAT)).toMatchObject({
      status: 404,
      body: { why: "no act fill; the only act of a form is submit" },
    });
    const { id } = await aForm(world, [], { form: { template: undefined } });
    expect(await submit(world, PAT, id)).toMatchObject({
      status: 400,
      body: { why: expect.stringContaining("forms[].template") },
    });
  });

  test.each([
    [{ template: "Nothing" }, 'form Ask us: no template "Nothing"'],
    [{ role: "Stranger" }, "form Ask us: no role Stranger in its template"],
  ])("adminSimulateForm needs a valid form, so a scenario whose form has %j is refused", async (form, message) => {
    const { loaded } = await aForm(world, [{ name: "Guest" }], { form });
    expect(loaded.status).toBe(400);
    expect(JSON.stringify(loaded.body)).toContain(JSON.stringify(message).slice(1, -1));
  });
});
