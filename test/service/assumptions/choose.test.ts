/** Tests the ways to choose readings (options, profiles, files, scenarios and the admin API), and how long a choice lasts. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { DURATION_MS_MAX } from "../../../src/engine/core/time-limits.ts";
import { PROFILES } from "../../../src/engine/assumptions/profile-names.ts";
import { switches, switchOf } from "../../../src/service/assumptions/switches.ts";
import { createSandbox } from "../../../src/library/sandbox.ts";
import type { SandboxOptions } from "../../../src/library/types.ts";
import { load } from "../../support/lab.ts";
import { succeed } from "../../support/stories.ts";
import { testWorld, useWorld } from "../../support/world.ts";

const world = useWorld();

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), "docdouble-assume-"));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

function file(name: string, text: string): string {
  const path = join(folder(), name);
  writeFileSync(path, text);
  return path;
}

async function assumeWith(options: SandboxOptions) {
  return (await testWorld(options)).tenant.readings.assume;
}

describe("the choice of readings", () => {
  test("accepts a map, ID=VALUE and a file, and later entries override earlier entries", async () => {
    expect(await assumeWith({ assume: { "delete.second": 404 } })).toEqual({ "delete.second": 404 });
    expect(await assumeWith({ assume: "delete.second=404" })).toEqual({ "delete.second": 404 });
    const path = file("assume.yaml", "delete.second: 404\nwebhook.retry_schedule: [5s, 1m]\nwebhook.https_only: true\n");
    expect(await assumeWith({ assume: [path, "delete.second=403"] })).toEqual({
      "webhook.retry_schedule": [5000, 60_000],
      "webhook.https_only": "on",
    });
  });

  test("reads spaces around ID and VALUE, on and off as YAML reads them, and lists of at most ten durations", async () => {
    expect(await assumeWith({ assume: " delete.second = 404 " })).toEqual({ "delete.second": 404 });
    const yaml = file("words.yaml", "webhook.https_only: on\n");
    const switched = file("truth.json", JSON.stringify({ "webhook.https_only": false, "send.without_recipients": "allow" }));
    expect(await assumeWith({ assume: yaml })).toEqual({ "webhook.https_only": "on" });
    expect(switches.readReading("webhook.https_only", false)).toBe("off");
    expect(switches.readReading("webhook.https_only", true)).toBe("on");
    expect(await assumeWith({ assume: [yaml, switched] })).not.toHaveProperty(["webhook.https_only"]);
    const list = (length: number) => Array.from({ length }, () => 1000);
    expect(switches.readReading("webhook.retry_schedule", list(10))).toEqual(list(10));
    expect(() => switches.readReading("webhook.retry_schedule", list(11))).toThrow("a list of at most 10 durations");
    expect(switches.readReading("webhook.retry_schedule", [DURATION_MS_MAX])).toEqual([DURATION_MS_MAX]);
    expect(() => switches.readReading("webhook.retry_schedule", [DURATION_MS_MAX + 1])).toThrow("webhook.retry_schedule");
  });

  test("accepts a profile, and single readings override it", async () => {
    expect(await assumeWith({ profile: "strict" })).toEqual(switches.assumeOf("strict"));
    expect(await assumeWith({ assume: ["delete.second=404", "strict"] })).toEqual({
      ...switches.assumeOf("strict"),
      "delete.second": 404,
    });
    const some = await assumeWith({ profile: "strict", assume: { "rate_limit.profile": "none", "webhook.https_only": "off" } });
    expect(some).not.toHaveProperty(["rate_limit.profile"]);
    expect(some).not.toHaveProperty(["webhook.https_only"]);
    expect(some["download.before_completion"]).toBe("refused");
    const path = file("strict.json", JSON.stringify({ profile: "strict", "rate_limit.profile": "production" }));
    expect(await assumeWith({ assume: path })).toEqual({ ...switches.assumeOf("strict"), "rate_limit.profile": "production" });
  });

  test("accepts the readings of a scenario, and the options of the start override them", async () => {
    const scenario = { version: 1 as const, assume: { "delete.second": 404 as const, "json.types": "lenient" as const } };
    expect(await assumeWith({ scenario, assume: { "json.types": "strict" } })).toEqual({ "delete.second": 404 });
  });

  test.each<[SandboxOptions, string]>([
    [{ assume: "delete.secnd=404" }, "There is no switchable assumption delete.secnd. Did you mean delete.second?"],
    [
      { assume: "delete.second=405" },
      'The assumption delete.second has no reading "405". Did you mean 403? The readings are 403, 404.',
    ],
    [{ assume: { "json.types": "lenien" } as never }, 'no reading "lenien". Did you mean lenient?'],
    [{ assume: "webhook.retry_schedule=1m,soon" }, '"soon" is not a duration'],
    [
      { assume: "strikt" },
      'Cannot read "strikt" as assumptions. Write ID=VALUE, name a profile (default, strict), or name a .yaml or .json file.',
    ],
    [{ profile: "strikt" as never }, "the option profile is one of default, strict"],
    [
      { assume: 7 as never },
      'the option assume is a map of ids and readings, "ID=VALUE", the name of a file, or a list of them, not 7',
    ],
  ])("refuses %j with a message that names the mistake", async (options, message) => {
    await expect(createSandbox(options)).rejects.toThrow(message);
  });

  test("reports a mistake in a file with line and column", async () => {
    const path = file("assume.yaml", "delete.second: 404\ndownload.before_complete: given\n");
    await expect(createSandbox({ assume: path })).rejects.toThrow(
      `${path}:2:1 unknown name "download.before_complete"; did you mean "download.before_completion"?`,
    );
  });
});

describe("the admin API", () => {
  test("a scenario loaded at run time sets its readings, and its removal ends them", async () => {
    await load(world, { name: "late", assume: { "delete.second": 404 } });
    expect(world.tenant.readings.assume).toEqual({ "delete.second": 404 });
    await succeed(world.admin("DELETE", "/scenarios/late"));
    expect(world.tenant.readings.assume).toEqual({});
  });
});

test("the inspector lists the ledger with the readings of the tenant", async () => {
  await succeed(world.admin("PUT", "/assumptions", { "delete.second": 404 }));
  const pageOf = async (query: string) =>
    new TextDecoder().decode((await succeed(world.admin("GET", `/?view=assumptions${query}`))).body);
  const page = await pageOf("&q=delete.second&open=delete.second");
  expect(page).toContain(`<strong>404</strong> <span class="badge good">in force</span>`);
  expect(page).toContain("Set 403");
  expect(page).not.toContain("contacts.known_email");
  expect(await pageOf("")).toContain("contacts.known_email");
});

describe("the ledger", () => {
  test("every reading of a profile is a reading of its switch", () => {
    for (const profile of PROFILES)
      for (const [id, reading] of Object.entries(switches.assumeOf(profile)))
        expect(switchOf(id as "delete.second").readings).toContain(reading);
  });
});
