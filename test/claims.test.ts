/** Claims of the pages that would go stale without notice: names of files, numbers of things, and sizes of limits. */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { NOTES } from "../src/cli/command-notes.ts";
import { program } from "../src/cli/commands.ts";
import { parseRoute } from "../src/engine/core/operation.ts";
import { parse } from "yaml";
import { adminOperations } from "../src/library/surfaces.ts";
import { SWITCHES } from "../src/service/assumptions/switches.ts";
import { createSandbox, hostOf } from "../src/library/sandbox.ts";
import { surfaces } from "../src/library/surfaces.ts";
import { operations } from "../src/service/api/index.ts";
import { service } from "../src/service/service.ts";
import { words } from "../src/service/words.ts";
import { storiesFor } from "../src/tools/probe/stories/index.ts";

const below = (folder: string, ending: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile() && one.name.endsWith(ending) && !one.parentPath.includes("node_modules"))
    .map((one) => join(one.parentPath, one.name));

const page = (name: string) => readFileSync(name, "utf8");
const PAGES = ["README.md", "AGENTS.md", "SECURITY.md", ...below("docs", ".md")];
const NAMED = /`((?:[\w.@-]+\/)*[\w.@-]+\.(?:ts|mts|mjs|sh|yaml|yml|conf|json))`/g;
/** The build makes them, a user writes them, or a package has them. */
const ELSEWHERE = [/^dist\//, /^\.cursor\//, /^docdouble\//, /^node_modules\//, /^tests\//];

test("each file that a page names exists", () => {
  const all = ["src", "test", "docs", "bench", "examples", "fixtures", "scenarios", "deploy"].flatMap((folder) =>
    below(folder, ""),
  );
  const exists = (name: string) => existsSync(name) || all.some((one) => one.endsWith(`/${name}`));
  const missing = PAGES.flatMap((file) =>
    [...page(file).matchAll(NAMED)]
      .map(([, name = ""]) => name)
      .filter((name) => name.includes("/") || name.endsWith(".test.ts"))
      .filter((name) => !ELSEWHERE.some((one) => one.test(name)) && !exists(name))
      .map((name) => `${file}: ${name}`),
  );
  expect(missing).toEqual([]);
});

/** A folder of `src/`, or of the repository. `<noun>` stands for any name. */
const FOLDER = /`((?:engine|service|inspector|library|tools|cli|test|deploy|scenarios|recordings)\/(?:[\w-]+\/)*)(?:<\w+>\/)?`/g;

test("each folder that a page names exists", () => {
  const missing = PAGES.flatMap((file) =>
    [...page(file).matchAll(FOLDER)]
      .map(([, name = ""]) => name)
      .filter((name) => !existsSync(name) && !existsSync(join("src", name)))
      .map((name) => `${file}: ${name}`),
  );
  expect(missing).toEqual([]);
});

/** Each version of the changelog may repeat a subject. */
test.each(PAGES.filter((file) => file !== "CHANGELOG.md"))(
  "each heading of %s stands there once, so its anchor leads to it",
  (file) => {
    const text = page(file).replace(/^```[\s\S]*?^```$/gm, "");
    const headings = [...text.matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = ""]) => heading.toLowerCase());
    expect(headings.filter((one, index) => headings.indexOf(one) < index)).toEqual([]);
  },
);

test("the pages name each operation of the admin API without the admin token, and each answer keeps other origins out", async () => {
  const sandbox = await createSandbox({ adminToken: "token-of-the-server" });
  onTestFinished(() => sandbox.close());
  const open: string[] = [];
  for (const { route } of adminOperations) {
    const { method, path } = parseRoute(route);
    const { status, headers } = await sandbox.fetch(path.replace(/\{\w+\}/g, "x"), { method });
    expect([headers.get("x-content-type-options"), headers.get("cross-origin-resource-policy")], route).toEqual([
      "nosniff",
      "same-origin",
    ]);
    if (status !== 401) open.push(path.replace(/\{\w+\}/g, "…"));
  }
  const namedIn = (text: string) => [...text.matchAll(/`(\/[\w/]+…?)`/g)].map(([, path]) => path);
  const [sentence = ""] = /Only [^.]*need no token\./s.exec(page("docs/admin-api.md")) ?? [];
  expect(namedIn(sentence).sort()).toEqual(open.sort());
  const [bullet = ""] = /- `\/health`.*?\n- /s.exec(page("docs/security.md")) ?? [];
  expect([...namedIn(bullet), "/notary/files/…"].sort()).toEqual(open.sort());
});

test("docs/probe.md names the readings that no story can show", async () => {
  const stories = storiesFor("key");
  const without = (await service.ledger()).filter((one) => one.switchable && !stories.has(one.id)).map(({ id }) => id);
  const [sentence = ""] = /Some readings always stay undecided: .*?\. \[/s.exec(page("docs/probe.md")) ?? [];
  expect([...sentence.matchAll(/`([\w.]+)`/g)].map(([, id]) => id)).toEqual(without.sort());
});

test("docs/scenarios.md describes each ready-made story, and what it says about their clocks and expectations is true", () => {
  const all = below("scenarios", ".yaml").map((file) => parse(page(file)) as Story);
  const headings = [...page("docs/scenarios.md").matchAll(/^### ([a-z][\w-]+)$/gm)].map(([, name]) => name);
  expect(headings.sort()).toEqual(all.map(({ name }) => name).sort());
  const told = all.map(({ name, clock, expect: expected }) => [name, clock?.mode, clock?.now, expected !== undefined]);
  expect(told).toEqual(
    all.map(({ name }) => {
      if (name === "bad-day") return [name, undefined, undefined, false];
      return [name, name.startsWith("agent-") ? "auto" : "frozen", "2026-03-02T09:00:00Z", true];
    }),
  );
});

interface Story {
  name: string;
  clock?: { mode: string; now: string };
  expect?: object;
}

/** What stands between backticks in the first column of the table with this head. */
function namesInTable(file: string, head: string): string[] {
  const [, after = ""] = page(file).split(`| ${head} |`);
  const rows = (after.split("\n\n")[0] ?? "").split("\n").slice(2);
  return rows.flatMap((row) => [...(row.split("|")[1] ?? "").matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name));
}

const shownBy = async (path: string): Promise<string> => {
  const sandbox = await createSandbox();
  onTestFinished(() => sandbox.close());
  return (await sandbox.fetch(path)).text();
};

test("docs/inspector.md names each key of the inspector, and test ids that the signing page has", async () => {
  const pages = below("src/service/pages", ".ts").map(page).join("\n");
  const ids = namesInTable("docs/inspector.md", "test id | part");
  expect(ids.length).toBeGreaterThan(30);
  const isThere = (id: string) => pages.includes(`data-testid="${id.replace(/-(NAME|ID)$/, "-${")}`);
  expect(ids.filter((id) => !isThere(id))).toEqual([]);
  const [, help = ""] = (await shownBy("/__admin/")).split('<dialog id="help"');
  const keys = [...(help.split("</dialog>")[0] ?? "").matchAll(/<kbd>(.*?)<\/kbd>/g)].map(([, key]) => key);
  expect(new Set(namesInTable("docs/inspector.md", "key | does"))).toEqual(new Set(keys));
});

test("the README counts the operations that docdouble serves", () => {
  const served = operations.length;
  expect(page("README.md")).toContain(`All ${served} public operations keep state.`);
});

test("pages count events and lines of the second service as they are", () => {
  expect(page("docs/guides/open-formats.md")).toContain(`Each of the ${words.events.length} events has`);
  const lines = page("test/second-service/parcels.ts").trimEnd().split("\n").length;
  const [, most] = /in fewer than (\d+) lines/.exec(page("docs/another-service.md")) ?? [];
  expect(lines).toBeLessThan(Number(most));
});

test("the changelog lists each command once", () => {
  const [, list = ""] = /^- Commands: (.+)\.$/m.exec(page("CHANGELOG.md")) ?? [];
  expect(list.replaceAll("`", "").split(", ").sort()).toEqual(program.commands.map((one) => one.name()).sort());
});

test("the page about formats counts the paths with a query", () => {
  const paths = operations.filter(({ route }) => route.includes("?"));
  expect(page("docs/guides/open-formats.md")).toContain(`${["Six", "Seven", "Eight"][paths.length - 6]} paths have a query`);
});

test("the page about production names the delays of webhooks", () => {
  const minutes = SWITCHES["webhook.retry_schedule"].default.map((ms) => `${ms / 60_000}m`);
  expect(page("docs/guides/production.md")).toContain(
    `after ${minutes.slice(0, -1).join(", ")} and ${minutes.at(-1)} on docdouble's clock`,
  );
});

test("the page about production names the beginning of each path beside the public API", () => {
  const named = page("docs/guides/production.md");
  const routes = [...surfaces.pages.map(({ path }) => path), ...surfaces.verbs.map(({ route }) => route.split(" ")[1] ?? "")];
  const beginnings = new Set(routes.map((path) => `/${path.split("/")[1]}`));
  // The API is below /oauth2 and /public.
  expect([...beginnings].filter((one) => one !== "/oauth2" && !new RegExp(`\`${one}[/\`]`).test(named))).toEqual([]);
});

describe("docs/guides/upgrade.md", () => {
  const text = page("docs/guides/upgrade.md");
  const rows = text.split("\n").filter((line) => /^\| (?!topic)\w|^\| `/.test(line) && line.split(" | ").length === 4);
  const switches: Readonly<Record<string, object>> = SWITCHES;

  test("each row without the words “no switch” names a switch", () => {
    expect(rows.length).toBeGreaterThan(30);
    const named = rows.filter((row) => !row.includes("no switch")).map((row) => /`([\w.]+)` \|$/.exec(row)?.[1] ?? row);
    expect(named.filter((id) => !Object.hasOwn(switches, id))).toEqual([]);
  });

  test("the profile lenient takes each call that is refused now, unless the row has “no switch”", () => {
    const refused = rows.filter((row) => !row.includes("no switch") && /^(?:refused|400)\b/.test(row.split(" | ")[2] ?? ""));
    const ids = refused.map((row) => /`([\w.]+)` \|$/.exec(row)?.[1] ?? "");
    expect(ids.length).toBeGreaterThan(5);
    expect(ids.filter((id) => !("lenient" in (switches[id] ?? {})))).toEqual([]);
  });
});

test.each(["SandboxOptions", "Handles"])("docs/library.md names each member of %s", (name) => {
  const [, body = ""] = new RegExp(`export interface ${name}[^{]*\\{([\\s\\S]*?)\\n\\}`).exec(page("src/library/types.ts")) ?? [];
  const members = [...body.matchAll(/^ {2}(?:readonly )?(\w+)\??[:(<]/gm)].map(([, member = ""]) => member);
  expect(members.length).toBeGreaterThan(15);
  const text = page("docs/library.md");
  expect(members.filter((member) => !new RegExp(`\`(?:sandbox\\.)?${member}\\b`).test(text))).toEqual([]);
});

test("a ready-made story that pages name by scenarios/ opens from every folder, and a file there comes first", async () => {
  const named = [
    ...`${page("docs/scenarios.md")}${page("SKILL.md")}${JSON.stringify(NOTES)}`.matchAll(/scenarios\/[\w-]+\.yaml/g),
  ];
  const names = [...new Set(named.map(([name]) => name))];
  expect(names.length).toBeGreaterThan(10);
  const [home, folder] = [process.cwd(), mkdtempSync(join(tmpdir(), "docdouble-claims-"))];
  onTestFinished(() => {
    process.chdir(home);
    rmSync(folder, { recursive: true });
  });
  process.chdir(folder);
  for (const scenario of names) await (await createSandbox({ scenario })).close();
  await expect(createSandbox({ scenario: "scenarios/unknown.yaml" })).rejects.toThrow(
    "cannot read scenarios/unknown.yaml: ENOENT",
  );
  mkdirSync("scenarios");
  writeFileSync("scenarios/bad-day.yaml", "version: 1\nname: mine\n");
  const sandbox = await createSandbox({ scenario: "scenarios/bad-day.yaml" });
  await sandbox.close();
  expect(hostOf(sandbox).defaultTenant.scenarios.has("mine")).toBe(true);
});

const KIB = 1024;
const MIB = KIB * KIB;
const DAY_MS = 86_400_000;
const bytes = (value: number) => (value % MIB === 0 ? `${value / MIB} MiB` : `${value / KIB} KiB`);
const number = (value: number) => value.toLocaleString("en");
const seconds = (value: number) => `${value / 1000} s`;
const mi = (value: number) => `${value / MIB} Mi`;
type Unit = (value: number) => string;

/** The value of `NAME = …` or `name: …` in a source, such as `2 * MIB`. */
function valueIn(file: string, name: string): number {
  const text = page(join("src", file));
  const [, found] = new RegExp(`\\b${name}\\b(?::[^=\\n]+)?(?: =|:) ([\\d_*. A-Z]+?)[;,}\\n]`).exec(text) ?? [];
  if (found === undefined) throw new Error(`${file} has no ${name}`);
  const factors = found
    .trim()
    .replaceAll("_", "")
    .split(" * ")
    .map((one) => ({ MIB, DAYMS: DAY_MS })[one] ?? Number(one));
  return factors.reduce((product, one) => product * one);
}

const HTTP = "engine/http/bodies.ts";
const FILES = "service/files/limits.ts";
/** The beginning of a row of docs/limits.md, and each number in it: source, name, and how the row writes it. */
const LIMITS: readonly [string, ...(readonly [string, string, Unit])[]][] = [
  ["JSON body", [HTTP, "JSON_BYTES_MAX", bytes]],
  ["multipart body", [HTTP, "UPLOAD_BYTES_MAX", bytes]],
  ["request headers", ["engine/http/serve.ts", "HEADER_BYTES_MAX", bytes]],
  ["nesting of JSON", ["engine/core/text.ts", "JSON_DEPTH_MAX", number]],
  ["members of one list", ["engine/http/json-text.ts", "JSON_MEMBERS_MAX", number]],
  [
    "parts of a multipart",
    ["engine/http/multipart.ts", "PARTS_MAX", number],
    ["engine/http/multipart.ts", "PART_HEADER_BYTES_MAX", bytes],
  ],
  ["multipart body in the journal", ["engine/journal/body-parts.ts", "FIELDS_BYTES_MAX", bytes]],
  ["documents in one bulk delete", ["service/model/documents/inputs.ts", "BULK_MAX", number]],
  ["webhook subscriptions", ["service/domain/webhooks/subscriptions.ts", "SUBSCRIPTIONS_MAX", number]],
  [
    "quotes in one update",
    ["service/model/pricing/inputs.ts", "BATCH_MAX", number],
    ["service/domain/documents/quote-update.ts", "QUOTE_BYTES_MAX", bytes],
  ],
  ["recipients of a document", ["service/domain/recipients/recipients.ts", "RECIPIENTS_MAX", number]],
  ["editing sessions of a document", ["service/domain/templates/editing-sessions.ts", "SESSIONS_MAX", number]],
  ["an attachment, a section", ["service/domain/attachments/attachments.ts", "BYTES_MAX", bytes]],
  ["a file that a recipient uploads", ["service/domain/signing/participant-acts.ts", "FILE_BYTES_MAX", bytes]],
  ["pages of a DOCX export", ["service/domain/documents/docx-exports.ts", "PAGES_MAX", number]],
  [
    "webhook receiver",
    ["engine/jobs/post-delivery.ts", "RECEIVER_TIMEOUT_MS", seconds],
    ["engine/jobs/post-delivery.ts", "RESPONSE_BYTES_MAX", bytes],
  ],
  [
    "journal",
    ["engine/journal/journal.ts", "ENTRIES_MAX", number],
    ["engine/journal/journal.ts", "ENTRY_BYTES_MAX", bytes],
    ["engine/journal/journal.ts", "JOURNALS_BYTES_MAX", bytes],
  ],
  [
    "query and headers of one",
    ["engine/journal/kept-parts.ts", "NAMES_MAX", number],
    ["engine/journal/kept-parts.ts", "VALUES_MAX", number],
  ],
  ["form of a call without", [HTTP, "FORM_BYTES_MAX", bytes]],
  ["registered agents", ["service/model/oauth/rows.ts", "maxRows", number]],
  ["open sessions of the MCP", ["service/mcp/sessions.ts", "SESSIONS_MAX", number]],
  ["bodies read at the same", [HTTP, "READING_BYTES_MAX", bytes]],
  ["tenants", ["library/host.ts", "TENANTS_MAX", number]],
  ["injected delay", ["engine/scenario/effect.ts", "DELAY_MS_MAX", seconds]],
  ["an answer that `network: hang`", ["engine/http/network.ts", "HANG_MS", seconds]],
  ["clock |", ["engine/core/clock-settings.ts", "TIMERS_MAX", number]],
  ["the clock's speed", ["engine/core/time-limits.ts", "SPEED_MIN", number], ["engine/core/time-limits.ts", "SPEED_MAX", number]],
  ["a duration", ["engine/core/time-limits.ts", "DURATION_DAYS_MAX", number]],
  ["waits in real time", ["engine/core/time-limits.ts", "WALL_MS_MAX", number]],
  ["regular expression", ["engine/rules/pattern.ts", "PATTERN_LENGTH_MAX", number]],
  ["search of the journal", ["engine/verbs/wiremock/request-pattern.ts", "MATCHERS_MAX", number]],
  ["near misses", ["engine/verbs/verification/verification.ts", "NEAR_MISSES_MAX", number]],
  ["waiting verifications", ["engine/verbs/verification/verification.ts", "WAITING_MAX", number]],
  ["JSONPath", ["engine/scenario/json-path.ts", "PATH_LENGTH_MAX", number]],
  [
    "scenario and fixtures files",
    ["engine/scenario/yaml.ts", "YAML_LENGTH_MAX", bytes],
    ["engine/scenario/yaml.ts", "SIGNS_MAX", number],
    ["engine/scenario/yaml.ts", "JSON_LENGTH_MAX", bytes],
    ["engine/scenario/yaml.ts", "ALIASES_MAX", number],
    ["engine/scenario/yaml.ts", "VALUES_MAX", number],
    ["engine/scenario/yaml.ts", "SHARED_SIGNS_MAX", number],
  ],
  ["a saved world", ["engine/store/world-encoding.ts", "WORLD_BYTES_MAX", bytes]],
  ["copies that a `patch`", ["engine/core/json-patch.ts", "COPIES_MAX", mi]],
  ["changes that `stale`", ["engine/store/history.ts", "WRITES_MAX", number]],
  [
    "wait of a verification",
    ["engine/verbs/verification/verification.ts", "WAIT_MS_MAX", seconds],
    ["inspector/emails.ts", "WAIT_MS_MAX", seconds],
  ],
  ["an answer of `docdouble mcp`", ["tools/mcp/bounded.ts", "ANSWER_MAX", number]],
  [
    "a scenario, fixtures file or report",
    ["engine/core/regular-file.ts", "TEXT_BYTES_MAX", bytes],
    ["engine/core/regular-file.ts", "BYTES_MAX", bytes],
  ],
  ["finished webhook deliveries", ["engine/jobs/rows.ts", "DELIVERIES_MAX", number]],
  ["mails and text messages", ["service/model/mails/rows.ts", "maxRows", number]],
  ["statuses and acts of", ["service/model/lifecycle/rows.ts", "maxRows", number]],
  ["versions of documents", ["engine/store/versions.ts", "ROW_MAX", number], ["engine/store/versions.ts", "ALL_MAX", number]],
  ["findings of client lint", ["inspector/lint/client-lint.ts", "FINDINGS_MAX", number]],
  ["signing sessions", ["service/model/signing/rows.ts", "maxRows", number]],
  ["editing sessions, OAuth codes", ["service/model/templates/rows.ts", "maxRows", number]],
  ["reading or writing one file", [FILES, "read_ms", seconds], [FILES, "write_ms", seconds], [FILES, "memory_bytes", bytes]],
  ["a download's wait", [FILES, "answer_ms", seconds]],
  ["real time to read", [FILES, "wall_ms", seconds]],
  ["a Markdown text", [FILES, "letters", mi], [FILES, "fields", number]],
  ["Markdown that a signing page", ["service/domain/content/blocks.ts", "FORMATTED_MAX", number]],
  [
    "an uploaded or fetched file",
    [FILES, "input_bytes", bytes],
    [FILES, "pages", number],
    [FILES, "fields", number],
    [FILES, "objects", number],
    [FILES, "runs", number],
    [FILES, "xml_bytes", bytes],
  ],
  ["a generated file", [FILES, "output_bytes", bytes]],
  ["columns of a table", ["service/files/pdf-flow.ts", "COLUMNS_MAX", number]],
  ["files waiting for", ["service/files/pool.ts", "QUEUE_MAX", number]],
  ["runs of a job", ["engine/jobs/scheduler.ts", "TRIES_MAX", number]],
  ["DOCX exports and", ["service/model/documents/rows.ts", "maxRows", number]],
  ["keys with a rate limit", ["engine/jobs/rate-limit.ts", "KEYS_MAX", number]],
  ["values that a rule counts", ["engine/rules/rules.ts", "COUNTS_MAX", number]],
  [
    "snapshots",
    ["engine/verbs/snapshots.ts", "SNAPSHOTS_MAX", number],
    ["engine/verbs/snapshots.ts", "SNAPSHOT_JOURNALS_BYTES_MAX", bytes],
  ],
  [
    "readers of `/__admin/events`",
    ["engine/verbs/events.ts", "STREAMS_MAX", number],
    ["engine/verbs/events.ts", "WAITING_BYTES_MAX", bytes],
    ["engine/verbs/events.ts", "ALL_WAITING_BYTES_MAX", bytes],
  ],
  ["connections", ["engine/http/serve.ts", "CONNECTIONS_MAX", number]],
  ["time for headers", ["engine/http/serve.ts", "headers", seconds], ["engine/http/serve.ts", "request", seconds]],
  ["silence of a connection", ["engine/http/serve.ts", "silence", seconds]],
  ["answers of the kind 1xx", ["engine/jobs/outgoing-request.ts", "INTERIM_MAX", number]],
  [
    "image downloads",
    ["engine/jobs/spared-download.ts", "origin", number],
    ["engine/jobs/spared-download.ts", "process", number],
  ],
  [
    "deliveries at the same",
    ["engine/jobs/post-delivery.ts", "origin", number],
    ["engine/jobs/post-delivery.ts", "STARTING_MAX", number],
    ["engine/jobs/post-delivery.ts", "process", number],
  ],
];

describe("docs/limits.md", () => {
  const rows = page("docs/limits.md")
    .split("\n")
    .filter((line) => line.startsWith("| "))
    .map((line) => line.replace(/ +\|/g, " |"));

  test.each(LIMITS)("the row %s has the numbers of the code", (beginning, ...figures) => {
    const row = rows.find((one) => one.startsWith(`| ${beginning}`));
    expect(row, beginning).toBeDefined();
    for (const [file, name, unit] of figures) {
      const written = unit(valueIn(file, name));
      expect(row, name).toMatch(new RegExp(`(?<![\\d.,])${written.replaceAll(".", "\\.")}(?![\\d,]*\\d)`));
    }
  });

  test("each row of sizes is compared with the code, or is one of the few without one constant", () => {
    const sizes = page("docs/limits.md").split("## Sizes and bounds")[1]?.split("\n\n")[1]?.split("\n").slice(2) ?? [];
    const named = sizes.map((line) => line.slice(2).replace(/ +\|/g, " |"));
    const without = named.filter((row) => !LIMITS.some(([beginning]) => row.startsWith(beginning)));
    expect(without.map((row) => row.split(" |")[0])).toEqual([
      "page size of List Documents",
      "the clock's time",
      "download of a file by URL, with all redirects",
    ]);
  });
});
