/**
 * Figures of the built package beside servers that do less, on the same machine in the same run: `npm run bench`, or
 * `npm run bench -- rates starts` for some of it. With `--write` all of it goes into docs/performance.md. Nothing here is a
 * test: figures depend on the machine.
 */
import { writeFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import { dataTable, measureData } from "./data.ts";
import { table } from "./figures.ts";
import { listTable, measureLists } from "./list.ts";
import { measureRates } from "./rates.ts";
import { CONNECTIONS } from "./servers.ts";
import { measureRivals } from "./rivals.ts";
import { measureSize } from "./size.ts";
import { measureStarts } from "./starts.ts";
import { measureWebhooks, webhookTable } from "./webhooks.ts";
import { measureWorlds } from "./worlds.ts";

const PARTS: Readonly<Record<string, () => Promise<string>>> = {
  rates: async () => `## Calls\n\n${table(await measureRates())}`,
  rivals: async () => `## Beside others\n\n${await besideOthers()}`,
  starts: async () => `## Start\n\n${table(await measureStarts())}`,
  worlds: async () => `## Worlds, without a socket\n\n${table(await measureWorlds())}`,
  lists: async () => `## Pages of the list\n\n${listTable(await measureLists())}\n\n${LISTS}`,
  webhooks: async () => `## Webhooks\n\n${webhookTable(await measureWebhooks())}\n\n${WEBHOOKS}`,
  data: async () => `## The data file\n\n${dataTable(await measureData())}`,
  size: async () => `## Size\n\n${await sizes()}`,
};

const LISTS = `A page of 50 out of as many documents, by filter: the median of a whole request without a socket. "Found" is how many the page
held. The size of the workspace hardly shows, whatever the filter: each becomes bits, one for each document, and a kept list is walked
past what they leave out. Where the smallest world finds fewer, its page is the shorter one to write. The first page by an order and the
first search by text make what they need: of 100,000 documents a tenth of a second and about two seconds.`;

const WEBHOOKS =
  "Here docdouble, the receiver, and the caller that asks again and again are one process, so what blocks it shows in the times.";

const METHOD = `The built package runs as a process of its own, as do the servers beside it: **bare** is \`node:http\` answering the same bytes, **hono**
is Hono saying hello on Node's server, **ideal** is Hono with a validator of the input and a \`Map\`, answering the same documents
(\`bench/ideal.mjs\`). The load comes from ${CONNECTIONS} kept connections in a thread of the measuring process, which shares the processors
with the server under load; the servers take turns of half a second, and the medians of nine turns are compared. Starts are from spawn
to a first answer, a list of documents, with what Node compiled at an earlier start; the others' first answer is their own. docdouble has its journal, its checks and its clock on in
all of it. The goals are the project's own, and what is not reached is said so. Nothing is asserted: a busy machine gives other figures.`;

const RIVALS = `The same document and the same body; each server alone, after four seconds of the same load, on one processor, with
the load on another. json-server and WireMock answer what a file says; docdouble checks the request, finds the document
in its tenant, keeps the journal, and for a create fills in a template, announces events and plans the conversion. WireMock warms up slowly on one processor, and is
faster at a create where it may take both: 9,468 calls/s beside 4,794, measured once without the bound.`;

/** Where they cannot be had, the page says so. */
async function besideOthers(): Promise<string> {
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
if (process.argv.includes("--write") && asked.length === 0)
  writeFileSync(
    "docs/performance.md",
    `# Performance\n\nMeasured by \`npm run bench -- --write\` on ${new Date().toISOString().slice(0, 10)}: ${machine}.\n\n${parts.join("\n\n")}\n\n## Method\n\n${METHOD}\n`,
  );
process.exit(0);
