/** The expectation in a found file fails for the careless client, and holds for a careful client. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";
import { explore, type ExploreOptions, type Sandbox } from "../../../src/index.ts";
import type { ScenarioFile } from "../../../src/library/file-types.ts";
import { temporary } from "../../support/package.ts";
import { expectationsFor } from "../../../src/tools/explore/expect.ts";
import { call, place, post, recording, row } from "./by-hand.ts";
import { Caller, drafts, type Gap, offers } from "./clients.ts";

type Client = (sandbox: Sandbox) => unknown;
const QUIET = { throwOnBreak: false, budget: "1h", pairs: false } satisfies ExploreOptions;

/** Explores a client. Returns the symptom, the text and the expectation of each found file. */
async function foundBy(client: Client, options: ExploreOptions) {
  const { folder, remove } = temporary();
  onTestFinished(remove);
  const { breaks } = await explore(client, { ...QUIET, out: join(folder, "found"), ...options });
  return breaks.map(({ symptom, scenario }) => {
    const text = readFileSync(scenario as string, "utf8");
    return { symptom, text, expect: (parse(text) as ScenarioFile).expect };
  });
}

/** Plays a found file. Returns the failure, or undefined when the client ends well and each expectation holds. */
async function failureOf(client: Client, text: string): Promise<string | undefined> {
  const played = explore(client, { ...QUIET, scenario: parse(text), skip: "*", out: false });
  return played.then(
    () => undefined,
    (error: Error) => error.message,
  );
}

const named = (match: object) => ({ documents: [expect.objectContaining(match)] });
const completed = { match: { name: "Offer 1" }, count: 1, status: "document.completed" };

/** Creates and reads a document. It gives up when the last answer is cut. */
async function reads(sandbox: Sandbox, gap?: Gap): Promise<void> {
  const caller = new Caller(sandbox);
  const id = await caller.create("1");
  await caller.until(id, ["document.draft"]);
  await new Caller(sandbox, gap).call("GET", `/documents/${id}/details`);
}

/** Creates a contact and counts it, twice when an answer was lost. */
function keepsBooks(gap?: Gap) {
  let booked = 0;
  const client = async (sandbox: Sandbox) => {
    booked = 0;
    const email = "new@client.example";
    const create = () => new Caller(sandbox, "retries").call("POST", "/contacts", { email });
    const known = async () => (await new Caller(sandbox).call("GET", `/contacts?email=${email}`)).results.length > 0;
    await create().catch(async () => {
      if (gap !== undefined) booked++;
      if (!(await known())) await create();
    });
    booked++;
  };
  return { client, invariant: () => booked === 1 };
}

test.each<[string, Client, Client, string, ExploreOptions["invariant"] | undefined, object]>([
  [
    "the number of documents that the client creates",
    (sandbox) => drafts(sandbox, "retries"),
    drafts,
    "createDocument:reset_before",
    undefined,
    named({ match: { name: "Offer 1" }, count: 1 }),
  ],
  [
    "the document status of the clean run",
    (sandbox) => offers(sandbox, "retries"),
    offers,
    "sendDocument:gateway_timeout",
    undefined,
    { ...named(completed), client: { succeeds: true } },
  ],
  [
    "a successful read that the client gives up",
    (sandbox) => reads(sandbox, "retries"),
    reads,
    "detailsDocument:reset_before",
    undefined,
    { requests: [expect.objectContaining({ match: { operation: "detailsDocument", status: 200 }, at_least: 1 })] },
  ],
  [
    "that the command succeeds when the service sees no difference",
    (sandbox) => reads(sandbox, "retries"),
    reads,
    "detailsDocument:truncated",
    undefined,
    { client: { succeeds: true } },
  ],
])("a found file expects %s", async (_, careless, careful, only, invariant, expected) => {
  const [found, ...others] = await foundBy(careless, { only, invariant });
  expect(others).toEqual([]);
  expect(found?.expect).toEqual(expected);
  expect(await failureOf(careless, found?.text ?? "")).toBeDefined();
  expect(await failureOf(careful, found?.text ?? "")).toBeUndefined();
});

test("a break that only an invariant shows produces a file that requires the client to check it", async () => {
  const { client, invariant } = keepsBooks("look");
  const [found] = await foundBy(client, { only: "createContact:reset_after", invariant });
  expect(found).toMatchObject({ symptom: "invariant", expect: { client: { succeeds: true } } });
  expect(found?.text.replaceAll("\n# ", " ")).toContain("Let the client check it, and exit with another code than 0.");
  const careful = keepsBooks();
  expect(await foundBy(careful.client, { only: "createContact:reset_after", invariant: careful.invariant })).toEqual([]);
});

test("documents whose names and metadata change between runs are matched by their template", async () => {
  let run = 0;
  const client = (gap?: Gap) => async (sandbox: Sandbox) => {
    const caller = new Caller(sandbox, gap);
    const id = await caller.create(`at ${++run}`);
    if (gap === "errors") await caller.until(id, ["document.draft"], Number.POSITIVE_INFINITY);
    else await caller.until(id, ["document.draft", "document.error"]);
  };
  const template = "TemplateOneSignerxxxxx";
  for (const [gap, symptom] of [
    ["look", "duplicate_document"],
    ["retries", "failed"],
  ] as const) {
    const only = gap === "look" ? "createDocument:reset_after" : "createDocument:reset_before";
    const [found] = await foundBy(client(gap), { only });
    expect(found).toMatchObject({ symptom, expect: { documents: [{ match: { template } }] } });
    expect(await failureOf(client(gap), found?.text ?? "")).toBeDefined();
    expect(await failureOf(client(), found?.text ?? "")).toBeUndefined();
  }
  const [hung] = await foundBy(client("errors"), { only: "processing_failed" });
  expect(hung).toMatchObject({ symptom: "hung" });
  expect(parse(hung?.text ?? "").actors).toMatchObject([{ document: { template } }]);
});

test("an expectation of the user stays the only expectation in a found file", async () => {
  const scenario: ScenarioFile = { version: 1, expect: { requests: [{ match: { operation: "createDocument" }, at_most: 1 }] } };
  const [found] = await foundBy(drafts, { scenario, only: "createDocument:gateway_error" });
  expect(found).toMatchObject({ symptom: "expectation" });
  expect(found?.expect).toEqual(scenario.expect);
});

test("a mistake in the clean run is played first, and reported as known the second time", async () => {
  const { folder, remove } = temporary();
  onTestFinished(remove);
  const client = async (sandbox: Sandbox) => {
    const caller = new Caller(sandbox);
    const id = await caller.create("1");
    await caller.until(id, ["document.draft"]);
    for (let looks = 0; looks < 5; looks++) await caller.status(id);
  };
  const search = () => explore(client, { ...QUIET, out: join(folder, "found"), only: "createDocument:throttled" });
  const [first, again] = [await search(), await search()];
  expect(first.breaks).toMatchObject([{ symptom: "polls_too_fast", faults: [], known: false }]);
  expect(again.breaks).toMatchObject([{ symptom: "polls_too_fast", faults: [], known: true, run: 2 }]);
});

test.each([
  ["a call about it", [call({ operation: "statusDocument", document: "A1", answer: '{"status":"document.completed"}' })], true],
  ["a webhook about it", [post(200, { document: "A1" })], true],
  ["a webhook that it refused", [post(500, { document: "A1" })], false],
  [
    "a call about another document",
    [call({ operation: "statusDocument", document: "B2", answer: '"document.completed"' })],
    false,
  ],
  ["a webhook about another document", [post(200, { document: "B2" })], false],
  ["a call that shows another status", [call({ operation: "statusDocument", document: "A1", answer: '"document.sent"' })], false],
])("a found file expects the status of a document that the client saw in the clean run: %s", (_, items, isExpected) => {
  const clean = recording(items, [row("A1", "document.completed")]);
  const run = recording([], [row("A1", "document.sent")]);
  const shown = { symptom: "failed" as const, places: [place("throttled", "statusDocument")], limit_ms: 1000 };
  const expected = expectationsFor({ ...shown, clean, run, isSteady: () => true });
  expect(expected.some(({ documents }) => documents?.some((one) => one.status === "document.completed"))).toBe(isExpected);
});
