/** Recorded examples of the served description. They are what the service answers, except for ids and times of day. `WRITE_EXAMPLES=1` writes them. */
import { readFileSync, writeFileSync } from "node:fs";
import { expect } from "vitest";

const ID = /[0-9a-f]{8}-[0-9a-f-]{27}|\b\w{22}\b|\b\w{40,}\b|\b(?:[A-Z]{5}-){3}[A-Z]{5}\b/g;

function withoutIds(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value)
      .replace(ID, "an id")
      .replace(/T\d\d:\d\d:[\d.]+/g, "T"),
  );
}

export function expectRecorded(file: string, examples: Readonly<Record<string, unknown>>): void {
  const old = JSON.parse(readFileSync(file, "utf8")) as Record<string, unknown>;
  if (process.env.WRITE_EXAMPLES) writeFileSync(file, `${JSON.stringify({ ...old, ...examples }, null, 1)}\n`);
  else for (const [name, one] of Object.entries(examples)) expect.soft(withoutIds(one), name).toEqual(withoutIds(old[name]));
}
