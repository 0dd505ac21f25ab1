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
