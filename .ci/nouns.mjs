// Checks that src/engine names nothing of a product: no identifier, text or comment holds a noun of PandaDoc.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * The nouns, in the singular. A part of a name counts too: `documentRow` and `document_id` hold `document`. Some nouns of the product are
 * missing, because they have another meaning here. Examples are a member of an object, a field of a form, a section of a file, and a folder
 * on the disk.
 */
const NOUNS = [
  "pandadoc",
  "document",
  "template",
  "recipient",
  "signer",
  "sender",
  "approver",
  "approval",
  "envelope",
  "mail",
  "email",
  "workspace",
  "contact",
  "quote",
  "pricing",
  "price",
  "currency",
  "catalog",
  "notary",
  "notarization",
  "invitee",
  "audit",
  "proposal",
  "product",
  "watermark",
  "payment",
  "membership",
];

/** Texts that hold such a word and name nothing of the product. */
const EXCEPTIONS = [
  { text: "urlPathTemplate", reason: "a word of WireMock" },
  { text: "TemplateStringsArray", reason: "a type of TypeScript" },
  { text: "Document as YamlTree", reason: "a type of the package `yaml`" },
  { text: "yamlLibrary().Document", reason: "a class of the package `yaml`" },
  { text: "one file is one document", reason: "YAML's word for each of several texts in a file" },
  { text: 'issue.format === "email"', reason: "a format of zod" },
  { text: "email address", reason: "the name of that format in messages" },
  { text: "double quotes", reason: "quotation marks" },
  { text: "a text in quotes", reason: "quotation marks" },
  { text: "escape a quote", reason: "quotation marks" },
  { text: "holds the one of PandaDoc", reason: "the seam names both services that it joins" },
];

const WORDS = NOUNS.flatMap((noun) => [noun, `${noun}s`, noun.replace(/y$/, "ies")]);

/** The words of a line in lower case. `documentRow_id` has three. */
function wordsOf(line) {
  return line
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replace(/([A-Z]+)([A-Z][a-z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z]+/);
}

/** Finds the nouns in the text of a file, one sentence for each noun of a line. */
export function findNouns(file, text) {
  return EXCEPTIONS.reduce((left, one) => left.replaceAll(one.text, ""), text)
    .split("\n")
    .flatMap((line, i) => {
      const found = new Set(wordsOf(line).filter((word) => WORDS.includes(word)));
      return [...found].map((noun) => `${file}:${i + 1} has the noun ${noun}: ${line.trim().slice(0, 100)}`);
    });
}

if (process.argv[1]?.endsWith("nouns.mjs")) {
  const files = readdirSync("src/engine", { recursive: true })
    .map((file) => String(file).replaceAll("\\", "/"))
    .filter((file) => file.endsWith(".ts"))
    .sort();
  const found = files.flatMap((file) => findNouns(file, readFileSync(join("src/engine", file), "utf8")));
  for (const one of found) console.error(`src/engine/${one}. Take the word from the language of the service.`);
  if (found.length > 0) process.exit(1);
  console.log("src/engine: no noun of a product");
}
