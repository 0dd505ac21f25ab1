/**
 * `npm run prose` checks every sentence that users and contributors read. It reads pages, help, messages, texts of the ledger, of client
 * lint and of the inspector, comments, and titles of tests. textlint and our rules find riddles and long sentences. cspell enforces
 * American spelling. Pages must also reach the readability targets.
 */
import { readFileSync } from "node:fs";
import markdownModule from "@textlint/textlint-plugin-markdown";
import { TextlintKernel, TextlintKernelDescriptor, type TextlintPluginCreator } from "@textlint/kernel";
import { records } from "../../src/service/assumptions/ledger/index.ts";
import { reasons } from "../reasons.ts";
import { figuresOf, pagesBelow, problemsOf } from "./readability.ts";
import { plainWords, problemsIn } from "./rules.ts";
import { sentencesIn } from "./sentences.ts";
import { misspelled } from "./spelling.ts";
import { messagesInSources } from "./messages.ts";
import { textsOfCode } from "./code-texts.ts";

/** The plugin is CommonJS, so Node wraps its default export. */
const markdown = (markdownModule as unknown as { default: TextlintPluginCreator }).default;

/** All pages except lists of data, which have rows and no sentences. */
const pages = pagesBelow(".").filter((file) => file !== "docs/world.md");

interface Problem {
  place: string;
  text: string;
}

async function inPages(): Promise<Problem[]> {
  const kernel = new TextlintKernel();
  const options = new TextlintKernelDescriptor({
    plugins: [{ pluginId: "markdown", plugin: markdown }],
    rules: [{ ruleId: "plain-words", rule: plainWords }],
    filterRules: [],
  });
  const all = await Promise.all(
    pages.map(async (file) => {
      const { messages } = await kernel.lintText(readFileSync(file, "utf8"), {
        ...options.toKernelOptions(),
        ext: ".md",
        filePath: file,
      });
      return messages.map(({ loc, message }) => ({ place: `${file}:${loc.start.line}`, text: message }));
    }),
  );
  return all.flat();
}

/** Texts outside of pages. */
const texts: Problem[] = [
  ...records.map(({ id, statement }) => ({ place: `assumption ${id}`, text: statement })),
  ...reasons().map(({ file, text }) => ({ place: file, text })),
  ...messagesInSources(),
  ...textsOfCode(),
];

function inSources(): Problem[] {
  return texts.flatMap(({ place, text }) =>
    sentencesIn(text).flatMap((sentence) =>
      problemsIn(sentence).map((problem) => ({ place, text: `${problem} (${sentence.slice(0, 70)}…)` })),
    ),
  );
}

const figures = Object.fromEntries(pages.map((file) => [file, figuresOf(readFileSync(file, "utf8"))]));
const found = [
  ...(await inPages()),
  ...inSources(),
  ...problemsOf(figures).map((text) => ({ place: "readability", text })),
  ...(await misspelled(pages, texts)),
];
process.stdout.write(`${found.map(({ place, text }) => `${place}: ${text}\n`).join("")}prose: ${found.length} problems\n`);
if (found.length > 0) process.exitCode = 1;
