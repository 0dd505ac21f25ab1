/** Each tool of the vendor's MCP server, called by the official client over a socket. One call of a tool is one call of an operation. */
import { expect, test } from "vitest";
import { anAgent, servedWorld } from "../../support/mcp.ts";
import { CASES, fromTemplate } from "../../support/mcp-tools.ts";
import { callTool } from "../../support/mcp-messages.ts";
import {
  aCompletedDocument,
  aDraft,
  anUploadedDocument,
  aSentDocument,
  CLIENT,
  simulate,
  succeed,
  TEMPLATES,
} from "../../support/stories.ts";
import { useWorld, type TestWorld } from "../../support/world.ts";

const world = useWorld();

/** The operation and the tool of each call, oldest first. */
async function called(world: Pick<TestWorld, "admin">): Promise<[string, string | undefined][]> {
  const { requests } = (await world.admin("GET", "/requests")).body;
  return requests.reverse().map((one: { operationId: string; tool?: string }) => [one.operationId, one.tool]);
}

test.each(Object.entries(CASES))(
  "%s is one call of its operation, and has the result of the live server",
  async (name, { operation, input, expected }) => {
    const world = await servedWorld();
    const { use } = await anAgent(world);
    const args = await input(world);
    await world.admin("DELETE", "/requests");
    expect(await use(name, args)).toEqual(expected);
    expect(await called(world)).toEqual([[operation, name]]);
  },
);

test("the list has the 22 tools of August, all closed, described and annotated", async () => {
  const { client } = await anAgent(await servedWorld());
  const { tools } = await client.listTools();
  expect(tools.map((one) => one.name)).toEqual(Object.keys(CASES).sort());
  const destroying = ["documents_send", "documents_status_change", "documents_archive", "recipients_delete"];
  for (const { name, title, description, inputSchema, annotations, outputSchema } of tools) {
    expect(inputSchema, name).toMatchObject({ type: "object", additionalProperties: false });
    expect([title, description?.length, outputSchema], name).toEqual([
      expect.stringMatching(/\w/),
      expect.any(Number),
      undefined,
    ]);
    const reads = /_get$|_list$|_search$/.test(name);
    expect(annotations, name).toEqual({ title, readOnlyHint: reads, destructiveHint: destroying.includes(name) });
    for (const [member, schema] of Object.entries(inputSchema.properties ?? {}))
      expect((schema as { description?: string }).description?.length, `${name}.${member}`).toBeGreaterThan(5);
  }
  expect(tools.filter((one) => one.annotations?.readOnlyHint)).toHaveLength(11);
});

test("input that the schema refuses names the member, and never reaches the API", async () => {
  const wrong: [string, Record<string, unknown>, string][] = [
    ["documents_send", { document_id: "x", user_intent: "send it" }, "user_intent"],
    ["documents_send", {}, "document_id"],
    ["documents_send", { document_id: 7 }, "document_id"],
    ["documents_status_get", { document_id: "" }, "document_id"],
    ["documents_status_get", { document_id: ".." }, "document_id"],
    ["documents_status_get", { document_id: "." }, "document_id"],
    ["documents_list", { count: 101 }, "count"],
    ["documents_list", { status: "draft" }, "status"],
    ["documents_list", { status: ["Draft"] }, "status"],
    ["documents_list", { tag: "one" }, "tag"],
    ["documents_search", { query: "" }, "query"],
    ["documents_search", { query: "  " }, "query"],
    ["documents_search", { query: "x", date_filter_column: "birthday" }, "date_filter_column"],
    ["documents_content_get", { document_id: "x", content_format: "pdf" }, "content_format"],
    ["documents_summary_get", { document_id: "x", summary_type: "xshort" }, "summary_type"],
    ["documents_metadata_batch_get", { document_ids: [] }, "document_ids"],
    ["documents_metadata_batch_get", { document_ids: Array.from({ length: 41 }, (_, i) => `d${i}`) }, "document_ids"],
    ["documents_status_change", { document_id: "x", status: "Sent" }, "status"],
    ["documents_status_change", { document_id: "x", status: "Approved" }, "status"],
    ["documents_fields_assign", { document_id: "x", assignments: [] }, "assignments"],
    ["documents_fields_assign", { document_id: "x", assignments: [{ field_id: "a" }] }, "recipient_id"],
    ["documents_create", { template_uuid: "x", name: "x", recipients: [] }, "request"],
    ["documents_create", fromTemplate({ recipients: undefined }), "recipients"],
    ["documents_create", fromTemplate({ surprise: 1 }), "surprise"],
    ["recipients_edit", { document_id: "x", recipient_id: "..", first_name: "a" }, "recipient_id"],
    ["templates_create", { name: "x" }, "url"],
  ];
  for (const [name, args, member] of wrong) {
    const result = await callTool(world, name, args);
    const { error } = result.structuredContent;
    expect([result.isError, error.code, error.status], `${name} ${member}`).toEqual([true, "validation_error", undefined]);
    expect(error.message, name).toContain(member);
    expect(JSON.parse(result.content[0].text)).toEqual({ error });
  }
  expect(await callTool(world, "documents_create_from_markdown", { name: "x", document_markdown: "x" })).toMatchObject({
    isError: true,
    content: [{ type: "text", text: "Unknown tool: 'documents_create_from_markdown'" }],
  });
  for (const name of ["", "__proto__", "constructor", "x".repeat(10_000)])
    expect((await callTool(world, name)).isError, name).toBe(true);
  expect(await called(world)).toEqual([]);
});

test("a refusal of the API becomes a failed tool with its status, code and words", async () => {
  const refused = async (name: string, args: object) => (await callTool(world, name, args)).structuredContent.error;
  expect(await refused("documents_create", fromTemplate({ template_uuid: TEMPLATES.gallery }))).toMatchObject({
    status: 400,
    code: "bad_request",
    message: expect.stringContaining("Template is not available."),
  });
  expect(await refused("documents_create", fromTemplate({ recipients: [{ ...CLIENT, role: "Nobody" }] }))).toEqual({
    status: 400,
    code: "bad_request",
    message: JSON.stringify({ non_field_errors: ["Role 'Nobody' does not exist"] }),
    detail: { non_field_errors: ["Role 'Nobody' does not exist"] },
  });
  const sent = await aSentDocument(world);
  expect(await refused("documents_send", { document_id: sent })).toMatchObject({ status: 409, code: "conflict" });
  expect(await refused("documents_details_get", { document_id: TEMPLATES.oneSigner })).toMatchObject({
    status: 404,
    code: "not_found",
  });
});

test("rules and faults of the operation act on the tool, and their failures arrive as failed tools", async () => {
  const document_id = await aDraft(world);
  const rule = (name: string, when: object, then: object) =>
    world.admin("POST", "/rules", { name, when, then: { times: 1, ...then } });
  const refused = async (name = "documents_send", args: object = { document_id }) =>
    (await callTool(world, name, args)).structuredContent.error;

  await rule("race", { operation: "sendDocument", document: { id: document_id } }, { error: "conflict" });
  expect(await refused()).toMatchObject({
    status: 409,
    code: "conflict",
    message: expect.stringContaining("isn't ready for a status transition yet"),
  });
  await rule("busy", { tool: "documents_send" }, { error: "throttled", retry_after: "7s" });
  expect(await refused()).toMatchObject({ status: 429, code: "rate_limited", retry_after: 7 });
  await rule("no trail", { operation: "listDocumentAuditTrail" }, { error: "forbidden", undeclared: true });
  expect(await refused("documents_audit_trail_get", { document_id })).toMatchObject({
    status: 403,
    code: "forbidden",
    message: "Access to this resource was forbidden in PandaDoc.",
  });
  await rule("down", { operation: "sendDocument" }, { respond: { status: 503, body: "<h1>down</h1>" }, undeclared: true });
  expect(await refused()).toMatchObject({ status: 503, code: "upstream_error", detail: "<h1>down</h1>" });
  await rule("empty", { operation: "detailsDocument" }, { respond: { status: 200, body: {} } });
  expect(await refused("documents_details_get", { document_id })).toMatchObject({
    status: 200,
    code: "PANDADOC_API_RESPONSE_INVALID",
  });
  await rule("text", { operation: "statusDocument" }, { respond: { status: 200, body: "surprise" } });
  expect(await refused("documents_status_get", { document_id })).toMatchObject({ code: "PANDADOC_API_RESPONSE_INVALID" });
  await rule(
    "news",
    { operation: "statusDocument" },
    { patch: [{ op: "replace", path: "/status", value: "document.notarized" }] },
  );
  const news = await callTool(world, "documents_status_get", { document_id });
  expect(news.structuredContent).toEqual({ id: document_id, status: "document.notarized" });
  for (const network of ["reset", "empty", "garbage", "truncate"]) {
    await rule(network, { operation: "detailsDocument" }, { network });
    expect(await refused("documents_details_get", { document_id }), network).toMatchObject({
      status: 502,
      code: "upstream_error",
    });
  }
  await rule("slow", { operation: "detailsDocument" }, { network: "slow" });
  expect((await callTool(world, "documents_details_get", { document_id })).isError).toBeUndefined();
  await rule("lost", { operation: "sendDocument" }, { network: "reset", phase: "after" });
  expect(await refused()).toMatchObject({ status: 502 });
  expect((await callTool(world, "documents_status_get", { document_id })).structuredContent.status).toBe("Sent");
});

test("an API that never answers ends the tool, and the agent goes on", async () => {
  const world = await servedWorld();
  const { use, refused } = await anAgent(world);
  const document_id = await aDraft(world);
  await world.admin("POST", "/rules", {
    name: "hang",
    when: { operation: "statusDocument" },
    then: { network: "hang", times: 1 },
  });
  expect(await refused("documents_status_get", { document_id })).toEqual({
    status: 502,
    code: "upstream_error",
    message: "the API did not answer in time",
  });
  expect(await use("documents_status_get", { document_id })).toMatchObject({ status: "Draft" });
});

test("searching takes statuses, dates and pages, and several tags must all be there", async () => {
  const signed = await aCompletedDocument(world, { body: { name: "Signed Offer", tags: ["a", "b"] } });
  const manual = await aSentDocument(world, { body: { name: "Manual Offer", tags: ["a"] } });
  await succeed(world.call("changeDocumentStatus", { params: { id: manual }, body: { status: 2 } }));
  await aDraft(world, { body: { name: "Draft Offer" } });
  const found = async (args: object) =>
    (await callTool(world, "documents_search", { query: "offer", ...args })).structuredContent;
  const names = async (args: object) => (await found(args)).results.map((one: { name: string }) => one.name).sort();
  expect(await names({ status: ["Completed"] })).toEqual(["Manual Offer", "Signed Offer"]);
  expect(await names({ date_filter_column: "signature_date", from_date: "2026-03-02", to_date: "2026-03-02" })).toEqual([
    "Manual Offer",
    "Signed Offer",
  ]);
  expect(await names({ date_filter_column: "signature_date", from_date: "2026-03-03" })).toEqual([]);
  expect(await names({ date_filter_column: "date_expiration", from_date: "2026-05-01", to_date: "2026-05-01" })).toEqual([
    "Manual Offer",
    "Signed Offer",
  ]);
  expect(await found({ count: 2 })).toMatchObject({ total: 3, has_next_page: true, results: [{}, {}] });
  expect(await found({ count: 2, page: 2 })).toMatchObject({ total: 3, has_next_page: false, results: [{}] });
  expect(await names({ query: "contract" })).not.toContain("nothing");
  const listed = async (tag: string[]) =>
    (await callTool(world, "documents_list", { tag })).structuredContent.results.map((one: { id: string }) => one.id).sort();
  expect(await listed(["a"])).toEqual([signed, manual].sort());
  expect(await listed(["a", "b"])).toEqual([signed]);
  expect(await listed(["a", "c"])).toEqual([]);
});

test("extraction and content say when to ask again, as successes", async () => {
  const document_id = await anUploadedDocument(world);
  const use = async (name: string, args: object = { document_id }) => (await callTool(world, name, args)).structuredContent;
  expect(await use("documents_content_get")).toEqual({ retry_after: expect.any(Number) });
  expect(await use("documents_summary_get")).toEqual({ retry_after: expect.any(Number) });
  await world.advance("5s");
  await succeed(world.call("sendDocument", { params: { id: document_id }, body: { silent: true } }));
  await simulate(world, document_id, "sign");
  expect(await use("documents_metadata_get")).toEqual({ code: "extraction_pending", retry_after: expect.any(Number) });
  expect((await use("documents_metadata_batch_get", { document_ids: [document_id] })).results).toEqual([
    expect.objectContaining({ code: "extraction_pending", retry_after: expect.any(Number) }),
  ]);
  await world.advance("10s");
  const { results } = await use("documents_metadata_get", { document_id, limit: 2 });
  expect(results).toHaveLength(2);
  for (const one of results) expect(one.value.acceptance_status).toBe("pending");
});
