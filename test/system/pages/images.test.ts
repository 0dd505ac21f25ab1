/** Images on the signing page, in a browser. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { aSentDocument, CLIENT, succeed } from "../../support/stories.ts";
import { testWorld } from "../../support/world.ts";
import { aPage, useBrowser } from "../../support/browser.ts";

useBrowser();

const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/** A foreign server with an image, an HTML page that is declared as an image, and a missing file. */
async function elsewhere(): Promise<string> {
  const server = createServer((request, response) => {
    if (request.url === "/nothing.png") response.writeHead(404).end();
    else
      response
        .writeHead(200, { "content-type": "image/png" })
        .end(request.url === "/logo.png" ? Buffer.from(PIXEL, "base64") : "<script>alert(1)</script>");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test("GET /s/{session}: the page loads images only from this server, and names each image that cannot be loaded", async () => {
  const world = await testWorld({ port: 0 });
  const there = await elsewhere();
  const urls = [
    `${there}/logo.png`,
    `data:image/png;base64,${PIXEL}`,
    `${there}/page.png`,
    `${there}/nothing.png`,
    "file:///etc/passwd",
  ];
  const images = [{ name: "Logo", urls: urls.slice(0, 1) }];
  const body = { recipients: [{ ...CLIENT, role: "Signer" }], images };
  const id = await aSentDocument(world, { template: "everyField", body });
  // The API keeps one address of each image, but a data file may hold several.
  const { documents } = world.tenant.store;
  world.tenant.store.transaction(() => {
    const row = documents.get(id);
    if (row) documents.put({ ...row, images: row.images.map((image) => ({ ...image, urls })) });
  });
  const made = await succeed(world.call("createDocumentLink", { params: { id }, body: { recipient: CLIENT.email } }));
  const url = `${world.sandbox.url}/s/${made.body.id}/`;
  const page = await aPage();
  const hosts = new Set<string>();
  page.on("request", (request) => hosts.add(new URL(request.url()).origin));
  await page.goto(url, { waitUntil: "networkidle" });
  const figures = page.getByTestId("image-Logo");
  expect(await figures.allTextContents()).toEqual([
    "",
    "",
    "Image Logo could not be loaded",
    "Image Logo could not be loaded",
    "Image Logo: its address does not start with http:// or https://",
  ]);
  expect(await page.evaluate("[...document.querySelectorAll('figure img')].map((one) => one.naturalWidth)")).toEqual([1, 1]);
  expect([...hosts]).toEqual([world.sandbox.url]);
  const { pathname } = new URL(url);
  const shown = await world.request("GET", `${pathname}images/0`, { key: null });
  expect([shown.status, shown.headers.get("content-type"), shown.headers.get("x-content-type-options")]).toEqual([
    200,
    "image/png",
    "nosniff",
  ]);
  for (const path of [`${pathname}images/2`, `${pathname}images/9`, `${pathname}images/x`, "/s/nothing/images/0"])
    expect.soft((await world.request("GET", path, { key: null })).status, path).toBe(404);
});
