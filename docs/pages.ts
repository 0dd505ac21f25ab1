/** Returns the texts of all generated pages. */
import { service } from "../src/service/service.ts";
import { operationIds, operations } from "../src/service/api/index.ts";
import { adminGroups, adminOperations } from "../src/library/surfaces.ts";
import { parseRoute } from "../src/engine/core/operation.ts";
import type { AdminOperation } from "../src/engine/core/verb.ts";
import { fixturesJsonSchema, scenarioJsonSchema } from "../src/engine/scenario/json-schema.ts";
import { type AdminExample, exampleOf } from "../src/inspector/reference/admin-examples.ts";
import { commandsPage } from "./commands-page.ts";
import { assumptionsPage } from "./assumptions-page.ts";
import { lintPage } from "./lint-page.ts";
import { environmentPart } from "./environment-page.ts";
import { fileTypes } from "./file-types.ts";
import { fixturesPage, scenarioMembers } from "./scenario-members.ts";
import { serviceWords } from "./service-words.ts";
import { withFiles } from "./snippets.ts";
import { verbTableText } from "./verb-table.ts";
import { worldPage } from "./world-page.ts";
import { records } from "../src/service/assumptions/ledger/index.ts";
import { UNSERVED } from "../src/service/api/unserved.ts";

/** The first comment of a generated page. */
export const NOTE = "<!-- Written by `npm run docs`; do not edit by hand. -->";

/** Every generated page, by its file. `read` returns the present text of a page, for the parts that people write. */
export function pages(read: (file: string) => string): Record<string, string> {
  return {
    "docs/assumptions.md": assumptionsPage(NOTE),
    "docs/guides/test-runners.md": withFiles(read("docs/guides/test-runners.md")),
    "docs/another-service.md": withFiles(read("docs/another-service.md")),
    "docs/environment.md": between(read("docs/environment.md"), "environment", environmentPart()),
    "docs/limits.md": between(between(read("docs/limits.md"), "probes", probesPart()), "limits", limitsPart()),
    "docs/admin-api.md": between(read("docs/admin-api.md"), "admin", adminPart()),
    "docs/lint.md": lintPage(NOTE),
    "docs/commands.md": commandsPage(NOTE),
    "docs/scenarios.md": between(read("docs/scenarios.md"), "members", scenarioMembers()),
    "docs/fixtures.md": fixturesPage(NOTE),
    "docs/world.md": worldPage(NOTE, JSON.parse(read("fixtures/default.json"))),
    "src/library/file-types.ts": fileTypes(),
    "src/tools/compare/service-words.json": serviceWords(),
    "src/cli/verbs.json": verbTableText(),
    "docs/scenario.schema.json": `${JSON.stringify(scenarioJsonSchema(service.language, operationIds().sort()), null, 2)}\n`,
    "docs/fixtures.schema.json": `${JSON.stringify(fixturesJsonSchema(service.language), null, 2)}\n`,
  };
}

/** Replaces the text between the markers of `name`. @throws when the page lacks these markers */
export function between(page: string, name: string, body: string): string {
  const [start, end] = [`<!-- generated: ${name} -->`, `<!-- end: ${name} -->`];
  const from = page.indexOf(start);
  const to = page.indexOf(end);
  if (from < 0 || to < from) throw new Error(`the page has no markers ${start} … ${end}`);
  return `${page.slice(0, from + start.length)}\n\n${body.trim()}\n\n${page.slice(to)}`;
}

/** Every admin operation with its example, or with a note that the example is missing. */
function adminPart(): string {
  return adminGroups
    .map(({ name, operations: all }) =>
      [`## ${name.replace("Admin: ", "").replace(/^./, (first) => first.toUpperCase())}`, ...all.map(adminEntry)].join("\n\n"),
    )
    .join("\n\n");
}

function adminEntry(operation: AdminOperation<never>): string {
  const { route, limits } = operation;
  const example = exampleOf(operation);
  if (!example) return `**\`${route}\`**\n\nNo example yet.`;
  return [
    `**\`${route}\`**`,
    `${example.does}${limits === undefined ? "" : ` Limit: ${limits}.`}`,
    `\`\`\`sh\n${adminCommand(route, example)}   # ${example.status}\n\`\`\``,
  ].join("\n\n");
}

/** The example as a shell command. The shell needs the variables `$url` and those of the ids. */
export function adminCommand(route: string, { path, body, text, file }: AdminExample): string {
  const { method, path: whole } = parseRoute(route);
  // A shell expands no variable between single quotes, so the quotes end before it and begin again after it.
  const json = JSON.stringify(body)?.replace(/\$\w+/g, (name) => `'${name}'`);
  const data =
    text !== undefined
      ? ` -H 'content-type: application/yaml' --data-binary '${text}'`
      : json === undefined
        ? ""
        : ` --json '${json}'`;
  if (file !== undefined) return `curl -T "$${file}" "$url${path ?? whole}"`;
  const verb = method === "GET" || (method === "POST" && data !== "") ? "" : `-X ${method} `;
  return `curl ${verb}"$url${path ?? whole}"${data}`;
}

function probesPart(): string {
  const probeable = records.filter((one) => one.probeable).length;
  const switches = records.filter((one) => one.switchable).length;
  return `- \`docdouble probe\` checks ${probeable} of the ${switches} assumptions with several readings. Most of the others need rights, a person or a receiver.
  [Assumptions](assumptions.md) gives the reason for each.`;
}

function limitsPart(): string {
  const limited = operations.filter((one) => one.limits !== undefined);
  const admin = adminOperations.filter((one) => one.limits !== undefined);
  const list = (all: readonly { id: string; limits?: string }[]) =>
    all.map((one) => `- \`${one.id}\`: ${markdown(one.limits ?? "")}`).join("\n") || "None.";
  return [
    "## What served operations leave out",
    list(limited),
    "## What admin operations leave out",
    list(admin),
    "## Operations that are not served",
    UNSERVED.length === 0
      ? "None: every operation of the official description is served."
      : `These ${UNSERVED.length} answer 501 with their id.`,
    ...[...new Set(UNSERVED.map((one) => one.tag))].map(
      (tag) =>
        `**${tag}**: ${UNSERVED.filter((one) => one.tag === tag)
          .map((one) => `\`${one.id}\``)
          .join(", ")}`,
    ),
  ].join("\n\n");
}

/** Escapes the characters that Markdown would take for a table or for HTML. */
export function markdown(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll("<", "&lt;");
}
