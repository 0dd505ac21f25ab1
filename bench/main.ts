/**
 * `npm run bench` measures the built package and servers that do less, on the same machine in the same run.
 * `npm run bench -- rates starts` measures only these parts. `--write` writes the measured parts to docs/performance.md. No test checks
 * the figures, because they depend on the machine.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import { measureCompare } from "./compare.ts";
import { dataTable, measureData } from "./data.ts";
import { measureExplore, reductionTable } from "./explore.ts";
import { table } from "./figures.ts";
import { measureFloors } from "./floors.ts";
import { flatTable } from "./flat.ts";
import { listTable, measureLists } from "./list.ts";
import { measureRates } from "./rates.ts";
import { CONNECTIONS } from "./servers.ts";
import { measureRivals } from "./rivals.ts";
import { measureSize } from "./size.ts";
import { measureStarts } from "./starts.ts";
import { measureSuite } from "./suite.ts";
import { versionTable } from "./versions.ts";
import { measureWebhooks, webhookTable } from "./webhooks.ts";
import { measureWorlds } from "./worlds.ts";

const PARTS: Readonly<Record<string, () => Promise<string>>> = {
  suite: async () => `## A small suite of tests\n\n${table(await measureSuite())}`,
  rates: async () => `## Calls\n\n${table(await measureRates())}`,
  rivals: async () => `## Comparison with other servers\n\n${await rivalsPart()}`,
  starts: async () => `## Start\n\n${table(await measureStarts())}`,
  versions: async () => `## Versions of Node\n\n${await versionTable()}\n\n${VERSIONS}`,
  worlds: async () => `## Worlds, without a socket\n\n${table(await measureWorlds())}`,
  floors: async () => `## Floors of missed goals\n\n${FLOORS}\n\n${await measureFloors()}`,
  flat: async () => `## While something grows\n\n${await flatTable()}\n\n${FLAT}`,
  lists: async () => `## Pages of the list\n\n${listTable(await measureLists())}\n\n${LISTS}`,
  webhooks: async () => `## Webhooks\n\n${webhookTable(await measureWebhooks())}\n\n${WEBHOOKS}`,
  data: async () => `## The data file\n\n${dataTable(await measureData())}`,
  explore: async () => `## Explore\n\n${table(await measureExplore())}\n\n${EXPLORE}\n\n${await reductionTable()}`,
  compare: async () => `## Compare and replay\n\n${table(await measureCompare())}\n\n${COMPARE}`,
  size: async () => `## Size\n\n${await sizes()}`,
};

const LISTS = `Each row is a page of 50 documents, by filter. The figure is the median of a whole request without a socket. "Found" counts the
documents on the page. The size of the workspace hardly matters, because each filter becomes one bit per document. A smaller world
sometimes finds fewer documents, so its page is shorter. The first page by an order builds an index, and so does the first search by
text. For 100,000 documents they take a tenth of a second and about two seconds.`;

const VERSIONS = `docdouble and "hono" run under the same version. The load runs under the version of this machine. The ratio compares docdouble
with "hono".`;

const FLOORS = `Each row is a server that does what the rows above it do, and one duty more. The number in brackets is the ratio that the goal
is about. **Bold** figures miss the goal. So the first bold row names the duty that costs the goal, whatever docdouble does.`;

const FLAT = `Processor time of a call without a socket, in the median. Each world grows in one thing alone. The three worlds of
a row take turns. Status, details and create address one document; list asks for ten documents. 100 rules for creates take 0.03 to
0.12 ms of a create, because each rule looks into its body.`;

const EXPLORE = `The integration creates, polls, sends, receives webhooks and downloads with the official client. The table below explores the
integrations of \`test/zoo\`, each with a planted fault, with and without reduction.`;

const COMPARE = `The client calls the real side and the proxy in turns. The real side is another docdouble on this machine. The figure is the
difference of the medians. The cassette holds creates, status reads, details and lists.`;

const WEBHOOKS = "docdouble, the receiver and the caller share one process here. So the times show everything that blocks it.";

const METHOD = `The built package runs as a separate process, as do the other servers:

- **bare** is \`node:http\`, which answers the same bytes.
- **hono** is Hono on Node's server, which says hello.
- **ideal** is Hono with a validator and a \`Map\`, which answers the same documents (\`bench/ideal.mjs\`).

The load comes from ${CONNECTIONS} kept connections in a thread of the measuring process. It shares the processors with the server. The servers
take turns of half a second, and we compare the medians of nine turns. A start lasts from spawn to the first answer, a list of documents.
docdouble reads what Node compiled at an earlier start. Other servers answer what they can. The journal, all checks and the clock of docdouble
are on. No server gets NODE_EXTRA_CA_CERTS: Node parses these certificates at each start, and that would hide differences. We set the goals
ourselves, and the tables show which ones we miss. No test checks the figures: a busy machine gives others.`;

const RIVALS = `All servers get the same document and the same body. Each runs alone on one processor, after four seconds of the same load. The load
runs on another processor. json-server and WireMock answer from a file. docdouble checks the request, finds the document and keeps the journal.
For a create it also fills in a template, announces events and plans the conversion. WireMock warms up slowly on one processor. With two
processors it is faster at a create: 9,468 calls/s against 4,794, measured once.`;

/** The part about other servers. When one of them cannot be installed or started, the page gives the error instead. */
async function rivalsPart(): Promise<string> {
  try {
    return `${table(await measureRivals())}\n\n${RIVALS}`;
  } catch (error) {
    return `Not measured: ${error instanceof Error ? error.message : String(error)}`;
  }
}

async function sizes(): Promise<string> {
  const { packages, bytes, packed } = await measureSize();
  const mb = (value: number) => `${(value / 1e6).toFixed(1)} MB`;
  return `Packed ${mb(packed)}; a production install is ${packages} package${packages === 1 ? "" : "s"} and ${mb(bytes)}. Goal: at most 12 packages and 20 MB.`;
}

const asked = process.argv.slice(2).filter((one) => !one.startsWith("-"));
const unknown = asked.filter((name) => !Object.hasOwn(PARTS, name));
if (unknown.length > 0) throw new Error(`no such part: ${unknown.join(", ")}; there are ${Object.keys(PARTS).join(", ")}`);
const machine = `${cpus().length} × ${cpus()[0]?.model ?? "unknown processor"}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}, ${process.platform}`;
process.stdout.write(`${machine}\n`);
const parts: string[] = [];
for (const [name, measure] of Object.entries(PARTS)) {
  if (asked.length > 0 && !asked.includes(name)) continue;
  const part = await measure();
  process.stdout.write(`\n${part}\n`);
  parts.push(part);
}
const PAGE = "docs/performance.md";
/** The heading of the part that people write. `--write` keeps that part. */
const NOTES = "## Where the time goes";
if (process.argv.includes("--write")) {
  const page = readFileSync(PAGE, "utf8");
  const day = new Date().toISOString().slice(0, 10);
  writeFileSync(PAGE, asked.length === 0 ? wholePage(page, day) : parts.reduce((text, part) => withPart(text, part, day), page));
}
process.exit(0);

function wholePage(page: string, day: string): string {
  const [, notes] = page.split(NOTES);
  const about = `Measured by \`npm run bench -- --write\` on ${day}: ${machine}. A part that was measured later names its day.`;
  const written = notes === undefined ? "" : `\n${NOTES}${notes}`;
  return `# Performance\n\n${about}\n\n${parts.join("\n\n")}\n\n## Method\n\n${METHOD}\n${written}`;
}

/** The page with one part measured again. */
function withPart(page: string, part: string, day: string): string {
  const heading = part.slice(0, part.indexOf("\n"));
  const from = page.indexOf(`${heading}\n`);
  if (from < 0) throw new Error(`${PAGE} has no heading "${heading}". Run npm run bench -- --write without parts.`);
  const to = page.indexOf("\n## ", from);
  return `${page.slice(0, from)}${heading}\n\nMeasured on ${day}.${part.slice(heading.length)}\n${page.slice(to)}`;
}
