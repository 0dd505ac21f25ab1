/** The page that a person sees at an address without a page. `reference.test.ts` opens it in a browser. */
import { describe, expect, test } from "vitest";
import { testWorld, type TestWorld } from "../support/world.ts";

const IN_A_BROWSER = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" };

async function looked(world: TestWorld, path: string, key: string | null = null) {
  const { status, headers, body } = await world.request("GET", path, { key, headers: IN_A_BROWSER });
  const isPage = headers.get("content-type")?.startsWith("text/html") ?? false;
  return { status, headers, text: isPage ? new TextDecoder().decode(body) : undefined };
}

describe("a browser at an address without a page", () => {
  test.each([
    ["/inspector", 404, "There is no such page"],
    ["/__admin/document", 404, "did you mean /__admin/documents?"],
    ["/__admin/?view=wrong", 400, "View is one of documents, clock, journal"],
    ["/__admin/?view=mails&as=letter", 400, "As is "],
    ["/%3Cscript%3Ealert(1)%3C/script%3E", 404, "%3Cscript%3E"],
  ])("gets a page for %s", async (path, status, words) => {
    const seen = await looked(await testWorld(), path);
    const text = seen.text?.replace(/<[^>]+>/g, "");
    expect([seen.status, text]).toEqual([status, expect.stringContaining(words)]);
    expect(seen.text?.match(/<script/g)).toHaveLength(1);
    expect(seen.headers.get("content-security-policy")).toMatch(/^default-src 'none'/);
  });

  test("still gets the request for a password, when the server has an admin token", async () => {
    const seen = await looked(await testWorld({ adminToken: "secret" }), "/__admin/");
    expect([seen.status, seen.text]).toEqual([401, expect.stringContaining("This page needs the admin token")]);
    expect(seen.headers.get("www-authenticate")).toMatch(/^Basic realm=/);
  });

  test("gets the JSON of the service and of the admin API, where a program would get it", async () => {
    const world = await testWorld();
    for (const path of ["/public/v1/document", "/public/v1/documents", "/__admin/documents/nothing", "/oauth2/tokens"])
      expect.soft((await looked(world, path)).text, path).toBeUndefined();
  });
});

/** What java.net.HttpURLConnection sends when the program sets no header. */
const JAVA_DEFAULT = { accept: "text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2" };

test("a program gets JSON at an unknown path, and the journal lists the call of both", async () => {
  const world = await testWorld();
  await looked(world, "/inspector", "docdouble-key");
  const { status, body } = await world.request("GET", "/inspector", { headers: JAVA_DEFAULT });
  expect([status, body]).toEqual([404, expect.objectContaining({ type: "request_error" })]);
  const { body: listed } = await world.admin("GET", "/requests/unmatched");
  expect(listed.requests.map((one: { request: { url: string } }) => one.request.url)).toEqual(["/inspector", "/inspector"]);
});
