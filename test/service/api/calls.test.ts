/** Proves the specification's rules about the whole API. */
import { describe, expect, test } from "vitest";
import { asMember, INES, PERMISSION, SAM } from "../../support/people.ts";
import { aDraft, succeed } from "../../support/stories.ts";
import { useWorld, type TestWorld } from "../../support/world.ts";

const world = useWorld();

describe("refusals", () => {
  test("deleteDocument and bulkDeleteDocuments work only for the owner, managers and admins", async () => {
    const [ines, sam] = [await asMember(world, INES.member), await asMember(world, SAM.member)];
    const [theirs, his, hers] = [await aDraft(world), await aDraft(world), await aDraft(world)];
    const own = await aDraft(world, { body: { owner: { membership_id: INES.member } } });
    const refused = await world.call("deleteDocument", { params: { id: theirs }, ...ines });
    expect([refused.status, refused.body]).toEqual([403, PERMISSION]);
    const some = await world.call("bulkDeleteDocuments", { body: [{ id: own }, { id: theirs }], ...ines });
    expect([some.status, some.body]).toEqual([403, PERMISSION]);
    const done = await world.call("bulkDeleteDocuments", { body: [{ id: own }, { id: own }], ...ines });
    expect([done.status, done.body]).toEqual([200, { id: [own] }]);
    expect((await world.call("deleteDocument", { params: { id: his }, ...sam })).status).toBe(204);
    expect((await world.call("deleteDocument", { params: { id: hers } })).status).toBe(204);
    expect((await world.call("listDocuments")).body.results.map((one: { id: string }) => one.id)).toEqual([theirs]);
  });

  test("bulkDeleteDocuments answers the deleted ids, and deletes nothing if one document is unknown or forbidden", async () => {
    const [first, second, third] = [await aDraft(world), await aDraft(world), await aDraft(world)];
    const call = (ids: unknown[], who: object = {}) =>
      world.call("bulkDeleteDocuments", { body: ids.map((id) => ({ id })), ...who });
    const before = world.tenant.store.snapshot();
    expect((await call([first, "nothing"])).status).toBe(404);
    expect((await call([first], { key: "test-other" })).status).toBe(404);
    expect((await world.call("bulkDeleteDocuments", { body: [first] })).status).toBe(400);
    expect(world.tenant.store.snapshot()).toEqual(before);
    const plainMember = await asMember(world, INES.member);
    const refused = await call([first, second], plainMember);
    expect([refused.status, refused.body.type]).toEqual([403, "permissions_error"]);
    const done = await call([first, second]);
    expect([done.status, done.body]).toEqual([200, { id: [first, second] }]);
    // A deleted document cannot be deleted again, so the whole request is refused.
    expect((await call([third, first])).status).toBe(403);
    const { body } = await world.call("listDocuments");
    expect(body.results.map((one: { id: string }) => one.id)).toEqual([third]);
  });
});

describe("access", () => {
  test("accessToken issues a working bearer token, and a refresh does not widen its scope", async () => {
    const { body } = await succeed(world.admin("POST", "/oauth/codes", { client_id: "docdouble-client", scope: "read" }));
    const first = await token(world, { grant_type: "authorization_code", code: body.code });
    const second = await token(world, { grant_type: "refresh_token", refresh_token: first.refresh_token, scope: "read+write" });
    const headers = { authorization: `Bearer ${second.access_token}` };
    expect((await world.request("GET", "/public/v1/documents", { key: null, headers })).status).toBe(200);
    expect((await world.request("POST", "/public/v1/contacts", { key: null, headers, body: {} })).status).toBe(403);
  });
});

async function token(world: TestWorld, fields: Record<string, string>) {
  const form = new URLSearchParams({ client_id: "docdouble-client", client_secret: "docdouble-secret", ...fields });
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  return (await succeed(world.call("accessToken", { key: null, body: form.toString(), headers }))).body;
}
