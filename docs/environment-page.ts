/** Makes the generated part of docs/environment.md: environment variables and the flags that read them. */
import { readFileSync } from "node:fs";
import { filesIn } from "./gather.ts";

interface Variable {
  name: string;
  flag: string;
}

/** Every variable of an option, in the order of the sources. */
export function flagVariables(): Variable[] {
  const found = filesIn("src/cli", ".ts").flatMap((file) => {
    const text = readFileSync(file, "utf8");
    const flags = [...text.matchAll(/"(--[\w-]+)[^"]*"/g)].map((match) => ({ at: match.index, flag: match[1] ?? "" }));
    return [...text.matchAll(/\.env\("(\w+)"\)/g)].map((match) => ({
      name: match[1] ?? "",
      flag: flagOf(match[1] ?? "", flags.filter(({ at }) => at < match.index).at(-1)?.flag ?? ""),
    }));
  });
  const names = [...new Set(found.map(({ name }) => name))].filter((name) => name !== "PORT");
  return names.map((name) => ({
    name,
    flag: [...new Set(found.filter((one) => one.name === name).map((one) => one.flag))].join("`, `"),
  }));
}

/** The flag of a variable. `before` is the last flag in the text. A helper makes some options, so `before` may be another option's flag. */
function flagOf(name: string, before: string): string {
  const own = `--${name
    .replace(/^DOCDOUBLE_/, "")
    .toLowerCase()
    .replaceAll("_", "-")}`;
  return name.startsWith("DOCDOUBLE_REAL") ? before : own;
}

/** Every variable that a source reads. */
export function variablesInSources(): string[] {
  const names = filesIn("src", ".ts").flatMap((file) =>
    [...readFileSync(file, "utf8").matchAll(/(?:\benv\.|\.env\("|ownVariable\(")([A-Z][A-Z0-9_]+)/g)].map(
      (match) => match[1] ?? "",
    ),
  );
  return [...new Set(names)].sort();
}

export function environmentPart(): string {
  const rows = flagVariables().map(({ name, flag }) => `| \`${name}\` | \`${flag}\` |`);
  return ["| variable | flag |", "|---|---|", ...rows].join("\n");
}
