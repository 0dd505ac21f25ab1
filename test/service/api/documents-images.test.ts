import { unzipSync, strFromU8 } from "fflate";
import { describe, expect, test } from "vitest";
import { drawableFacts } from "../../../src/service/files/images.ts";
import { JPEG, pdfImages, png } from "../../support/images.ts";
import { pdfTexts } from "../../support/pdf-texts.ts";
import { receiver } from "../../support/receiver.ts";
import { aDraft, aSentDocument, CLIENT, succeed } from "../../support/stories.ts";
import { type TestWorld, useWorld } from "../../support/world.ts";

const world = useWorld();

const withLogo = (url: string) => ({ template: "everyField" as const, body: { images: [{ name: "Logo", urls: [url] }] } });

async function drawn(world: TestWorld, id: string) {
  const { body } = await succeed(world.call("downloadDocument", { params: { id } }));
  return { images: (await pdfImages(body)).flat(), text: (await pdfTexts(body)).join("\n") };
}

describe("images in downloads", () => {
  test("downloadDocument draws PNG and JPEG images from their URLs, also from data URLs", async () => {
    const there = await receiver();
    const cases: [string, Uint8Array, [number, number]][] = [
      ["/logo.png", png(60, 30), [60, 30]],
      ["/photo", JPEG, [1, 1]],
      ["/wide.png", png(1200, 4), [1200, 4]],
    ];
    for (const [path, bytes, size] of cases) {
      const url = there.serve(path, bytes, "text/plain");
      const { images, text } = await drawn(world, await aDraft(world, withLogo(url)));
      expect([path, images]).toEqual([path, [size]]);
      expect(text).not.toContain("Image Logo");
    }
    const asData = `data:image/png;base64,${Buffer.from(png(7, 9)).toString("base64")}`;
    expect((await drawn(world, await aDraft(world, withLogo(asData)))).images).toEqual([[7, 9]]);
  });

  test("downloadDocument prints the name and the URL of an image that it cannot fetch or read", async () => {
    const there = await receiver();
    there.answerWith(404);
    const broken = Buffer.from(png(60, 30)).fill(7, 40);
    const urls = [
      `${there.url}/nothing.png`,
      there.serve("/page.png", Buffer.from("<html></html>"), "image/png"),
      there.serve("/broken.png", broken, "image/png"),
      there.serve("/cut.jpg", JPEG.subarray(0, 60), "image/jpeg"),
      "https://",
      "ftp://client.example/logo.png",
      "no address",
    ];
    for (const url of urls) {
      const { images, text } = await drawn(world, await aDraft(world, withLogo(url)));
      expect([url, images]).toEqual([url, []]);
      expect(text.replace(/\n/g, "")).toContain(`Image Logo: ${url}`);
    }
  });

  test("updateDocument replaces an image, and later downloads keep the fetched bytes", async () => {
    const there = await receiver();
    const id = await aDraft(world, withLogo(there.serve("/a.png", png(10, 10))));
    const images = [{ name: "Logo", urls: [there.serve("/b.png", png(20, 20))] }];
    await succeed(world.call("updateDocument", { params: { id }, body: { images } }));
    const { body: before } = await world.call("detailsDocument", { params: { id } });
    await world.advance("1s");
    expect((await drawn(world, id)).images).toEqual([[20, 20]]);
    // Fetching an image does not change the document.
    expect((await world.call("detailsDocument", { params: { id } })).body).toEqual(before);
    there.serve("/b.png", png(30, 30));
    const [one, two] = [
      await world.call("downloadDocument", { params: { id } }),
      await world.call("downloadDocument", { params: { id } }),
    ];
    expect(Buffer.from(one.body).equals(Buffer.from(two.body))).toBe(true);
    expect((await drawn(world, id)).images).toEqual([[20, 20]]);
  });

  test("createExportDocxTask writes the image into the file in its real size", async () => {
    const there = await receiver();
    const bytes = png(48, 24);
    const id = await aSentDocument(world, withLogo(there.serve("/logo.png", bytes)));
    const { body: task } = await succeed(world.call("createExportDocxTask", { params: { document_id: id } }));
    await world.advance("10s");
    const { body } = await world.call("getDocxExportTask", { params: { document_id: id, task_id: task.id } });
    const file = await world.request("GET", new URL(body.docx_items[0].url).pathname, { key: null });
    const parts = unzipSync(file.body);
    expect(Buffer.from(parts["word/media/image0.png"] as Uint8Array).equals(Buffer.from(bytes))).toBe(true);
    const xml = strFromU8(parts["word/document.xml"] as Uint8Array);
    expect(xml).toContain(`<wp:extent cx="${48 * 9525}" cy="${24 * 9525}"/>`);
    expect(xml).toContain('r:embed="image0"');
    expect(strFromU8(parts["word/_rels/document.xml.rels"] as Uint8Array)).toContain('Id="image0"');
  });
});

test("drawableFacts reads the type and size of an image, and returns undefined for other bytes", () => {
  expect(drawableFacts(png(5, 3))).toEqual({ type: "image/png", width: 5, height: 3 });
  expect(drawableFacts(JPEG)).toEqual({ type: "image/jpeg", width: 1, height: 1 });
  for (const bytes of [new Uint8Array(), png(5, 3).subarray(0, 20), JPEG.subarray(0, 12), png(0, 3), Buffer.from("GIF89a")])
    expect(drawableFacts(bytes)).toBeUndefined();
});

test("images by plain http, for an unknown block and without an address are taken, and client lint names each", async () => {
  const { id: template_uuid } = world.sandbox.templates.create({
    name: "Pictures",
    roles: [{ name: "Client" }],
    images: [{ name: "Logo" }, { name: "Photo" }],
  });
  const images = [
    { name: "Logo", urls: ["http://pictures.example.com/logo.png"] },
    { name: "Photo", urls: [] },
    { name: "Fotos", urls: ["https://pictures.example.com/photo.png"] },
  ];
  const made = await world.call("createDocument", { body: { template_uuid, name: "Offer", recipients: [CLIENT], images } });
  expect(made.status).toBe(201);
  const found = world.sandbox.lint().map((one) => [one.kind, one.message, one.place.pointer]);
  expect(found).toEqual(
    expect.arrayContaining([
      ["doubtful_value", 'createDocument got an address without https in "images[0].urls[0]"', "/images/0/urls/0"],
      ["doubtful_value", 'createDocument got an empty list in "images[1].urls"', "/images/1/urls"],
      ["unknown_block", '"Pictures" has no image block "Fotos", so the service ignored it', "/images/2/name"],
    ]),
  );
});
