import { describe, expect, test } from "vitest";
import { succeed, TEMPLATES } from "../../support/stories.ts";
import { testWorld } from "../../support/world.ts";

const nested = (levels: number) => `${"[".repeat(levels)}${"]".repeat(levels)}`;
const members = (count: number) => `{${Array.from({ length: count }, (_, i) => `"k${i}":"v"`).join()}}`;
/** A valid body with one more member, as text, because `JSON.stringify` cannot write all of these members. */
const creating = (member: string) => `{"template_uuid":"${TEMPLATES.oneSigner}","recipients":[],${member}}`;

const MALFORMED = (reason: string) => ({ type: "request_error", detail: `JSON parse error - ${reason}` });
const REFUSED = (detail: object) => ({ type: "validation_error", detail });
const WRONG = (field: string, message: string) => REFUSED({ [field]: [message] });

describe("bounds on JSON", () => {
  test.each([
    ["lists that are nested too deeply", `"metadata":{"a":${nested(99)}}`, MALFORMED("too deeply nested")],
    ["a NUL", '"name":"a\\u0000b"', WRONG("name", "Null characters are not allowed.")],
    ["a NUL in the name of a member", '"metadata":{"a\\u0000":"b"}', WRONG("metadata", "Null characters are not allowed.")],
    ["half of a surrogate pair", '"tags":["fine","\\ud83d"]', REFUSED({ tags: { 1: ["Not a valid string."] } })],
    ["an infinite number", '"metadata":{"a":1e400}', REFUSED({ metadata: { a: ["A valid number is required."] } })],
    ["too many members", `"metadata":${members(5001)}`, WRONG("metadata", "Ensure this field has no more than 5000 elements.")],
  ])("createDocument refuses %s", async (_, member, body) => {
    const world = await testWorld();
    const answer = await world.request("POST", "/public/v1/documents", { body: creating(member) });
    expect({ status: answer.status, body: answer.body }).toEqual({ status: 400, body });
    expect(world.tenant.store.documents.all()).toEqual([]);
  });

  test.each([
    ["lists within the limit of depth", `"metadata":{"a":${nested(97)}}`],
    ["brackets in a text", `"name":"${"[".repeat(200)}\\"${"{".repeat(200)}"`],
    ["a whole surrogate pair", '"name":"\\ud83d\\ude00"'],
    ["a backslash before u0000", '"name":"a\\\\u0000"'],
    ["many members within the limit", `"metadata":${members(4000)}`],
    ["names of members that every object has", '"metadata":{"constructor":"y","toString":"z"}'],
  ])("createDocument accepts %s, and the document can be read", async (_, member) => {
    const world = await testWorld();
    const { id } = (await succeed(world.request("POST", "/public/v1/documents", { body: creating(member) }))).body;
    await world.advance("5s");
    for (const operation of ["detailsDocument", "downloadDocument"] as const)
      await succeed(world.call(operation, { params: { id } }));
  });

  test("createContact refuses bytes that are not UTF-8", async () => {
    const world = await testWorld();
    const body = new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]);
    const headers = { authorization: "API-Key docdouble-key", "content-type": "application/json" };
    const answer = await world.sandbox.fetch("/public/v1/contacts", { method: "POST", headers, body });
    expect({ status: answer.status, body: await answer.json() }).toEqual({ status: 400, body: MALFORMED("invalid utf-8") });
  });

  test("createCatalogItem keeps the uuid of an item that exists only in the bundle", async () => {
    const world = await testWorld();
    const price_configuration = { currency: "EUR", price: 1, pricing_method: 0 };
    const own = { uuid: "cup-1", title: "Cup", images: [{ is_main: null, order: 1, src: "https://x.example/c.png" }] };
    const body = { title: "Set", type: "bundle", price_configuration, bundle_items: [{ quantity: 2, item_or_uuid: own }] };
    const { body: made } = await succeed(world.call("createCatalogItem", { body }));
    expect(made.bundle_items).toMatchObject([{ quantity: 2, item: { uuid: "cup-1", images: [{ is_main: false }] } }]);
  });
});
