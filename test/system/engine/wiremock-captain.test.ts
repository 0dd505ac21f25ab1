/** A client of WireMock reads the journal of docdouble. */
import { expect, test } from "vitest";
import { WireMock } from "wiremock-captain";
import { aDraft } from "../../support/stories.ts";
import { KEY, testWorld, toAnswer } from "../../support/world.ts";

test("wiremock-captain reads and clears the journal", async () => {
  const world = await testWorld({ port: 0 });
  const { url } = world.sandbox;
  const captain = new WireMock(url);
  const id = await aDraft(world);
  const headers = { authorization: `API-Key ${KEY}` };
  await fetch(`${url}/public/v1/documents/${id}`, { headers });
  await fetch(`${url}/public/v1/documents/${id}`, { headers });
  await fetch(`${url}/public/v1/nowhere`, { headers });
  expect(await captain.getAllRequests()).toHaveLength(4);
  expect(await captain.getRequestsForAPI("GET", `/public/v1/documents/${id}`)).toHaveLength(2);
  expect(await captain.getRequestsForAPI("POST", "/public/v1/documents")).toMatchObject([
    { request: { method: "POST", body: expect.stringContaining("Service agreement") }, response: { status: 201 } },
  ]);
  expect(await captain.getUnmatchedRequests()).toMatchObject([
    { url: "/public/v1/nowhere", absoluteUrl: `${url}/public/v1/nowhere` },
  ]);
  const pattern = JSON.stringify({ method: "GET", urlPath: `/public/v1/documents/${id}` });
  const counted = await fetch(`${url}/__admin/requests/count`, { method: "POST", body: pattern });
  expect((await toAnswer(counted)).body.count).toBe(2);
  expect((await captain.clearAllRequests()).status).toBe(200);
  expect(await captain.getAllRequests()).toEqual([]);
});
