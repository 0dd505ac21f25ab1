import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { inPackage } from "../../core/package-root.ts";
import { readScenario, type Scenario } from "../../scenario/load.ts";
import type { Service } from "../service.ts";

let stories: Scenario[] | undefined;

/** Reads the files once per process, because they belong to the version. */
export function readyStories(service: Service): readonly Scenario[] {
  const directory = inPackage("scenarios/");
  if (!existsSync(new URL("bad-day.yaml", directory))) return [];
  stories ??= readdirSync(directory)
    .filter((file) => file.endsWith(".yaml"))
    .sort()
    .map((file) => readScenario(readFileSync(new URL(file, directory), "utf8"), file, service.language));
  return stories;
}

/** The file of the package for a name such as `scenarios/bad-day.yaml`, when the working directory has no such file. */
export function readyFile(name: string): string | undefined {
  if (!/^(?:\.\/)?scenarios\/[\w-]+\.yaml$/.test(name) || existsSync(name)) return undefined;
  const file = inPackage(name);
  return existsSync(file) ? fileURLToPath(file) : undefined;
}

/** The file of a story. */
export function readyStoryText(service: Service, name: string): string | undefined {
  const story = readyStory(service, name);
  return story && readFileSync(new URL(story.file, inPackage("scenarios/")), "utf8");
}

export function readyStory(service: Service, name: string): Scenario | undefined {
  return readyStories(service).find((one) => one.name === name);
}
