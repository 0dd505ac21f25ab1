import { describe, expect, test } from "vitest";
import { aPdf } from "../../support/pdf-texts.ts";
import { aCompletedDocument, aDraft, aSentDocument, CLIENT, succeed } from "../../support/stories.ts";
import { type TestWorld, testWorld, useWorld } from "../../support/world.ts";

const world = useWorld();

async function aTemplate(world: TestWorld, name: string, lines: readonly string[] = ["Nothing more"]): Promise<void> {
  const parts = { file: await aPdf([...lines]), data: { name } };
  await succeed(world.call("createTemplateWithUpload", { parts }));
  await world.advance("5s");
}

async function aFile(world: TestWorld, lines: readonly string[], data: object = {}): Promise<string> {
  const parts = { file: await aPdf([...lines]), data: { name: "File", recipients: [CLIENT], ...data } };
  const { id } = (await succeed(world.call("createDocumentFromUpload", { parts }))).body;
  await world.advance("5s");
  return id;
}

async function aMarkdown(world: TestWorld, text: string): Promise<string> {
  const file = new File([text], "terms.md", { type: "text/markdown" });
  const parts = { file, data: { name: "Terms", recipients: [CLIENT] } };
  const { id } = (await succeed(world.call("createDocumentFromMarkdownUpload", { parts }))).body;
  await world.advance("5s");
  return id;
}
const byHand = (world: TestWorld, id: string) =>
  succeed(world.call("changeDocumentStatus", { params: { id }, body: { status: 2 } }));

describe("the search for templates", () => {
  const found = async (world: TestWorld, q: string) => {
    const { body } = await succeed(world.call("listTemplates", { query: { q } }));
    return body.results.map((one: { name: string }) => one.name);
  };

  test("listTemplates finds parts of words, other orders, words of the content and small slips", async () => {
    await aTemplate(world, "Declaration H&S standards and regulations");
    await aTemplate(world, "Mutual agreement", ["The purchaser indemnifies the seller"]);
    expect(await found(world, "NDA")).toEqual(["Declaration H&S standards and regulations"]);
    expect(await found(world, "regulations declaration")).toEqual(["Declaration H&S standards and regulations"]);
    expect(await found(world, "h&s")).toEqual(["Declaration H&S standards and regulations"]);
    expect(await found(world, "purchaser MUTUAL")).toEqual(["Mutual agreement"]);
    expect(await found(world, "indemnif")).toEqual(["Mutual agreement"]);
    expect(await found(world, "purchsaer")).toEqual([]);
    expect(await found(world, "indemnifis")).toEqual(["Mutual agreement"]);
    expect(await found(world, "seller regulations")).toEqual([]);
    expect(await found(world, "zebra")).toEqual([]);
    expect(await found(world, "&")).toEqual(["Declaration H&S standards and regulations"]);
  });
});

describe("extracted values", () => {
  const NAMES = [
    "Counterparty name",
    "Counterparty address",
    "Counterparty signer name",
    "Internal party legal name",
    "Internal signer name",
    "Agreement date",
    "Audit rights",
    "Exclusivity",
    "HIPAA / BAA",
    "Include SLA",
    "Most favored customer",
    "Data processing addendum incorporated",
    "Includes logo rights",
    "Include special terms",
    "Has referenced documents",
  ];
  const valuesOf = async (world: TestWorld, document_id: string) =>
    (await succeed(world.call("getDocumentAiMetadata", { params: { document_id } }))).body.results;

  test("getDocumentAiMetadata gives the vendor's names, check boxes by the text, and no amount", async () => {
    const contact = { email: CLIENT.email, company: "Marek Ltd", street_address: "1 Elm Road", city: "Brno", country: "CZ" };
    await succeed(world.call("createContact", { body: contact }));
    const id = await aFile(world, ["The audit rights and the SLA of the annex apply."]);
    await byHand(world, id);
    await world.advance("1m");
    const values = await valuesOf(world, id);
    const byKey = Object.fromEntries(values.map((one: { key: string; value: { value: string } }) => [one.key, one.value.value]));
    expect(Object.keys(byKey).every((key) => NAMES.includes(key))).toBe(true);
    expect(byKey).toMatchObject({
      "Counterparty name": "Marek Ltd",
      "Counterparty address": "1 Elm Road\nBrno\nCZ",
      "Counterparty signer name": "Ivo Marek",
      "Internal party legal name": expect.any(String),
      "Agreement date": "2026-03-02",
      "Audit rights": "true",
      "Include SLA": "true",
      "Has referenced documents": "true",
      Exclusivity: "false",
      "HIPAA / BAA": "false",
      "Includes logo rights": "false",
    });
    expect(byKey).not.toHaveProperty("Internal signer name");
    expect(new Set(values.map((one: { id: string }) => one.id)).size).toBe(values.length);
    for (const one of values) {
      expect(one.id).toMatch(/^\w{22}$/);
      expect(one.value.acceptance_status).toBe("pending");
      expect(["single_line", "multi_line", "date", "checkbox"]).toContain(one.field_type);
    }
  });
});

describe("the search in documents", () => {
  const found = async (world: TestWorld, q: string) => {
    const { body } = await succeed(world.call("searchDocumentsAi", { query: { q } }));
    return body.results.map((one: { document_id: string }) => one.document_id);
  };

  test("searchDocumentsAi finds words of a PDF, of Markdown and of fields, and no words that are in none", async () => {
    const pdf = await aFile(world, ["The indemnity cap is limited."]);
    const markdown = await aMarkdown(world, "# Terms\n\n| Part | Price |\n|---|---|\n| Flange | 12 |");
    expect(await found(world, "what is the indemnity cap?")).toEqual([pdf]);
    expect(await found(world, "indemnity zebra")).toEqual([]);
    expect(await found(world, "indemnity, cap.")).toEqual([pdf]);
    expect(await found(world, "LIMITED.")).toEqual([pdf]);
    expect(await found(world, "flange")).toEqual([markdown]);
    expect(await found(world, "zebra")).toEqual([]);
  });

  test("a window of signature dates finds signed documents, and those that were completed by hand", async () => {
    const old = await aFile(world, ["Old"]);
    await world.advance("40d");
    const manual = await aFile(world, ["Manual"]);
    await byHand(world, manual);
    await byHand(world, old);
    const signed = await aCompletedDocument(world);
    await aSentDocument(world);
    expect((await found(world, "documents signed this month")).sort()).toEqual([old, manual, signed].sort());
    expect((await found(world, "signed in april")).length).toBe(0);
    expect(await found(world, "signed last month")).toEqual([]);
    const { body } = await succeed(world.call("searchDocumentsAi", { query: { q: "signed this month" } }));
    expect(body.intent).toEqual([{ field: "signature_date", value: "2026-04-01 to 2026-05-01" }]);
  });
});

describe("the summary", () => {
  test("a detailed summary is Markdown of the document, and shows placeholders of empty fields as text", async () => {
    const document_id = await aFile(world, ["The seller delivers. {t:Client:city} {t:Client:street}"], {
      fields: { city: {}, street: { value: "Elm Road" } },
    });
    const { body } = await succeed(world.call("getDocumentSummary", { params: { document_id }, query: { type: "detailed" } }));
    expect(body.summary).toMatch(/^# File\n\n/);
    expect(body.summary).toContain("The seller delivers.");
    expect(body.summary).toContain("**city:** city");
    expect(body.summary).toContain("**street:** Elm Road");
  });
});

describe("facts about documents", () => {
  test("the audit trail answers 403 where the account has no access, with a reason", async () => {
    const world = await testWorld({ assume: { "audit_trail.access": "refuse" } });
    const answer = await world.call("listDocumentAuditTrail", { params: { document_id: await aDraft(world) } });
    expect([answer.status, answer.body]).toEqual([403, { code: "forbidden", details: [] }]);
    expect(answer.headers.get("x-docdouble-why")).toContain("no access to the audit trail");
  });
});
