import type { Profile } from "../../engine/assumptions/profile-names.ts";
import { type Assume, shownReading } from "../../engine/assumptions/switches.ts";
import type { Service } from "../../engine/runtime/service.ts";
import type { AssumeFile, FixturesFile, ScenarioFile } from "../../library/file-types.ts";
import { assumeOfOptions, scenarioOf } from "../../library/scenario-sources.ts";
import type { SandboxOptions, ScenarioSource } from "../../library/types.ts";

export type BaseOptions = Pick<SandboxOptions, "scenario" | "fixtures" | "assume" | "profile" | "now">;

/** Settings of every run and found file. `assume` overrides the scenarios; they override `profile`. Found files use `clock`. */
export interface Base {
  scenarios: readonly ScenarioSource[];
  assume: AssumeFile;
  profile: AssumeFile;
  fixtures: string | FixturesFile | undefined;
  clock: ScenarioFile["clock"];
  transitions: ScenarioFile["transitions"];
}

/** @throws SettingsError, ScenarioError */
export function baseOf(
  { switches, language }: Service,
  { scenario, fixtures, assume, profile, now }: BaseOptions,
  time: "virtual" | "wall",
): Base {
  const scenarios = [scenario ?? []].flat();
  const read = scenarios.map((one) => scenarioOf(one, language));
  const choice = assumeOfOptions({ ...(assume && { assume }), ...(profile && { profile }) }, language);
  const chosen = new Set(read.flatMap((one) => Object.keys(one.assume)));
  const ofProfile = Object.entries(switches.assumeOf(choice.profile ?? ("default" satisfies Profile))).filter(
    ([id]) => !chosen.has(id),
  );
  // A function always has automatic time. A command has the clock of its scenario.
  const setsMode = time === "wall" && read.some((one) => one.clock?.mode !== undefined);
  const setsPdf = read.some((one) => one.transitions["document.pdf"] !== undefined);
  return {
    scenarios,
    assume: written(choice.assume),
    profile: written(Object.fromEntries(ofProfile)),
    fixtures,
    clock: setsMode ? undefined : { mode: "auto", ...(now === undefined ? {} : { now }) },
    // PDFs are ready at once, because the wait is a fault: `pdf_not_ready`. The user's scenario may decide otherwise.
    transitions: setsPdf || !language.models.includes("document.pdf") ? undefined : { "document.pdf": "immediate" },
  };
}

function written(assume: Assume): AssumeFile {
  return Object.fromEntries(
    Object.entries(assume).flatMap(([id, reading]) => (reading === undefined ? [] : [[id, shownReading(reading)]])),
  ) as AssumeFile;
}

/** No run tries another reading of these assumptions. */
export function chosenReadings({ language }: Service, { scenarios, assume }: Base): ReadonlySet<string> {
  return new Set([...Object.keys(assume), ...scenarios.flatMap((one) => Object.keys(scenarioOf(one, language).assume))]);
}
