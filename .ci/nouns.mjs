// Checks that src/engine names nothing of a product: no identifier, text or comment holds a noun of PandaDoc.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * The nouns, in the singular. A part of a name counts too: `documentRow` and `document_id` hold `document`. Some nouns of the product are
 * missing, because they have another meaning here: a member of an object, a field of a form, a folder of the file system, a role, a
 * session of TLS.
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
];

const WORD = new RegExp(
  `^(?:${NOUNS.join("|")})(?:s|es)?$|^(?:${NOUNS.filter((one) => one.endsWith("y"))
    .map((one) => one.slice(0, -1))
    .join("|")})ies$`,
);

/** The words of a line in lower case, where `documentRow_id` has three. */
export function wordsOf(line) {
  return line
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replace(/([A-Z]+)([A-Z][a-z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z]+/);
}

export function nounsOf(line) {
  return [...new Set(wordsOf(line).filter((word) => WORD.test(word)))];
}

/** Finds the nouns of all files below `root`, one sentence each. */
export function findNouns(root) {
  const files = readdirSync(root, { recursive: true })
    .map(String)
    .filter((file) => file.endsWith(".ts"))
    .sort();
  return files.flatMap((file) => {
    const text = EXCEPTIONS.reduce((left, one) => left.replaceAll(one.text, ""), readFileSync(join(root, file), "utf8"));
    return text
      .split("\n")
      .flatMap((line, i) =>
        nounsOf(line).map((noun) => `${root}/${file}:${i + 1} has the noun ${noun}: ${line.trim().slice(0, 120)}`),
      );
  });
}

if (process.argv[1]?.endsWith("nouns.mjs")) {
  const found = findNouns("src/engine");
  for (const one of found) console.error(one);
  if (found.length > 0) process.exit(1);
  console.log("src/engine: no noun of a product");
}
