import { mkdirSync, rmSync } from "node:fs";
import { dirname, join, parse, relative } from "node:path";
import type { ExpectFile } from "../../library/file-types.ts";
import { certainExpectation, expectationsFor, lastExpectation, type Shown } from "./expect.ts";
import { joined, placeOf } from "./faults.ts";
import type { Finding } from "./finding.ts";
import type { Recording } from "./recording.ts";
import type { Break, FaultPlace, Symptom } from "./report.ts";
import type { Runs } from "./runs.ts";
import { writeWorld } from "../../engine/store/write-world.ts";
import type { Unmet } from "../../library/types.ts";
import type { Base } from "./base-world.ts";
import { breakName } from "./break-name.ts";
import { posix, scenarioText, scenarioValue, writeScenario } from "./scenario-file.ts";
import type { Broken } from "./shrink.ts";
import type { IsSteady } from "./steady.ts";
import { anonymous, stepsOf } from "./story.ts";
import { faultWords } from "./fault-texts.ts";
import { SYMPTOMS } from "./symptoms.ts";

export interface BreakWriterSettings {
  runs: Runs;
  seed: string;
  base: Base;
  out: string | undefined;
}

/** `isShown`: whether a run shows the symptom. `isPatient`: the client may make many more calls before it counts as endless. */
export interface Replay {
  isSteady: IsSteady;
  isShown(recording: Recording): Promise<boolean>;
  isPatient: boolean;
}

export interface FoundBreak {
  file: string;
  faults: readonly FaultPlace[];
  recording: Recording;
  finding: Finding;
  findings: readonly Finding[];
}

export class BreakWriter {
  readonly #settings: BreakWriterSettings;

  constructor(settings: BreakWriterSettings) {
    this.#settings = settings;
  }

  /**
   * Writes the file, and plays it once more. Without a folder, it plays the story only.
   * @returns undefined when the file does not fail then, so that nobody is accused
   */
  async write(
    { clean, broken: { faults, recording, finding } }: { clean: Recording; broken: Broken },
    findings: readonly Finding[],
    { isSteady, isShown, isPatient }: Replay,
  ): Promise<Break | undefined> {
    const { out, runs, seed, base } = this.#settings;
    const places = faults.map(placeOf);
    const entry = toBreak(places, recording, finding, findings);
    const { symptom } = finding;
    const story = { name: entry.name, seed, patch: joined(faults), base };
    if (out === undefined) {
      const again = await runs.playScenario(
        "again",
        scenarioValue("explore.yaml", { ...story, expect: undefined }),
        places,
        isPatient,
      );
      return (await isShown(again)) ? entry : undefined;
    }
    const shown: Shown = { symptom, places, clean, run: recording, limit_ms: runs.limit_ms(places), isSteady };
    const write = (expect: ExpectFile | undefined) =>
      writeScenario(out, entry.name, (file) =>
        scenarioText(file, {
          ...{ ...story, expect },
          found: { faults: places, symptom },
          sentences: [...sentencesOf(places, entry.message, symptom), ...limitsOf(symptom, expect)],
        }),
      );
    const certain = certainExpectation(shown);
    // The scenario of the user holds its own expectation.
    const isWritten = symptom === "expectation" || certain !== undefined;
    const scenario = isWritten ? write(certain) : await this.#withExpectation(write, shown);
    if (scenario !== undefined && typeof scenario !== "string") return { ...entry, ...scenario };
    const last = scenario ?? write(lastExpectation(shown));
    const run = await runs.playFile(last, places, isPatient);
    if (await isShown(run)) return { ...entry, scenario: last, world: saveWorldBeside(last, run) };
    rmSync(last, { force: true });
    this.forget(last);
    return undefined;
  }

  /** The file with the first expectation that fails when the client meets the file. */
  async #withExpectation(
    write: (expect: ExpectFile) => string,
    shown: Shown,
  ): Promise<Pick<Break, "scenario" | "world"> | undefined> {
    const { runs } = this.#settings;
    const known = new Set(shown.run.unmet.map(unmetText));
    for (const expect of expectationsFor(shown)) {
      const file = write(expect);
      const run = await runs.playFile(file, shown.places);
      // The user's scenario may have expectations too.
      if (run.unmet.some((one) => !known.has(unmetText(one)))) return { scenario: file, world: saveWorldBeside(file, run) };
    }
    return undefined;
  }

  /** The client no longer fails, so its world would show an old story. The scenario stays. */
  forget(scenario: string): void {
    rmSync(worldOf(scenario), { force: true });
  }

  ofFoundFile({ file, faults, recording, finding, findings }: FoundBreak): Break {
    return {
      ...toBreak(faults, recording, finding, findings),
      ...{ scenario: file, world: saveWorldBeside(file, recording), known: true },
    };
  }
}

/** In a folder beside the scenario, so that the folder of scenarios holds nothing else to play. */
const worldOf = (scenario: string) => posix(join(dirname(scenario), "worlds", `${parse(scenario).name}.world.gz`));

/** Returns the name that the report shows, or null when the file cannot be written. */
function saveWorldBeside(scenario: string, { world }: Recording): string | null {
  if (world === undefined) return null;
  try {
    mkdirSync(dirname(worldOf(scenario)), { recursive: true });
    writeWorld(worldOf(scenario), world);
    return posix(relative(dirname(scenario), worldOf(scenario)));
  } catch {
    return null;
  }
}

const unmetText = ({ part, text, found }: Unmet) => JSON.stringify([part, text, found]);

function toBreak(faults: readonly FaultPlace[], recording: Recording, finding: Finding, findings: readonly Finding[]): Break {
  const steps = stepsOf(recording, faults, finding);
  const failing = steps.findIndex((one) => one.failing);
  return {
    name: breakName(faults, finding.symptom),
    faults: [...faults],
    symptom: finding.symptom,
    message: anonymous(finding.message, recording),
    scenario: null,
    world: null,
    run: recording.run,
    failing_step: failing < 0 ? null : failing,
    steps,
    also: [...new Set(findings.map((one) => one.symptom))].filter((one) => one !== finding.symptom),
    known: false,
  };
}

function sentencesOf(faults: readonly FaultPlace[], message: string, symptom: Symptom): string[] {
  return [
    "Found by docdouble explore.",
    `What happens: ${faults.length === 0 ? "Nothing unusual." : faults.map(faultWords).join(" ")}`,
    `What the client does: ${message}`,
    `Why that breaks: ${SYMPTOMS[symptom].advice}`,
    "Play it: npx docdouble run FILE -- CMD. The next exploration plays it first.",
  ];
}

function limitsOf(symptom: Symptom, expect: ExpectFile | undefined): string[] {
  const { ends_within, succeeds } = expect?.client ?? {};
  if (ends_within !== undefined)
    return ["docdouble run ends the client after ends_within, in real time. A slow client may need more."];
  if (symptom === "stale_view")
    return ['The client must print what it knows of its documents as its last line, as JSON, such as {"ID": "document.sent"}.'];
  if (succeeds && symptom !== "failed")
    return ["The service shows no trace of this break. Let the client check it, and exit with another code than 0."];
  return [];
}
