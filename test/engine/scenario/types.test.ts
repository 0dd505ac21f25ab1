/** The types of scenario and fixtures files that the build writes. A system test compares them with the types of the schemas. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { fileTypes } from "../../../docs/file-types.ts";

const exported = (text: string) => [...text.matchAll(/^export (?:type|interface) (\w+)/gm)].map(([, name]) => name);

test("the types of files need no import and no `any`, and have each name that docdouble itself uses", () => {
  const text = fileTypes();
  expect(text).not.toMatch(/\bimport\b|: any\b/);
  const own = exported(readFileSync("src/library/file-types.ts", "utf8"));
  expect(exported(text)).toEqual(expect.arrayContaining([...own, "OperationId"]));
});
