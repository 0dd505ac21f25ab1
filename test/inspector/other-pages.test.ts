/** Tests the facts on the pages of scenarios, rules, the clock and tenants, and at wrong addresses. */
import { describe, expect, test } from "vitest";
import { pageOf } from "../support/inspector.ts";
import { aDraft, aSentDocument, succeed } from "../support/stories.ts";
import { type TestWorld, testWorld } from "../support/world.ts";

const plain = (html: string) =>
  html
    .replace(/<(style|script)>.*?<\/\1>/gs, " ")
    .replace(/<[^>]+>/g, " ")
    .replace(/\s+/g, " ");

async function load(world: TestWorld, scenario: object): Promise<void> {
  await succeed(world.admin("POST", "/scenarios", JSON.stringify({ version: 1, ...scenario })));
}

function rowOf(page: string, name: string): string {
  const row = [...page.matchAll(/<tr>.*?<\/tr>/gs)].map(([one]) => plain(one)).find((one) => one.trim().startsWith(name));
  return row ?? "";
}

describe("the page of scenarios", () => {
  test("adminInspector shows no result beside a ready-made story when another scenario has its name", async () => {
    const world = await testWorld();
    await load(world, { name: "throttled", expect: { requests: [{ match: { operation: "sendDocument" }, times: 1 }] } });
    expect(rowOf(await pageOf(world, "?view=scenarios"), "throttled")).not.toContain("hold");
    await succeed(world.admin("POST", "/stories/throttled"));
    expect(rowOf(await pageOf(world, "?view=scenarios"), "throttled")).toMatch(/\d of \d hold/);
  });

  test.each([
    ["a count below its limit", { requests: [{ match: { operation: "statusDocument" }, times: 3 }] }, "not yet"],
    ["a count above its limit", { requests: [{ match: { operation: "statusDocument" }, times: 1 }] }, "fails"],
    ["a call that must not come", { requests: [{ match: { operation: "statusDocument" }, times: 0 }] }, "fails"],
    ["a lower limit that is reached", { requests: [{ match: { operation: "statusDocument" }, at_least: 1 }] }, "holds"],
    [
      "a path that begins as expected",
      { documents: [{ path: ["document.uploaded", "document.draft", "document.sent"] }] },
      "not yet",
    ],
    ["a path that took another way", { documents: [{ path: ["document.uploaded", "document.error"] }] }, "fails"],
  ])("adminInspector says whether %s can still hold", async (_, expected, pill) => {
    const world = await testWorld();
    const id = await aDraft(world);
    for (let i = 0; i < 2; i++) await world.call("statusDocument", { params: { id } });
    await load(world, { name: "mine", expect: expected });
    const [, results = ""] = /data-testid="results">(.*?)<\/ul>/s.exec(await pageOf(world, "?view=scenarios")) ?? [];
    expect(plain(results).trim()).toMatch(new RegExp(`^${pill}`));
    expect(results).not.toContain("{");
  });
});

test("adminInspector shows each time with its date, also on a narrow screen", async () => {
  const world = await testWorld();
  await aSentDocument(world);
  await world.advance("26h");
  await world.call("listDocuments");
  const style = /<style>(.*?)<\/style>/s.exec(await pageOf(world, "?view=journal"))?.[1] ?? "";
  expect(style).not.toMatch(/w-clock-day \.soft[^}]*display: none/);
  expect(plain(await pageOf(world, "?view=journal"))).toMatch(/03-03 11:00:05.*03-02 09:00:05/);
  expect(plain(await pageOf(world, "?view=clock"))).toMatch(/expire document .* \d\d-\d\d \d\d:\d\d:\d\d in \d+ d/);
  const { body } = await world.request("GET", "/", { key: null, headers: { accept: "text/html" } });
  const landing = plain(new TextDecoder().decode(body));
  expect(landing).toMatch(/listDocuments\s+now .* 1 d ago/);
});

describe("the title and the status of a page", () => {
  const titleOf = (page: string) => /<title>(.*?)<\/title>/.exec(page)?.[1];

  test("adminInspector puts the name of a document, a call, a comparison and a mail first in the title", async () => {
    const world = await testWorld();
    const id = await aSentDocument(world, { body: { name: "Offer 42" }, silent: false });
    await world.call("statusDocument", { params: { id: "nothing" } });
    await world.call("statusDocument", { params: { id } });
    const [refused, answered] = world.tenant.journal.all().slice(-2);
    const [mail] = world.tenant.store.emails.all();
    const titles = await Promise.all(
      [
        `?view=documents&id=${id}`,
        `?view=journal&id=${refused?.id}`,
        `?view=journal&id=${refused?.id}&with=${answered?.id}`,
        `?view=mails&open=${mail?.id}`,
        "?view=lint",
      ].map(async (query) => titleOf(await pageOf(world, query))),
    );
    expect(titles).toEqual([
      "Offer 42 – docdouble",
      "statusDocument 404 – docdouble",
      "statusDocument 404 and statusDocument 200 – docdouble",
      `${mail?.subject.replaceAll('"', "&quot;")} – docdouble`,
      "Client lint – docdouble",
    ]);
  });

  test("adminInspector answers 404 for a document or a call that the tenant does not have", async () => {
    const world = await testWorld();
    await aDraft(world);
    const [call] = world.tenant.journal.all();
    expect(titleOf(await pageOf(world, "?view=documents&id=nope", undefined, 404))).toBe("No such document – docdouble");
    expect(titleOf(await pageOf(world, "?view=journal&id=nope", undefined, 404))).toBe("No such call – docdouble");
    const compared = await pageOf(world, `?view=journal&id=${call?.id}&with=nope`, undefined, 404);
    expect(plain(compared)).toContain("The journal has no call nope.");
  });
});

test("adminInspector shows code of the ledger without its backticks", async () => {
  const page = await pageOf(await testWorld(), "?view=assumptions&q=mcp.surface&open=mcp.surface");
  const [main = ""] = (page.split("<main")[1] ?? "").split("<script");
  expect(main).not.toContain("`");
  expect(main).toContain("<code>Waiting for Approval</code>");
});
