/** The journal as HAR 1.2. */
import { expect, test } from "vitest";
import { aDraft, anUploadedDocument } from "../../support/stories.ts";
import { testWorld } from "../../support/world.ts";

test("each call is an entry, oldest first, with the texts that the journal shows", async () => {
  const { sandbox, call, request } = await testWorld();
  await call("createContact", { body: { email: "pat@client.example" }, query: { q: "a b" } });
  await call("listContacts", { query: { email: "pat@client.example" } });
  await request("GET", "/public/v1/no-such-path");
  const { log } = sandbox.har();
  expect(log).toMatchObject({ version: "1.2", creator: { name: "docdouble", version: sandbox.har().log.creator.version } });
  expect(log.entries.map(({ request: { method, url }, response: { status } }) => `${method} ${url} ${status}`)).toEqual([
    "POST http://docdouble.test/public/v1/contacts?q=a+b 201",
    "GET http://docdouble.test/public/v1/contacts?email=pat%40client.example 200",
    "GET http://docdouble.test/public/v1/no-such-path 404",
  ]);
  const [create] = log.entries;
  expect(create).toMatchObject({
    startedDateTime: "2026-03-02T09:00:00.000Z",
    time: 0,
    request: {
      httpVersion: "HTTP/1.1",
      queryString: [{ name: "q", value: "a b" }],
      postData: { mimeType: "application/json", text: '{"email":"pat@client.example"}' },
      headersSize: -1,
      bodySize: 30,
    },
    response: { statusText: "Created", content: { mimeType: "application/json" }, redirectURL: "" },
    timings: { send: 0, wait: 0, receive: 0 },
    _operation: "createContact",
  });
  expect(JSON.parse(create?.response.content.text ?? "")).toMatchObject({ email: "pat@client.example" });
  expect(JSON.stringify(log)).not.toContain("docdouble-key");
});

test("a broken connection has the status 0, and bytes have only their size", async () => {
  const world = await testWorld();
  const id = await aDraft(world);
  const { status } = await world.call("downloadDocument", { params: { id } });
  world.sandbox.faults.lostAnswer("createDocument");
  await anUploadedDocument(world).catch(() => undefined);
  const entries = world.sandbox.har().log.entries;
  const download = entries.find((one) => one._operation === "downloadDocument");
  expect(download?.response).toMatchObject({ status, content: { mimeType: "application/pdf", size: expect.any(Number) } });
  expect(download?.response.content.size).toBeGreaterThan(500);
  expect(download?.response.content.text).toBeUndefined();
  expect(entries.at(-1)?.response).toMatchObject({ status: 0, statusText: "", headers: [], content: { size: 0 } });
});

test("the parts of an upload are parameters, and files have their name and type", async () => {
  const { sandbox, call } = await testWorld();
  const file = new File(["%PDF-1.7"], "offer.pdf", { type: "application/pdf" });
  await call("createDocumentFromUpload", { parts: { file, data: { name: "Offer" } } });
  const [entry] = sandbox.har().log.entries;
  expect(entry?.request.postData).toEqual({
    mimeType: expect.stringMatching(/^multipart\/form-data; boundary=/),
    params: [
      { name: "file", value: "", fileName: "offer.pdf", contentType: "application/pdf" },
      { name: "data", value: '{"name":"Offer"}' },
    ],
  });
});

test("GET /__admin/har answers the calls about one document, and those of the tenant of the key", async () => {
  const world = await testWorld();
  const [one] = [await anUploadedDocument(world), await anUploadedDocument(world)];
  await world.call("statusDocument", { params: { id: one } });
  await anUploadedDocument(world, { key: "test-other" });
  const { body, headers } = await world.admin("GET", `/har?document=${one}`);
  expect(headers.get("content-disposition")).toBe('attachment; filename="docdouble.har"');
  expect(body.log.entries.map((entry: { _operation: string }) => entry._operation)).toEqual(["createDocument", "statusDocument"]);
  expect((await world.admin("GET", "/har")).body.log.entries).toHaveLength(3);
  expect((await world.admin("GET", "/har", undefined, "test-other")).body.log.entries).toHaveLength(1);
  expect((await world.admin("GET", "/har?tenant=test-other")).body.log.entries).toHaveLength(1);
  expect((await world.admin("GET", "/har?document=none")).status).toBe(404);
});
