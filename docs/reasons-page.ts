/** Makes docs/reasons.md: every reason with its meaning and its fix. */
import { reasons as gathered } from "./reasons.ts";
import { ACCESS } from "./reasons/access.ts";
import { STATUS } from "./reasons/status.ts";
import { THINGS } from "./reasons/things.ts";
import type { Topic } from "./reasons/topic.ts";

export const TOPICS: readonly Topic[] = [...ACCESS, ...STATUS, ...THINGS];

/** @throws for a reason without an explanation, and for an explanation of a reason that no source gives */
export function reasonsPage(note: string): string {
  const explained = new Set(TOPICS.flatMap(({ reasons }) => reasons.map(([text]) => text)));
  const given = new Set(gathered().map(({ text }) => text));
  const open = [...given].find((text) => !explained.has(text));
  if (open !== undefined) throw new Error(`docs/reasons/ does not explain the reason "${open}". Add its meaning and fix.`);
  const old = [...explained].find((text) => !given.has(text));
  if (old !== undefined) throw new Error(`docs/reasons/ explains "${old}", which no source gives. Remove or correct it.`);
  return [
    "# Reasons",
    note,
    "docdouble gives a reason for every refusal: in the header `x-docdouble-why`, in the journal, and in the inspector. This page explains each reason. Search it for the text that you see. `…` stands for a name or number.",
    "To see the reason of a call, run it with `curl -i`, or open `/__admin/?view=journal`.",
    ...TOPICS.map(({ title, status, intro, reasons }) =>
      [
        `## ${title}`,
        `Status: ${status}. ${intro}`,
        [
          "| reason | meaning and fix |\n|---|---|",
          ...reasons.map(([text, meaning, fix]) => `| ${shown(text)} | ${meaning}<br>**Fix.** ${fix} |`),
        ].join("\n"),
      ].join("\n\n"),
    ),
  ]
    .join("\n\n")
    .concat("\n");
}

/** As code, so that nothing in it counts as Markdown. */
function shown(text: string): string {
  return `\`${text.replaceAll("`", "'").replaceAll("|", "\\|").replaceAll(/\s+/g, " ")}\``;
}
