import { writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import type { OperationId } from "../../../src/service/nouns/index.ts";
import { operations } from "../../../src/service/nouns/index.ts";
import { parseRoute } from "../../../src/engine/core/operation.ts";
import { NEWER } from "./official.ts";
import { OPENAPI_FILE, officialReplies } from "../../support/official-replies.ts";
import { OWN_STORIES } from "../../support/own-stories.ts";
import { type Json, sample } from "../../support/sample.ts";
import {
  aCompletedDocument,
  aDraft,
  anUploadedDocument,
  aSentDocument,
  CLIENT,
  succeed,
  TEMPLATES,
} from "../../support/stories.ts";
import { KEY, type TestWorld, testWorld } from "../../support/world.ts";
import { within } from "../../support/patience.ts";

const official = officialReplies();
const NAME = official ? "" : ` (skipped: ${OPENAPI_FILE} is not there)`;

type Operation = (typeof operations)[number];

/** A value that violates its branch of a union also gets the faults of all other branches. */
const FIELD_VALUES = [
  "/fields/* must match a schema in anyOf",
  "/fields/*/assigned_to must match a schema in anyOf",
  "/fields/*/assigned_to/type must be equal to one of the allowed values",
  "/fields/*/type must be equal to one of the allowed values",
  "/fields/*/value must be boolean",
  "/fields/*/value must be object",
  "/fields/*/value must be string",
  '/fields/*/value must match format "date-time"',
];

/** Faults that the official description finds in correct answers, and why the answers are correct. */
const TOLERATED: Record<string, { found: string[]; why: string }> = {
  detailsDocument: {
    found: [
      ...FIELD_VALUES,
      "/fields/*/assigned_to/redirect/url must be string",
      "/fields/*/assigned_to/signing_order must be integer",
      "/lock must be object",
      "/recipients/* must match exactly one schema in oneOf",
      "/recipients/*/type must be equal to one of the allowed values",
      "/recipients/*/verification_settings must be object",
    ],
    why: "the description's own examples have null for lock, redirect.url and signing_order; empty dates are null in recorded answers",
  },
  detailsTemplate: {
    found: FIELD_VALUES,
    why: "empty dates are null in recorded answers, and fields of roles are assigned to roles",
  },
  quoteUpdate: { found: ["/sections/*/columns/*/hidden must be string"], why: "version 8.20.0 changes the member to a boolean" },
  listDocuments: { found: ["/results/*/version must be string"], why: "the specification: null while the document is uploaded" },
  detailsUser: {
    found: ["/phone_number must be string"],
    why: "a user without a phone has none; the description is silent about it",
  },
  listUsers: { found: ["/results/*/phone_number must be string"], why: "as detailsUser" },
};

/** Members that the description declares as date-times, which need a zone. Its examples of catalog items have no zone. */
const ZONELESS = {
  found: ["date_created", "date_modified", "variants/*/date_created", "variants/*/date_modified"].map(
    (name) => `/${name} must match format "date-time"`,
  ),
  why: "the description's own examples of catalog items write instants without a zone",
};
for (const id of ["createCatalogItem", "getCatalogItem", "updateCatalogItem"]) TOLERATED[id] = ZONELESS;

/** Request bodies of operations that refuse the smallest body of their schema. */
const BODIES: Record<string, (documents: readonly string[]) => unknown> = {
  createDocument: () => ({ name: "Offer 42", template_uuid: TEMPLATES.oneSigner, recipients: [CLIENT] }),
  updateDocument: () => ({ name: "Offer 43", metadata: { deal: "7" } }),
  sendDocument: () => ({ subject: "Offer 42", message: "Please sign.", silent: true }),
  createContact: () => ({ email: "kim.day@client.example", first_name: "Kim", last_name: "Day" }),
  updateWorkspace: () => ({ name: "Northpeak Europe", branding: { accent_color: "#248567" } }),
  updateWorkspacePrivacySettings: () => ({ ai_features_enabled: false }),
  createCatalogItem: () => ({ title: "Mug", price_configuration: { currency: "USD", price: 9, pricing_method: 0 } }),
  updateContact: () => ({ company: "Client Ltd" }),
  createDocumentFolder: () => ({ name: "Offers" }),
  createTemplateFolder: () => ({ name: "Offers" }),
  bulkDeleteDocuments: ([id]) => [{ id }],
  createDocumentLink: () => ({ recipient: CLIENT.email }),
  uploadSection: () => ({ template_uuid: TEMPLATES.oneSigner, recipients: [] }),
  createNotarizationRequest: ([document_id]) => ({ document_id, invitation: { invitees: [{ email: CLIENT.email }] } }),
  createWebhookSubscription: () => ({
    name: "another",
    url: "http://127.0.0.1:9/",
    triggers: ["document_updated"],
    active: true,
  }),
};

/** Unchecked operations, and why. Other tests check the media types of files. */
const UNCHECKED: Record<string, string> = {
  downloadDocument: "answers a file",
  downloadDocumentAttachment: "answers a file",
  ...Object.fromEntries(
    NEWER.map(({ id }) => [id, "version 8.20.0 adds it, and tests in test/service/api check its whole answer"]),
  ),
};

/** Candidates for a path parameter: the documents, then two rows of each collection, parts of documents, and a journal entry. */
function candidates(world: TestWorld, documents: readonly string[]): string[] {
  const rows = Object.values(world.tenant.store.snapshot()).flatMap((table) => Object.keys(table).slice(0, 2));
  const inside = world.tenant.store.documents
    .all()
    .flatMap((one) => [...one.recipients.map((recipient) => recipient.id), ...one.fields.slice(0, 1).map((field) => field.uuid)]);
  const journal = world.tenant.journal.all().at(-1)?.id;
  return [...documents, ...rows, ...inside, ...(journal ? [journal] : [])];
}

/** A valid body, or undefined for an operation without a body. */
function bodyFor(one: Operation, documents: readonly string[]): unknown {
  if (!one.body) return undefined;
  const least = () => sample(z.toJSONSchema(one.body?.() as z.ZodType, { io: "input", unrepresentable: "any" }) as Json);
  return BODIES[one.id]?.(documents) ?? least();
}

async function attempt(world: TestWorld, one: Operation, path: string, least: unknown): Promise<Response> {
  const { method, variant } = parseRoute(one.route);
  const headers: Record<string, string> = { authorization: `API-Key ${KEY}` };
  let body: NonNullable<RequestInit["body"]> | undefined;
  if (one.body) {
    if (one.bodyKind === "urlencoded") body = new URLSearchParams(least as Record<string, string>);
    else if (one.bodyKind === "multipart") {
      const form = new FormData();
      form.append("file", new Blob(["%PDF-1.7"], { type: "application/pdf" }), "file.pdf");
      form.append("data", JSON.stringify((least as { data?: unknown }).data ?? {}));
      body = form;
    } else {
      body = JSON.stringify(least);
      headers["content-type"] = "application/json";
    }
  }
  return world.sandbox.fetch(path + (variant ? `?${variant}` : ""), { method, headers, ...(body === undefined ? {} : { body }) });
}

const EXAMPLES_FILE = "fixtures/api-examples.json";
const LIST_SHOWN = 2;

/** An example of a call in the served description. `WRITE_EXAMPLES=1 npx vitest run test/service/openapi/replies.test.ts` writes all. */
interface Example {
  request?: unknown;
  status: number;
  response?: unknown;
}

function exampleOf(request: unknown, status: number, response: unknown): Example {
  const isJson = typeof response === "object" && response !== null && !(response instanceof Uint8Array);
  return { ...(request === undefined ? {} : { request }), status, ...(isJson ? { response: shortened(response) } : {}) };
}

/** Shortens all lists to their first entries. */
function shortened(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, LIST_SHOWN).map(shortened);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shortened(inner)]));
}

/** Every way to fill the path's parameters with candidates. */
function pathsOf(path: string, ids: readonly string[]): string[] {
  const at = path.indexOf("{");
  if (at < 0) return [path];
  return ids.flatMap((id) => pathsOf(path.replace(/\{\w+\}/, encodeURIComponent(id)), ids));
}

describe(`answers against the official description${NAME}`, () => {
  test.skipIf(!official)(`every operation answers as described${NAME}`, { timeout: within(120_000) }, async () => {
    const world = await testWorld();
    await succeed(
      world.call("createWebhookSubscription", {
        body: {
          name: "all",
          url: "http://127.0.0.1:9/",
          active: true,
          triggers: ["document_state_changed"],
          payload: ["fields"],
        },
      }),
    );
    const documents = [
      await aDraft(world, { template: "everyField" }),
      await aSentDocument(world, { template: "twoSigners" }),
      await aCompletedDocument(world, { template: "pricing" }),
      await anUploadedDocument(world),
    ];
    await succeed(world.call("listDocuments"));
    const snapshot = world.tenant.snapshot();
    const found: Record<string, string[]> = {};
    const checked: string[] = [];
    const examples: Record<string, Example> = {};
    const check = (one: Operation, status: number, body: unknown) => {
      const faults = official?.check(one.route, status, body);
      // Without a body in the description, the answer must have no body.
      if (faults === undefined && body !== undefined) return;
      checked.push(one.id);
      const tolerated = TOLERATED[one.id]?.found ?? [];
      const news = (faults ?? []).filter((fault) => !tolerated.includes(fault));
      if (news.length > 0) found[one.id] = news;
      if (tolerated.length > 0 && faults?.length === 0) found[one.id] = ["is tolerated to differ and does not"];
    };
    for (const one of operations) {
      const id = one.id as OperationId;
      const own = OWN_STORIES[id];
      if (own) {
        const input = await own(world);
        const answer = await succeed(world.call(id, input));
        examples[id] = exampleOf(input.body, answer.status, answer.body);
        const isEmpty = answer.body instanceof Uint8Array && answer.body.length === 0;
        check(one, answer.status, isEmpty ? undefined : answer.body);
        world.tenant.restore(snapshot);
        continue;
      }
      const { path } = parseRoute(one.route);
      const ids = candidates(world, documents);
      // The first of two parameters is a document.
      const paths =
        path.split("{").length > 2 ? documents.flatMap((id) => pathsOf(path.replace(/\{\w+\}/, id), ids)) : pathsOf(path, ids);
      for (const filled of paths) {
        const body = bodyFor(one, documents);
        const answer = await attempt(world, one, filled, body);
        if (answer.status >= 300) continue;
        const text = await answer.text();
        const isJson = answer.headers.get("content-type")?.startsWith("application/json") ?? false;
        check(one, answer.status, isJson ? JSON.parse(text) : text || undefined);
        examples[id] = exampleOf(one.bodyKind === "multipart" ? undefined : body, answer.status, isJson && JSON.parse(text));
        world.tenant.restore(snapshot);
        break;
      }
    }
    expect(found).toEqual({});
    if (process.env.WRITE_EXAMPLES) writeFileSync(EXAMPLES_FILE, `${JSON.stringify(examples, null, 1)}\n`);
    const left = operations.map((one) => one.id).filter((id) => !checked.includes(id));
    expect(left.sort(), "give these a body in BODIES, a story, or a reason in UNCHECKED").toEqual(Object.keys(UNCHECKED).sort());
    await expect(`${JSON.stringify(checked, null, 2)}\n`).toMatchFileSnapshot("checked-operations.json");
  });
});
