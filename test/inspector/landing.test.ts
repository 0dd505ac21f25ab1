/** What `/` says to a program. test/system/inspector shows the page to a browser. */
import { expect, test } from "vitest";
import { KEY, testWorld } from "../support/world.ts";

const root = async (headers: Record<string, string>, more: object = {}) => {
  const world = await testWorld(more);
  const response = await world.sandbox.fetch("/", { headers });
  return { status: response.status, type: response.headers.get("content-type"), text: await response.text(), world };
};

test.each([[{ accept: "*/*" }], [{}], [{ accept: "text/plain" }]])(
  "/ answers a curious program with the address, the key and the next paths: %j",
  async (headers) => {
    const { status, type, text, world } = await root(headers as Record<string, string>);
    expect([status, type]).toEqual([200, "text/plain; charset=utf-8"]);
    const url = world.tenant.settings.publicUrl;
    expect(text.split("\n").slice(2, 5)).toEqual([
      `The API     ${url}/public/v1/`,
      "Key         Authorization: API-Key docdouble-key",
      `Try it      curl -H 'Authorization: API-Key docdouble-key' ${url}/public/v1/templates`,
    ]);
  },
);

test.each([[{ authorization: `API-Key ${KEY}` }], [{ accept: "application/json" }]])(
  "/ refuses a client of the service, and the journal has the call: %j",
  async (headers) => {
    const { status, text, world } = await root(headers as Record<string, string>);
    expect([status, JSON.parse(text)]).toEqual([404, { type: "request_error", detail: "Not found" }]);
    expect(world.tenant.journal.latest(5).map((one) => one.path)).toEqual(["/"]);
  },
);

test("/ shows no key when an admin token guards the server", async () => {
  const { status, text } = await root({ accept: "*/*" }, { adminToken: "secret-of-the-admin" });
  expect([status, text.includes("docdouble-key"), text.includes("API-Key YOUR-KEY")]).toEqual([200, false, true]);
});
