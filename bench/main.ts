/**
 * `npm run bench` measures the built package and servers that do less, on the same machine in the same run.
 * `npm run bench -- rates starts` measures only these parts. `--write` writes the measured parts to docs/performance.md. No test checks
 * the figures, because they depend on the machine.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import { installTable, testTable } from "./clone.ts";
import { measureCompare } from "./compare.ts";
import { dataTable, measureData } from "./data.ts";
import { measureExplore, reductionTable } from "./explore.ts";
import { table } from "./figures.ts";
import { measureFloors } from "./floors.ts";
import { flatTable } from "./flat.ts";
import { measureImages } from "./images.ts";
import { listTable, measureLists } from "./list.ts";
import { measureMcp } from "./mcp.ts";
import { measureRates } from "./rates.ts";
import { CONNECTIONS } from "./servers.ts";
import { measureRivals } from "./rivals.ts";
import { measureSize } from "./size.ts";
import { measureSleeps } from "./sleeps.ts";
import { measureStarts } from "./starts.ts";
import { measureSuite } from "./suite.ts";
import { versionTable } from "./versions.ts";
import { measureWebhooks, webhookTable } from "./webhooks.ts";
import { worldFileTable } from "./world-file.ts";
import { measureWorlds } from "./worlds.ts";

const PARTS: Readonly<Record<string, () => Promise<string>>> = {
  suite: async () => `## A small suite of tests\n\n${table(await measureSuite())}`,
  rates: async () => `## Calls\n\n${table(await measureRates())}`,
  mcp: async () => `## Tools of the MCP server\n\n${table(await measureMcp())}\n\n${MCP}`,
  rivals: () => orReason("## Comparison with other servers", async () => `${table(await measureRivals())}\n\n${RIVALS}`),
  starts: async () => `## Start\n\n${table(await measureStarts())}`,
  images: async () => `## Images that cannot be reached\n\n${table(await measureImages())}\n\n${IMAGES}`,
  versions: async () => `## Versions of Node\n\n${await versionTable()}\n\n${VERSIONS}`,
  worlds: async () => `## Worlds, without a socket\n\n${table(await measureWorlds())}`,
  floors: async () => `## Floors of missed goals\n\n${FLOORS}\n\n${await measureFloors()}`,
  flat: async () => `## While something grows\n\n${await flatTable()}\n\n${FLAT}`,
  lists: async () => `## Pages of the list\n\n${listTable(await measureLists())}\n\n${LISTS}`,
  webhooks: async () => `## Webhooks\n\n${webhookTable(await measureWebhooks())}\n\n${WEBHOOKS}`,
  data: async () => `## The data file\n\n${dataTable(await measureData())}`,
  "world-file": async () => `## A saved world\n\n${await worldFileTable()}\n\n${WORLD_FILE}`,
  explore: async () => `## Explore\n\n${table(await measureExplore())}\n\n${EXPLORE}\n\n${await reductionTable()}`,
  sleeps: async () => `## Sleeps of an explored command\n\n${table(await measureSleeps())}\n\n${SLEEPS}`,
  compare: async () => `## Compare and replay\n\n${table(await measureCompare())}\n\n${COMPARE}`,
  size: async () => `## Size\n\n${await sizes()}`,
  install: () => orReason("## From a clone to the first answer", async () => `${await installTable()}\n\n${INSTALL}`),
  tests: () => orReason("## The tests in a clone", async () => `${await testTable()}\n\n${TESTS}`),
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

const MCP = `Each tool takes turns with the plain call of its operation, at one server with the same document. A call of a tool is the same call of the
operation inside, and the messages of MCP around it.`;

const IMAGES = `Three servers of each kind take turns, each in a separate process. The figures are medians, after all documents are drafts. Before, each
image made a new TLS context: 3,000 creates took as much processor time as 14,000 without an image.`;

const WORLD_FILE = `Another caller reads the status of a document, and again 5 ms after the answer. The figures are medians of five rounds. The processor time is
the one of the server, with the calls of the other caller.`;

const SLEEPS = `The client makes ten reads, and sleeps for a minute after each. Each figure is the mean of a run in an exploration of 20 runs, and the median of
three explorations. Processor time is the one of docdouble and of the client together.`;

const INSTALL = `npm has all packages in its cache. The time ends with a list of documents. The figures are medians of three clones.`;

const TESTS =
  "Measured once, after the installation. The first run in a clone also builds the package and transforms all modules.";

const METHOD_HEADING = "## Method";
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

/** A part that needs packages of the registry. When it fails, the page gives the error instead. */
async function orReason(heading: string, measure: () => Promise<string>): Promise<string> {
  try {
    return `${heading}\n\n${await measure()}`;
  } catch (error) {
    return `${heading}\n\nNot measured: ${error instanceof Error ? error.message : String(error)}`;
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
  return `# Performance\n\n${about}\n\n${parts.join("\n\n")}\n\n${METHOD_HEADING}\n\n${METHOD}\n${written}`;
}

/** The page with one part measured again. A new part comes before the method. */
function withPart(page: string, part: string, day: string): string {
  const heading = part.slice(0, part.indexOf("\n"));
  const found = page.indexOf(`${heading}\n`);
  const from = found < 0 ? page.indexOf(`${METHOD_HEADING}\n`) : found;
  const to = found < 0 ? from - 1 : page.indexOf("\n## ", from);
  return `${page.slice(0, from)}${heading}\n\nMeasured on ${day}.${part.slice(heading.length)}\n${page.slice(to)}`;
}
