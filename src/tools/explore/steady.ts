import type { Recording } from "./recording.ts";

/** Whether every run gives documents this name or metadata. A text may hold a date or a random number. */
export type IsSteady = (text: string) => boolean;

export function steadyTexts(first: Recording, second: Recording): IsSteady {
  const texts = [first, second].map(
    ({ documents }) => new Set(documents.flatMap((row) => [row.name, ...Object.values(row.metadata).map(String)])),
  );
  const isCommon = (text: string) => texts.every((one) => one.has(text));
  const isAlwaysSteady = texts.every((one) => [...one].every(isCommon));
  return (text) => isAlwaysSteady || isCommon(text);
}
