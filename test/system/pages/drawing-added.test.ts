/** Tests a document of several files on the signing page: the uploaded file, appended library items, and sections. */
import { PDFDocument } from "@cantoo/pdf-lib";
import { describe, expect, test } from "vitest";
import { pdfTexts } from "../../support/pdf-texts.ts";
import { aSentDocument, CLIENT, statusOf, succeed } from "../../support/stories.ts";
import { type TestWorld, testWorld } from "../../support/world.ts";
import { aPage, expectAccessible, expectNoSideScroll, useBrowser } from "../../support/browser.ts";
import { contract, drawn, isDark, LETTER, near, onPage, SIGNATURE, sessionOf } from "../../support/pdf-pages.ts";

useBrowser();

const FIELDS = { Company: { role: CLIENT.role }, Agree: { role: CLIENT.role } };

/** One page with a dark band at `band` points from its bottom, and a line of text. */
async function annex(name: string, band: number, text: string): Promise<File> {
  const file = await PDFDocument.create();
  const page = file.addPage([LETTER.width, LETTER.height]);
  page.drawRectangle({ x: 0, y: band, width: LETTER.width, height: 80 });
  page.drawText(text, { x: 72, y: 600, size: 18 });
  file.getForm().createTextField("Nobody's").addToPage(page, { x: 300, y: 20, width: 200, height: 40 });
  return new File([(await file.save()) as Uint8Array<ArrayBuffer>], `${name}.pdf`, { type: "application/pdf" });
}

/** The contract with two appended library items, a PDF and an RTF text, and a PDF section that contains a field tag. */
async function aBundle(world: TestWorld): Promise<{ id: string; url: string }> {
  const data = { name: "Bundle", recipients: [CLIENT], parse_form_fields: true, fields: FIELDS };
  const { id } = (await succeed(world.call("createDocumentFromUpload", { parts: { file: await contract(), data } }))).body;
  const rules = new File(["{\\rtf1\\ansi Travel by train.}"], "rules.rtf", { type: "application/rtf" });
  for (const file of [await annex("prices", 400, "Prices {text:Client:kept}"), rules]) {
    const item = await succeed(world.call("createContentLibraryItemFromUpload", { parts: { file, data: { name: file.name } } }));
    await world.advance("5s");
    const cli = { id: item.body.id };
    await succeed(world.call("appendContentLibraryItemToDocument", { params: { id }, body: { cli } }));
  }
  const section = { name: "Annex", recipients: [CLIENT], fields: { officer: {} } };
  const file = await annex("officer", 100, "Officer: {text:Client:officer________}");
  await succeed(world.call("uploadSectionWithUpload", { params: { document_id: id }, parts: { file, data: section } }));
  await world.advance("5s");
  const { recipients } = (await succeed(world.call("detailsDocument", { params: { id } }))).body;
  const position = { offset_x: SIGNATURE.x, offset_y: SIGNATURE.y, anchor_point: "topleft" };
  const layout = { page: 3, position, style: { width: SIGNATURE.width, height: SIGNATURE.height } };
  const fields = [{ type: "signature", assigned_to: recipients[0].id, layout }];
  await succeed(world.call("createDocumentFields", { params: { id }, body: { fields } }));
  await succeed(world.call("sendDocument", { params: { id }, body: { silent: true } }));
  return { id, url: await sessionOf(world, id) };
}

describe("GET /s/{session} with added pages", () => {
  test("on a drawn page, a stamp can be typed or chosen as an image, and a file field accepts a file", async () => {
    const world = await testWorld({ port: 0 });
    const data = { name: "Stamped", recipients: [CLIENT] };
    const { id } = (await succeed(world.call("createDocumentFromUpload", { parts: { file: await contract(), data } }))).body;
    await world.advance("5s");
    const { recipients } = (await succeed(world.call("detailsDocument", { params: { id } }))).body;
    const fields = ["stamp", "collect_file"].map((type, i) => ({
      ...{ type, name: type, assigned_to: recipients[0].id },
      layout: {
        page: 1,
        position: { offset_x: 72, offset_y: 300 + 100 * i, anchor_point: "topleft" },
        style: { width: 200, height: 40 },
      },
    }));
    await succeed(world.call("createDocumentFields", { params: { id }, body: { fields } as never }));
    await succeed(world.call("sendDocument", { params: { id }, body: { silent: true } }));
    const page = await aPage();
    await drawn(page, await sessionOf(world, id));
    const image = { name: "seal.png", mimeType: "image/png", buffer: Buffer.from("none") };
    const choosing = async (click: Promise<void>) => {
      const [chooser] = await Promise.all([page.waitForEvent("filechooser"), click]);
      await chooser.setFiles(image);
    };
    const [stamp, file] = [page.locator('[data-type="stamp"]'), page.locator('[data-type="collect_file"]')];
    await stamp.locator(".open").click();
    await stamp.locator(".typed").click();
    await page.keyboard.type("Paid");
    await choosing(stamp.getByText("Choose a file").click({ force: true }));
    await stamp.getByText("seal.png").first().waitFor();
    await expectAccessible(page);
    await stamp.getByRole("button", { name: "Done" }).click();
    await choosing(file.locator("input").click({ position: { x: 250, y: 8 } }));
    expect(await file.locator(".chosen").textContent()).toBe("seal.png");
  });

  test("pages of library items and of sections are drawn from their own files, with their fields", async () => {
    const world = await testWorld({ port: 0 });
    const { id, url } = await aBundle(world);
    const page = await aPage({ viewport: { width: 760, height: 900 } });
    const asked: string[] = [];
    page.on("request", (request) => {
      if (request.url().includes("/files/")) asked.push(request.url());
    });
    await drawn(page, url, 1);
    const at = async (number: number) => {
      await page.locator(`[data-page="${number}"]`).scrollIntoViewIfNeeded();
      await page.locator(`[data-page="${number}"][data-inked]`).waitFor();
      return Promise.all([0.05, 0.4, 0.82].map((y) => isDark(page, number, 0.5, y)));
    };
    expect([await at(0), await at(1), await at(2), await at(4)]).toEqual([
      [true, false, false],
      [true, false, false],
      [false, true, false],
      [false, false, true],
    ]);
    // The page requests each file once.
    expect([asked.length, new Set(asked).size]).toEqual([3, 3]);
    expect(await page.locator('[data-page="3"]').textContent()).toContain("Travel by train.");
    expect(await onPage(page, 2, "field-Signature")).toEqual(near(SIGNATURE));
    const officer = await onPage(page, 4, "field-officer");
    // From the top of the tag, 1.33 times as high as its text.
    expect([officer.y, officer.height]).toEqual([expect.closeTo(LETTER.height - 600 - 18, -0.5), expect.closeTo(24, -0.5)]);
    await page.setViewportSize({ width: 390, height: 844 });
    await expectNoSideScroll(page);
    await expectAccessible(page);
    // At the width of a phone, the fields are listed below the page, and pins mark their places.
    expect(await page.locator('[data-page="4"] .pin').count()).toBe(1);
    await page.getByLabel("Company").fill("Client Ltd");
    await page.getByLabel("officer").fill("Rune Dahl");
    await page.getByLabel("Type your full name").fill("Ivo Marek");
    await page.getByTestId("finish").click();
    await page.getByTestId("done").waitFor();
    expect(await statusOf(world, id)).toBe("document.completed");
  });

  test("without JavaScript each page shows its text, and its files answer 404 in other or expired sessions", async () => {
    const world = await testWorld();
    const { id } = await aBundle(world);
    const made = await succeed(world.call("createDocumentLink", { params: { id }, body: { recipient: CLIENT.email } }));
    const text = async (path: string) => new TextDecoder().decode((await world.request("GET", path, { key: null })).body);
    const html = await text(`/s/${made.body.id}/`);
    const words = [...html.matchAll(/<div class="words"><p dir="auto">(.*?)<\/p>/gs)].map(([, one]) => one);
    expect(words).toEqual(["Consulting agreement", "Signatures", "Prices {text:Client:kept}", "Travel by train.", "Officer:"]);
    const paths = [...new Set([...html.matchAll(/data-pdf="([^"]+)"/g)].map(([, path]) => path as string))];
    expect(paths.length).toBe(3);
    for (const path of paths) {
      const { status, headers } = await world.request("GET", path, { key: null });
      expect([status, headers.get("content-type"), headers.get("x-content-type-options")]).toEqual([
        200,
        "application/pdf",
        "nosniff",
      ]);
    }
    const other = await aSentDocument(world);
    const elsewhere = await succeed(
      world.call("createDocumentLink", { params: { id: other }, body: { recipient: CLIENT.email } }),
    );
    const [, , , , file] = paths[0]?.split("/") ?? [];
    for (const path of [`/s/${elsewhere.body.id}/files/${file}`, `/s/${made.body.id}/files/x`, `/s/x/files/${file}`])
      expect.soft((await world.request("GET", path, { key: null })).status, path).toBe(404);
    await world.advance("2h");
    expect((await world.request("GET", paths[0] ?? "", { key: null })).status).toBe(404);
  });

  test("the deletion of a section removes its pages, even for the first section", async () => {
    const world = await testWorld();
    const data = { name: "Bundle", recipients: [CLIENT], parse_form_fields: true, fields: FIELDS };
    const { id } = (await succeed(world.call("createDocumentFromUpload", { parts: { file: await contract(), data } }))).body;
    await world.advance("5s");
    const file = await annex("officer", 100, "Only this page");
    await succeed(
      world.call("uploadSectionWithUpload", {
        params: { document_id: id },
        parts: { file, data: { name: "Annex", recipients: [CLIENT] } },
      }),
    );
    await world.advance("5s");
    await succeed(world.call("deleteSection", { params: { document_id: id, section_id: id } }));
    await succeed(world.call("sendDocument", { params: { id }, body: { silent: true } }));
    const { pathname } = new URL(await sessionOf(world, id), "http://here");
    const html = new TextDecoder().decode((await world.request("GET", pathname, { key: null })).body);
    expect([...html.matchAll(/<div class="words"><p dir="auto">(.*?)<\/p>/gs)].map(([, one]) => one)).toEqual(["Only this page"]);
    const { body } = await world.call("downloadDocument", { params: { id } });
    expect((await pdfTexts(body)).join()).not.toContain("Consulting agreement");
  });
});
