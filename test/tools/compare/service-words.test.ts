/** Tests that the words of the service, which stay in cassettes, are few and name nobody. */
import { readFileSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { createSandbox, hostOf } from "../../../src/library/sandbox.ts";
import { isListedWord, isServiceMember, isServiceWord, serviceText } from "../../../src/tools/compare/vocabulary.ts";

/** Common first names, family names and companies. */
const NAMES =
  `Adam Alex Alice Amelia Amy Anna Ben Bill Carla Chase Chris Clara Daniel David Dean Emma Eva Finn Frank Grace Grant Hanna Jack James
Jane Jean John Jonas Julia Karl Kim Laura Lee Leo Liam Lina Lucas Maria Mark Martin Mary Max Mia Nick Nina Nora Olga Oliver Pat Paul Peter
Ray Rich Robin Rose Sam Sarah Sofia Sue Thomas Tim Tom Victor Will Zoe Smith Jones Brown Miller Davis Garcia Wilson Taylor Moore Jackson
White Harris Clark Lewis Young King Hill Green Baker Nguyen Kumar Singh Schmidt Weber Fischer Rossi Silva Kowalski Ivanov Tanaka
Acme Google Microsoft Amazon Apple Oracle Siemens Stripe Salesforce HubSpot Zapier Contoso Globex Initech Umbrella`.split(/\s+/);

const isKept = (text: string) => isServiceWord(text) || isServiceMember(text) || isListedWord(text);

test("the list of the service's words stays below 50 KB", () => {
  expect(readFileSync("src/tools/compare/service-words.json").length).toBeLessThan(50_000);
});

test("no name of a person or a company is a word of the service", () => {
  expect(NAMES.filter((one) => isKept(one) || serviceText(one) !== undefined)).toEqual([]);
});

test("no name of a person or a company in the double's fixtures is a word of the service", async () => {
  const double = await createSandbox({ seed: 1 });
  onTestFinished(() => double.close());
  const names = new Set<string>();
  const collect = (value: unknown, name: string): void => {
    if (typeof value === "string" && /^(?:first_name|last_name|company|email|street_address)$/.test(name))
      for (const text of [value, ...(value.includes("@") ? [] : value.split(/\s+/))]) names.add(text);
    if (typeof value === "object" && value !== null && !ArrayBuffer.isView(value))
      for (const [inner, one] of Object.entries(value)) collect(one, Array.isArray(value) ? name : inner);
  };
  collect(hostOf(double).defaultTenant.snapshot(), "");
  expect(names.size).toBeGreaterThan(20);
  expect([...names].filter((one) => one !== "" && isKept(one))).toEqual([]);
});

test("the service's texts leave out pages for signers, reasons and descriptions", () => {
  for (const text of [
    "Finish signing",
    "Firme aquí",
    "Pourquoi refusez-vous ?",
    "no such id in this workspace",
    "The id of the quote.",
  ])
    expect(serviceText(text)).toBeUndefined();
  expect(serviceText("Not found")).toEqual(["Not found"]);
  expect(serviceText("Workspace with uuid abc not found.")).toEqual(["Workspace with uuid ", "abc", " not found."]);
});
