/** Measures how hard each page is to read. `npm run docs` writes the figures, and `npm run prose` checks the targets. */
import { readFileSync } from "node:fs";
import { fleschKincaid } from "flesch-kincaid";
import { syllable } from "syllable";
import { filesIn } from "../gather.ts";
import { isPassive } from "./passive.ts";
import { sentencesOf, wordsOf } from "./sentences.ts";

export interface Figures {
  sentences: number;
  /** Words per sentence. */
  median: number;
  mean: number;
  /** Percent of sentences with more than 25 words. */
  long: number;
  /** Percent of sentences in the passive voice. */
  passive: number;
  /** School grade of Flesch and Kincaid. */
  grade: number;
}

const LONG_WORDS = 25;
/** The figures before the rewrite of all pages. */
const BEFORE = "docs/prose/before.json";
export const PAGE = "docs/readability.md";
/** A page with fewer sentences has no meaningful figures. */
const SENTENCES_MIN = 5;
export const TARGETS = { median: 15, grade: 9 };
/** Pages of tables and records. Readers look things up there, so these pages have no targets. */
const RECORDS = /^docs\/(?:assumptions|coverage|spec-map|readability)\.md$/;

export function figuresOf(page: string): Figures {
  const sentences = sentencesOf(page).map(({ text }) => ({ text, words: wordsOf(text) }));
  const lengths = sentences.map(({ words }) => words.length).sort((a, b) => a - b);
  const word = lengths.reduce((sum, one) => sum + one, 0);
  const share = (count: number) => round((100 * count) / Math.max(1, lengths.length));
  return {
    sentences: lengths.length,
    median: lengths[Math.floor(lengths.length / 2)] ?? 0,
    mean: round(word / Math.max(1, lengths.length)),
    long: share(lengths.filter((one) => one > LONG_WORDS).length),
    passive: share(sentences.filter(({ text }) => isPassive(text)).length),
    grade: round(
      fleschKincaid({
        sentence: Math.max(1, lengths.length),
        word: Math.max(1, word),
        syllable: sentences.reduce((sum, { words }) => sum + words.reduce((all, one) => all + syllable(one), 0), 0),
      }),
    ),
  };
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

/** Every page that people read, by its path. */
export function pagesOfAll(): string[] {
  const docs = filesIn("docs", ".md").filter((file) => !file.includes("/."));
  return ["README.md", "AGENTS.md", "CHANGELOG.md", "SECURITY.md", ...docs];
}

function measure(): Record<string, Figures> {
  return Object.fromEntries(pagesOfAll().map((file) => [file, figuresOf(readFileSync(file, "utf8"))]));
}

/** Pages that miss a target, one sentence each. */
export function problemsOf(all: Record<string, Figures>): string[] {
  return Object.entries(all)
    .filter(([file, { sentences }]) => !RECORDS.test(file) && sentences >= SENTENCES_MIN)
    .flatMap(([file, { median, grade }]) => [
      ...(median < TARGETS.median ? [] : [`${file}: the median sentence has ${median} words. Stay below ${TARGETS.median}.`]),
      ...(grade <= TARGETS.grade || isEvidence(file)
        ? []
        : [`${file}: the grade is ${grade}. Stay at ${TARGETS.grade} or below.`]),
    ]);
}

/** Whether a page is for maintainers: decisions and figures. The grade is a target for guides and reference only. */
function isEvidence(file: string): boolean {
  return /^(?:docs\/decisions\/|docs\/(?:performance|reliability|architecture)\.md|AGENTS|CHANGELOG)/.test(file);
}

function pageOf(note: string, now: Record<string, Figures>, before: Record<string, Figures>): string {
  const cell = (one: Figures | undefined) =>
    one ? `${one.median} | ${one.mean} | ${one.long} | ${one.passive} | ${one.grade}` : "– | – | – | – | –";
  const total = (all: Record<string, Figures>) => {
    const pages = Object.values(all);
    const sentences = pages.reduce((sum, one) => sum + one.sentences, 0);
    const mean = (name: "long" | "passive" | "grade" | "mean") =>
      round(pages.reduce((sum, one) => sum + one[name] * one.sentences, 0) / Math.max(1, sentences));
    return { sentences, mean: mean("mean"), long: mean("long"), passive: mean("passive"), grade: mean("grade") };
  };
  const [then, today] = [total(before), total(now)];
  const row = (name: string, one: typeof then) =>
    `| ${name} | ${one.sentences} | ${one.mean} | ${one.long} % | ${one.passive} % | ${one.grade} |`;
  return [
    "# Readability",
    note,
    "This page shows how hard each page is to read, before and after the rewrite. Paragraphs and list items count. Tables and code do not.",
    `The targets: a median sentence below ${TARGETS.median} words, and grade ${TARGETS.grade} or lower for every guide. CI checks both.`,
    "The grade is the one of Flesch and Kincaid. A span of code counts as one word.",
    "| all pages | sentences | words per sentence | over 25 words | passive | grade |\n|---|---|---|---|---|---|\n" +
      [row("before", then), row("now", today)].join("\n"),
    "Each cell of the next table reads “before → now”. A dash means that the page did not exist.",
    [
      "| page | median words | mean words | over 25 words, % | passive, % | grade |",
      "|---|---|---|---|---|---|",
      ...[...new Set([...Object.keys(now), ...Object.keys(before)])].sort().map((file) => {
        const [old, fresh] = [cell(before[file]).split(" | "), cell(now[file]).split(" | ")];
        return `| ${file} | ${old.map((value, i) => `${value} → ${fresh[i]}`).join(" | ")} |`;
      }),
    ].join("\n"),
  ]
    .join("\n\n")
    .concat("\n");
}

/** docs/readability.md: the figures of all pages except itself, and the figures before the rewrite. */
export function readabilityPage(note: string): string {
  const { [PAGE]: _, ...now } = measure();
  return pageOf(note, now, JSON.parse(readFileSync(BEFORE, "utf8")) as Record<string, Figures>);
}
