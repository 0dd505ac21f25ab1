/** Names such as `constructor`, which every object inherits, are unknown names wherever they come from outside. */
import { Command } from "commander";
import { zipSync } from "fflate";
import { expect, test } from "vitest";
import { readCall } from "../../src/cli/verbs.ts";
import { createSandbox } from "../../src/index.ts";
import { own } from "../../src/engine/core/maps.ts";
import { formFieldsOf } from "../../src/service/nouns/content/field-tags.ts";
import { readDocx } from "../../src/service/files/docx.ts";
import { readRtf } from "../../src/service/files/rtf.ts";
import type { PdfField } from "../../src/service/files/pdf.ts";
import { aDraft } from "../support/stories.ts";
import { testWorld } from "../support/world.ts";

const INHERITED = ["constructor", "toString", "valueOf", "__proto__", "hasOwnProperty"];

test("a map has its own members only", () => {
  expect(INHERITED.map((name) => own({ known: 1 }, name))).toEqual(INHERITED.map(() => undefined));
  expect(own(JSON.parse('{"__proto__": 1}') as Record<string, number>, "__proto__")).toBe(1);
});

test("control words of an RTF and entities of a DOCX with such names add no text", async () => {
  const words = INHERITED.slice(0, 3);
  expect(readRtf(Buffer.from(`{\\rtf1 a${words.map((word) => `\\${word} `).join("")}b}`))).toBe("ab");
  const text = words.map((word) => `&${word};`).join("");
  const xml = `<w:document><w:body><w:p><w:t>${text}</w:t></w:p></w:body></w:document>`;
  expect(await readDocx(zipSync({ "word/document.xml": Buffer.from(xml) }))).toEqual([{ kind: "paragraph", text }]);
});

test.each(INHERITED)("an option named %s is refused as unknown", async (name) => {
  await expect(createSandbox(JSON.parse(`{"${name}": 1}`))).rejects.toThrow(`there is no option ${name}`);
});

test.each(INHERITED)("docdouble do %s says that there is no such verb", (name) => {
  let text = "";
  const print = (part: string) => {
    text += part;
  };
  const self = new Command("do").exitOverride().configureOutput({ writeErr: print });
  expect(() => readCall(self, [name])).toThrow();
  expect(text).toContain(`there is no verb ${name}`);
});

test.each(["query", "headers"])("a condition on such a name in %s matches only a call that has it", async (group) => {
  const world = await testWorld();
  await world.call("listContacts");
  for (const name of INHERITED.slice(0, 3)) {
    const counted = (matcher: object) => world.admin("POST", "/requests/count", { [group]: { [name]: matcher } });
    expect(await counted({ exists: false })).toMatchObject({ status: 200, body: { count: 1 } });
    expect(await counted({ contains: "native" })).toMatchObject({ status: 200, body: { count: 0 } });
  }
});

test("a rule with a condition on such a parameter meets only a call that sends it", async () => {
  const world = await testWorld();
  world.sandbox.rules.add({
    name: "busy",
    when: { operation: "listContacts", query: { constructor: { exists: true } } },
    then: { error: "throttled" },
  });
  expect((await world.call("listContacts")).status).toBe(200);
  expect((await world.call("listContacts", { query: { constructor: "x" } })).status).toBe(429);
});

test("a page at such an address suggests no other page", async () => {
  const world = await testWorld();
  for (const name of INHERITED) {
    const { body } = await world.request("GET", `/${name}`, {
      key: null,
      headers: { accept: "application/xhtml+xml,text/html" },
    });
    expect(new TextDecoder().decode(body)).not.toMatch(/native code|\[object/);
  }
});

test("a form field with such a name needs its own declaration", () => {
  const field = { name: "constructor", kind: "text" } as PdfField;
  expect(() => formFieldsOf({ pages: [], fields: [field] }, { fields: {}, use_properties: false }, [])).toThrow(
    "Field for form field with name='constructor' is not specified",
  );
});

test("metadata without such a member does not match a condition on it", async () => {
  const world = await testWorld();
  await aDraft(world);
  world.sandbox.rules.add({
    name: "busy",
    when: { operation: "statusDocument", document: { "metadata.constructor": { exists: true } } },
    then: { error: "throttled" },
  });
  const [document] = world.sandbox.documents.all();
  expect((await world.call("statusDocument", { params: { id: document?.id ?? "" } })).status).toBe(200);
});
