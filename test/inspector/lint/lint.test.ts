/** Tests client lint: findings about client mistakes that the service accepts, each with its place and fix. */
import { describe, expect, test, vi } from "vitest";
import { lintReport } from "../../../src/inspector/lint/client-lint.ts";
import { systemClock } from "../../../src/engine/core/clock.ts";
import { lab, subscribed } from "../../support/lab.ts";
import type { SandboxOptions } from "../../../src/library/types.ts";
import { FORM_FIELDS, formPdf } from "../../support/pdf.ts";
import { aPdf } from "../../support/pdf-texts.ts";
import { aDraft, CLIENT, succeed, TEMPLATES } from "../../support/stories.ts";
import { type TestWorld, testWorld } from "../../support/world.ts";

const BODY = { template_uuid: TEMPLATES.oneSigner, name: "Deal", recipients: [CLIENT] };
const ITEM = { data: { name: "Seat", price: 10, qty: 1 } };

/** A world with a template that has one of each named block, and two roles without fields. */
async function rich(options: SandboxOptions = {}) {
  const world = await testWorld(options);
  const template = world.sandbox.templates.create({
    name: "Rich",
    roles: [{ name: "Client" }, { name: "Witness" }, { name: "CC" }],
    fields: [
      { name: "Client.Sign", type: "signature", role: "Client" },
      { name: "Company", type: "text", role: "Client" },
    ],
    tokens: [{ name: "Client.Name" }],
    texts: [{ name: "Text 1" }],
    images: [{ name: "Image 1" }],
    tables: [{ name: "Table 1" }],
    pricing_tables: [
      { name: "Prices", accepts_rows: true, merge_names: { colour: "Colour" } },
      { name: "Fixed", accepts_rows: false },
    ],
  });
  return { world, body: { template_uuid: template.id, name: "Deal", recipients: [CLIENT] } };
}

const lint = (world: TestWorld) => world.sandbox.lint();
const pairs = (world: TestWorld) => lint(world).map(({ kind, place, fix }) => [kind, place.pointer, fix]);
const prices = (name: string, data: object = ITEM.data) => ({ name, sections: [{ title: "A", rows: [{ options: {}, data }] }] });

describe("names that the service ignores", () => {
  test("createDocument reports each unknown name once, with its pointer and the nearest known name", async () => {
    const { world, body: RICH } = await rich();
    await succeed(
      world.call("createDocument", {
        body: {
          ...RICH,
          fields: { Company: { value: "A" }, Compny: { value: "B" }, "a/b": { value: "C" } },
          tokens: [
            { name: "Client.Name", value: "A" },
            { name: "Client.Nmae", value: "B" },
          ],
          texts: [{ name: "Text 2", data: "x" }],
          images: [{ name: "Logo", urls: ["https://example.test/a.png"] }],
          tables: [{ name: "Tbl 1", data: { sections: [] } }],
          pricing_tables: [prices("Prices", { ...ITEM.data, colour: "red", color: "red" }), prices("Pricess"), prices("Fixed")],
          content_placeholders: [{ block_id: "none" }],
        },
      }),
    );
    expect(pairs(world)).toEqual([
      ["unknown_document_field", "/fields/Compny", 'Write "Company".'],
      ["unknown_document_field", "/fields/a~1b", 'Use one of "Company".'],
      ["unknown_token", "/tokens/1/name", 'Write "Client.Name".'],
      ["unknown_block", "/texts/0/name", 'Write "Text 1".'],
      ["unknown_block", "/images/0/name", 'Use one of "Image 1".'],
      ["unknown_block", "/tables/0/name", 'Write "Table 1".'],
      ["unknown_pricing_name", "/pricing_tables/1/name", 'Write "Prices".'],
      ["unknown_pricing_name", "/pricing_tables/0/sections/0/rows/0/data/color", 'Write "colour".'],
      ["unknown_pricing_name", "/pricing_tables/2", expect.stringContaining("Allow rows")],
      ["unknown_block", "/content_placeholders/0/block_id", "Leave it out: there is no placeholder."],
    ]);
    expect(lint(world)[0]).toEqual({
      kind: "unknown_document_field",
      message: '"Rich" has no field "Compny", so the service ignored it',
      fix: 'Write "Company".',
      docs: "dist/docs/lint.md#unknown_document_field",
      place: {
        operation: "createDocument",
        nth: 1,
        call: "POST /public/v1/documents",
        document_id: expect.stringMatching(/^\w{22}$/),
        document: "Deal",
        pointer: "/fields/Compny",
      },
      times: 1,
      entries: [world.sandbox.journal.all()[0]?.id],
    });
  });

  test("updateDocument reports names that the document lacks, except tokens, because an update adds tokens", async () => {
    const { world, body: RICH } = await rich({ assume: { "fields.unknown_key_update": "ignore" } });
    const id = await aDraft(world, { body: RICH });
    const body = {
      fields: { Client_Sign: { value: "x" } },
      tokens: [{ name: "New", value: "1" }],
      pricing_tables: [prices("P")],
    };
    for (let i = 0; i < 3; i++) await succeed(world.call("updateDocument", { params: { id }, body }));
    expect(lint(world)).toMatchObject([
      { kind: "unknown_document_field", times: 3, entries: { length: 3 }, place: { operation: "updateDocument", nth: 1 } },
      { kind: "unknown_pricing_name", times: 3 },
    ]);
  });

  test("createDocument reports nothing for a refused call, and a cleared journal loses its findings", async () => {
    const { world, body: RICH } = await rich();
    await world.call("createDocument", { body: { ...RICH, tokens: [{ name: "X", value: "1" }], folder_uuid: "none" } });
    expect(lint(world)).toEqual([]);
    await succeed(world.call("createDocument", { body: { ...RICH, tokens: [{ name: "X", value: "1" }] } }));
    expect(lint(world)).toHaveLength(1);
    world.sandbox.journal.clear();
    expect(lint(world)).toEqual([]);
  });

  test("findings count the calls that are left, and the report says what the journal dropped", async () => {
    const world = await testWorld({ journalMax: 3 });
    const id = await aDraft(world);
    const read = (query = {}) => succeed(world.call("statusDocument", { params: { id }, query }));
    for (let i = 0; i < 3; i++) await read();
    await read({ colour: "red" });
    const { findings, unread } = lintReport(world.tenant);
    expect(findings.filter(({ message }) => message.includes("colour"))).toHaveLength(1);
    expect(unread).toBe(`the journal dropped ${world.tenant.journal.dropped} calls: raise --journal-max`);
    world.sandbox.journal.clear();
    expect(lintReport(world.tenant).unread).toBeUndefined();
  });

  test("createDocumentFromUpload reports a declared field that the file lacks, once the file is processed", async () => {
    const world = await testWorld();
    const fields = Object.fromEntries([...Object.values(FORM_FIELDS), "Adress"].map((name) => [name, { role: "Client" }]));
    const data = { name: "Form", recipients: [CLIENT], parse_form_fields: true, fields };
    const file = new File([await formPdf()], "form.pdf", { type: "application/pdf" });
    await succeed(world.call("createDocumentFromUpload", { parts: { file, data } }));
    expect(lint(world)).toEqual([]);
    await world.advance("10s");
    expect(lint(world)).toMatchObject([
      {
        kind: "unknown_document_field",
        message: 'The file of "Form" has no field "Adress", so the service ignored it',
        place: { operation: "createDocumentFromUpload", nth: 1, pointer: "/fields/Adress" },
      },
    ]);
  });
});

describe("dropped field tags", () => {
  const TAGS = "{s:Client:mine} {s:Boss:his} {t::nameless} {d:Client:undeclared} {c:Clint}";
  const dropped = async (file: File, fields: object) => {
    const world = await testWorld();
    const data = { name: "Tags", recipients: [CLIENT], fields };
    await succeed(world.call("createDocumentFromUpload", { parts: { file, data } }));
    await world.advance("10s");
    return lint(world).map(({ kind, message, fix }) => [kind, message, fix]);
  };

  test("createDocumentFromUpload reports each field tag that the service drops, once the file is processed", async () => {
    const found = await dropped(await aPdf([TAGS]), { mine: {}, his: {}, nameless: {}, gone: {} });
    const start = 'The file of "Tags" has';
    expect(found).toEqual([
      ["unknown_document_field", `${start} no field "gone", so the service ignored it`, 'Write "mine".'],
      [
        "unknown_role",
        `${start} a field tag "s" with the id "his" and the role "Boss", which no recipient has, so the service dropped it`,
        'Use one of "Client".',
      ],
      [
        "unknown_role",
        `${start} a field tag "t" with the id "nameless" and no role, so the service dropped it`,
        "Write the role of a recipient into the tag.",
      ],
      [
        "unknown_document_field",
        `${start} a field tag "d" with the id "undeclared", which fields does not declare, so the service dropped it`,
        'Declare "undeclared" in fields, or remove the tag.',
      ],
      [
        "unknown_role",
        `${start} a field tag "c" and the role "Clint", which no recipient has, so the service dropped it`,
        'Write "Client".',
      ],
    ]);
  });

  test("createDocumentFromUpload reports values that the types of their tags do not take", async () => {
    const tags = "{date:Client:day______} {checkbox:Client:agree} {s:Client:mine____} {t:Client:city____}";
    const values = { day: "soon", agree: "maybe", mine: "Ivo", city: "Rome" };
    const fields = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, { value }]));
    const found = await dropped(await aPdf([tags]), fields);
    const wrong = (name: string, type: string, value: string) => [
      "doubtful_value",
      `The field "${name}" of "Tags" has the type ${type}, which does not take the value "${value}"`,
      `Leave the value out, or send one that a field of the type ${type} takes.`,
    ];
    expect(found).toEqual([wrong("day", "date", "soon"), wrong("agree", "checkbox", "maybe"), wrong("mine", "signature", "Ivo")]);
  });
});

describe("sendDocument", () => {
  test("nobody_can_sign is reported when no recipient owns a field", async () => {
    const { world, body: RICH } = await rich({ assume: { "send.unassigned_signatures": "allow" } });
    const id = await aDraft(world, {
      body: { ...RICH, recipients: [{ email: "w@x.test", first_name: "Wil", role: "Witness" }] },
    });
    await succeed(world.call("sendDocument", { params: { id }, body: {} }));
    expect(lint(world)).toMatchObject([
      {
        kind: "nobody_can_sign",
        message: 'Nobody can sign "Deal": no recipient owns a field',
        place: { operation: "sendDocument", nth: 1, document_id: id, document: "Deal" },
      },
    ]);
  });

  test("signer_without_fields is reported for a recipient with a role or a signing order, but not for a CC", async () => {
    const { world, body: RICH } = await rich();
    const recipients = [
      CLIENT,
      { email: "w@x.test", first_name: "Wil", role: "Witness" },
      { email: "t@x.test", first_name: "Tom", signing_order: 2 },
      { email: "c@x.test", role: "CC" },
      { email: "d@x.test" },
    ];
    const id = await aDraft(world, { body: { ...RICH, recipients } });
    await succeed(world.call("sendDocument", { params: { id }, body: {} }));
    expect(lint(world).map((one) => [one.kind, one.message])).toEqual([
      ["signer_without_fields", 'Wil has the role "Witness" in "Deal" but owns no field, so the service made Wil a CC'],
      ["signer_without_fields", 'Tom has the signing order 2 in "Deal" but owns no field, so the service made Tom a CC'],
    ]);
  });
});

describe("waiting between calls", () => {
  /** Replaces the system clock with one that moves only on `pass`. */
  const wall = () => {
    let now = 1_000_000;
    const spy = vi.spyOn(systemClock, "now").mockImplementation(() => now);
    return { pass: (ms: number) => (now += ms), end: () => spy.mockRestore() };
  };

  test("retry_after_ignored and polling_too_fast count real waiting time while the sandbox clock stands still", async () => {
    const real = wall();
    try {
      const world = await lab({
        rules: [
          { name: "busy", when: { operation: "listTemplates" }, then: { error: "throttled", retry_after: "5s", times: 2 } },
        ],
        transitions: { "document.processing": { time: "60s" } },
      });
      await world.call("listTemplates");
      real.pass(5000);
      await world.call("listTemplates");
      const { id } = (await succeed(world.call("createDocument", { body: BODY }))).body;
      for (let i = 0; i < 30; i++) {
        await world.call("statusDocument", { params: { id } });
        real.pass(2000);
      }
      expect(lint(world)).toEqual([]);
      real.pass(-58_000);
      await world.call("listTemplates");
      expect(lint(world)).toMatchObject([
        {
          kind: "retry_after_ignored",
          fix: "Wait 5 s before you repeat the call.",
          place: { operation: "listTemplates", nth: 3 },
        },
      ]);
    } finally {
      real.end();
    }
  });

  test("retry_after_ignored does not count the calls of two handlers of one event that came twice", async () => {
    const world = await lab({
      rules: [{ name: "busy", when: { operation: "listTemplates" }, then: { error: "throttled", retry_after: "5s", times: 2 } }],
      webhooks: [{ name: "twice", when: { event: "document_state_changed", nth: 1 }, then: { duplicate: 1 } }],
    });
    await subscribed(world, ["document_state_changed"]);
    await succeed(world.call("createDocument", { body: BODY }));
    await world.admin("POST", "/clock/advance", { until: "next" });
    await world.call("listTemplates");
    await world.call("listTemplates");
    expect(lint(world).map(({ kind }) => kind)).not.toContain("retry_after_ignored");
  });

  test("polling_too_fast reports more reads per minute than a sandbox key allows, but not with a production key", async () => {
    const world = await testWorld();
    const keys = { sandbox: "docdouble-sandbox-key", production: world.sandbox.apiKey };
    for (const key of Object.values(keys))
      for (let i = 0; i < 12; i++) {
        await world.call("listTemplates", { key });
        await world.advance("3s");
      }
    expect(lint(world)).toMatchObject([
      {
        kind: "polling_too_fast",
        message: expect.stringContaining("a sandbox key allows 10"),
        place: { operation: "listTemplates", nth: 11 },
      },
    ]);
  });
});

describe("probeSignatures", () => {
  test("adminProbeSignatures names the receiver that accepts forged copies, and a verifying receiver refuses them", async () => {
    const world = await testWorld();
    const believes = await subscribed(world, ["document_state_changed"]);
    const checks = await world.sandbox.webhooks.receiver();
    await aDraft(world);
    expect(lint(world)).toEqual([]);
    const before = checks.received.length;
    const { status, body } = await world.admin("POST", "/contract/signatures");
    expect([status, body.clean]).toEqual([200, false]);
    expect(body.findings.map((one: { message: string }) => one.message)).toEqual([
      `${believes.url} answered 200 to a delivery whose signature was invalid`,
      `${believes.url} answered 200 to a delivery whose signature was missing`,
      `${believes.url} answered 200 to a delivery whose signature was right in its first half alone`,
      `${believes.url} answered 200 to a delivery whose signature was cut off`,
    ]);
    expect(checks.received).toHaveLength(before);
    expect(checks.refused).toHaveLength(4);
    expect(await world.sandbox.webhooks.probeSignatures()).toMatchObject(Array(4).fill({ times: 2 }));
  });
});

test("adminInspector shows each finding of client lint with its fix, call and document", async () => {
  const { world, body } = await rich();
  await succeed(world.call("createDocument", { body: { ...body, name: "<b>", tokens: [{ name: "Client.Nmae", value: "1" }] } }));
  const page = await (await world.sandbox.fetch("/__admin/?view=lint&open=lint-0")).text();
  for (const text of [
    "unknown token",
    "Write &quot;Client.Name&quot;.",
    "createDocument, call 1",
    "&lt;b&gt;",
    "/docs/lint#unknown-token",
  ])
    expect(page).toContain(text);
  const none = await (await world.sandbox.fetch("/__admin/?view=lint&q=nothing")).text();
  expect(none).toContain("Nothing found");
});

test.each(["%ff", "%c0%af", "%", "%zz", "%e9%zz", "%ed%a0%80"])(
  "an address with the bytes %j is linted, and so is its key",
  async (bytes) => {
    const world = await testWorld();
    const key = "docdouble-key";
    await world.request("GET", `/public/v1/documents?q=${bytes}&key=${key.replace("-", "%2d")}${bytes}`);
    expect((await world.admin("GET", "/contract")).body.findings).toContainEqual(expect.objectContaining({ kind: "key_in_url" }));
    expect((await world.request("GET", `/docs/${bytes}`, { key: null })).status).toBeLessThan(500);
  },
);
