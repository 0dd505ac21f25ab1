import { expect, test } from "vitest";
import { type OperationId, operations } from "../../../src/service/nouns/index.ts";
import { NEWER } from "./official.ts";
import { OPENAPI_FILE, officialReplies } from "../../support/official-replies.ts";
import { expectRecorded } from "../../support/recorded.ts";
import { aCompletedDocument, aDraft, anUploadedDocument, aSentDocument, succeed } from "../../support/stories.ts";
import { VALID_CALLS } from "../../support/valid-calls.ts";
import { testWorld } from "../../support/world.ts";
import { within } from "../../support/patience.ts";

const official = officialReplies();
const NAME = official ? "" : ` (skipped: ${OPENAPI_FILE} is not there)`;

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

/** Answers without a body of JSON in the official description, and why. Other tests check the media types of files. */
const UNCHECKED: Record<string, string> = {
  downloadDocument: "answers a file",
  downloadDocumentAttachment: "answers a file",
  downloadProtectedDocument: "answers 202 without a body until the file exists",
  ...Object.fromEntries(NEWER.map(({ id }) => [id, "version 8.20.0 adds it, and the recorded examples have its whole answer"])),
};

/** An example shows the first entries of each list. */
const LIST_SHOWN = 2;

function shortened(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, LIST_SHOWN).map(shortened);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shortened(inner)]));
}

test(`every operation answers as the recorded examples and the official description say${NAME}`, {
  timeout: within(120_000),
}, async () => {
  const world = await testWorld();
  const body = { name: "all", url: "http://127.0.0.1:9/", triggers: ["document_state_changed"], payload: ["fields"] };
  await succeed(world.call("createWebhookSubscription", { body }));
  await aDraft(world, { template: "everyField" });
  await aSentDocument(world, { template: "twoSigners" });
  await aCompletedDocument(world, { template: "pricing" });
  await anUploadedDocument(world);
  await succeed(world.call("listDocuments"));
  const snapshot = world.tenant.snapshot();
  const found: Record<string, string[]> = {};
  const unchecked: string[] = [];
  const examples: Record<string, unknown> = {};
  for (const one of operations) {
    const id = one.id as OperationId;
    const input = await VALID_CALLS[id](world);
    const { status, body } = await succeed(world.call(id, input));
    world.tenant.restore(snapshot);
    const isFile = body instanceof Uint8Array;
    examples[id] = { request: input.body, status, ...(isFile ? {} : { response: shortened(body) }) };
    const faults = official?.check(one.route, status, body);
    const tolerated = TOLERATED[id]?.found ?? [];
    const news = (faults ?? []).filter((fault) => !tolerated.includes(fault));
    if (news.length > 0) found[id] = news;
    if (tolerated.length > 0 && faults?.length === 0) found[id] = ["is tolerated to differ and does not"];
    // Without a body in the description, the answer must have no body.
    if (official && faults === undefined && !(isFile && body.length === 0)) unchecked.push(id);
  }
  expect(found).toEqual({});
  expectRecorded("fixtures/api-examples.json", examples);
  if (official) expect(unchecked.sort()).toEqual(Object.keys(UNCHECKED).sort());
});
