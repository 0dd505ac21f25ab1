import { describe, expect, test } from "vitest";
import { request } from "node:http";
import { aCompletedDocument, aDraft, succeed, TEMPLATES } from "../../support/stories.ts";
import { KEY, testWorld, type TestWorld } from "../../support/world.ts";

const DOCUMENTS = "/public/v1/documents";

describe("paths as web servers in front of Django read them", () => {
  test.each([
    ["//public/v1/documents", 200],
    ["/public//v1///documents//", 200],
    ["/public/v1/documents/?count=1", 200],
    ["/public/v1/documents//?count=1", 200],
    ["/public/v1/documents//ID//details//", 200],
    ["/public/v1//documents/ID/", 200],
    ["/public/v1/documents//nobody", 404],
    ["/public//v9/documents", 404],
  ])("GET %s answers %i", async (path, status) => {
    const world = await testWorld();
    const id = await aDraft(world);
    const answer = await world.request("GET", path.replace("ID", id));
    expect(answer.status).toBe(status);
    expect(world.tenant.journal.all().at(-1)?.path).toBe(path.replace("ID", id).split("?")[0]);
  });

  test("a socket reads doubled slashes as the library does, also before the query marker of an upload", async () => {
    const world = await testWorld({ port: 0 });
    const url = new URL(world.sandbox.url);
    const read = (path: string) =>
      new Promise<number | undefined>((done, failed) => {
        const headers = { authorization: `API-Key ${KEY}` };
        const call = request({ host: url.hostname, port: url.port, path, headers }, (answer) => {
          answer.resume();
          done(answer.statusCode);
        });
        call.on("error", failed).end();
      });
    expect([await read("//public/v1//documents/"), await read("/public/v1//documents?count=1&count=2")]).toEqual([200, 200]);
  });

  test("a rule for a path applies to the same path with doubled slashes", async () => {
    const world = await testWorld();
    const rule = { name: "down", when: { path: DOCUMENTS }, then: { respond: { status: 503 } } };
    expect((await world.admin("POST", "/rules", rule)).status).toBe(201);
    for (const path of [DOCUMENTS, "/public/v1//documents"])
      expect([path, (await world.request("GET", path)).status]).toEqual([path, 503]);
  });
});

describe("query parameters as Django reads them", () => {
  const names = async (world: TestWorld, query: string) => {
    const { status, body } = await world.request("GET", `${DOCUMENTS}?${query}`);
    return status === 200 ? body.results.map((one: { name: string }) => one.name) : [status, body.detail];
  };

  test("the last value of a repeated parameter counts, the header names the assumption, and lint names the parameter", async () => {
    const world = await testWorld();
    for (const name of ["Alpha", "Beta", "Gamma"]) await aDraft(world, { body: { name } });
    expect(await names(world, "count=x&count=1&order_by=name")).toEqual(["Alpha"]);
    expect(await names(world, "q=alpha&q=beta")).toEqual(["Beta"]);
    expect(await names(world, "order_by=name&order_by=-name")).toEqual(["Gamma", "Beta", "Alpha"]);
    expect(await names(world, "count=1&count=x")).toEqual([400, { count: ["A valid integer is required."] }]);
    expect(await names(world, "deleted=false&deleted=true")).toEqual([]);
    const answer = await world.request("GET", `${DOCUMENTS}?count=1&count=2`);
    expect(answer.headers.get("x-docdouble-why")).toContain("errors.repeated_parameter");
    expect(world.sandbox.lint().map(({ kind, message }) => [kind, message])).toContainEqual([
      "unknown_field",
      'listDocuments takes one value of the query parameter "count", so the service ignores all but the last',
    ]);
  });

  test("lists keep all values: statuses, owners, metadata, tags of templates, events and log filters", async () => {
    const world = await testWorld();
    await aDraft(world, { body: { name: "Draft", metadata: { a: "1", b: "2" } } });
    await aCompletedDocument(world, { body: { name: "Done" } });
    expect(await names(world, "status=0&status=2&order_by=name")).toEqual(["Done", "Draft"]);
    expect(await names(world, "status=0&status=x")).toEqual([400, { status: ["A valid integer is required."] }]);
    expect(await names(world, "status__ne=0&status__ne=2")).toEqual([]);
    expect(await names(world, "status=0&status=2&status__ne=0")).toEqual(["Done"]);
    expect(await names(world, "metadata=metadata_a%3D1&metadata=metadata_b%3D2")).toEqual(["Draft"]);
    expect(await names(world, "metadata_a=0&metadata_a=1")).toEqual(["Draft"]);
    const log = await succeed(world.request("GET", "/public/v1/logs?methods=GET&methods=POST&statuses=200&statuses=400"));
    expect(log.body.results.length).toBeGreaterThan(1);
    expect(
      world.sandbox
        .lint()
        .filter(({ message }) => message.includes("takes one value"))
        .map(({ message }) => message),
    ).toEqual([]);
  });

  test.each([
    ["count=1.0", 1],
    ["count=%2B1", 1],
    ["count=+1", 1],
    ["count=%201%20", 1],
    ["deleted=off", 2],
    ["deleted=F", 2],
    ["deleted=on", 0],
    ["deleted=T", 0],
    ["deleted=n", 2],
    ["=x&count=1", 1],
    ["&&count=1&", 1],
    ["?count=1", 2],
    ["q=service+agreement", 2],
    ["q=service%20agreement", 2],
    ["created_from=2026-01-01", 2],
    ["created_from=2026-01-01T00:00", 2],
    ["created_from=2026-01-01%2000:00:00", 2],
    ["created_from=2026-01-01T00:00:00.5Z", 2],
    ["created_from=2026-01-01T00:00:00%2B0100", 2],
  ])("listDocuments takes ?%s", async (query, count) => {
    const world = await testWorld();
    await aDraft(world);
    await aDraft(world);
    const { status, body } = await world.request("GET", `${DOCUMENTS}?${query}`);
    expect([status, body.results?.length]).toEqual([200, count]);
  });

  test.each([
    ["count=1.5", { count: ["A valid integer is required."] }],
    ["count=1e1", { count: ["A valid integer is required."] }],
    ["count=0x1", { count: ["A valid integer is required."] }],
    ["count=0.0", { count: ["Ensure this value is greater than or equal to 1."] }],
    ["page=-1", { page: ["Ensure this value is greater than or equal to 1."] }],
    ["deleted=maybe", { deleted: ["Must be a valid boolean."] }],
    ["deleted=2", { deleted: ["Must be a valid boolean."] }],
  ])("listDocuments refuses ?%s", async (query, detail) => {
    const { status, body } = await (await testWorld()).request("GET", `${DOCUMENTS}?${query}`);
    expect([status, body]).toEqual([400, { type: "request_error", detail }]);
  });

  test("listDocuments refuses an unescaped plus in a date, because it stands for a space", async () => {
    const world = await testWorld();
    expect((await world.request("GET", `${DOCUMENTS}?created_from=2026-01-01T00:00:00+01:00`)).status).toBe(400);
  });
});

describe("bodies as Django REST framework reads them", () => {
  const contact = (world: TestWorld, body: string, headers: Record<string, string> = {}) =>
    world.request("POST", "/public/v1/contacts", { body, headers });

  test.each([
    "application/json",
    "application/json; charset=utf-8",
    "application/json;charset=UTF-8",
    "Application/JSON; charset=latin1",
  ])("createContact takes the media type %s", async (type) => {
    const answer = await contact(await testWorld(), '{"first_name": "Żółć"}', { "content-type": type });
    expect([answer.status, answer.body.first_name]).toEqual([201, "Żółć"]);
  });

  test.each(["application/vnd.api+json", "text/json", "application/merge-patch+json", "application/x-www-form-urlencoded"])(
    "createContact refuses the media type %s",
    async (type) => {
      const answer = await contact(await testWorld(), '{"first_name": "Ann"}', { "content-type": type });
      expect([answer.status, answer.body]).toEqual([
        400,
        { type: "request_error", detail: `Unsupported media type "${type}" in request.` },
      ]);
    },
  );

  test.each([
    ["\ufeff{}", "Unexpected UTF-8 BOM (decode using utf-8-sig): line 1 column 1 (char 0)"],
    ['{"a": NaN}', "Out of range float values are not JSON compliant: 'NaN'"],
    ['{"a": [Infinity]}', "Out of range float values are not JSON compliant: 'Infinity'"],
    ['{"a": -Infinity}', "Out of range float values are not JSON compliant: '-Infinity'"],
    [" ", "Expecting value: line 1 column 2 (char 1)"],
    ["{'a': 1}", "Expecting property name enclosed in double quotes: line 1 column 2 (char 1)"],
  ])("createContact refuses the body %j in the words of the framework", async (body, reason) => {
    const answer = await contact(await testWorld(), body);
    expect([answer.status, answer.body.detail]).toEqual([400, `JSON parse error - ${reason}`]);
  });

  test("the last of two members with one name counts, and 1.0 is an integer", async () => {
    const world = await testWorld();
    expect((await contact(world, '{"email": "a@b.example", "email": "c@d.example"}')).body.email).toBe("c@d.example");
    const id = await aDraft(world);
    expect((await world.request("PATCH", `${DOCUMENTS}/${id}/status`, { body: '{"status": 2.0}' })).status).toBe(204);
    const again = await aDraft(world);
    const half = await world.request("PATCH", `${DOCUMENTS}/${again}/status`, { body: '{"status": 2.5}' });
    expect(half.status).toBe(400);
  });

  test("a body without a length, in chunks, is read", async () => {
    const world = await testWorld({ port: 0 });
    const body = JSON.stringify({ name: "Chunks", template_uuid: TEMPLATES.oneSigner, recipients: [] });
    const chunks = new ReadableStream({
      start(controller) {
        for (const part of body.match(/.{1,7}/g) ?? []) controller.enqueue(new TextEncoder().encode(part));
        controller.close();
      },
    });
    const headers = { authorization: `API-Key ${KEY}`, "content-type": "application/json" };
    const init: RequestInit & { duplex: "half" } = { method: "POST", headers, body: chunks, duplex: "half" };
    const answer = await fetch(`${world.sandbox.url}${DOCUMENTS}/`, init);
    expect([answer.status, ((await answer.json()) as { name: string }).name]).toEqual([201, "Chunks"]);
  });
});

describe("methods and headers", () => {
  test("HEAD answers as GET does, without a body", async () => {
    const world = await testWorld();
    for (const [path, status] of [
      [DOCUMENTS, 200],
      [`${DOCUMENTS}?count=x`, 400],
      [`${DOCUMENTS}/nobody`, 404],
    ] as const) {
      const answer = await world.sandbox.fetch(path, { method: "HEAD", headers: { authorization: `API-Key ${KEY}` } });
      expect([answer.status, answer.headers.get("content-type"), await answer.text()]).toEqual([status, "application/json", ""]);
    }
  });

  test("OPTIONS lists the methods of a path, and needs credentials", async () => {
    const world = await testWorld();
    const answer = await world.request("OPTIONS", DOCUMENTS);
    expect([answer.status, answer.headers.get("allow")]).toEqual([200, "GET, POST, DELETE, OPTIONS"]);
    expect(answer.body.renders).toEqual(["application/json"]);
    expect((await world.request("OPTIONS", DOCUMENTS, { key: null })).status).toBe(401);
    expect((await world.request("OPTIONS", "/public/v1/nothing")).status).toBe(404);
  });

  test("a wrong method answers 405 with Allow, after the credentials are checked", async () => {
    const world = await testWorld();
    const answer = await world.request("PUT", DOCUMENTS);
    expect([answer.status, answer.headers.get("allow"), answer.body]).toEqual([
      405,
      "GET, POST, DELETE",
      { type: "request_error", detail: 'Method "PUT" not allowed.' },
    ]);
    expect((await world.request("PUT", DOCUMENTS, { key: null })).status).toBe(401);
    expect((await world.request("PUT", "/public/v1/nothing", { key: null })).status).toBe(404);
  });
});
