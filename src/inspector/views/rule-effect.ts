/** What a rule does, in words, with the effect first. */
const NAMES: Readonly<Record<string, string>> = {
  attempt_result: "the receiver gets no success",
  network: "the network fails",
  respond: "another answer",
  rate_limit: "a limit of calls",
  drop: "never delivered",
};

/** @param does what `explain` says: `acts when operation is "x" on call 2; matched 5, acted 1 time` */
export function effectText(written: unknown, does: string): string {
  const { then = {} } = (written ?? {}) as { then?: Record<string, unknown> };
  const { times: _, ...parts } = then;
  const effects = Object.entries(parts).map(([name, value]) => effectOf(name, value));
  const when = does
    .replace(/; matched .*$/, "")
    .replace(/^acts when /, "")
    .replace(/\b(operation|event) is "([^"]+)"/g, "$2");
  return `${effects.join(", ") || "nothing"}: ${when}`;
}

function effectOf(name: string, value: unknown): string {
  const shown =
    typeof value === "string" || typeof value === "number" ? String(value).replaceAll("_", " ") : JSON.stringify(value);
  if (name === "error") return shown;
  if (value === true) return NAMES[name] ?? name.replaceAll("_", " ");
  if (name === "duplicate") return `${shown} more ${value === 1 ? "copy" : "copies"}`;
  if (name === "respond") return `answers ${(value as { status?: number }).status ?? ""}`;
  return `${NAMES[name] ?? name.replaceAll("_", " ")} ${shown}`;
}
