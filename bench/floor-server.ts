/**
 * A server on docdouble's stack that performs only the duties named on its command line, each in the cheapest way we know. So a duty
 * costs any server at least as much. `floors.ts` bundles this file like docdouble, and adds one duty after another.
 */
import { readFileSync } from "node:fs";
import { Script } from "node:vm";
import { type HttpBindings, serve } from "@hono/node-server";
import { type Context, Hono } from "hono";
import * as z from "zod";
import { Ids } from "../src/engine/core/ids.ts";
import { createRequest } from "../src/service/model/documents/inputs.ts";
import type { Duty } from "./floors.ts";

interface Copied {
  id: string;
  [member: string]: unknown;
}
interface Sample {
  status: Copied;
  details: Copied & { recipients: Copied[]; fields: Copied[]; pricing: { tables: Copied[] }; template: unknown; tokens: unknown };
}
type Call = Context<{ Bindings: HttpBindings }>;

const [file = "", ...named] = process.argv.slice(2);
const duties = new Set(named as Duty[]);
const hasKeys = duties.has("key");
const hasChecks = duties.has("checks");
const hasIds = duties.has("ids");
const hasTemplate = duties.has("template");
const hasEvents = duties.has("events");
const hasJournal = duties.has("journal");
const sample = JSON.parse(readFileSync(file, "utf8")) as Sample;

/** Node's `randomUUID` returns a string of linked pieces, which takes 600 bytes of memory. These ids take less. */
const ids = new Ids(7);
const keys = new Map([["API-Key docdouble-key", { workspace: "first" }]]);
const documents = new Map<string, Copied>([[sample.status.id, sample.status]]);
const contents = new Map<string, unknown>();
const history: object[] = [];
const jobs = new Map<string, object>();
const subscriptions: ((event: object) => void)[] = [];
const JOURNAL_MAX = 10_000;
const journal: object[] = [];
let entries = 0;

const parameters = z.object({ id: z.string().min(1) });
const JSON_ONLY = { "content-type": "application/json" };

/** Answers `body` as JSON. Adds the call to the journal when the journal is a duty. */
function answer(call: Call, status: 200 | 201 | 400 | 401 | 404, body: unknown, sent = ""): Response {
  const text = JSON.stringify(body);
  if (hasJournal) {
    const { method, url, rawHeaders } = call.env.incoming;
    const at = Date.now();
    journal[entries++ % JOURNAL_MAX] = {
      id: ids.uuid(),
      at,
      method,
      url,
      headers: rawHeaders,
      sent,
      status,
      answered: JSON_ONLY,
      text,
    };
  }
  return call.body(text, status, JSON_ONLY);
}

const isRefused = (call: Call) => hasKeys && !keys.has(call.req.header("authorization") ?? "");

/** Stores new ids for recipients, fields and tables. The document shares all other content with its template. */
function newIds(id: string, recipients: readonly object[]): void {
  const people = recipients.map((one) => ({ ...one, id: ids.uuid() }));
  contents.set(id, {
    people,
    fields: sample.details.fields.map(() => ids.uuid()),
    tables: sample.details.pricing.tables.map(() => ids.uuid()),
  });
}

/** Stores a copy of the whole content with new ids, so that each document can change its copy. */
function copyTemplate(id: string, recipients: readonly object[]): void {
  const people = recipients.map((one, i) => ({ ...sample.details.recipients[i], ...one, id: ids.uuid() }));
  const fields = sample.details.fields.map(({ assigned_to: _, ...field }, i) => ({
    ...field,
    uuid: ids.uuid(),
    assigned_to: people[i % people.length]?.id,
  }));
  const tables = sample.details.pricing.tables.map((table) => ({ ...table, id: ids.uuid() }));
  contents.set(id, { people, fields, tables, template: sample.details.template, tokens: sample.details.tokens });
}

function announce({ id }: Copied): void {
  const at = Date.now();
  history.push({ id, at, kind: "created", status: "document.uploaded" });
  jobs.set(id, { kind: "conversion", document: id, due: at + 3000 });
  const event = { event: "document_state_changed", id, at };
  for (const subscribed of subscriptions) subscribed(event);
}

const app = new Hono<{ Bindings: HttpBindings }>();
app.get("/", (call) => call.json({ hello: "world" }));
app.get("/public/v1/documents", (call) => {
  if (isRefused(call)) return answer(call, 401, { detail: "no key" });
  const results: Copied[] = [];
  for (const one of documents.values()) if (results.push(one) === 50) break;
  return answer(call, 200, { results });
});
app.get("/public/v1/documents/:id", (call) => {
  if (isRefused(call)) return answer(call, 401, { detail: "no key" });
  const id = call.req.param("id");
  if (hasChecks && !parameters.safeParse({ id }).success) return answer(call, 400, { detail: "no id" });
  const found = documents.get(id);
  return found ? answer(call, 200, found) : answer(call, 404, { detail: "Not found" });
});
app.post("/public/v1/documents", async (call) => {
  if (isRefused(call)) return answer(call, 401, { detail: "no key" });
  const text = await call.req.text();
  const input = JSON.parse(text) as { name?: string; recipients: object[] };
  const checked = hasChecks ? createRequest().safeParse(input) : undefined;
  if (checked && !checked.success) return answer(call, 400, { detail: checked.error.issues }, text);
  const id = ids.uuid();
  const made = { ...sample.status, id, uuid: id, name: input.name ?? "Untitled" };
  documents.set(id, made);
  if (hasTemplate) copyTemplate(id, input.recipients);
  else if (hasIds) newIds(id, input.recipients);
  else contents.set(id, input);
  if (hasEvents) announce(made);
  return answer(call, 201, made, text);
});

/** Loads docdouble's bundles without running them: from compiled code, or by parsing them. */
function readCode(isCompiled: boolean): void {
  for (const name of ["library", "main"]) {
    const code = `(function (exports, require, module, __filename, __dirname) {${readFileSync(`dist/${name}.cjs`, "latin1")}\n})`;
    const cachedData = isCompiled ? readFileSync(`dist/${name}.compiled`) : undefined;
    const script = new Script(code, { filename: `dist/${name}.cjs`, cachedData });
    if (isCompiled && script.cachedDataRejected) throw new Error(`dist/${name}.compiled is of another Node`);
    script.runInThisContext();
  }
}
if (duties.has("compiled code")) readCode(true);
if (duties.has("code")) readCode(false);

process.on("SIGTERM", () => process.exit(0));
serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" }, ({ port }) =>
  process.stdout.write(`floor listening on http://127.0.0.1:${port}\n`),
);
