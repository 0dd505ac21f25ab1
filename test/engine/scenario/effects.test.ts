/** Tests keys of scenario files that no other test uses, through the API. */
import { expect, test } from "vitest";
import { receiver } from "../../support/receiver.ts";
import { aDraft, CLIENT, DIRECTOR, succeed } from "../../support/stories.ts";
import { testWorld } from "../../support/world.ts";
import type { FixturesFile, ScenarioFile } from "../../../src/library/file-types.ts";

const template = {
  id: "TemplateOfEffects",
  name: "Effects",
  tags: ["from-world"],
  metadata: { team: "legal" },
  pages: 2,
  roles: [
    { id: "role-client", name: "Client", signing_order: 1 },
    { name: "Director", signing_order: 2, email: DIRECTOR.email, first_name: "Tess", last_name: "Okafor" },
  ],
  fields: [
    { name: "Signature", type: "signature", role: "Client" },
    {
      name: "Note",
      type: "text",
      role: "Client",
      value: "as agreed",
      title: "Your note",
      placeholder: "Say it",
      required: false,
    },
    { name: "Colour", type: "dropdown", role: "Client", options: ["red", "blue"], required: false },
    { name: "Seal", type: "signature", role: "Director" },
  ],
  pricing_tables: [
    {
      name: "Prices",
      currency: "EUR",
      discount: { type: "absolute", value: "5", name: "Friends" },
      tax: { type: "percent", value: "10", name: "VAT" },
      items: [{ name: "Chair", qty: "2", price: "10.50", sku: "C-1" }],
    },
  ],
} satisfies NonNullable<FixturesFile["templates"]>[number];

const byRole = (answer: { body: { recipients: { role: string }[] } }, role: string) =>
  answer.body.recipients.find((one) => one.role === role);

test("detailsDocument and other reads show the folders, templates, documents and recipients of a scenario's world as written", async () => {
  const scenario: ScenarioFile = {
    version: 1,
    world: {
      folders: [{ id: "FolderOfEffects", name: "Effects" }],
      templates: [template],
      documents: [
        {
          id: "DocumentOfEffects",
          name: "Written",
          template: "Effects",
          status: "document.sent",
          folder: "FolderOfEffects",
          tags: ["vip"],
          metadata: { order: "7" },
          fields: { Note: "in writing" },
          recipients: [
            {
              ...CLIENT,
              phone: "+15550100123",
              signing_order: 1,
              delivery_methods: { email: true, sms: true },
              redirect: { is_enabled: true, url: "https://app.example/thanks" },
              verification_settings: { verification_place: "before_open", passcode_verification: { passcode: "secret42" } },
            },
            { ...DIRECTOR, signing_order: 2 },
          ],
        },
      ],
    },
  };
  const world = await testWorld({ scenario });
  const details = await world.call("detailsDocument", { params: { id: "DocumentOfEffects" } });
  expect(details).toMatchObject({
    status: 200,
    body: {
      name: "Written",
      status: "document.sent",
      tags: ["vip"],
      metadata: { order: "7" },
      folder_uuid: "FolderOfEffects",
      pricing: { tables: [{ name: "Prices", currency: "EUR" }] },
    },
  });
  expect(byRole(details, "Client")).toMatchObject({
    email: CLIENT.email,
    phone: "+15550100123",
    signing_order: 1,
    delivery_methods: { email: true, sms: true },
    redirect: { is_enabled: true, url: "https://app.example/thanks" },
    verification_settings: { verification_place: "before_open", passcode_verification: { passcode: expect.any(String) } },
  });
  const fields = await world.call("listDocumentFields", { params: { id: "DocumentOfEffects" } });
  expect(fields.body.fields.map((one: { name: string; value: unknown }) => [one.name, one.value])).toContainEqual([
    "Note",
    "in writing",
  ]);
  const shown = await world.call("detailsTemplate", { params: { id: template.id } });
  expect(shown.body).toMatchObject({ tags: ["from-world"], metadata: { team: "legal" } });
  expect(shown.body.fields.find((one: { name: string }) => one.name === "Note")).toMatchObject({
    title: "Your note",
    placeholder: "Say it",
    value: "as agreed",
  });
  expect(shown.body.roles).toMatchObject([
    { id: "role-client", name: "Client", signing_order: "1" },
    { name: "Director", signing_order: "2", preassigned_person: { email: DIRECTOR.email, first_name: "Tess" } },
  ]);
  const params = { id: await aDraft(world, { body: { template_uuid: template.id, recipients: [CLIENT, DIRECTOR] } }) };
  await succeed(world.call("sendDocument", { params, body: { silent: true } }));
  const session = await succeed(world.call("createDocumentLink", { params, body: { recipient: CLIENT.email } }));
  const page = await world.request("GET", `/s/${session.body.id}/`, { key: null });
  expect(new TextDecoder().decode(page.body)).toContain("Your note");
});

test("listWebhookSubscriptions shows the subscriptions of a scenario's world, and active ones receive events signed with their key", async () => {
  const hook = await receiver();
  const webhook_subscriptions = [
    {
      id: "3f0c0000-0000-4000-8000-000000000001",
      name: "seeded",
      url: hook.url,
      triggers: ["document_state_changed" as const],
      payload: ["metadata" as const],
      shared_key: "key-of-the-file",
    },
    { name: "asleep", url: hook.url, triggers: ["document_state_changed" as const], active: false },
  ];
  const world = await testWorld({ scenario: { version: 1, world: { webhook_subscriptions } } });
  const { body } = await world.call("listWebhookSubscriptions");
  expect(body.items).toMatchObject([
    {
      uuid: "3f0c0000-0000-4000-8000-000000000001",
      name: "seeded",
      shared_key: "key-of-the-file",
      active: true,
      payload: ["metadata"],
    },
    { name: "asleep", active: false },
  ]);
  await aDraft(world);
  expect(world.sandbox.webhooks.deliveries().map((one) => one.subscriber_name)).toEqual(["seeded"]);
  const [delivery] = world.sandbox.webhooks.deliveries({ state: "delivered", status: "document.draft" });
  const { createHmac } = await import("node:crypto");
  expect(delivery?.attempts[0]?.signature).toBe(
    createHmac("sha256", "key-of-the-file")
      .update(delivery?.body ?? "")
      .digest("hex"),
  );
});

test("sendDocument triggers actors and timers, and rules answer with their own detail, headers and body", async () => {
  const scenario: ScenarioFile = {
    version: 1,
    rules: [
      { name: "own words", when: { operation: "listContacts" }, then: { error: "forbidden", detail: "Not for you.", times: 1 } },
      {
        name: "own headers",
        when: { operation: "listTemplates" },
        then: { respond: { status: 429, headers: { "x-own": "yes" }, body: { a: 1 } }, times: 1 },
      },
    ],
    actors: [
      {
        name: "talker",
        on: "document.sent",
        document: { name: "Talk" },
        recipient: { email: CLIENT.email },
        steps: [
          { after: "1m", do: "comment", with: { text: "Why so much?" } },
          { after: "1m", do: "opt_out", with: { channel: "email" } },
          { after: "1m", do: "sign", with: { recipient: "Client" } },
        ],
      },
    ],
    timers: [{ name: "late", at: "+1h", do: "expire", document: { name: "Late" } }],
    expect: { emails: [{ match: { kind: "sent" }, at_most: 0, note: "nobody is mailed" }], deliveries: [{ at_most: 0 }] },
  };
  const world = await testWorld({ scenario });
  expect(await world.call("listContacts")).toMatchObject({ status: 403, body: { detail: "Not for you." } });
  const templates = await world.call("listTemplates");
  expect([templates.status, templates.headers.get("x-own"), templates.body]).toEqual([429, "yes", { a: 1 }]);
  await world.sandbox.verify();
  const [talk, late] = [await aDraft(world, { body: { name: "Talk" } }), await aDraft(world, { body: { name: "Late" } })];
  for (const id of [talk, late]) await succeed(world.call("sendDocument", { params: { id }, body: { silent: true } }));
  await world.advance("2h");
  expect(world.sandbox.documents.get(talk)?.status).toBe("document.completed");
  expect(world.sandbox.documents.get(late)?.status).toBe("document.voided");
  expect(world.tenant.store.comments.all().map((one) => JSON.stringify(one))).toEqual([expect.stringContaining("Why so much?")]);
  expect(world.tenant.store.email_opt_outs.size).toBe(1);
});

test("adminLoadScenario leaves rules, transitions, rows and clock unchanged when seeding fails", async () => {
  const world = await testWorld();
  const before = {
    rules: (await world.admin("GET", "/rules")).body,
    contacts: (await world.call("listContacts")).body,
    clock: (await world.admin("GET", "/clock")).body,
  };
  const bad = [
    "version: 1",
    "name: half",
    "clock: { now: 2027-01-01T00:00:00Z }",
    "transitions: { document.processing: immediate }",
    "rules: [{ name: a, when: { operation: sendDocument }, then: { error: locked } }]",
    "world:",
    "  contacts: [{ email: new@client.example }]",
    "  documents:",
    "    - { name: D, template: Nowhere }",
  ].join("\n");
  expect(await world.admin("POST", "/scenarios", bad)).toMatchObject({
    status: 400,
    body: {
      type: "docdouble_invalid",
      mistakes: [
        { file: "scenario", line: 9, message: expect.stringMatching(/^world\.documents\.0: is refused: no template "Nowhere"/) },
      ],
    },
  });
  expect({
    rules: (await world.admin("GET", "/rules")).body,
    contacts: (await world.call("listContacts")).body,
    clock: (await world.admin("GET", "/clock")).body,
  }).toEqual(before);
  expect((await world.admin("GET", "/scenarios")).body).toEqual({ scenarios: [] });
  const made = await succeed(
    world.call("createDocument", { body: { name: "x", template_uuid: "TemplateOneSignerxxxxx", recipients: [CLIENT] } }),
  );
  expect((await world.call("statusDocument", { params: { id: made.body.id } })).body.status).toBe("document.uploaded");
});
