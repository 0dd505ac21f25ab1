/** Found files fail now, pass after the client is fixed, and are played first. */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createSandbox, explore, type ExploreOptions, type ExploreReport } from "../../../src/index.ts";
import { temporary } from "../../support/package.ts";
import { drafts, type Gap } from "./clients.ts";

function folder(): string {
  const { folder: made, remove } = temporary();
  onTestFinished(remove);
  return join(made, "found");
}

const symptomsOf = ({ breaks }: ExploreReport) => breaks.map(({ symptom }) => symptom);

const search = (gap: Gap | undefined, options: ExploreOptions) =>
  explore((sandbox) => drafts(sandbox, gap), { throwOnBreak: false, budget: "1h", ...options });

test("a found file describes the break, fails now, passes after the fix, and is played first", async () => {
  const out = folder();
  const first = await search("look", { out, only: "createDocument:reset_after" });
  const [found] = first.breaks;
  expect(readdirSync(out)).toEqual(["duplicate-document-reset-after-create-document.yaml", "worlds"]);
  const file = join(out, "duplicate-document-reset-after-create-document.yaml");
  const text = readFileSync(file, "utf8");
  expect(text).toContain("# What happens: The first createDocument takes effect, and its answer is lost.");
  expect(text).toContain("Put a key");
  expect(found).toMatchObject({ known: false, name: "duplicate-document-reset-after-create-document" });

  // As a normal scenario, its expectations fail for the careless client and hold for the careful client.
  for (const [gap, isMet] of [
    ["look", false],
    [undefined, true],
  ] as const) {
    await using sandbox = await createSandbox({ scenario: file, clock: { mode: "auto", idle: 5 } });
    await drafts(sandbox, gap);
    const verdict = await sandbox.verify().then(
      () => true,
      () => false,
    );
    expect(verdict, String(gap)).toBe(isMet);
  }

  const again = await search("look", { out, only: "createDocument:reset_after" });
  expect(again.played.map((one) => one.outcome)).toEqual(["broke"]);
  expect(again.breaks).toHaveLength(1);
  expect(again.breaks[0]).toMatchObject({ known: true, symptom: "duplicate_document", faults: found?.faults });
  expect((await search("look", { out, only: "throttled", runs: 2 })).played).toEqual([]);
  const fixed = await search(undefined, { out, only: "createDocument:reset_after" });
  expect(fixed).toMatchObject({ breaks: [], played: [{ outcome: "survived" }] });
});

test("a world file shows the run of a found file, and a file that no longer fails leaves none", async () => {
  const out = folder();
  const { breaks } = await search("look", { out, only: "createDocument:reset_after" });
  const [{ world, scenario } = { world: null, scenario: null }] = breaks;
  expect([basename(scenario ?? ""), world]).toEqual([
    "duplicate-document-reset-after-create-document.yaml",
    "worlds/duplicate-document-reset-after-create-document.world.gz",
  ]);
  const file = join(out, world ?? "");
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const sandbox = await createSandbox({ world: file });
  onTestFinished(() => sandbox.close());
  expect(sandbox.documents.all()).toHaveLength(2);
  const calls = sandbox.journal.find({ operation: "createDocument" });
  expect(calls.map(({ status, networkFault }) => networkFault ?? status)).toEqual(["reset", 201]);

  const none = await search("look", { out: false, only: "createDocument:reset_after" });
  expect(none.breaks).toMatchObject([{ scenario: null, world: null }]);
  await search(undefined, { out, only: "createDocument:reset_after" });
  expect(readdirSync(join(out, "worlds"))).toEqual([]);
});

test("a found file contains the fixtures, profile, readings, scenario and clock of its exploration", async () => {
  const out = folder();
  const fixtures = { templates: [{ name: "One signer", id: "TemplateOneSignerxxxxx", roles: [{ name: "Client" }] }] };
  const report = await search("look", {
    ...{ out, fixtures, profile: "strict", assume: ["delete.second=404"], now: "2026-05-04T08:00:00Z" },
    scenario: { version: 1, name: "mine", assume: { "recipients.same_email": "separate" } },
    only: "createDocument:reset_after",
  });
  expect(symptomsOf(report)).toEqual(["duplicate_document"]);
  const scenario = report.breaks[0]?.scenario as string;
  await using sandbox = await createSandbox({ scenario, clock: { mode: "auto", idle: 5 } });
  type Records = { assumptions: { id: string; reading: unknown }[] };
  const { assumptions } = (await (await sandbox.fetch("/__admin/assumptions")).json()) as Records;
  const reading = (id: string) => assumptions.find((one) => one.id === id)?.reading;
  // The first reading comes from an option, the second from a scenario that overrides the profile, the third from the profile.
  const readings = [reading("delete.second"), reading("recipients.same_email"), reading("revert.draft")];
  expect(readings).toEqual([404, "separate", "refuse"]);
  expect(new Date(sandbox.clock.now()).toISOString()).toBe("2026-05-04T08:00:00.000Z");
  // The built-in workspace has more templates.
  const headers = { authorization: `API-Key ${sandbox.apiKey}` };
  const templates = (await (await sandbox.fetch("/public/v1/templates", { headers })).json()) as { results: unknown[] };
  expect(templates.results).toHaveLength(1);
  await drafts(sandbox, "look");
  await expect(sandbox.verify()).rejects.toThrow(/The client leaves 1 of these documents/);
});

test("a found file contains the rules of the scenario, the readings and the shortened waits", async () => {
  const out = folder();
  const scenario = {
    version: 1 as const,
    name: "mine",
    rules: [{ name: "own", when: { path: "/never" }, then: { delay: "1ms" } }],
  };
  const report = await search("retry_after", {
    out,
    scenario,
    assume: { "delete.second": 404 },
    only: "createDocument:throttled",
  });
  const text = readFileSync(report.breaks[0]?.scenario as string, "utf8");
  expect(text).toContain("retry_after: 1s");
  expect(text).toContain("- name: own");
  expect(text).toContain("delete.second: 404");
  expect(text).toContain("- retry_after_ignored");
});
