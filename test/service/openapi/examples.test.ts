/** `GET /openapi.json`. `test/system/formats/openapi.test.ts` shows it to other tools. */
import { existsSync, readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { expect, test } from "vitest";
import type { OperationId } from "../../../src/service/nouns/index.ts";
import { operations } from "../../../src/service/nouns/index.ts";
import { payloads } from "../../../src/service/openapi/webhooks.ts";
import { EVENTS } from "../../../src/service/nouns/documents/status-machine.ts";
import { loadExamples } from "../../../src/service/openapi/examples.ts";
import { exportOpenApi } from "../../../src/service/openapi/export.ts";
import { aBrokenPdf, aPdf, subscribe } from "../../support/content.ts";
import { expectRecorded } from "../../support/recorded.ts";
import { aCompletedDocument, aDraft, aSentDocument, CLIENT, simulate, succeed, TEMPLATES } from "../../support/stories.ts";
import { VALID_CALLS } from "../../support/valid-calls.ts";
import { useWorld, type TestWorld } from "../../support/world.ts";

const world = useWorld();

const URL_SHOWN = "http://127.0.0.1:4010";
// biome-ignore lint/suspicious/noExplicitAny: the document is read freely
const document = exportOpenApi(URL_SHOWN, "0.0.0", await loadExamples(URL_SHOWN)) as any;

const ajv = addFormats.default(new Ajv2020({ strict: false, allErrors: true, validateFormats: true }));
// URLs in examples may point to this machine.
ajv.addFormat("url", (text: string) => URL.canParse(text));
ajv.addSchema(document, "document");

/** @returns the faults of a value under the schema at this place of the document */
function faults(pointer: readonly string[], value: unknown): string[] {
  const path = pointer.map((name) => encodeURIComponent(name.replaceAll("~", "~0").replaceAll("/", "~1"))).join("/");
  const validate = ajv.getSchema(`document#/${path}`);
  if (!validate) throw new Error(`no schema at ${path}`);
  return validate(value) ? [] : (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

interface Described {
  examples?: { recorded: { value: unknown } };
}

interface Shown {
  place: string;
  pointer: string[];
  example: unknown;
  has: boolean;
}

/** Each body of requests and answers, with its example. */
function bodies(section: "paths" | "webhooks"): Shown[] {
  const found: Shown[] = [];
  for (const [path, item] of Object.entries<Record<string, never>>(document[section]))
    for (const [method, operation] of Object.entries<Record<string, never>>(item)) {
      const { operationId, requestBody, responses } = operation as never as Record<string, { content?: object }>;
      const places: [string[], { content?: object } | undefined][] = [
        [["requestBody"], requestBody],
        ...Object.entries(responses as Record<string, { content?: object }>).map(
          ([status, one]): [string[], { content?: object }] => [["responses", status], one],
        ),
      ];
      for (const [where, one] of places)
        for (const [media, described] of Object.entries<Described>((one?.content ?? {}) as never))
          found.push({
            place: `${String(operationId)} ${where.join(" ")} ${media}`,
            pointer: [section, path, method, ...where, "content", media, "schema"],
            example: described.examples?.recorded.value,
            has: described.examples !== undefined,
          });
    }
  return found;
}

test("each request and each answer has an example that fits its schema", () => {
  const all = bodies("paths");
  expect(all.length).toBeGreaterThan(850);
  expect(all.filter((one) => !one.has).map((one) => one.place)).toEqual([]);
  const wrong = all.flatMap(({ place, pointer, example, has }) =>
    has ? faults(pointer, example).map((fault) => `${place}: ${fault}`) : [],
  );
  expect(wrong).toEqual([]);
});

test("the examples are checked: a member with another type does not fit", () => {
  const [one] = bodies("paths").filter(({ place }) => place.startsWith("createDocument responses 201"));
  expect(faults(one?.pointer ?? [], { ...(one?.example as object), name: 5 })).toEqual(["/name must be string"]);
});

const FILE = "fixtures/event-examples.json";

async function everyEvent(): Promise<TestWorld> {
  await subscribe(world, EVENTS, ["metadata", "fields", "products", "tokens", "pricing"]);
  await aCompletedDocument(world, { template: "pricing" });
  await world.advance("10s");
  const reverted = await aSentDocument(world);
  await succeed(world.call("documentRevertToDraft", { params: { id: reverted } }));
  const quoted = await aDraft(world, { template: "quote" });
  const { body: details } = await world.call("detailsDocument", { params: { id: quoted } });
  const quote = { document_id: quoted, quote_id: details.pricing.quotes[0].id };
  await succeed(world.call("quoteUpdate", { params: quote, body: {} }));
  const section = { name: "Annex", template_uuid: TEMPLATES.oneSigner, recipients: [CLIENT] };
  await succeed(world.call("uploadSection", { params: { document_id: quoted }, body: section }));
  await world.advance("10s");
  const { body: template } = await succeed(
    world.call("createTemplateWithUpload", { parts: { file: await aPdf(), data: { name: "Terms" } } }),
  );
  await world.advance("10s");
  await succeed(
    world.call("updateTemplate", { params: { id: template.id }, body: { tokens: [{ name: "Company", value: "Northpeak" }] } }),
  );
  await succeed(world.call("deleteTemplate", { params: { id: template.id } }));
  await succeed(world.call("createContentLibraryItemFromUpload", { parts: { file: await aPdf(), data: { name: "Block" } } }));
  await succeed(world.call("createContentLibraryItemFromUpload", { parts: { file: aBrokenPdf(), data: { name: "Broken" } } }));
  const broken = await succeed(
    world.call("createDocumentFromUpload", { parts: { file: await aPdf(), data: { name: "Broken" } } }),
  );
  await simulate(world, broken.body.id, "fail");
  await succeed(world.call("deleteDocument", { params: { id: quoted } }));
  await world.advance("1m");
  return world;
}

test("each delivery fits the schema of its webhook, and each event has one", async () => {
  const world = await everyEvent();
  const sent = world.tenant.store.deliveries.all().map(({ event, body }) => ({ event, body: JSON.parse(body) as unknown }));
  const wrong = sent.flatMap(({ event, body }) =>
    faults(["webhooks", event, "post", "requestBody", "content", "application/json", "schema"], body).map(
      (fault) => `${event}: ${fault}`,
    ),
  );
  expect(wrong).toEqual([]);
  expect([...new Set(sent.map(({ event }) => event))].sort()).toEqual([...EVENTS].sort());
  expect(Object.keys(document.webhooks)).toEqual([...EVENTS]);
  const events = Object.fromEntries(EVENTS.map((event) => [event, sent.find((one) => one.event === event)?.body]));
  expectRecorded(FILE, { events });
});

test("the example of each webhook is a delivery of that event, and fits its schema", () => {
  const all = bodies("webhooks");
  expect(all).toHaveLength(EVENTS.length);
  expect(all.flatMap(({ place, pointer, example }) => faults(pointer, example).map((fault) => `${place}: ${fault}`))).toEqual([]);
  expect(all.map(({ example }) => (example as { event: string }[])[0]?.event)).toEqual([...EVENTS]);
});

const OFFICIAL = "../shared/reference/webhook-examples.json";
/** Payloads that differ from what docdouble sends, and why. */
const DIFFERENT: Readonly<Record<string, string>> = {
  document_state_changed: "fields are assigned to a recipient with fewer members. assumed: webhook.field_assignee.",
  document_creation_failed: "docdouble also tells the members of any other document",
  quote_updated: "`hidden` of a column is a boolean since version 8.20.0",
};

test.skipIf(!existsSync(OFFICIAL))("the documented payloads of the service fit the webhooks", () => {
  const { examples } = JSON.parse(readFileSync(OFFICIAL, "utf8")) as { examples: Record<string, { body: { event: string }[] }> };
  const wrong = Object.values(examples).flatMap(({ body }) =>
    body.flatMap((one) => {
      const schema = ["webhooks", one.event, "post", "requestBody", "content", "application/json", "schema"];
      return faults(schema, [one]).length > 0 ? [one.event] : [];
    }),
  );
  expect([...new Set(wrong)].sort()).toEqual(Object.keys(DIFFERENT).sort());
});

test("every event has a sentence and a schema", () => {
  expect(Object.values(payloads).filter(({ does }) => !/^[A-Z].*\.$/.test(does))).toEqual([]);
});

/** Files are shown by their first characters. */
async function shownParts(parts: Readonly<Record<string, unknown>>): Promise<unknown> {
  const shown = await Promise.all(
    Object.entries(parts).map(async ([name, part]) => [name, part instanceof Blob ? (await part.text()).slice(0, 8) : part]),
  );
  return Object.fromEntries(shown);
}

test("each form and each second success of an operation is recorded", async () => {
  const { calls: examples } = await loadExamples(URL_SHOWN);
  const calls: Record<string, object> = {};
  for (const one of operations) {
    const id = one.id as OperationId;
    const others = Object.keys(one.responses).filter((status) => examples[id]?.status !== Number(status));
    if (one.bodyKind !== "multipart" && others.length === 0) continue;
    const input = await VALID_CALLS[id](world);
    const first = await succeed(world.call(id, input));
    // Work in progress has another status.
    if (first.status === 202) await world.advance("1m");
    const { status, body } = first.status === 202 ? await succeed(world.call(id, input)) : first;
    const isNew = others.includes(String(status)) && typeof body === "object" && !(body instanceof Uint8Array);
    if (input.parts || isNew)
      calls[id] = {
        ...(input.parts ? { request: await shownParts(input.parts) } : {}),
        ...(isNew ? { answers: { [status]: body } } : {}),
      };
  }
  expect(Object.keys(calls)).toContain("createDocumentFromUpload");
  expectRecorded(FILE, { calls });
});
