import { expect, test } from "vitest";
import { rateLimitOf } from "../../../src/service/nouns/oauth/rate-limits.ts";

const no = () => false;

test.each([
  ["createDocument", 500],
  ["createDocumentFromUpload", 300],
  ["createDocumentFromMarkdownUpload", 300],
  ["sendDocument", 400],
  ["detailsDocument", 600],
  ["detailsTemplate", 600],
  ["detailsContentLibraryItem", 600],
  ["listDocuments", 2000],
  ["statusDocument", 2000],
  ["deleteDocument", 2000],
  ["downloadDocument", 100],
  ["downloadProtectedDocument", 300],
  ["listContacts", 100],
])("a production key may call %s %i times a minute, and a sandbox key ten times", (operation, limit) => {
  expect(rateLimitOf("production", "production", operation, no)).toEqual({ limit, as: operation });
  expect(rateLimitOf("production", "sandbox", operation, no)).toEqual({ limit: 10, as: operation });
  expect(rateLimitOf("sandbox", "production", operation, no)).toEqual({ limit: 10, as: operation });
  expect(rateLimitOf("none", "sandbox", operation, no)).toBeUndefined();
});

test("a document of a file by URL counts as an upload", () => {
  expect(rateLimitOf("production", "production", "createDocument", () => true)).toEqual({
    limit: 300,
    as: "createDocumentFromUpload",
  });
});
