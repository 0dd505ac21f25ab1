/** An agent reads every answer into its context, so no answer is longer than this. */
export const ANSWER_MAX = 40_000;

/** How many entries of a list or map remain, and how many characters of a text. Each step keeps less. */
const STEPS = [
  [100, 4000],
  [50, 1000],
  [20, 300],
  [8, 120],
  [3, 60],
] as const;

/** The answer itself, or its beginning with a note, when its JSON has more than `max` characters. */
export function bounded(answer: object, max = ANSWER_MAX): Record<string, unknown> {
  if (JSON.stringify(answer).length <= max) return answer as Record<string, unknown>;
  for (const [items, characters] of STEPS) {
    const short = { ...(cut(answer, items, characters) as object), shortened: noteOf(items, characters) };
    if (JSON.stringify(short).length <= max) return short;
  }
  return {
    shortened: `The answer is too long. It has the members ${Object.keys(answer).slice(0, 20).join(", ").slice(0, 1000)}.`,
  };
}

function noteOf(items: number, characters: number): string {
  return `The answer was too long: lists end after ${items} entries, and texts after ${characters} characters. Ask for less, or write it into a file.`;
}

function cut(value: unknown, items: number, characters: number): unknown {
  if (typeof value === "string") return value.length <= characters ? value : `${value.slice(0, characters)}…`;
  if (Array.isArray(value)) return value.slice(0, items).map((one) => cut(one, items, characters));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).slice(0, items);
  return Object.fromEntries(entries.map(([name, one]) => [name.slice(0, characters), cut(one, items, characters)]));
}
