/** Tests the differences that `compare` reports, and how it keeps the two sides in step. */
import { describe, expect, test } from "vitest";
import type { CallAnswer, CallRequest } from "../../../src/tools/compare/exchange.ts";
import { operationOf } from "../../../src/tools/compare/operation-of.ts";
import { CLIENT, DIRECTOR, TEMPLATES } from "../../support/stories.ts";
import { type TwoSides, twoSides } from "../../support/two-sides.ts";

/** Changes the JSON answers of one operation. */
// biome-ignore lint/suspicious/noExplicitAny: tests change answers of every shape
function changing(operation: string, change: (body: any) => void) {
  return (answer: CallAnswer, request: CallRequest): CallAnswer => {
    if (operationOf(request).id !== operation || answer.body.length === 0) return answer;
    const body = JSON.parse(answer.body.toString("utf8"));
    change(body);
    return { ...answer, body: Buffer.from(JSON.stringify(body)) };
  };
}

async function create(sides: TwoSides, body: object = {}): Promise<string> {
  const made = await sides.call("createDocument", {
    body: { template_uuid: TEMPLATES.oneSigner, name: "Agreement", recipients: [CLIENT], ...body },
  });
  return made.body.id;
}

const summary = ({ comparison }: TwoSides) =>
  comparison
    .report()
    .differences.map(({ operation, kind, pointer, real, double, count }) => ({ operation, kind, pointer, real, double, count }));

describe("compare: kinds of differences", () => {
  const CASES: [
    string,
    (body: Record<string, unknown>) => void,
    { kind: string; pointer: string; real: unknown; double: unknown },
  ][] = [
    [
      "a member that the double lacks",
      (body) => {
        body.extra = 1;
      },
      { kind: "missing", pointer: "/extra", real: 1, double: null },
    ],
    [
      "a member that only the double has",
      (body) => {
        delete body.version;
      },
      { kind: "added", pointer: "/version", real: null, double: "2" },
    ],
    [
      "null where the double has no member",
      (body) => {
        body.extra = null;
      },
      { kind: "missing", pointer: "/extra", real: null, double: null },
    ],
    [
      "a number where the double has a text",
      (body) => {
        body.version = 2;
      },
      { kind: "type", pointer: "/version", real: 2, double: "2" },
    ],
    [
      "null where the double has a text",
      (body) => {
        body.version = null;
      },
      { kind: "type", pointer: "/version", real: null, double: "2" },
    ],
    [
      "another value",
      (body) => {
        body.version = "3";
      },
      { kind: "value", pointer: "/version", real: "3", double: "2" },
    ],
    [
      "another name than the client chose",
      (body) => {
        body.name = "[DEV] Agreement";
      },
      { kind: "value", pointer: "/name", real: "[DEV] Agreement", double: "Agreement" },
    ],
    [
      "a date in another format",
      (body) => {
        body.date_created = "2026-03-02T09:00:00Z";
      },
      { kind: "value", pointer: "/date_created", real: "2026-03-02T09:00:00Z", double: "2026-03-02T09:00:00.000000Z" },
    ],
  ];
  test.each(CASES)("compare reports %s", async (_, change, expected) => {
    const sides = await twoSides({ noise: changing("statusDocument", change) });
    const id = await create(sides);
    await sides.advance("5s");
    await sides.call("statusDocument", { params: { id } });
    await sides.call("statusDocument", { params: { id } });
    expect(summary(sides)).toEqual([{ operation: "statusDocument", count: 2, ...expected }]);
  });

  test("compare reports a rate limit header and the media type of an answer", async () => {
    const sides = await twoSides({
      noise: (answer, request) =>
        operationOf(request).id === "listMembers"
          ? { ...answer, headers: { ...answer.headers, "x-ratelimit-limit": "10", "content-type": "text/html" } }
          : answer,
    });
    await sides.call("listMembers");
    expect(summary(sides)).toEqual([
      {
        operation: "listMembers",
        kind: "header",
        pointer: "content-type",
        real: "text/html",
        double: "application/json",
        count: 1,
      },
      { operation: "listMembers", kind: "header", pointer: "x-ratelimit-limit", real: "10", double: null, count: 1 },
    ]);
  });

  test("another status of a success is one difference, and the things of both sides stay the same thing", async () => {
    const sides = await twoSides({ noise: (answer) => (answer.status === 201 ? { ...answer, status: 200 } : answer) });
    const id = await create(sides);
    await sides.advance("5s");
    await sides.call("statusDocument", { params: { id } });
    await sides.call("detailsDocument", { params: { id } });
    expect(summary(sides)).toEqual([
      { operation: "createDocument", kind: "status", pointer: "", real: 200, double: 201, count: 1 },
    ]);
    expect(sides.comparison.report().calls).toBe(3);
  });

  test("equal differences in several entries of a list are one group, which names the first entry", async () => {
    const noise = changing("detailsDocument", (body) => {
      for (const one of body.recipients) one.extra = true;
    });
    const sides = await twoSides({ noise });
    const id = await create(sides, { template_uuid: TEMPLATES.twoSigners, recipients: [CLIENT, DIRECTOR] });
    await sides.advance("5s");
    await sides.call("detailsDocument", { params: { id } });
    expect(summary(sides)).toEqual([
      { operation: "detailsDocument", kind: "missing", pointer: "/recipients/0/extra", real: true, double: null, count: 1 },
    ]);
  });
});

describe("compare: two sides in step", () => {
  test("compare translates an id of the real service in the path and the query, even if it is a number", async () => {
    const numbers = new Map<string, number>();
    const noise = changing("sendDocument", (body) => {
      for (const one of body.recipients) {
        numbers.set(one.id, 1000 + numbers.size);
        one.id = numbers.get(one.id);
      }
    });
    const sides = await twoSides({ noise });
    const id = await create(sides);
    await sides.advance("5s");
    await sides.call("sendDocument", { params: { id }, body: {} });
    await sides.comparison.finish(0);
    expect(sides.comparison.report().differences).toMatchObject([
      { operation: "sendDocument", kind: "type", pointer: "/recipients/0/id", real: 1000, assumption: "send.recipient_id" },
    ]);
    const { target } = sides.comparison.translate({
      method: "GET",
      target: `/public/v1/documents/${id}/recipients/1000?document=${id}`,
      headers: {},
      body: Buffer.alloc(0),
    });
    const [document] = sides.double.sandbox.documents.all();
    expect(target).toBe(
      `/public/v1/documents/${document?.id}/recipients/${document?.recipients[0]?.id}?document=${document?.id}`,
    );
  });

  test("an object that is new at one side and known at the other is a difference of its id", async () => {
    let made = 0;
    const noise = changing("createContact", (body) => {
      if (++made === 2) body.id = "AnotherContactxxxxxxxx";
    });
    const sides = await twoSides({ noise });
    for (let i = 0; i < 2; i++) await sides.call("createContact", { body: { email: "deputy@client.example" } });
    await sides.comparison.finish(0);
    expect(sides.comparison.report().differences).toMatchObject([
      { operation: "createContact", kind: "value", pointer: "/id", count: 1, assumption: "contacts.known_email" },
    ]);
  });

  test("list entries in another order are tied by the ids inside them, if their other members are equal", async () => {
    const noise = changing("detailsDocument", (body) => body.approval_execution?.steps.reverse());
    const sides = await twoSides({ noise });
    const id = await create(sides, { template_uuid: TEMPLATES.approval });
    await sides.real.clock.advance("5s");
    await sides.call("detailsDocument", { params: { id } });
    await sides.call("listMembers");
    expect(summary(sides)).toEqual([]);
  });

  test("a call that the real service refuses has no effect on the double", async () => {
    const sides = await twoSides({
      noise: (answer, request) =>
        operationOf(request).id === "createDocument" && sides.calls.length === 0
          ? { status: 503, headers: { "content-type": "text/html" }, body: Buffer.from("<h1>down</h1>") }
          : answer,
    });
    await sides.call("createDocument", { body: { template_uuid: TEMPLATES.oneSigner, name: "First", recipients: [CLIENT] } });
    expect(sides.double.sandbox.documents.all()).toEqual([]);
    await create(sides);
    expect(summary(sides)).toEqual([
      { operation: "createDocument", kind: "status", pointer: "", real: 503, double: 201, count: 1 },
    ]);
    expect(sides.comparison.notes()).toEqual(["the real service answered 503"]);
  });

  test("calls about an object that the double refused to create are not compared", async () => {
    const refuses = {
      name: "refuse",
      when: { operation: "createDocument" as const },
      then: { respond: { status: 403, body: { type: "permissions_error", detail: "no" } } },
    };
    const sides = await twoSides({ double: { scenario: [{ version: 1, rules: [refuses] }] } });
    const id = await create(sides);
    await sides.call("statusDocument", { params: { id } });
    await sides.call("listMembers");
    expect(sides.comparison.report()).toMatchObject({
      calls: 2,
      differences: [{ operation: "createDocument", kind: "status", real: 201, double: 403 }],
    });
    expect(sides.comparison.notes()).toEqual([
      "statusDocument: not compared, because the double refused to create the thing it names",
    ]);
  });

  test("calls about a thing of the real account alone, and about what they create, are not compared", async () => {
    const world = { templates: [{ name: "Only there", roles: [{ name: "Client" }] }] };
    const sides = await twoSides({ real: { scenario: { version: 1, name: "before the story", world } } });
    const { results } = (await sides.call("listTemplates", { query: { q: "Only there" } })).body;
    const id = await create(sides, { template_uuid: results[0].id });
    await sides.call("statusDocument", { params: { id } });
    expect(summary(sides)).toEqual([]);
    expect(sides.comparison.notes()).toEqual(
      ["createDocument", "statusDocument"].map(
        (one) => `${one}: not compared, because only the real account has the thing it names`,
      ),
    );
  });
});

describe("compare: waiting", () => {
  test("compare waits until the double has also processed a document, and notes that", async () => {
    const sides = await twoSides();
    const id = await create(sides);
    await sides.real.clock.advance("5s");
    await sides.call("detailsDocument", { params: { id } });
    await sides.call("sendDocument", { params: { id }, body: { silent: true } });
    expect(sides.comparison.report()).toEqual({ version: 1, calls: 3, differences: [] });
    expect(sides.comparison.notes()).toEqual(["detailsDocument: waited for the double to finish processing"]);
  });

  test("a write that the real service refuses during processing is not a difference, even if the double has finished", async () => {
    const sides = await twoSides();
    const id = await create(sides);
    const [document] = sides.double.sandbox.documents.all();
    sides.double.sandbox.documents.simulate(document?.id ?? "", "process");
    await sides.double.sandbox.clock.settle();
    expect((await sides.call("sendDocument", { params: { id }, body: { silent: true } })).status).toBe(409);
    expect(summary(sides)).toEqual([]);
    expect(sides.comparison.notes()).toEqual(["sendDocument: the real service is still processing; the next call compares"]);
    expect(sides.double.sandbox.documents.all().map((one) => one.status)).toEqual(["document.draft"]);
  });

  test("a list page that ends at another entry still shows which documents the real service has processed", async () => {
    const sides = await twoSides();
    await create(sides);
    const body = JSON.stringify({ name: "Of a colleague", template_uuid: TEMPLATES.oneSigner, recipients: [CLIENT] });
    const headers = { authorization: "API-Key docdouble-key", "content-type": "application/json" };
    await sides.real.clock.advance("5s");
    await sides.real.fetch("/public/v1/documents", { method: "POST", headers, body });
    for (const page of [1, 2]) await sides.call("listDocuments", { query: { count: 1, page, order_by: "-date_created" } });
    expect(sides.double.sandbox.documents.all().map((one) => one.status)).toEqual(["document.draft"]);
    expect(summary(sides)).toEqual([]);
  });

  test.each(["documentRevertToDraft", "deleteDocument"] as const)(
    "%s during an uncertain processing excludes the history of that document from the comparison",
    async (operation) => {
      const sides = await twoSides({ seesWebhooks: true });
      await sides.call("createWebhookSubscription", {
        body: { name: "All", url: "https://hooks.example/", active: true, triggers: ["document_state_changed"], payload: [] },
      });
      const id = await create(sides);
      await sides.real.clock.advance("5s");
      await sides.call(operation, { params: { id } });
      await sides.call("listDocumentAuditTrail", { params: { document_id: id } });
      await sides.comparison.finish(sides.at_ms);
      expect(summary(sides)).toEqual([]);
      const note = "the document was perhaps still processed, so its history is not compared";
      expect(sides.comparison.notes()).toEqual([`${operation}: ${note}`]);
    },
  );

  test("a revert keeps the history in the comparison, if the real service has shown the document as processed", async () => {
    const sides = await twoSides({ noise: changing("listDocumentAuditTrail", (body) => body.results.pop()) });
    const id = await create(sides);
    await sides.real.clock.advance("5s");
    await sides.call("statusDocument", { params: { id } });
    await sides.call("documentRevertToDraft", { params: { id } });
    await sides.call("listDocumentAuditTrail", { params: { document_id: id } });
    expect(summary(sides)).toMatchObject([{ operation: "listDocumentAuditTrail", kind: "added", count: 1 }]);
  });

  test("compare repeats a call that the double refused, after the double has finished processing", async () => {
    const sides = await twoSides();
    const id = await create(sides);
    await sides.real.clock.advance("5s");
    await sides.call("sendDocument", { params: { id }, body: { silent: true } });
    expect(sides.comparison.report().differences).toEqual([]);
    expect(sides.comparison.notes()).toEqual(["sendDocument: waited for the double to finish processing"]);
  });

  test("compare repeats the acts of recipients at the real service, such as sign and decline, at the double", async () => {
    const sides = await twoSides();
    const [first, second] = [
      await create(sides, { template_uuid: TEMPLATES.twoSigners, recipients: [CLIENT, DIRECTOR] }),
      await create(sides),
    ];
    await sides.advance("5s");
    for (const id of [first, second]) await sides.call("sendDocument", { params: { id }, body: {} });
    sides.real.documents.simulate(first, "sign", { recipient: CLIENT.email });
    await sides.call("detailsDocument", { params: { id: first } });
    sides.real.documents.simulate(first, "sign", { recipient: DIRECTOR.email });
    sides.real.documents.simulate(second, "decline");
    for (const id of [first, second]) await sides.call("statusDocument", { params: { id } });
    expect(sides.comparison.report().differences).toEqual([]);
  });

  test("another error status right after creation is a difference, because neither side has finished processing", async () => {
    const noise = (answer: CallAnswer) => (answer.status === 409 ? { ...answer, status: 404 } : answer);
    const sides = await twoSides({ noise });
    const id = await create(sides);
    await sides.call("detailsDocument", { params: { id } });
    expect(sides.comparison.report().differences).toMatchObject([
      { operation: "detailsDocument", kind: "status", real: 404, double: 409, assumption: "details.right_after_create" },
    ]);
  });
});
