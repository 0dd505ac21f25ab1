/** Tests every part of `expect`: when it holds, and what the report shows when it does not. */
import { describe, expect, test } from "vitest";
import { lab, load, subscribed, unmet } from "../../support/lab.ts";
import { aCompletedDocument, aDraft, aSentDocument, simulate, anUploadedDocument } from "../../support/stories.ts";

const expecting = (expectations: object) => lab({ expect: expectations });

describe("expect.requests", () => {
  test.each<[object, string[]]>([
    [{ times: 2 }, []],
    [{ times: 1 }, ["requests: Q: expected exactly 1, found 2"]],
    [{ at_least: 2 }, []],
    [{ at_least: 3 }, ["requests: Q: expected at least 3, found 2"]],
    [{ at_most: 2 }, []],
    [{ at_most: 1 }, ["requests: Q: expected at most 1, found 2"]],
    [{ at_least: 3, at_most: 5 }, ["requests: Q: expected at least 3 and at most 5, found 2"]],
    [{ never: true }, ["requests: Q: expected none, found 2"]],
    [{}, []],
  ])("two requests are checked against %j", async (count, expected) => {
    const world = await expecting({ requests: [{ match: { operation: "listTemplates" }, note: "Q", ...count }] });
    await world.call("listTemplates");
    await world.call("listTemplates");
    expect(await unmet(world)).toEqual(expected);
  });

  test("without a count at least one request is expected, and the report shows the pattern", async () => {
    const world = await expecting({ requests: [{ match: { operation: "listTemplates" } }] });
    expect(await unmet(world)).toEqual(['requests {"operation":"listTemplates"}: expected at least 1, found 0']);
  });

  test.each<[string, object, number]>([
    ["operation by pattern", { operation: "list*" }, 2],
    ["method", { method: "POST" }, 1],
    ["path", { path: { regex: "^/public/v1/templates" } }, 1],
    ["query", { query: { count: 5 } }, 1],
    ["headers", { headers: { "X-Trace": "abc" } }, 1],
    ["body", { body: { "$.recipients[0].role": "Client" } }, 1],
    ["document", { document: { "metadata.order": "42" } }, 1],
    ["status", { status: { lt: 300 } }, 3],
    ["tenant", { tenant: "default" }, 3],
    ["another tenant", { tenant: "test-x" }, 0],
  ])("requests are matched by %s", async (_, match, times) => {
    const world = await expecting({ requests: [{ match, times }] });
    await world.call("listTemplates", { query: { count: 5 } });
    await world.call("listContacts", { headers: { "x-trace": "abc" } });
    await world.call("createDocument", {
      body: {
        template_uuid: "TemplateOneSignerxxxxx",
        name: "A",
        metadata: { order: "42" },
        recipients: [{ email: "a@b.example", role: "Client" }],
      },
    });
    expect(await unmet(world)).toEqual([]);
  });

  test("ordered requests must follow each other, with other requests allowed between them", async () => {
    const world = await expecting({
      requests: [
        { match: { operation: "listContacts" }, order: 2, note: "second" },
        { match: { operation: "listTemplates" }, order: 1, note: "first" },
      ],
    });
    await world.call("listContacts");
    expect(await unmet(world)).toContain("requests: first: expected as number 1 of the order, found never");
    await world.call("listTemplates");
    expect(await unmet(world)).toEqual([
      "requests: second: expected as number 2 of the order, found earlier than its predecessor",
    ]);
    await world.call("listMembers");
    await world.call("listContacts");
    expect(await unmet(world)).toEqual([]);
  });
});

describe("expect.documents", () => {
  test("documents are checked by count, status and path of statuses", async () => {
    const world = await lab({
      world: {
        documents: [
          {
            as: "planted",
            name: "Planted",
            template: "One signer",
            status: "document.sent",
            recipients: [{ email: "a@b.example", role: "Client" }],
          },
        ],
      },
      expect: {
        documents: [
          { match: { as: "planted" }, count: 1, status: "document.completed", note: "planted" },
          { match: { name: { contains: "agreement" } }, count: 2, note: "agreements" },
          {
            match: { name: "Service agreement" },
            path: ["document.uploaded", "document.draft", "document.sent", "document.viewed", "document.completed"],
            note: "way",
          },
        ],
      },
    });
    await aDraft(world);
    expect(await unmet(world)).toEqual([
      "documents: planted, Planted: expected document.completed, found document.sent",
      "documents: agreements: expected exactly 2, found 1",
      "documents: way, path of Service agreement: expected document.uploaded → document.draft → document.sent → document.viewed → document.completed, found document.uploaded → document.draft",
    ]);
    const all = (await world.call("listDocuments")).body.results as { id: string; name: string }[];
    await world.call("deleteDocument", { params: { id: all.find((one) => one.name === "Service agreement")?.id ?? "" } });
    await simulate(world, all.find((one) => one.name === "Planted")?.id ?? "", "sign");
    await aCompletedDocument(world);
    await aCompletedDocument(world);
    expect(await unmet(world)).toEqual([]);
  });
});

describe("reports of unmet expectations", () => {
  test("an expectation without a note shows its pattern, and an expected delivery mentions missing subscriptions", async () => {
    const world = await expecting({
      documents: [{ count: 1 }],
      deliveries: [{ match: { event: "document_state_changed" }, acknowledged: true, attempts: 2 }],
      emails: [{}],
    });
    expect(await unmet(world)).toEqual([
      "documents of any kind: expected exactly 1, found 0",
      'deliveries {"event":"document_state_changed","acknowledged":true,"attempts":2}: expected at least 1, found 0, as nobody has subscribed to webhooks',
      "emails of any kind: expected at least 1, found 0",
    ]);
  });
});

test("a path must match in order, and a request matches the document status at the time of the call", async () => {
  const world = await expecting({
    documents: [{ match: {}, path: ["document.draft", "document.uploaded"], note: "backwards" }],
    requests: [
      { match: { operation: "statusDocument", document: { status: "document.uploaded" } }, times: 1, note: "early" },
      { match: { operation: "statusDocument", document: { status: "document.draft" } }, times: 2, note: "late" },
    ],
  });
  const id = await anUploadedDocument(world);
  const poll = () => world.call("statusDocument", { params: { id } });
  await poll();
  await world.advance("5s");
  await poll();
  expect(await unmet(world)).toEqual([
    "requests: late: expected exactly 2, found 1",
    "documents: backwards, path of Service agreement: expected document.draft → document.uploaded, found document.uploaded → document.draft",
  ]);
});

describe("expect.deliveries and expect.emails", () => {
  test("deliveries match by event, status, state, subscription, document, acknowledged and attempts", async () => {
    const world = await expecting({
      deliveries: [
        {
          match: { event: "document_state_changed", status: "document.sent" },
          times: 1,
          acknowledged: true,
          attempts: 2,
          note: "a",
        },
        { match: { subscription: "Lab", document: { name: "Service agreement" } }, at_least: 2, note: "b" },
        { match: {}, attempts: 1, times: 1, note: "e" },
        { match: { state: "failed" }, never: true, note: "c" },
        { match: {}, acknowledged: false, never: true, note: "d" },
      ],
    });
    const hook = await subscribed(world, ["document_state_changed"]);
    hook.answerWith(200, 500, 200);
    await aSentDocument(world);
    await world.advance("0s");
    expect(await unmet(world)).toEqual([
      "deliveries: a: expected exactly 1, found 0",
      "deliveries: e: expected exactly 1, found 2",
      "deliveries: d: expected none, found 1",
    ]);
    await world.advance("1h");
    expect(await unmet(world)).toEqual([]);
  });

  test("emails match by addressee, subject and kind", async () => {
    const world = await expecting({
      emails: [
        { match: { to: { contains: "ivo" }, kind: "sent", subject: { exists: true } }, times: 1, note: "invitation" },
        { match: { kind: "declined" }, never: true, note: "no" },
      ],
    });
    const id = await aSentDocument(world, { silent: false });
    expect(await unmet(world)).toEqual([]);
    await simulate(world, id, "decline");
    expect(await unmet(world)).toEqual([expect.stringMatching(/^emails: no: expected none, found \d$/)]);
  });
});

describe("expect.rules_used, unmatched and contract", () => {
  test("rules_used requires each rule to act as often as its `times` says, unless `except` names the rule", async () => {
    const scenario = {
      rules: [
        { name: "used", when: { operation: "listTemplates" }, then: { error: "throttled" } },
        { name: "half", when: { operation: "listContacts" }, then: { error: "forbidden", times: 2 } },
        { name: "spare", when: { operation: "listMembers" }, then: { error: "throttled" } },
      ],
      webhooks: [{ name: "hook", when: { event: "quote_updated" }, then: { drop: true } }],
    };
    const world = await lab({ ...scenario, expect: { rules_used: "all" } });
    await world.call("listTemplates");
    await world.call("listContacts");
    expect(await unmet(world)).toEqual([
      "rules_used: rule half: expected 2 hits, found 1 hit",
      "rules_used: rule spare: expected at least 1 hit, found 0 hits",
      "rules_used: rule hook: expected at least 1 hit, found 0 hits",
    ]);
    await load(world, { ...scenario, expect: { rules_used: { except: ["spare", "hook"] } } });
    await world.call("listContacts");
    expect(await unmet(world)).toEqual([]);
  });

  test("unmatched reports requests to paths that the service does not have", async () => {
    const world = await expecting({ unmatched: "none" });
    await world.call("statusDocument", { params: { id: "nowhere" } });
    expect(await unmet(world)).toEqual([]);
    await world.request("GET", "/public/v1/dokuments?x=1");
    expect(await unmet(world)).toEqual([
      "unmatched: GET /public/v1/dokuments?x=1: expected no request without an operation, found the service has no path /public/v1/dokuments; did you mean /public/v1/documents?",
    ]);
  });
});
