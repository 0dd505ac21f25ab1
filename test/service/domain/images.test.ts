import { expect, test } from "vitest";
import { unfetched } from "../../../src/service/nouns/content/file-content.ts";

test("only the first address of an image is fetched, once, and none of an image that has its file", () => {
  const image = (name: string, urls: string[], more: object = {}) => ({ name, urls, block_uuid: name, ...more });
  const [a, b, c] = ["http://one.example/a.png", "http://one.example/b.png", "http://one.example/c.png"] as const;
  const images = [image("1", [a, b]), image("2", [a]), image("3", [c], { file_id: "kept" }), image("4", [])];
  expect(unfetched({ images })).toEqual([a]);
  expect(unfetched({ images: [image("1", [b]), image("2", [c], { file_id: null })] })).toEqual([b]);
});
