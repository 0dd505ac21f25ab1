import { existsSync, readdirSync, readFileSync } from "node:fs";
import { readScenario, type Scenario } from "../../scenario/load.ts";
import { ruleVocabulary } from "./rule-vocabulary.ts";

const FOLDERS = ["../scenarios/", "../../../scenarios/"].map((path) => new URL(path, import.meta.url));

let stories: Scenario[] | undefined;

/** Reads the files once per process, because they belong to the version. */
export function readyStories(): readonly Scenario[] {
  const folder = FOLDERS.find((one) => existsSync(new URL("bad-day.yaml", one)));
  if (folder === undefined) return [];
  stories ??= readdirSync(folder)
    .filter((file) => file.endsWith(".yaml"))
    .sort()
    .map((file) => readScenario(readFileSync(new URL(file, folder), "utf8"), file, ruleVocabulary));
  return stories;
}

export function readyStory(name: string): Scenario | undefined {
  return readyStories().find((one) => one.name === name);
}
