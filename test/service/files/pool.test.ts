import { expect, onTestFinished, test } from "vitest";
import { systemClock } from "../../../src/engine/core/clock.ts";
import { Files } from "../../../src/service/files/files.ts";
import { type FileError, LIMITS } from "../../../src/service/files/limits.ts";
import { formPdf, plainPdf } from "../../support/pdf.ts";

function open(): Files {
  const files = new Files();
  onTestFinished(() => files.close());
  return files;
}

function pdfOf(object: string): Uint8Array {
  return Buffer.from(
    `%PDF-1.4\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n2 0 obj\n<< /Type /Pages /Kids [3 0 R] /Count 1 >>\nendobj\n` +
      `3 0 obj\n<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] /Contents 4 0 R /Resources << /Font << /F 5 0 R >> >> >>\nendobj\n` +
      `4 0 obj\n<< /Length 30 >>\nstream\nBT /F 12 Tf 10 10 Td (a) Tj ET\nendstream\nendobj\n${object}\ntrailer\n<< /Root 1 0 R >>\n%%EOF`,
    "latin1",
  );
}

/** A font with the widths of two hundred million letters. An array of this length ends any Node process, even from a limited thread. */
const MANY_WIDTHS = pdfOf(
  "5 0 obj\n<< /Type /Font /Subtype /Type0 /BaseFont /A /Encoding /Identity-H /DescendantFonts [<< /Type /Font /Subtype /CIDFontType2 /BaseFont /A /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> /FontDescriptor << /Type /FontDescriptor /FontName /A /Flags 4 /FontBBox [0 0 1 1] /ItalicAngle 0 /Ascent 1 /Descent 0 /CapHeight 1 /StemV 1 >> /W [0 200000000 500] >>] >>\nendobj",
);

test("a PDF is read with its pages and text, and a written PDF can be read", async () => {
  const files = open();
  const content = await files.run("read", { bytes: await formPdf(), title: "" });
  expect(content).toMatchObject({ kind: "pdf", pdf: { pages: [{ width: 612 }, { width: 612 }] } });
  const bytes = await files.run("write_pdf", {
    title: "Terms",
    date: 0,
    words: [{ kind: "markdown", text: "# Terms\n\nNone." }],
    isFinal: false,
  });
  const read = await files.run("read", { bytes, title: "" });
  expect(read).toMatchObject({ kind: "pdf", texts: [{ text: "Terms\nNone." }] });
});

test("a file that exhausts its process is refused, and the next file is read", async () => {
  const files = open();
  await expect(files.run("read", { bytes: MANY_WIDTHS, title: "" })).rejects.toMatchObject({
    name: "FileError",
    fault: "limit",
    message: expect.stringMatching(/^the file takes more (memory than 512 MiB|than 8 s of processor time)$/),
  });
  await expect(files.run("read", { bytes: await plainPdf(), title: "" })).resolves.toMatchObject({ kind: "pdf" });
});

test("of many reads at the same time, each returns its own file", async () => {
  const files = open();
  const counts = [1, 2, 3, 4, 5, 6, 7, 8];
  const read = await Promise.all(counts.map(async (count) => files.run("read", { bytes: await plainPdf(count), title: "" })));
  expect(read.map((content) => (content.kind === "pdf" ? content.pdf.pages.length : 0))).toEqual(counts);
});

test("a file with more bytes than the limit is refused", async () => {
  await expect(open().run("read", { bytes: new Uint8Array(LIMITS.input_bytes + 1), title: "" })).rejects.toThrow("more than");
});

test("closing stops running and waiting work, and refuses new work", async () => {
  const files = open();
  const all = Array.from({ length: 5 }, () =>
    files.run("read", { bytes: MANY_WIDTHS, title: "" }).catch((error: FileError) => error.fault),
  );
  // All wait or run once the pool is loaded.
  await import("../../../src/service/files/pool.ts");
  await systemClock.soon();
  files.close();
  expect(await Promise.all(all)).toEqual(Array(5).fill("stopped"));
  await expect(files.run("read", { bytes: new Uint8Array(), title: "" })).rejects.toMatchObject({ fault: "stopped" });
});
