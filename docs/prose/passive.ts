import { suggestions } from "./write-good.ts";

/** Participles that describe a state: "the clock is frozen". */
const STATES = new Set(["frozen", "due", "allowed", "supported", "required", "needed", "done", "gone", "empty", "read", "set"]);

/** Whether a sentence has a verb in the passive voice. */
export function isPassive(sentence: string): boolean {
  return passivesIn(sentence).length > 0;
}

export function passivesIn(sentence: string): string[] {
  return suggestions(sentence, "passive").filter((found) => !STATES.has(found.split(/\s+/).at(-1)?.toLowerCase() ?? ""));
}
