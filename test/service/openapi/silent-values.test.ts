/**
 * Sends each member of each request and each query parameter values that the schema accepts and that are wrong all the same. The
 * operation refuses the value and names the member, or client lint names it. SILENT lists the classes of values that are right.
 */
import { expect, test } from "vitest";
import { lintCall } from "../../../src/inspector/lint/one-call.ts";
import type { OperationId } from "../../../src/service/nouns/index.ts";
import { operations } from "../../../src/service/nouns/index.ts";
import { doubtfulInBody, doubtfulInQuery, type Wrong } from "../../support/doubtful-values.ts";
import { fieldsOf, nameOf, partsOf, type RequestField, withValue } from "../../support/request-fields.ts";
import type { Json } from "../../support/sample.ts";
import { aDraft, CLIENT } from "../../support/stories.ts";
import { VALID_CALLS } from "../../support/valid-calls.ts";
import { type Answer, type CallOptions, type TestWorld, testWorld, watched } from "../../support/world.ts";

type Operation = (typeof operations)[number];

/** Accepted values without a finding, as `operation part kind member = value`, and why they are right. */
const SILENT: readonly { is: RegExp; why: string }[] = [
  { is: /body empty \S+ = (\[\]|\{\})$/, why: "an empty list or object says the same as none, and official clients send them" },
  { is: / body \w+ (\S+\.)?metadata\.any = /, why: "metadata takes any value" },
  { is: /^deactivateWorkspace body \w+ any = /, why: "the body has no members, and the description takes any object" },
  {
    is: /query (unknown|type) (\w*_?(id|ids|uuid|uuids)|q|tag|name|query|search|email|provider|entity_type|commission_state) = /,
    why: "a filter that matches nothing gives an empty list",
  },
  { is: /query unknown (\w+_(from|to)|since|to) = /, why: "a range of time may lie before everything" },
  { is: /query huge (page|offset|count) = /, why: "a page behind the last one is empty, and this count has no official maximum" },
  { is: /query zero (page|offset|count|watermark_opacity) = /, why: "the official minimum is 0" },
  { is: /^listDocuments query zero status(__ne)? = 0$/, why: "0 is the code of a status" },
  { is: /query \w+ watermark_text = /, why: "any text can be a watermark" },
  { is: /body huge /, why: "no source gives an upper bound" },
  { is: /body zero \S*(index|level|offset_[xy]|pricing_method) = 0$/, why: "0 is the first of these places and choices" },
  { is: /body zero \S*(price|cost|value) = 0$/, why: "a thing may cost nothing, and a field may have the value 0" },
  {
    is: /body empty \S*(value|text|data|title|description|message|subject|note|placeholder|sku|reference_id) = ""$/,
    why: "people read these texts, and an empty one shows nothing",
  },
  {
    is: /body empty \S*(city|company|country|job_title|postal_code|state|street_address) = ""$/,
    why: "an empty text removes a detail of a person",
  },
  { is: /^duplicateTemplate body empty name = ""$/, why: "the description gives a new name then" },
  {
    is: /body \w+ \S*(custom_columns|external_columns|text_columns|custom_fields|data)\.any = /,
    why: "a column takes any value",
  },
  { is: /body unknown \S*email = "nobody|body unknown reply_to = /, why: "any address can exist" },
  { is: /body unknown source = "http/, why: "docdouble loads the address later" },
  {
    is: /body unknown \S*(name|text|data|title|description|message|subject|note|placeholder|value|tags\[0\]|options\[0\]) = /,
    why: "any text can be a name, a label or a message",
  },
  {
    is: /body unknown \S*(city|company|country|job_title|postal_code|state|street_address) = /,
    why: "any text can be a detail of a person",
  },
  { is: /body unknown \S*(sku|reference_id|merge_field|fields\[0\]\.field_id) = /, why: "the client gives new things these ids" },
  { is: /body unknown \S*(sections|items)\[0\]\.id = /, why: "the description makes a new section or item of an unknown id" },
  { is: /^createLinkedObject body unknown (provider|entity_type|entity_id) = /, why: "another system knows these ids" },
  {
    is: /^uploadSectionWithUpload body unknown recipients\[0\]\.role = /,
    why: "an uploaded file has no list of roles, so each name is a role of its section",
  },
  {
    is: /body unknown (reminders\[0\]\.recipient_id|quotes\[0\]\.id|document_ids\[0\]) = /,
    why: "the answer has an outcome for each entry, and names this one",
  },
];

/** Refusals that name something else, and why. */
const UNNAMED: readonly { is: RegExp; why: string }[] = [
  { is: /template_uuid = /, why: "the vendor's text names the template and no member" },
  { is: /recipients\[0\]\.role = /, why: "the text of public clients names the role and no member" },
  { is: /^bulkDeleteDocuments body \w+ \[0\] = /, why: "the entry itself is wrong, and the answer names its place in the list" },
  {
    is: /^createUser body empty (user|workspaces\[0\]) = /,
    why: "the official names of the faults leave out the object around them",
  },
];

/** Ids in a body that name the subject of the call, as an id in the path does. The description declares 404 for these operations. */
const NOT_FOUND = [
  "bulkDeleteDocuments [0].id",
  "appendContentLibraryItemToDocument cli.id",
  "transferDocumentOwnership membership_id",
  "transferAllDocumentsOwnership from_membership_id",
  "transferAllDocumentsOwnership to_membership_id",
];

const ROWS = [{ name: "Seat", price: 10, qty: 1 }];

/** A body with one of each block of a template, so that wrong values inside reach the block. */
function blocks(world: TestWorld) {
  const template = world.sandbox.templates.create({
    name: "Rich",
    roles: [{ name: "Client" }],
    fields: [
      { name: "Client.Sign", type: "signature", role: "Client" },
      { name: "any", type: "text", role: "Client" },
    ],
    tokens: [{ name: "text" }],
    texts: [{ name: "text" }],
    images: [{ name: "text" }],
    tables: [{ name: "text" }],
    pricing_tables: [{ name: "text", accepts_rows: true }],
  });
  return {
    template: template.id,
    body: {
      fields: { any: { value: "A" } },
      tokens: [{ name: "text", value: "A" }],
      texts: [{ name: "text", data: "A" }],
      images: [{ name: "text", urls: ["https://example.test/a.png"] }],
      tables: [{ name: "text", data: { sections: [{ header: [{ text: "A" }], rows: [[{ text: "A" }]] }] } }],
      pricing_tables: [{ name: "text", sections: [{ title: "A", rows: ROWS.map((data) => ({ options: {}, data })) }] }],
    },
  };
}

const RICH: Partial<Record<OperationId, (world: TestWorld) => Promise<CallOptions>>> = {
  async createDocument(world) {
    const { template, body } = blocks(world);
    return { body: { template_uuid: template, name: "Deal", recipients: [CLIENT], ...body } };
  },
  async uploadSection(world) {
    const { template, body } = blocks(world);
    return { params: { document_id: await aDraft(world) }, body: { template_uuid: template, recipients: [CLIENT], ...body } };
  },
  async updateDocument(world) {
    const { template, body } = blocks(world);
    const id = await aDraft(world, { body: { template_uuid: template, name: "Deal", recipients: [CLIENT] } });
    return { params: { id }, body };
  },
};

function withWrong(one: Operation, base: CallOptions, schema: Json, field: RequestField, value: unknown): CallOptions {
  if (one.bodyKind !== "multipart") return { ...base, body: JSON.stringify(withValue(base.body, schema, field.path, value)) };
  const data = withValue(base.parts?.data, schema.properties?.data as Json, field.path.slice(1), value);
  return { ...base, parts: { ...base.parts, data: JSON.stringify(data) } };
}

function* wrongCalls(one: Operation, base: CallOptions): Generator<{ what: string; name: string; options: CallOptions }> {
  for (const [part, schema] of partsOf(one)) {
    if (part === "params" || (part === "body" && one.bodyKind === "urlencoded")) continue;
    for (const field of fieldsOf(schema)) {
      const isPart = one.bodyKind === "multipart" && part === "body";
      if (field.path.length === 0 || (part === "query" && field.path.length > 1)) continue;
      if (isPart && (field.path[0] !== "data" || field.path.length === 1)) continue;
      const name = nameOf(isPart ? field.path.slice(1) : field.path);
      const values: Wrong[] = part === "query" ? doubtfulInQuery(field) : doubtfulInBody(field);
      for (const [kind, value] of values) {
        const text = Array.isArray(value) ? (value as string[]) : String(value);
        const options =
          part === "query" ? { ...base, query: { ...base.query, [name]: text } } : withWrong(one, base, schema, field, value);
        yield { what: `${one.id} ${part} ${kind} ${name} = ${JSON.stringify(value)}`, name, options };
      }
    }
  }
}

/** Whether a refusal names the member, or one around it. */
function names({ body }: Answer, name: string): boolean {
  const text = JSON.stringify(body);
  return name.split(/[.[\]]+/).some((step) => /[a-z]/.test(step) && step !== "any" && text.includes(step));
}

test("every operation refuses a doubtful value and names its member, or client lint names the value", async () => {
  const world = await testWorld();
  const { tenant } = world;
  const snapshot = tenant.snapshot();
  const counts = { members: new Set<string>(), refused: 0, found: 0 };
  const faults: string[] = [];
  const otherwise = new Set<string>();
  const reached = new Set<RegExp>();
  const accept = (classes: typeof SILENT, what: string) => {
    const known = classes.find(({ is }) => is.test(what));
    if (known) reached.add(known.is);
    else faults.push(what);
  };
  for (const one of operations) {
    const id = one.id as OperationId;
    const base = await (RICH[id] ?? VALID_CALLS[id])(world);
    const ready = tenant.snapshot();
    for (const { what, name, options } of wrongCalls(one, base)) {
      counts.members.add(`${id} ${name}`);
      const { answer, wrote } = await watched(world, () => world.call(id, options));
      if (answer.status >= 400) {
        counts.refused++;
        if (wrote) faults.push(`${what}: refused, and changed something`);
        if (answer.status !== 400) otherwise.add(`${id} ${name} ${answer.status}`);
        else if (!names(answer, name)) accept(UNNAMED, `${what}: ${JSON.stringify(answer.body)}`);
      } else if (tenant.journal.since(tenant.journal.total - 1).some((entry) => lintCall(entry, tenant).length > 0))
        counts.found++;
      else accept(SILENT, what);
      if (wrote) tenant.restore(ready);
    }
    tenant.restore(snapshot);
  }
  expect(counts.members.size).toBeGreaterThan(1200);
  expect(counts.refused).toBeGreaterThan(2000);
  expect(counts.found).toBeGreaterThan(500);
  expect(faults).toEqual([]);
  expect([...otherwise]).toEqual(NOT_FOUND.map((one) => `${one} 404`));
  expect([...SILENT, ...UNNAMED].filter(({ is }) => !reached.has(is)).map(({ why }) => why)).toEqual([]);
});
