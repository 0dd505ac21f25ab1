/** Tests how often a call and its journal entry parse a JSON body. */
import { expect, onTestFinished, test, vi } from "vitest";
import { succeed, TEMPLATES } from "../../support/stories.ts";
import { type TestWorld, testWorld } from "../../support/world.ts";

const BODY = JSON.stringify({
  name: "Once",
  template_uuid: TEMPLATES.oneSigner,
  recipients: [],
  metadata: { kind: "once" },
  misspelt: true,
});

/** Rules that read the body and let the call pass. */
async function withReadingRules(world: TestWorld): Promise<void> {
  const then = { rate_limit: { limit: 5, window: "1m" }, fallthrough: true };
  const whens = [{ body: { name: "Once" } }, { document: { "metadata.kind": "once" } }, { body: { "data.name": "Once" } }];
  for (const [i, when] of whens.entries())
    await succeed(world.admin("POST", "/rules", { name: `rule ${i}`, when: { ...when, method: "POST" }, then }));
}

/** Counts how often JSON.parse reads `text`. */
function countParses(text: string): () => number {
  const spy = vi.spyOn(JSON, "parse");
  onTestFinished(() => spy.mockRestore());
  return () => spy.mock.calls.filter(([one]) => one === text).length;
}

const matched = async (world: TestWorld) =>
  (await world.admin("GET", "/rules")).body.rules.map((rule: { matched: number }) => rule.matched).reverse();
const lint = async (world: TestWorld) =>
  (await world.admin("GET", "/contract")).body.findings.map((one: { message: string }) => one.message);
const MISSPELT = 'createDocument has no body member "misspelt", so the service ignores it';

test("a JSON body is parsed once for rate limits, rules and validation, and once more for client lint", async () => {
  const world = await testWorld({ assume: { "rate_limit.profile": "production" } });
  await withReadingRules(world);
  const parses = countParses(BODY);
  expect((await world.request("POST", "/public/v1/documents", { body: BODY })).status).toBe(201);
  expect(await matched(world)).toEqual([1, 1, 0]);
  expect(parses()).toBe(1);
  for (let i = 0; i < 2; i++) expect(await lint(world)).toEqual([MISSPELT]);
  expect(parses()).toBe(2);
});

test("the data part of a form is parsed once for the journal, rules and validation", async () => {
  const world = await testWorld({ assume: { "rate_limit.profile": "production" } });
  await withReadingRules(world);
  const parts = { file: new File(["text"], "once.pdf", { type: "application/pdf" }), data: JSON.parse(BODY) };
  const parses = countParses(BODY);
  expect((await world.request("POST", "/public/v1/documents?upload", { parts })).status).toBe(201);
  expect(await matched(world)).toEqual([0, 1, 1]);
  expect(parses()).toBe(1);
});
