/** Helpers for tests that create PDF documents and inspect them on the signing page. */
import { degrees, PDFDocument } from "@cantoo/pdf-lib";
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { CLIENT, succeed } from "./stories.ts";
import type { TestWorld } from "./world.ts";

export const LETTER = { width: 612, height: 792 };
/** Position and size in points, from the top left corner of the page. */
export const COMPANY = { x: 72, y: 300, width: 240, height: 20 };
export const SIGNATURE = { x: 72, y: 400, width: 200, height: 40 };

/** A PDF of two pages with a dark band at the top. The first page has a form. `turned` is the rotation in degrees. */
export async function contract(turned = 0): Promise<File> {
  const file = await PDFDocument.create();
  for (const text of ["Consulting agreement", "Signatures"]) {
    const page = file.addPage([LETTER.width, LETTER.height]);
    page.setRotation(degrees(turned));
    page.drawRectangle({ x: 0, y: 700, width: LETTER.width, height: 92 });
    page.drawText(text, { x: 72, y: 650, size: 18 });
  }
  const first = file.getPage(0);
  const company = file.getForm().createTextField("Company");
  company.addToPage(first, { ...COMPANY, y: LETTER.height - COMPANY.y - COMPANY.height });
  const agree = file.getForm().createCheckBox("Agree");
  agree.addToPage(first, { x: 72, y: 400, width: 12, height: 12 });
  return new File([(await file.save()) as Uint8Array<ArrayBuffer>], "contract.pdf", { type: "application/pdf" });
}

export async function sessionOf(world: TestWorld, id: string): Promise<string> {
  const made = await succeed(world.call("createDocumentLink", { params: { id }, body: { recipient: CLIENT.email } }));
  return `${world.sandbox.url}/s/${made.body.id}/`;
}

/** Opens a document and waits until `pages` pages are drawn. */
export async function drawn(page: Page, url: string, pages = 2): Promise<void> {
  await page.goto(url);
  await page
    .locator("[data-inked]")
    .nth(pages - 1)
    .waitFor();
}

interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Position and size of an element on a page, in points. */
export async function onPage(page: Page, number: number, testId: string, nth = 0): Promise<Box> {
  const sheet = await page.locator(`[data-page="${number}"] .stage`).boundingBox();
  const box = await page.locator(`[data-page="${number}"]`).getByTestId(testId).nth(nth).boundingBox();
  if (!sheet || !box) throw new Error(`there is no ${testId} on page ${number}`);
  const scale = LETTER.width / sheet.width;
  const points = (px: number) => Math.round(px * scale);
  return { x: points(box.x - sheet.x), y: points(box.y - sheet.y), width: points(box.width), height: points(box.height) };
}

/** Whether a page is dark at a point. `x` and `y` are fractions of its width and height. */
export function isDark(page: Page, number: number, x: number, y: number): Promise<boolean> {
  return page.evaluate<boolean>(
    `((ink) => ink.getContext("2d").getImageData(Math.round(ink.width * ${x}), Math.round(ink.height * ${y}), 1, 1).data[0] < 60)(document.querySelector("[data-page='${number}'] .ink"))`,
  );
}

export const near = (box: Box) => ({
  x: expect.closeTo(box.x, -0.5),
  y: expect.closeTo(box.y, -0.5),
  width: expect.closeTo(box.width, -0.5),
  height: expect.closeTo(box.height, -0.5),
});
