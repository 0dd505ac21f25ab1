/** The documentation is true: its commands and code blocks run and print the stated output, or have a reason to be skipped. */
import { isSwitch } from "../../../src/service/assumptions/switches.ts";
import { service } from "../../../src/service/service.ts";
import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { exampleOf } from "../../../src/inspector/reference/admin-examples.ts";
import { filesIn, ledgerProblems, marksOf, titlesOf } from "../../../docs/gather.ts";
import { adminCommand, between } from "../../../docs/pages.ts";
import { proofsOf, type SpecRule } from "../../../docs/proofs.ts";
import { environment, missing, runIn } from "../../../docs/programs.ts";
import { blocksOf, idOf, README_URL, type Snippet, type Workplace, workplace } from "../../../docs/snippets.ts";
import { ledger } from "../../../src/service/assumptions/ledger.ts";
import { adminOperations } from "../../../src/library/surfaces.ts";
import { operations } from "../../../src/service/api/index.ts";
import { readScenario } from "../../../src/engine/scenario/load.ts";
import { receiver } from "../../support/receiver.ts";
import { aDraft, aSentDocument, succeed } from "../../support/stories.ts";
import { type TestWorld, testWorld } from "../../support/world.ts";

/** A separate test runs the commands of this page, in another order. */
const ADMIN_PAGE = "docs/admin-api.md";
const ALL = [
  "README.md",
  "AGENTS.md",
  "CHANGELOG.md",
  "SECURITY.md",
  "SKILL.md",
  "llms.txt",
  ...readdirSync("docs/decisions").map((name) => `docs/decisions/${name}`),
  ...["docs", "docs/guides"].flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => name.endsWith(".md"))
      .map((name) => `${folder}/${name}`),
  ),
];
const PAGES = ALL.filter((file) => readFileSync(file, "utf8").includes("```") && file !== ADMIN_PAGE);

describe.each(PAGES)("%s", (file) => {
  const blocks = blocksOf(readFileSync(file, "utf8"));
  let place: Workplace;
  beforeAll(() => {
    place = workplace(blocks);
  });
  afterAll(() => place.remove());

  test("each block is run or read", () => {
    expect(blocks.unused, "lines of blocks that no test uses").toEqual([]);
  });

  // In order, because each block continues after the previous one. Ids and jitter may differ from the page, other output may not.
  const ids = new Map<string, string>();
  for (const snippet of blocks.snippets) test.skipIf(missing(snippet.language))(titleOf(snippet), () => prints(snippet));

  async function prints(snippet: Snippet): Promise<void> {
    const code = [...ids].reduce((text, [shown, real]) => text.replaceAll(shown, real), snippet.code);
    const printed = await place.run({ ...snippet, code });
    if (snippet.format === "none") return;
    const [shown, real] = [idOf(snippet), idOf({ ...snippet, output: printed })];
    if (shown !== undefined && real !== undefined) ids.set(shown, real);
    const expected = [...ids].reduce((text, [before, after]) => text.replaceAll(before, after), snippet.output);
    if (snippet.format === "json") expect(JSON.parse(withoutJitter(printed))).toEqual(JSON.parse(withoutJitter(expected)));
    else expect(withoutJitter(printed)).toBe(withoutJitter(expected));
  }
});

function titleOf({ line, language }: Snippet): string {
  const program = missing(language);
  return `line ${line} prints what it says${program ? ` (skipped: there is no ${program} on this machine)` : ""}`;
}

const GUIDES = readdirSync("docs/guides").filter((name) => name.endsWith(".md"));

test.each(GUIDES)("%s has its first example within ten lines, and its JavaScript fits into 75 columns", (name) => {
  const text = readFileSync(`docs/guides/${name}`, "utf8");
  expect(text.split("\n").findIndex((line) => /^(```|<!-- tabs)/.test(line)) + 1).toBeLessThanOrEqual(10);
  const blocks = [...text.matchAll(/^```(?:js|ts)([^\n]*)\n(.*?)^```$/gms)].filter(([, words = ""]) => !words.includes("same="));
  // A text cannot be broken.
  const long = blocks.flatMap(([, , code = ""]) =>
    code.split("\n").filter((line) => line.length > 75 && !/["'`].{40,}["'`]/.test(line)),
  );
  expect(long).toEqual([]);
});

test("README.md fits on one screen, and states the number of served operations", () => {
  const readme = readFileSync("README.md", "utf8");
  expect(readme).toContain(`All ${operations.length} public operations`);
  expect(readme.split("\n").length).toBeLessThanOrEqual(66);
});

test("each row of the upgrade guide has a switch as the way back, or says that it has none", () => {
  const rows = readFileSync("docs/guides/upgrade.md", "utf8").matchAll(/^\|.*\| `([a-z_]+\.[a-z_]+)`(, no switch)? \|$/gm);
  const wrong = [...rows].filter(([, id = "", mark]) => isSwitch(id) === (mark !== undefined)).map(([, id]) => id);
  expect(wrong).toEqual([]);
});

describe("scenarios", () => {
  const withScenarios = ALL.filter((file) => blocksOf(readFileSync(file, "utf8")).scenarios.length > 0);
  test("the tutorial and the page of scenarios contain scenarios", () => {
    expect(withScenarios).toEqual(expect.arrayContaining(["docs/tutorial.md", "docs/scenarios.md"]));
  });
  test.each(withScenarios)("the scenarios in %s load without a mistake", (file) => {
    const { scenarios } = blocksOf(readFileSync(file, "utf8"));
    for (const text of scenarios) readScenario(text, file, service.language, neverIncluded);
  });
});

describe("commands in sentences and tables", () => {
  const inline = ALL.flatMap((file) => [...prose(file).matchAll(/`([^`\n]+)`/g)].map(([, code = ""]) => code));
  const own = new Set(
    inline
      .filter((code) => /^(?:npx )?docdouble(?: |$)/.test(code) && !/^docdouble (?:listening|failed|could)/.test(code))
      .map((code) => code.replace(/^npx /, "").replace(/scenarios\/[\w-]+\.yaml/, "FILE")),
  );
  /** Placeholders in commands, and values for them. */
  const STANDS_FOR: Record<string, string> = {
    "FILE…": "scenarios/bad-day.yaml",
    FILE: "scenarios/bad-day.yaml",
    SCENARIO: "scenarios/bad-day.yaml",
    URL: README_URL,
    "ID,…": "delete.second",
    KEY: "docdouble-key",
    "CMD…": "true",
    CMD: "true",
    COMMAND: "true",
    SHELL: "bash",
    N: "2",
    EVENT: "document_completed",
    VERB: "clock.show",
    "[URL]": "",
    "[FOLDER]": "made",
  };
  /** A comparison without a call proves nothing, so it fails. */
  const CALLS = `node -e 'fetch(process.env.DOCDOUBLE_URL + "/public/v1/members/current", { headers: { authorization: "API-Key " + process.env.DOCDOUBLE_API_KEY } })'`;
  const CASSETTE = "recordings/create-from-template.cassette";
  const meant = (code: string) =>
    Object.entries(STANDS_FOR).reduce(
      (text, [word, value]) => text.replaceAll(new RegExp(`(?<= )${escaped(word)}(?= |$)`, "g"), value),
      code
        .replace(/(?<=replay )FILE…?/, CASSETTE)
        .replace("help COMMAND", "help run")
        // A runner of the user's tests. The pages of the runners have real ones.
        .replace(/ -- (?!CMD|COMMAND|true).+$/, " -- true")
        .replace(/(?<=^docdouble compare .+ -- )CMD…?$/, CALLS),
    );
  /** Commands that run until a user stops them, need a client, or need a file or runner of the user. Only their help is run. */
  const STAYS = /^docdouble (?:explore|proxy|listen|logs|mcp|world|import|start --world|init [a-z])/;
  const serves = (code: string) => /^docdouble(?: start)?(?: --.*)?$/.test(code) && !STAYS.test(code);
  const place = workplace(blocksOf(""));
  afterAll(() => place.remove());
  const shell = (code: string, isServer = false) =>
    place.run({ line: 0, language: "sh", code, serves: isServer, format: "none", output: "" });

  // Servers start first, because the other commands call the last one. `trigger` needs a document.
  const ordered = [...own].filter(serves);
  const others = [...own].filter((code) => !serves(code));
  test("commands of both kinds exist", () => {
    expect(ordered.length).toBeGreaterThan(1);
    expect(others.length).toBeGreaterThan(10);
  });
  test.each(ordered)("%s starts a server", async (code) => void (await shell(`npx ${meant(code)}`, true)));
  test.each(others)("%s succeeds", async (code) => {
    if (code.includes("trigger")) await shell(SOMETHING_TO_TELL);
    const wantsMore = / (?:check|run(?: --intercept)?|compare|replay|probe)$/.test(code) || STAYS.test(code);
    const command = wantsMore ? `${/^docdouble \S+/.exec(meant(code))?.[0]} --help` : meant(code);
    await shell(`npx ${command}${/^docdouble probe --real/.test(code) ? " --dry-run" : ""}`);
  });

  test("the npm commands are scripts of this project", () => {
    const { scripts } = JSON.parse(readFileSync("package.json", "utf8"));
    const named = inline.map((code) => /^npm (?:run )?([\w:]+)/.exec(code)?.[1] ?? "").filter((name) => !NPM_OWN.has(name));
    expect(named.length).toBeGreaterThan(10);
    expect([...new Set(named)].filter((name) => scripts[name] === undefined)).toEqual([]);
  });
});

/** A document for an event, and a subscription to it. */
const SOMETHING_TO_TELL = [
  `post() { curl -sf -H 'Authorization: API-Key docdouble-key' "${README_URL}/public/v1/$1" --json "$2"; }`,
  `post documents '{"name": "Offer", "template_uuid": "TemplateOneSignerxxxxx", "recipients": [{"email": "pat@client.example", "role": "Client"}]}'`,
  `post webhook-subscriptions '{"name": "all", "url": "http://127.0.0.1:9/", "triggers": ["document_completed"]}'`,
].join("\n");

/** Commands of npm itself. All others are scripts. */
const NPM_OWN = new Set(["", "ci", "pack", "install", "audit", "view", "publish", "update"]);

function escaped(text: string): string {
  return text.replace(/[[\]]/g, "\\$&");
}

describe("links", () => {
  test.each(ALL)("the links in %s lead to existing files and headings", (file) => {
    for (const [, target = "", anchor] of prose(file).matchAll(/\]\(([^)#:\s]*)(?:#([^)\s]+))?\)/g)) {
      const path = target === "" ? file : join(dirname(file), target);
      expect.soft(existsSync(path), `${file}: ${target}`).toBe(true);
      if (anchor !== undefined && existsSync(path))
        expect.soft(anchorsOf(path), `${file}: ${target}#${anchor}`).toContain(anchor);
    }
  });

  const FOLDERS = ["deploy", "examples", "scenarios", "docs", "src", ".ci"];
  test("files that a page, an example or a comment names exist", () => {
    const named = /\b(?:docs|test|deploy|examples|scenarios|src|bench|fixtures)\/[\w./-]+\.(?:md|m?[jt]s|ya?ml|json|conf)\b/g;
    const texts = FOLDERS.flatMap((folder) => filesIn(folder, ""));
    for (const file of [...ALL, ...texts])
      for (const [path] of readFileSync(file, "utf8").matchAll(named))
        if (!path.includes("NAME")) expect.soft(existsSync(path), `${file}: ${path}`).toBe(true);
  });

  test("headings become anchors as on GitHub", () => {
    expect(anchors("# A `b` c\n\n```sh\n# no\n```\n## It's 4xx, no?\n## A b c\n")).toEqual(["a-b-c", "its-4xx-no", "a-b-c-1"]);
  });
});

/** A page without its blocks. */
function prose(file: string): string {
  return readFileSync(file, "utf8").replace(/^```[\s\S]*?^```$/gm, "");
}

function anchorsOf(file: string): string[] {
  return anchors(readFileSync(file, "utf8"));
}

function anchors(page: string): string[] {
  const seen = new Map<string, number>();
  return [...page.replace(/^```[\s\S]*?^```$/gm, "").matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = ""]) => {
    const name = heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-");
    const times = seen.get(name) ?? 0;
    seen.set(name, times + 1);
    return times === 0 ? name : `${name}-${times}`;
  });
}

function withoutJitter(text: string): string {
  return text.replace(/:\d\d\.\d{6}Z/g, "Z");
}

function neverIncluded(file: string): string {
  throw new Error(`the page's scenario includes ${file}`);
}

describe(ADMIN_PAGE, () => {
  test("each command calls an existing operation, and gets the stated status", async () => {
    // What removes something comes last, because other examples need it. A link that an example opens ends with time.
    const rank = ({ id }: { id: string }) => {
      if (id === "adminAdvanceClock") return 1;
      if (/^admin(Reset(Part)?|LoadWorld)$/.test(id)) return 3;
      return /^admin(Delete|Remove|Clear)/.test(id) ? 2 : 0;
    };
    const inOrder = [...adminOperations].sort((a, b) => rank(a) - rank(b));
    const commands = inOrder.map((one) => {
      const example = exampleOf(one);
      if (!example) throw new Error(`${one.id} has no example`);
      return { id: one.id, status: example.status, command: adminCommand(one.route, example) };
    });
    const shown = [...readFileSync(ADMIN_PAGE, "utf8").matchAll(/^```sh\n([\s\S]*?) {3}# (\d+)\n```$/gm)];
    expect(shown.map(([, command, status]) => `${command} ${status}`).sort()).toEqual(
      commands.map(({ command, status }) => `${command} ${status}`).sort(),
    );

    const world = await testWorld({ port: 0 });
    const names = { ...(await adminStory(world)), url: world.sandbox.url };
    // The stream of events has no end, so the test ends curl.
    const limit = `case "$*" in */events*) limit=1;; *) limit=30;; esac`;
    const quiet = `curl() { ${limit}; command curl -s --max-time $limit -o /dev/null -w '%{http_code}\\n' "$@" || true; }`;
    const script = [quiet, ...commands.map(({ command }) => command)].join("\n");
    const said = await runIn(".", "sh", script, environment(names));
    const answered = said.trim().split("\n");
    expect(commands.map(({ id }, i) => `${id} ${answered[i]}`)).toEqual(commands.map(({ id, status }) => `${id} ${status}`));
  });
});

async function aNotarization(world: TestWorld): Promise<string> {
  const invitation = { invitees: [{ email: "pat@client.example" }] };
  const body = { document_id: await aDraft(world), invitation };
  return (await succeed(world.call("createNotarizationRequest", { body }))).body.id;
}

/** The data for the examples: a sent document with a mail, a delivery and requests, notarizations, and a waiting template. */
async function adminStory(world: TestWorld): Promise<Record<string, string>> {
  const hook = await receiver();
  await world.call("createWebhookSubscription", {
    body: { name: "all", url: hook.url, triggers: ["document_state_changed", "document_completed"], payload: [] },
  });
  const document = await aSentDocument(world, { silent: false });
  await world.advance("1s");
  const [delivery] = (await world.admin("GET", "/webhooks/deliveries")).body.deliveries;
  const [request] = (await world.admin("GET", "/requests")).body.requests;
  const [email] = (await world.admin("GET", "/emails")).body.emails;
  const notarization = await aNotarization(world);
  const session = await aNotarization(world);
  for (const act of ["accept", "go_live", "complete"]) await world.admin("POST", `/notary/${session}/simulate/${act}`);
  const completed = await world.call("notarizationRequestDetails", { params: { session_request_id: session } });
  const recording = new URL(completed.body.recording.url).pathname.slice("/notary/files/".length);
  await world.admin("POST", "/transitions", { model: "template.processing", progression: "manual" });
  const template = (await succeed(world.call("createTemplate", { body: { name: "By hand" } }))).body.id;
  const ids = { document, template, delivery: delivery.id, request: request.id, email: email.id, notarization, recording };
  const file = join(mkdtempSync(join(tmpdir(), "docdouble-")), "shop.world");
  writeFileSync(file, await world.sandbox.world.save());
  return { ...ids, world: file };
}

describe("programs that gather facts for the pages", () => {
  test("an assumption is known by its declaration instead of its line", () => {
    const source = [
      "/** assumed: limits.one. */",
      "export const LIMIT = 1;",
      "",
      "export function go() {",
      "  // spec: something. assumed: going.on, because",
      "  // nobody says. assumed: it stops.",
      "  return LIMIT;",
      "}",
    ].join("\n");
    const found = marksOf("a.ts", source);
    expect(found.map(({ anchor, id }) => [anchor, id])).toEqual([
      ["LIMIT", "limits.one"],
      ["go", "going.on"],
      ["go", undefined],
    ]);
    expect(marksOf("a.ts", `\n\n${source}`)).toEqual(found);
  });

  test("a comment without a record and a record without code are reported", async () => {
    const marks = marksOf("a.ts", "// assumed: one.thing.\nconst A = 1;\n// assumed: it goes on.\nconst B = 1;\n");
    const records = [{ id: "two.things" }, { id: "three.things" }];
    const problems = ledgerProblems(records, marks, [
      { file: "b.ts", source: 'decide("three.things"); refuse({ assumption: "four.things" })' },
    ]);
    expect(problems.map((one) => one.split(". ")[0])).toEqual([
      "a.ts: the comment at A assumes the unknown id one.thing",
      'a.ts: the comment at B assumes "it goes on." without an id',
      "b.ts: a refusal names the unknown assumption four.things",
      "The record two.things names no code",
    ]);
    expect(ledgerProblems(await ledger())).toEqual([]);
  });

  test("a mark belongs to the test below it, or around it", () => {
    // Joined from parts, so that the marks of this file are not found.
    const [call, mark] = ["test", "// proves"];
    const source = [
      `${mark}: spec:one`,
      `${call}("first", () => {});`,
      `${call}("second \\"quoted\\"", () => {`,
      `  ${mark}: spec:two, spec:three`,
      "  expect(1).toBe(1);",
      "});",
    ].join("\n");
    expect(titlesOf("a.test.ts", source).map(({ title, proves }) => ({ title, proves }))).toEqual([
      { title: "first", proves: ["spec:one"] },
      { title: 'second "quoted"', proves: ["spec:two", "spec:three"] },
    ]);
  });

  test("the title of a test.each follows its table", () => {
    const [call, mark] = ["test", "// proves"];
    const source = [
      `${mark}: spec:one`,
      `${call}.each([`,
      "  [1],",
      '])("case %d", () => {});',
      `${mark}: spec:two`,
      `${call}.each(["a", "b (c)"] as const)(`,
      '  "word %s",',
      `${call}("next", () => {});`,
    ].join("\n");
    expect(titlesOf("a.test.ts", source).map(({ title, proves }) => ({ title, proves }))).toEqual([
      { title: "case %d", proves: ["spec:one"] },
      { title: "word %s", proves: ["spec:two"] },
      { title: "next", proves: [] },
    ]);
  });

  test("a rule without a proof, a mark without a rule, and a proof of an untestable rule are refused", () => {
    const rules = [
      { id: "spec:one", section: "S", rule: "One." },
      { id: "spec:two", section: "S", rule: "Two.", untestable: "no answer shows it" },
    ];
    const title = (...proves: string[]) => [{ file: "a.test.ts", title: "t", source: "", proves }];
    expect(proofsOf(rules, title("spec:one"))).toEqual(new Map([["spec:one", ["a.test.ts: t"]]]));
    expect(() => proofsOf(rules, title())).toThrow("no test proves spec:one");
    expect(() => proofsOf(rules, title("spec:one", "spec:three"))).toThrow(
      "spec:three, which docs/spec-rules.json does not have",
    );
    expect(() => proofsOf(rules, title("spec:one", "spec:two"))).toThrow("calls spec:two untestable");
    expect(() => proofsOf([...rules, ...rules], title("spec:one"))).toThrow("spec:one twice");
  });

  test("each rule of the specification has a proof", () => {
    const rules = JSON.parse(readFileSync("docs/spec-rules.json", "utf8")) as SpecRule[];
    expect(proofsOf(rules).size).toBe(rules.filter((one) => !one.untestable).length);
  });

  test("only the text between the markers is replaced", () => {
    expect(between("a\n<!-- generated: x -->\nold\n<!-- end: x -->\nb", "x", "new")).toBe(
      "a\n<!-- generated: x -->\n\nnew\n\n<!-- end: x -->\nb",
    );
    expect(() => between("a", "x", "new")).toThrow("no markers");
  });
});

describe("docs/guides/cypress.md", () => {
  test("each command reaches docdouble through a replacement for cy.request", async () => {
    const { files } = blocksOf(readFileSync("docs/guides/cypress.md", "utf8"));
    const world = await testWorld({ port: 0 });
    const document = await aDraft(world);
    await succeed(world.call("sendDocument", { params: { id: document }, body: { silent: true } }));
    const commands = new Map<string, (...input: string[]) => Promise<{ status: number; body: unknown }>>();
    const request = (...input: [string, string?, unknown?]) => {
      const [method, url, body] = input.length === 1 ? ["GET", input[0]] : [input[0], input[1] ?? "", input[2]];
      const init: RequestInit = { method, headers: { "content-type": "application/json" } };
      if (body !== undefined) init.body = JSON.stringify(body);
      const answer = fetch(url.replace(README_URL, world.sandbox.url), init).then(async (one) => ({
        status: one.status,
        body: await one.json().catch(() => null),
      }));
      // `its` of Cypress reads a member of the answer.
      const its = (path: string) =>
        answer.then((one) => path.split(".").reduce<unknown>((value, name) => (value as Record<string, unknown>)[name], one));
      return Object.assign(answer, { its });
    };
    const Cypress = { Commands: { add: (name: string, run: never) => commands.set(name, run) } };
    new Function("Cypress", "cy", files["cypress/support/commands.js"] ?? "")(Cypress, { request });

    const run = (name: string, ...input: string[]) => commands.get(name)?.(...input);
    expect(await run("documents")).toEqual([expect.objectContaining({ id: document, status: "document.sent" })]);
    expect((await run("signDocument", document))?.status).toBe(200);
    expect((await run("advanceClock", "5s"))?.status).toBe(200);
    expect(await run("documents")).toEqual([expect.objectContaining({ status: "document.completed" })]);
    expect((await run("resetPandaDoc"))?.status).toBe(200);
    expect(await run("documents")).toEqual([]);
    expect([...commands.keys()].filter((name) => !files["cypress/e2e/offer.cy.js"]?.includes(`cy.${name}(`))).toEqual([]);
  });
});
