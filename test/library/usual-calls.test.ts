/** `sandbox.fetch` handles usual calls without Node's `Request`. The same calls through `Request` must leave the same answers and journal. */
import { expect, test } from "vitest";
import { testWorld } from "../support/world.ts";

const KEY = { authorization: "API-Key docdouble-key" };
const BODY = JSON.stringify({ name: "é", template_uuid: "TemplateOneSignerxxxxx" });
const CALLS: [path: string, init?: RequestInit][] = [
  ["/public/v1/documents"],
  ["/public/v1/documents?count=2&order_by=-name&tag=a%20b", { headers: KEY }],
  ["/public/v1/documents", { method: "POST", headers: KEY, body: BODY }],
  ["/public/v1/documents", { method: "POST", headers: { ...KEY, "content-type": "application/json" }, body: BODY }],
  ["/public/v1/documents", { method: "POST", headers: [...Object.entries(KEY), ["content-type", "application/json"]], body: "" }],
  ["/public/v1/documents", { method: "POST", headers: new Headers(KEY) }],
  ["/public/v1/documents/none", { method: "PATCH", headers: { ...KEY, "content-type": "application/json" }, body: "{}" }],
  ["/public/v1/documents/none", { method: "DELETE", headers: KEY }],
  ["/public/v1/documents/../templates", { headers: KEY }],
  ["/public/v1/documents/%2e%2e/templates", { headers: KEY }],
  ["/oauth2/access_token", { method: "POST", body: "grant_type=refresh_token" }],
  ["/__admin/clock/advance", { method: "POST", body: '{"by":"1s"}' }],
  ["/public/v1/documents", { method: "GET", headers: { "x-note": "a" }, body: "no body with GET" }],
  ["/public/v1/documents", { headers: { "x-note": "a\nb" } }],
];

async function outcomes(unusual: RequestInit) {
  const { sandbox, tenant } = await testWorld({ seed: 1 });
  const answers: unknown[] = [];
  for (const [path, init] of CALLS)
    try {
      const answer = await sandbox.fetch(path, { ...init, ...unusual });
      answers.push([answer.status, await answer.text()]);
    } catch (error) {
      answers.push((error as Error).name);
    }
  return { answers, journal: tenant.journal.all() };
}

test("a usual call has the same answer and journal entry as a call through Request", async () => {
  const usual = await outcomes({});
  expect(usual).toEqual(await outcomes({ redirect: "follow" }));
  expect(usual.answers.slice(-2)).toEqual(["TypeError", "TypeError"]);
  expect(usual.journal).toHaveLength(CALLS.length - 3);
});
