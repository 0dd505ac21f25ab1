/** Secrets, pages of other sites, addresses, and what a caller's text may do where it is shown. */
import { request as httpRequest } from "node:http";
import { describe, expect, test } from "vitest";
import { hostOf } from "../../../src/sandbox.ts";
import { testWorld } from "../../support/world.ts";

describe("M10 only the inspector changes something from a browser", () => {
  /** A request over the socket, as `fetch` lets nobody set Host, Origin or Sec-Fetch-Site. */
  function post(url: string, headers: Record<string, string>, body = '{"by":"1s"}'): Promise<number> {
    return new Promise((resolve, reject) => {
      const call = httpRequest(`${url}/__admin/clock/advance`, { method: "POST", headers }, (answer) => {
        answer.resume();
        resolve(answer.statusCode ?? 0);
      });
      call.on("error", reject);
      call.end(body);
    });
  }

  const JSON_TYPE = { "content-type": "application/json" };
  const origins = (port: string): [origin: string, site?: string][] => [
    [`http://127.0.0.1:${Number(port) + 1}`],
    ["http://127.0.0.1"],
    ["http://localhost:3000", "same-site"],
    [`https://127.0.0.1:${port}`],
    [`http://evil.localhost:${port}`, "cross-site"],
    [`http://localhost:${port}`, "cross-site"],
    [`http://127.0.0.2:${port}`],
    [`http://[::1]:${port}`],
    ["https://evil.example", "cross-site"],
    [`http://127.0.0.1.evil.example:${port}`],
    [`http://localhost.evil.example:${port}`],
    ["null", "cross-site"],
    ["file://"],
    [`chrome-extension://127.0.0.1:${port}`],
  ];

  test("M10 14 origins are refused, in JSON and in plain text, even with the page's token", async () => {
    const world = await testWorld({ port: 0 });
    const { url } = world.sandbox;
    const token = { "x-docdouble-page-token": hostOf(world.sandbox).pageToken };
    const before = world.tenant.clock.now();
    for (const [origin, site] of origins(new URL(url).port))
      for (const type of ["application/json", "text/plain"])
        for (const extra of [{}, token]) {
          const headers = { origin, "content-type": type, ...(site ? { "sec-fetch-site": site } : {}), ...extra };
          expect.soft(await post(url, headers), `${origin} ${type}`).toBe(403);
        }
    expect(world.tenant.clock.now()).toBe(before);
  });

  test("M10 the own origin needs the token of the page, and a browser that hides its origin needs both", async () => {
    const world = await testWorld({ port: 0 });
    const { url } = world.sandbox;
    const token = { "x-docdouble-page-token": hostOf(world.sandbox).pageToken };
    const own = { ...JSON_TYPE, origin: url, "sec-fetch-site": "same-origin" };
    expect(await post(url, own)).toBe(403);
    expect(await post(url, { ...own, "x-docdouble-page-token": "0".repeat(64) })).toBe(403);
    expect(await post(url, { ...own, ...token })).toBe(200);
    for (const site of ["cross-site", "same-site", "none", "same-origin"])
      expect.soft(await post(url, { ...JSON_TYPE, "sec-fetch-site": site }), site).toBe(403);
    expect(await post(url, { ...JSON_TYPE, "sec-fetch-site": "same-site", ...token })).toBe(403);
  });

  test("M10 programs need neither: curl, WireMock's libraries and fetch on Node keep working", async () => {
    const world = await testWorld({ port: 0 });
    expect(await post(world.sandbox.url, {})).toBe(200);
    expect(await post(world.sandbox.url, { "content-type": "text/plain" })).toBe(200);
    const answer = await fetch(`${world.sandbox.url}/__admin/clock/advance`, { method: "POST", body: '{"by":"1s"}' });
    expect(answer.status).toBe(200);
  });

  test("M10 another site reads no answer: no CORS header, no embedding, no token but in the page", async () => {
    const world = await testWorld();
    const headers = { origin: "http://localhost:3000", "sec-fetch-site": "same-site" };
    for (const path of ["/__admin/", "/__admin/requests", "/__admin/events", "/__admin/emails/inbox"]) {
      const answer = await world.request("GET", path, { headers });
      expect
        .soft(
          [...answer.headers.keys()].filter((name) => name.startsWith("access-control")),
          path,
        )
        .toEqual([]);
      expect.soft(answer.headers.get("cross-origin-resource-policy"), path).toBe("same-origin");
    }
    const other = await testWorld();
    expect(hostOf(other.sandbox).pageToken).not.toBe(hostOf(world.sandbox).pageToken);
  });
});
