import { describe, expect, test } from "vitest";
import type { OperationId } from "../../../src/service/nouns/index.ts";
import { readDocx } from "../../../src/service/files/docx.ts";
import { aCompletedDocument, aDraft, anUploadedDocument, succeed } from "../../support/stories.ts";
import { type CallOptions, testWorld, useWorld, type TestWorld } from "../../support/world.ts";

const world = useWorld();

const of = (world: TestWorld, id: OperationId, document_id: string, options: CallOptions = {}) =>
  world.call(id, { ...options, params: { document_id, ...options.params } });

const NOT_FOUND = { status: 404, body: { code: "not_found", details: [] } };

describe("DOCX export", () => {
  test("createExportDocxTask passes from created to processing to done, and its file downloads without a key", async () => {
    const key = "test-export";
    const id = await anUploadedDocument(world, { key, template: "pricing" });
    await world.admin("POST", "/clock/advance", { by: "5s" }, key);
    const task = await of(world, "createExportDocxTask", id, { key });
    expect(task).toMatchObject({ status: 200, body: { document_id: id, status: "created" } });
    const state = () => of(world, "getDocxExportTask", id, { key, params: { task_id: task.body.id } });
    expect((await state()).body).toEqual({ id: task.body.id, document_id: id, status: "created", docx_items: [] });
    await world.admin("POST", "/clock/advance", { by: "2s" }, key);
    expect((await state()).body.status).toBe("processing");
    await world.admin("POST", "/clock/advance", { by: "2s" }, key);
    const { body } = await state();
    expect(body).toMatchObject({ status: "done", docx_items: [{ section_title: "Service agreement" }] });
    const file = await world.request("GET", new URL(body.docx_items[0].url).pathname, { key: null });
    expect(file.status).toBe(200);
    expect(file.headers.get("content-disposition")).toBe('attachment; filename="Service agreement.docx"');
    const blocks = await readDocx(file.body);
    expect(blocks[0]).toEqual({ kind: "heading", level: 1, text: "Service agreement" });
    expect(blocks.some((block) => block.kind === "table")).toBe(true);
    expect(await world.request("GET", "/files/unknown", { key: null })).toMatchObject({ status: 404 });
  });

  test("getDocxExportTask answers 404 after the document is deleted, and the stored task ends in error", async () => {
    const id = await aDraft(world);
    const task = await succeed(of(world, "createExportDocxTask", id));
    await world.call("deleteDocument", { params: { id } });
    await world.advance("10s");
    expect(world.tenant.store.docx_exports.get(task.body.id)?.status).toBe("error");
    expect(await of(world, "getDocxExportTask", id, { params: { task_id: task.body.id } })).toMatchObject(NOT_FOUND);
  });
});

describe("getDocumentContent and getDocumentSummary", () => {
  test("getDocumentContent answers the text in both formats, with ETag and Vary", async () => {
    const id = await aDraft(world, { template: "pricing" });
    const markdown = await of(world, "getDocumentContent", id, { query: { format: "markdown" } });
    expect(markdown.status).toBe(200);
    expect(markdown.body.content).toMatch(/^# Service agreement\n/);
    expect(markdown.headers.get("vary")).toBe("format");
    expect(markdown.headers.get("etag")).toMatch(/^"v\d+"$/);
    const plain = await of(world, "getDocumentContent", id, { query: { format: "plaintext" } });
    expect(plain.body.content).toMatch(/^Service agreement\n/);
    await world.advance("1s");
    await world.call("updateDocument", { params: { id }, body: { name: "Renamed" } });
    const changed = await of(world, "getDocumentContent", id, { query: { format: "plaintext" } });
    expect(changed.body.content).toMatch(/^Renamed\n/);
    expect(changed.headers.get("etag")).not.toBe(plain.headers.get("etag"));
  });

  test("getDocumentSummary answers a longer text for each type from headline to detailed", async () => {
    const id = await aDraft(world);
    const lengths: number[] = [];
    for (const type of ["headline", "xshort", "short", "detailed"]) {
      const answer = await of(world, "getDocumentSummary", id, { query: { type } });
      expect(answer).toMatchObject({ status: 200, body: { type } });
      expect(answer.headers.get("vary")).toBe("type");
      lengths.push(answer.body.summary.length);
    }
    expect([...lengths].sort((a, b) => a - b)).toEqual(lengths);
    expect(new Set(lengths).size).toBe(4);
  });

  test.each([
    ["getDocumentSummary", "type", "The type must be one of: detailed, short, headline, xshort."],
    ["getDocumentContent", "format", "The format must be one of: plaintext, markdown."],
  ] as const)("%s has its own refusals, and 202 while the document is processed", async (operation, name, choices) => {
    const id = await anUploadedDocument(world);
    expect(await of(world, operation, id)).toMatchObject({
      status: 400,
      body: { error: { code: `missing_${name}`, message: `The ${name} query parameter is required.` } },
    });
    expect(await of(world, operation, id, { query: { [name]: "long" } })).toMatchObject({
      status: 400,
      body: { error: { code: `invalid_${name}`, message: choices } },
    });
    const query = { [name]: name === "type" ? "short" : "markdown" };
    const absent = { status: 404, body: { error: { code: "document_not_found", message: "The document was not found." } } };
    expect(await of(world, operation, "nothing", { query })).toMatchObject(absent);
    expect(await of(world, operation, id, { query, key: "test-other" })).toMatchObject(absent);
    const waiting = await of(world, operation, id, { query });
    expect(waiting.status).toBe(202);
    expect(waiting.headers.get("retry-after")).toBe("5");
    expect(waiting.body).toHaveLength(0);
  });
});

describe("AI metadata", () => {
  test("getDocumentAiMetadata answers 204 when the PDF cannot be made", async () => {
    await world.admin("POST", "/transitions", { model: "document.pdf", progression: "fail" });
    expect((await of(world, "getDocumentAiMetadata", await aCompletedDocument(world))).status).toBe(204);
  });

  test("batchGetDocumentAiMetadata answers one outcome per document in the order of the request, filtered by keys", async () => {
    const ready = await aCompletedDocument(world);
    await world.advance("3s");
    const [pending, draft] = [await aCompletedDocument(world), await aDraft(world)];
    // To make the draft took five seconds. In that time the PDF of `pending` was made, so this test needs a newer document.
    const fresh = await aCompletedDocument(world);
    const call = (body: object) => world.call("batchGetDocumentAiMetadata", { body });
    const answer = await call({
      document_ids: ["nothing", fresh, ready, draft],
      field_keys: ["Counterparty name", "counterparty name"],
    });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      count: 4,
      results: [
        { document_id: "nothing", status: "not_found", description: "Document not found." },
        {
          document_id: fresh,
          status: "extraction_pending",
          retry_after: 5,
          description: "Result is being generated. You can try later.",
        },
        {
          document_id: ready,
          status: "ok",
          ai_metadata: { count: 1, results: [expect.objectContaining({ key: "Counterparty name" })] },
        },
        { document_id: draft, status: "extraction_not_started", description: "Likely, the document is not yet completed." },
      ],
    });
    for (const body of [
      {},
      { document_ids: [] },
      { document_ids: [pending, pending] },
      { document_ids: Array.from({ length: 41 }, (_, i) => `d${i}`) },
      { document_ids: ["x".repeat(23)] },
      { document_ids: [pending], field_keys: [] },
    ])
      expect([body, await call(body)]).toMatchObject([body, { status: 400, body: { code: "bad_request" } }]);
  });
});

describe("searchDocumentsAi", () => {
  const search = async (world: TestWorld, q: string, key?: string) =>
    (await succeed(world.call("searchDocumentsAi", { query: { q }, ...(key === undefined ? {} : { key }) }))).body;

  test("searchDocumentsAi understands statuses, people, dates and keywords", async () => {
    const done = await aCompletedDocument(world, { body: { name: "Roof repair" } });
    const draft = await aDraft(world, { body: { name: "Garden plan" } });
    const completed = await search(world, "show me all completed documents from this month");
    expect(completed.results.map((one: { document_id: string }) => one.document_id)).toEqual([done]);
    expect(completed).toMatchObject({
      count: 1,
      message: "Found 1 document matching your query.",
      intent: [
        { field: "date_created", value: "2026-03-01 to 2026-04-01" },
        { field: "status", value: "document.completed" },
      ],
    });
    expect((await search(world, "garden")).results[0].document_id).toBe(draft);
    expect((await search(world, "contracts shared with Ivo Marek")).count).toBe(2);
    expect((await search(world, "documents of Nora Lind from Q1 2026")).count).toBe(2);
    expect((await search(world, "last week")).count).toBe(0);
    const all = await search(world, "all documents");
    expect(all.count).toBe(2);
    expect(all.suggestions).toContainEqual({ text: "Show only completed documents" });
  });

  test.each([
    ["2026-02-10T00:00:00Z", "this quarter", "2026-01-01 to 2026-04-01"],
    ["2026-05-31T23:59:59Z", "this quarter", "2026-04-01 to 2026-07-01"],
    ["2026-05-31T23:59:59Z", "last quarter", "2026-01-01 to 2026-04-01"],
    ["2026-12-01T00:00:00Z", "this quarter", "2026-10-01 to 2027-01-01"],
    ["2026-01-01T00:00:00Z", "last quarter", "2025-10-01 to 2026-01-01"],
    ["2026-03-01T12:00:00Z", "last week", "2026-02-16 to 2026-02-23"],
    ["2026-01-15T12:00:00Z", "last month", "2025-12-01 to 2026-01-01"],
  ])("searchDocumentsAi reads at %s the words %s as %s", async (now, words, value) => {
    const world = await testWorld({ now });
    expect((await search(world, words)).intent).toEqual([{ field: "date_created", value }]);
  });
});
