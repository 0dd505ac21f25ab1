/**
 * `npm run prose` checks every sentence that users and contributors read. It reads pages, help, messages, texts of the ledger, of client
 * lint and of the inspector, comments, and titles of tests. Our rules find riddles and long sentences. cspell enforces
 * American spelling. Pages must also reach the readability targets.
 */
import { readFileSync } from "node:fs";
import { records } from "../../src/service/assumptions/ledger/index.ts";
import { reasons } from "../reasons.ts";
import { figuresOf, pagesOfAll, problemsOf } from "./readability.ts";
import { problemsIn } from "./rules.ts";
import { sentencesIn, sentencesOf } from "./sentences.ts";
import { misspelled } from "./spelling.ts";
import { messagesInSources } from "./messages.ts";
import { textsOfCode } from "./code-texts.ts";

/** All pages except lists of data, which have rows and no sentences. */
const pages = pagesOfAll().filter((file) => file !== "docs/world.md");

interface Problem {
  place: string;
  text: string;
}

/** Texts outside of pages. */
const texts: Problem[] = [
  ...records.map(({ id, statement }) => ({ place: `assumption ${id}`, text: statement })),
  ...reasons().map(({ file, text }) => ({ place: file, text })),
  ...messagesInSources(),
  ...textsOfCode(),
];

function inPages(): Problem[] {
  return pages.flatMap((file) =>
    sentencesOf(readFileSync(file, "utf8")).flatMap(({ line, text }) => problemsOfSentence(`${file}:${line}`, text)),
  );
}

function inSources(): Problem[] {
  return texts.flatMap(({ place, text }) => sentencesIn(text).flatMap((sentence) => problemsOfSentence(place, sentence)));
}

function problemsOfSentence(place: string, sentence: string): Problem[] {
  return problemsIn(sentence).map((problem) => ({ place, text: `${problem} (${sentence.slice(0, 70)}…)` }));
}

const figures = Object.fromEntries(pages.map((file) => [file, figuresOf(readFileSync(file, "utf8"))]));
const found = [
  ...inPages(),
  ...inSources(),
  ...problemsOf(figures).map((text) => ({ place: "readability", text })),
  ...(await misspelled(pages, texts)),
];
process.stdout.write(`${found.map(({ place, text }) => `${place}: ${text}\n`).join("")}prose: ${found.length} problems\n`);
if (found.length > 0) process.exitCode = 1;
