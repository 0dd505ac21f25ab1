import { expect, test } from "vitest";
import { drawableFacts, imageFacts } from "../../../src/service/files/images.ts";
import { png } from "../../support/images.ts";

const hex = (text: string) => Buffer.from(text.replaceAll(" ", ""), "hex");

/** A JPEG of 5 by 3 pixels with these bytes before its first frame. */
const jpeg = (...before: Buffer[]) =>
  Buffer.concat([hex("ffd8"), ...before, hex("ffc0 000b 08 0003 0005 01 011100"), Buffer.alloc(8)]);
const segment = (length: number) =>
  Buffer.concat([hex("ffe2"), hex(length.toString(16).padStart(4, "0")), Buffer.alloc(length - 2)]);

test("imageFacts reads the type and size of PNG, JPEG, GIF and WebP, and drawableFacts refuses GIF", () => {
  const size = { width: 5, height: 3 };
  expect(imageFacts(png(5, 3))).toEqual({ type: "image/png", ...size });
  expect(imageFacts(jpeg(segment(16)))).toEqual({ type: "image/jpeg", ...size });
  expect(imageFacts(hex("474946383961 0500 0300"))).toEqual({ type: "image/gif", ...size });
  for (const chunk of [
    "56503858 0a000000 00000000 040000 020000",
    "5650384c 0a000000 2f 04800000 0000000000",
    "56503820 0a000000 300100 9d012a 0500 0300",
  ])
    expect(imageFacts(hex(`52494646 00000000 57454250 ${chunk}`))).toEqual({ type: "image/webp", ...size });
  expect(drawableFacts(hex("474946383961 0500 0300"))).toBeUndefined();
});

test("a JPEG may have fill bytes or 255 segments before its frame, but not a million segments", () => {
  const facts = { type: "image/jpeg", width: 5, height: 3 };
  expect(drawableFacts(jpeg(hex("ffffff"), segment(16)))).toEqual(facts);
  expect(drawableFacts(jpeg(...Array.from({ length: 255 }, () => segment(60_000))))).toEqual(facts);
  expect(drawableFacts(jpeg(Buffer.alloc(4_000_000, hex("ffe20002"))))).toBeUndefined();
});
