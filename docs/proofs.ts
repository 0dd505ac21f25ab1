/**
 * Makes two pages from the tests. docs/coverage.md shows the coverage of each operation. docs/spec-map.md lists the tests that prove each
 * rule of the specification.
 */
import { readFileSync } from "node:fs";
import { groups, operations } from "../src/service/api/index.ts";
import { filesIn, testTitles } from "./gather.ts";
import { UNSERVED } from "../src/service/api/unserved.ts";

/** A rule of the specification in our own words. */
export interface SpecRule {
  /** `spec:` and a name that never changes. */
  id: string;
  section: string;
  rule: string;
  /** Why no test can prove the rule. The page shows this instead of a proof. */
  untestable?: string;
  /** How docdouble does more than the rule, and why. */
  note?: string;
}

/** The test that compares answers with the official schemas, and the list of operations that it checks. */
const SCHEMA_PROOF = "test/service/openapi/replies.test.ts";
const SCHEMA_LIST = "test/service/openapi/checked-operations.json";

/** Operations whose answers the contract tests compare with the official schemas. The tests check this list. */
function checkedOperations(): Set<string> {
  try {
    return new Set(JSON.parse(readFileSync(SCHEMA_LIST, "utf8")) as string[]);
  } catch {
    return new Set();
  }
}

/** Operations that a test calls with the official client. The methods of this client have the names of operation ids. */
function drivenOperations(): Set<string> {
  const sources = filesIn("test", ".ts")
    .map((file) => readFileSync(file, "utf8"))
    .filter((source) => /from "pandadoc-node-client"/.test(source));
  const ids = [...operations, ...UNSERVED].map(({ id }) => id);
  return new Set(ids.filter((id) => sources.some((source) => new RegExp(`\\.${id}\\(`).test(source))));
}

/** The page with three separate counts: operations that are served, checked and driven. */
export function coveragePage(note: string): string {
  const all = operations.length + UNSERVED.length;
  const checked = checkedOperations();
  const driven = drivenOperations();
  const titles = testTitles().map((one) => one.title);
  const count = (set: Set<string>) => operations.filter(({ id }) => set.has(id)).length;
  const tests = (id: string) => titles.filter((title) => new RegExp(`^${id}\\b`).test(title)).length;
  const mark = (is: boolean) => (is ? "yes" : "");
  const rows = [
    ...groups.flatMap((group) => group.operations.map(({ id }) => ({ tag: group.name, id, served: true }))),
    ...UNSERVED.map(({ tag, id }) => ({ tag, id, served: false })),
  ];
  return `${[
    "# Coverage",
    note,
    "This page shows three numbers for three different claims. Their sum means nothing.",
    [
      "| claim | operations | of |",
      "|---|---|---|",
      `| served: answers with state and rules behind it, not 501 | ${operations.length} | ${all} |`,
      `| checked: a test compares its answers with the official response schemas, in \`${SCHEMA_PROOF}\` | ${count(checked)} | ${all} |`,
      `| driven: called by a test through the official Node client | ${count(driven)} | ${all} |`,
    ].join("\n"),
    "The column “titles” counts the tests and groups of tests whose name begins with the operation's id.",
    [
      "| group | operation | served | checked | driven | titles |",
      "|---|---|---|---|---|---|",
      ...rows.map(
        ({ tag, id, served }) =>
          `| ${tag} | \`${id}\` | ${mark(served)} | ${mark(checked.has(id))} | ${mark(driven.has(id))} | ${tests(id) || ""} |`,
      ),
    ].join("\n"),
  ].join("\n\n")}\n`;
}

/** A check that people made once. Its figures stay as they were then. */
const TRIED =
  "On 2026-11-21 we tested the proofs. We broke docdouble in 507 ways: at least once for each of the 129 rules. Each time, we ran only the proofs of that rule. The proofs of 69 rules missed a break, so we made them stronger. No test notices five of the breaks. There, a second check does the same, or the value never occurs. We broke 87 statements of the admin API and the scenario engine in the same way.";

/**
 * The page that lists the tests of each rule.
 *
 * @throws for a mark without a rule, a repeated id, a rule without a proof, or a proof of an untestable rule
 */
export function specMapPage(note: string, rules: readonly SpecRule[]): string {
  const proofs = proofsOf(rules);
  const untestable = rules.filter((one) => one.untestable !== undefined);
  const cell = (text: string) => text.replaceAll("|", "\\|");
  const proven = (one: SpecRule) =>
    proofs.get(one.id)?.map(cell).join("<br>") ?? `cannot be tested: ${cell(one.untestable ?? "")}`;
  return `${[
    "# Specification and tests",
    note,
    `This table lists each rule of the specification in our own words, and the tests that prove it. A test names its rules in a comment: \`// proves: <id>\`. Tests prove ${rules.length - untestable.length} of ${rules.length} rules. The table gives the reason for each rule that no test can prove (${untestable.length}).`,
    TRIED,
    ...[...new Set(rules.map(({ section }) => section))].map((section) =>
      [
        `## ${section}\n`,
        "| id | rule | proven by |",
        "|---|---|---|",
        ...rules
          .filter((one) => one.section === section)
          .map((one) => `| \`${one.id}\` | ${cell([one.rule, one.note].filter(Boolean).join(" "))} | ${proven(one)} |`),
      ].join("\n"),
    ),
  ].join("\n\n")}\n`;
}

/** The tests of each rule, by its id. */
export function proofsOf(rules: readonly SpecRule[], titles = testTitles()): Map<string, string[]> {
  const proofs = new Map<string, string[]>();
  for (const { file, title, proves } of titles)
    for (const id of proves) proofs.set(id, [...(proofs.get(id) ?? []), `${file}: ${title}`]);
  const ids = rules.map(({ id }) => id);
  const twice = ids.find((id, i) => ids.indexOf(id) !== i);
  if (twice) throw new Error(`docs/spec-rules.json has ${twice} twice`);
  const unknown = [...proofs.keys()].find((id) => !ids.includes(id));
  if (unknown) throw new Error(`${proofs.get(unknown)?.[0]} proves ${unknown}, which docs/spec-rules.json does not have`);
  const open = rules.filter(({ id, untestable }) => !proofs.has(id) && !untestable).map(({ id }) => id);
  if (open.length > 0) throw new Error(`no test proves ${open.join(", ")}: mark one, or give docs/spec-rules.json the reason`);
  const both = rules.find(({ id, untestable }) => proofs.has(id) && untestable);
  if (both) throw new Error(`docs/spec-rules.json calls ${both.id} untestable, and a test proves it`);
  return proofs;
}
