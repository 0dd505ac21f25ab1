/** `npm run recording` plays a short story on the built package, and draws what the terminal shows as docs/public/recording.svg. */
import { writeFileSync } from "node:fs";
import { blocksOf, README_URL, type Snippet, workplace } from "./snippets.ts";

const FILE = "docs/public/recording.svg";
const API = `${README_URL}/public/v1/documents`;
const KEY = "-H 'Authorization: API-Key docdouble-key'";

const OFFER =
  '{"name": "Offer 42", "template_uuid": "TemplateOneSignerxxxxx", "recipients": [{"email": "pat@client.example", "first_name": "Pat", "last_name": "Lee", "role": "Client"}]}';
const ID = "$(cat id)";
const STATUS = `grep -oE '"status":"[^"]*"'`;

/** The command that the picture shows, and the command that really runs. */
const STORY: readonly [shown: string, command: string][] = [
  [
    "curl $api/documents --json @offer.json",
    `curl -s ${KEY} ${API} --json '${OFFER}' > answer.json; ${STATUS} answer.json; grep -oE '"id":"[^"]*"' answer.json | head -1 | cut -d'"' -f4 > id`,
  ],
  ["npx docdouble clock advance 5s", "npx docdouble clock advance 5s --no-json | head -1"],
  ["curl -X POST $api/documents/$id/send", `curl -s ${KEY} ${API}/${ID}/send --json '{"silent": true}' | ${STATUS}`],
  [
    "curl -X POST $admin/documents/$id/simulate/sign",
    `curl -s -X POST ${README_URL}/__admin/documents/${ID}/simulate/sign > /dev/null; curl -s ${KEY} ${API}/${ID} | ${STATUS}`,
  ],
  [
    "curl -i -X PATCH $api/documents/$id -d @late.json",
    `curl -s -i -X PATCH ${KEY} ${API}/${ID} --json '{"name": "Offer 43"}' | grep -iE '^HTTP|x-docdouble-why'`,
  ],
];

/** Characters in a line. On a phone, letters of a wider picture would be too small. */
const COLUMNS = 52;
/** Breaks an answer between words. The lines after the first are indented. */
function folded(line: string): string[] {
  const lines: string[] = [];
  for (const word of line.trim().split(" ")) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= COLUMNS) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(last === undefined ? word : `  ${word}`);
  }
  return lines;
}

/** All lines can be read from the first frame on, and each becomes brighter in its turn. */
const LINE = 23;
const CHARACTER = 9.1;
const WIDTH = Math.round(2 * 20 + (COLUMNS + 1) * CHARACTER);
const SECONDS_PER_STEP = 1.6;
const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

function snippet(code: string, serves = false): Snippet {
  return { line: 0, language: "sh", code, serves, format: "none", output: "" };
}

const place = workplace(blocksOf(""));
const lines: { text: string; step: number; isCommand: boolean }[] = [];
try {
  await place.run(snippet("npx docdouble --seed 7 --clock frozen --now 2026-03-02T09:00:00Z\n", true));
  lines.push({ text: "npx docdouble --clock frozen", step: 0, isCommand: true });
  lines.push({ text: `docdouble listening on ${README_URL}`, step: 0, isCommand: false });
  for (const [i, [shown, command]] of STORY.entries()) {
    const printed = await place.run(snippet(command));
    lines.push({ text: shown, step: i + 1, isCommand: true });
    for (const text of printed.trim().split("\n").flatMap(folded)) lines.push({ text, step: i + 1, isCommand: false });
  }
} finally {
  await place.remove();
}

const height = 60 + lines.length * LINE;
const rows = lines.map(({ text, step, isCommand }, i) => {
  const y = 56 + i * LINE;
  const delay = (step * SECONDS_PER_STEP + (isCommand ? 0 : 0.7)).toFixed(1);
  const prompt = isCommand ? '<tspan class="prompt">$ </tspan>' : "";
  return `<text x="20" y="${y}" class="${isCommand ? "command" : "answer"}" style="animation-delay:${delay}s">${prompt}${escaped(text)}</text>`;
});
writeFileSync(
  FILE,
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-label="docdouble in a terminal: a document is created, processed, sent and signed; a late edit is refused with a reason">
<style>
text { font: 15px ui-monospace, Menlo, Consolas, monospace; white-space: pre; animation: show 0.2s both }
.command { fill: #f0f6fc } .answer { fill: #c6d4e3 } .prompt { fill: #57ab5a }
@keyframes show { from { opacity: 0.8 } }
@media (prefers-reduced-motion: reduce) { text { animation: none } }
</style>
<rect width="${WIDTH}" height="${height}" rx="8" fill="#0d1117"/>
<circle cx="20" cy="18" r="5" fill="#f47067"/><circle cx="38" cy="18" r="5" fill="#daaa3f"/><circle cx="56" cy="18" r="5" fill="#57ab5a"/>
${rows.join("\n")}
</svg>
`,
);
process.stdout.write(`${FILE}: written\n`);
