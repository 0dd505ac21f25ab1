/** Tests the document on the signing page: drawn PDF pages, fields at their places, and the page without JavaScript. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { PDFDocument } from "@cantoo/pdf-lib";
import { describe, expect, onTestFinished, test } from "vitest";
import { demandingPdf, FORM_FIELDS, formPdf } from "../../support/pdf.ts";
import { aSentDocument, CLIENT, DIRECTOR, statusOf, succeed } from "../../support/stories.ts";
import { type TestWorld, testWorld } from "../../support/world.ts";
import { aPage, embed, expectAccessible, expectNoSideScroll, loadChecker, useBrowser } from "../../support/browser.ts";
import { COMPANY, contract, drawn, isDark, LETTER, near, onPage, SIGNATURE, sessionOf } from "../../support/pdf-pages.ts";

useBrowser();

/**
 * A sent contract with a signature field for each recipient on its second page. The first field is anchored at the top left
 * corner of the page, and the second at the bottom right.
 */
async function aContract(world: TestWorld, file: Promise<File> = contract()): Promise<{ id: string; url: string }> {
  const recipients = [CLIENT, DIRECTOR];
  const fields = { Company: { role: CLIENT.role }, Agree: { role: CLIENT.role } };
  const data = { name: "Consulting agreement", recipients, parse_form_fields: true, fields };
  const { id } = (await succeed(world.call("createDocumentFromUpload", { parts: { file: await file, data } }))).body;
  await world.advance("5s");
  const { recipients: people } = (await succeed(world.call("detailsDocument", { params: { id } }))).body;
  const who = (role: string) => people.find((one: { roles: string[] }) => one.roles.includes(role)).id;
  const layout = (anchor_point: string, x: number, y: number) => ({
    page: 2,
    position: { offset_x: x, offset_y: y, anchor_point },
    style: { width: SIGNATURE.width, height: SIGNATURE.height },
  });
  const placed = [
    { type: "signature", assigned_to: who("Client"), layout: layout("topleft", SIGNATURE.x, SIGNATURE.y) },
    { type: "signature", assigned_to: who("Director"), layout: layout("bottomright", 72, LETTER.height - 440) },
  ];
  await succeed(world.call("createDocumentFields", { params: { id }, body: { fields: placed } }));
  await succeed(world.call("sendDocument", { params: { id }, body: { silent: true } }));
  return { id, url: await sessionOf(world, id) };
}

describe("GET /s/{session} for a PDF", () => {
  test("the page posts `rendered` when the PDF pages are drawn", async () => {
    const world = await testWorld({ port: 0 });
    const { url } = await aContract(world);
    const { frame, hears } = await embed(url);
    await hears("session_view.document.rendered");
    expect(await frame.locator("[data-inked]").count()).toBeGreaterThan(0);
  });

  test("each option of a radio group is a button at its place on the page, and the chosen option is saved", async () => {
    const world = await testWorld({ port: 0 });
    const file = new File([(await formPdf()) as Uint8Array<ArrayBuffer>], "form.pdf");
    const fields = Object.fromEntries(Object.values(FORM_FIELDS).map((name) => [name, { role: CLIENT.role }]));
    const data = { name: "Form", recipients: [CLIENT], parse_form_fields: true, fields };
    const { id } = (await succeed(world.call("createDocumentFromUpload", { parts: { file, data } }))).body;
    await world.advance("5s");
    await succeed(world.call("sendDocument", { params: { id }, body: { silent: true } }));
    const page = await aPage();
    await drawn(page, await sessionOf(world, id));
    const stage = await page.locator('[data-page="0"] .stage').boundingBox();
    const scale = (stage?.width ?? 0) / LETTER.width;
    for (const [name, x] of [
      ["Basic", 72],
      ["Pro", 112],
    ] as const) {
      const box = await page.getByRole("radio", { name }).boundingBox();
      expect.soft(((box?.x ?? 0) - (stage?.x ?? 0)) / scale, name).toBeCloseTo(x, -1);
      expect.soft(((box?.y ?? 0) - (stage?.y ?? 0)) / scale, name).toBeCloseTo(792 - 620 - 16, -1);
    }
    await page.getByRole("radio", { name: "Pro" }).check();
    await page.getByTestId("save").click();
    await page.getByTestId("notice").waitFor();
    expect(world.tenant.store.documents.get(id)?.fields.find((one) => one.name === "Plan")?.value).toBe("Pro");
    await expectAccessible(page);
  });

  test("pages are drawn, fields lie at their places, and the keyboard visits the fields in order", async () => {
    const world = await testWorld({ port: 0 });
    const { id, url } = await aContract(world);
    const page = await aPage();
    const hosts = new Set<string>();
    page.on("request", (request) => hosts.add(new URL(request.url()).origin));
    await drawn(page, url);
    const sheet = await page.locator('[data-page="0"] .stage').boundingBox();
    expect((sheet?.height ?? 0) / (sheet?.width ?? 1)).toBeCloseTo(LETTER.height / LETTER.width, 2);
    expect([await isDark(page, 0, 0.5, 0.05), await isDark(page, 0, 0.5, 0.5)]).toEqual([true, false]);
    expect(await onPage(page, 0, "field-Company")).toEqual(near(COMPANY));
    expect(await onPage(page, 1, "field-Signature")).toEqual(near(SIGNATURE));
    expect(await onPage(page, 1, "field-Signature", 1)).toEqual(near({ ...SIGNATURE, x: 612 - 72 - 200 }));

    await page.getByLabel("Company").focus();
    await page.keyboard.type("Client Ltd");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Space");
    await page.keyboard.press("Tab");
    expect(await page.evaluate("document.activeElement.getAttribute('aria-label')")).toBe("Signature: sign here");
    await page.keyboard.press("Enter");
    await page.keyboard.type("Ivo Marek");
    await page.keyboard.press("Escape");
    expect(await page.evaluate("document.activeElement.getAttribute('aria-label')")).toBe("Signature: Ivo Marek, change it");
    await page.getByTestId("finish").click();
    await page.getByTestId("done").waitFor();
    expect(await statusOf(world, id)).toBe("document.viewed");
    const { fields } = (await world.call("detailsDocument", { params: { id } })).body;
    expect(Object.fromEntries(fields.slice(0, 2).map((one: { name: string; value: unknown }) => [one.name, one.value]))).toEqual({
      Company: "Client Ltd",
      Agree: true,
    });
    expect([...hosts]).toEqual([world.sandbox.url]);
  });

  test("fields keep their places on a rotated page", async () => {
    const world = await testWorld({ port: 0 });
    const page = await aPage();
    await drawn(page, (await aContract(world, contract(90))).url);
    const sheet = await page.locator('[data-page="0"] .stage').boundingBox();
    expect((sheet?.width ?? 0) / (sheet?.height ?? 1)).toBeCloseTo(LETTER.height / LETTER.width, 2);
    // The top of the page is now its right side.
    expect([await isDark(page, 0, 0.95, 0.5), await isDark(page, 0, 0.5, 0.05)]).toEqual([true, false]);
    const box = await page.getByTestId("field-Company").boundingBox();
    const scale = LETTER.height / (sheet?.width ?? 1);
    expect(((box?.x ?? 0) - (sheet?.x ?? 0) + (box?.width ?? 0)) * scale).toBeCloseTo(LETTER.height - COMPANY.y, -1);
    expect(((box?.y ?? 0) - (sheet?.y ?? 0)) * scale).toBeCloseTo(COMPANY.x, -1);
  });

  test("a field tag is invisible on its page, and its field lies at the place of the tag", async () => {
    const world = await testWorld({ port: 0 });
    const file = await PDFDocument.create();
    file.addPage([LETTER.width, LETTER.height]).drawText("{text:Client:name______}", { x: 72, y: 400, size: 30 });
    const part = new File([(await file.save()) as Uint8Array<ArrayBuffer>], "note.pdf", { type: "application/pdf" });
    const data = { name: "Note", recipients: [CLIENT], fields: { name: {} } };
    const { id } = (await succeed(world.call("createDocumentFromUpload", { parts: { file: part, data } }))).body;
    await world.advance("5s");
    await succeed(world.call("sendDocument", { params: { id }, body: { silent: true } }));
    const page = await aPage();
    await drawn(page, await sessionOf(world, id), 1);
    const box = await onPage(page, 0, "field-name");
    // From the top of the tag, 1.33 times as high as its text.
    expect([box.x, box.y, box.height]).toEqual([
      expect.closeTo(72, -0.5),
      expect.closeTo(LETTER.height - 400 - 30, -0.5),
      expect.closeTo(40, -0.5),
    ]);
    const dark = await page.evaluate<number>(
      "((ink) => ink.getContext('2d').getImageData(0, 0, ink.width, ink.height).data.filter((one, i) => i % 4 === 0 && one < 60).length)(document.querySelector('.ink'))",
    );
    expect(dark).toBe(0);
  });

  test("at 1280, 820 and 390 px the page has no accessibility finding, and errors appear at their fields", async () => {
    const world = await testWorld({ port: 0 });
    const { url } = await aContract(world);
    const page = await aPage();
    await loadChecker(page);
    for (const [colorScheme, width] of [
      ["light", 1280],
      ["dark", 820],
      ["light", 390],
    ] as const) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 844 });
      await drawn(page, url);
      await expectNoSideScroll(page);
      if (width > 390) await page.getByRole("button", { name: "Signature: sign here" }).click();
      for (const draw of await page.getByRole("button", { name: "Draw", exact: true }).all()) await draw.click();
      await page.getByTestId("finish").click();
      await page.getByText("This field is required.").waitFor();
      await expectAccessible(page);
      await expectNoSideScroll(page);
    }
    const own = page.locator(".at[data-own]");
    const targets = await own.locator("input:not([type=checkbox]):visible,button:visible,label.check").all();
    expect(targets.length).toBeGreaterThanOrEqual(5);
    for (const target of targets) expect((await target.boundingBox())?.height).toBeGreaterThanOrEqual(40);
    // A tap on the pin of a field moves the focus to the field.
    await page.locator(".pin").nth(1).click();
    expect(await page.evaluate("document.activeElement.closest('.field').dataset.testid")).toBe("field-Agree");
  });

  test("JPEG 2000 images, letters with predefined character maps, and symbols are drawn", async () => {
    const world = await testWorld({ port: 0 });
    const file = new File([(await demandingPdf()) as Uint8Array<ArrayBuffer>], "form.pdf", { type: "application/pdf" });
    const data = { name: "Form", recipients: [CLIENT] };
    const { id } = (await succeed(world.call("createDocumentFromUpload", { parts: { file, data } }))).body;
    await world.advance("5s");
    await succeed(world.call("sendDocument", { params: { id }, body: { silent: true } }));
    const page = await aPage();
    const asked = new Set<string>();
    page.on("response", (answer) => {
      if (answer.status() === 200) asked.add(new URL(answer.url()).pathname.replace(/.*\//, ""));
    });
    await drawn(page, await sessionOf(world, id), 1);
    expect([...asked]).toEqual(expect.arrayContaining(["openjpeg.wasm", "90ms-RKSJ-H.bcmap", "FoxitDingbats.pfb"]));
    // The percentage of dark pixels in an area of the page. The area is in points, and `y` counts from the bottom.
    const darkness = (x: number, y: number, width: number, height: number) =>
      page.evaluate<number>(
        `((ink) => { const s = ink.width / 612, all = ink.getContext("2d").getImageData(${x} * s, (792 - ${y}) * s, ${width} * s, ${height} * s).data.filter((_, i) => i % 4 === 0); return 100 * all.filter((one) => one < 128).length / all.length; })(document.querySelector(".ink"))`,
      );
    expect(await darkness(80, 692, 180, 180)).toBe(100);
    // Only the last letters, which are Latin, because every system has a font for them.
    expect(await darkness(175, 430, 100, 30)).toBeGreaterThan(5);
    expect(await darkness(72, 345, 60, 60)).toBeGreaterThan(5);
  });

  test("without JavaScript each page shows its text and fields, and the document can be signed", async () => {
    const world = await testWorld({ port: 0 });
    const { url } = await aContract(world);
    const page = await aPage({ javaScriptEnabled: false });
    await page.goto(url);
    expect(await page.getByRole("region", { name: "Page 2 of 2" }).textContent()).toMatch(/Signatures\s+Signature/);
    await page.getByLabel("Company").fill("Client Ltd");
    await page.getByLabel("Type your full name").fill("Ivo Marek");
    await page.getByTestId("finish").click();
    await page.getByTestId("done").waitFor();
    expect(await page.getByTestId("field-Company").textContent()).toContain("Client Ltd");
  });

  test("when the pages cannot be drawn, their text stays and the document can be signed", async () => {
    const world = await testWorld({ port: 0 });
    const { url } = await aContract(world);
    const page = await aPage();
    await page.route("**/s/assets/**", (route) => route.abort());
    await page.goto(url);
    await page.getByText("The pages could not be drawn.").waitFor();
    expect(await page.getByText("Consulting agreement").nth(1).isVisible()).toBe(true);
    await page.getByLabel("Type your full name").fill("Ivo Marek");
    await page.getByTestId("finish").click();
    await page.getByTestId("done").waitFor();
  });
});

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

describe("GET /s/{session} with images", () => {
  test("the page loads images only from this server, and names each image that cannot be loaded", async () => {
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
    const url = await sessionOf(world, id);
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

  test("the content security policy allows only the page's scripts and the PDF reader, and other assets answer 404", async () => {
    const world = await testWorld();
    const id = await aSentDocument(world);
    const made = await succeed(world.call("createDocumentLink", { params: { id }, body: { recipient: CLIENT.email } }));
    const policy = (await world.request("GET", `/s/${made.body.id}/`, { key: null })).headers.get("content-security-policy");
    expect(policy).toMatch(/default-src 'none'.* style-src 'sha256-\S+'; script-src 'sha256-\S+' 'sha256-\S+' 'self';/);
    expect(policy).not.toContain("unsafe");
    const { headers, body } = await world.request("GET", "/s/assets/pdf.mjs", { key: null });
    expect([headers.get("content-type"), headers.get("x-content-type-options")]).toEqual([
      "text/javascript; charset=utf-8",
      "nosniff",
    ]);
    expect(body.length).toBeGreaterThan(100_000);
    const map = await world.request("GET", "/s/assets/90ms-RKSJ-H.bcmap", { key: null });
    expect([map.status, map.headers.get("content-type"), map.body.length]).toEqual([200, "application/octet-stream", 721]);
    for (const name of ["none.bcmap", "..%2Fcmaps%2FH.bcmap", "pdf.mjs.map", "..%2Fcli.js", "cli.js", "constructor"])
      expect.soft((await world.request("GET", `/s/assets/${name}`, { key: null })).status, name).toBe(404);
  });
});
