/**
 * Calls every operation with each invalid value of each member, and without each required member. The operation must refuse the
 * call in its dialect, name the member and change nothing. The members come from the schemas of the registry.
 */
import { describe, expect, test } from "vitest";
import type { OperationId } from "../../../src/service/nouns/index.ts";
import { operations } from "../../../src/service/nouns/index.ts";
import { dialectOf } from "../../../src/service/kit/world.ts";
import { faultsByName } from "../../support/faults.ts";
import { fieldsOf, nameOf, type Part, partsOf, type RequestField, withoutIt, withValue } from "../../support/request-fields.ts";
import type { Json } from "../../support/sample.ts";
import { VALID_CALLS } from "../../support/valid-calls.ts";
import { wrongInBody, wrongInQuery } from "../../support/wrong-values.ts";
import { type Answer, type CallOptions, testWorld, watched } from "../../support/world.ts";

type Operation = (typeof operations)[number];

/** Values that are accepted outside the bounds of the schema, and why. */
const LENIENT: readonly { what: RegExp; why: string }[] = [
  { what: /email = ""$/, why: "an empty address counts as none: clients send it for people who have only a phone" },
];

/**
 * The official description declares no 400 for these operations, and no other answer to a wrong value. Wherever it describes field
 * checks, they answer 400, so docdouble answers 400 here too.
 */
const NO_400_DECLARED: readonly OperationId[] = [
  "changeDocumentStatus",
  "changeDocumentStatusWithUpload",
  "sendDocument",
  "downloadProtectedDocument",
  "appendContentLibraryItemToDocument",
  "transferDocumentOwnership",
  "transferAllDocumentsOwnership",
  "getDocumentAiMetadata",
  "createManualReminder",
  "listDocumentsByLinkedObject",
  "listDocumentAuditTrail",
  "documentSettingsUpdate",
  "addDsvNamedItems",
  "listTemplates",
  "templateSettingsUpdate",
  "listWebhookEvent",
  "createCatalogItem",
  "updateCatalogItem",
  "quoteUpdate",
  "getWorkspacesList",
  "deactivateWorkspace",
  "listUsers",
];

interface BadCall {
  what: string;
  name: string;
  options: CallOptions;
  /** A message that the refusal must have for this member. */
  message?: string | undefined;
}

const A_LIST = (kind: string) => `Expected a list of items but got type "${kind}".`;
const A_MAP = (kind: string) => `Invalid data. Expected a dictionary, but got ${kind}.`;
/** Kinds of values in the words of the service. */
const PYTHON: Record<string, string> = { string: "str", number: "int", boolean: "bool", object: "dict" };

/** The message for a wrong value of a member that takes one kind of value, or undefined where the law knows none. */
function messageOf({ branches }: RequestField, value: unknown): string | undefined {
  const [one, ...others] = branches.filter(({ type }) => type !== "null");
  if (value === ABSENT) return "This field is required.";
  if (one === undefined || one.const !== undefined || others.some(({ type }) => type !== one.type)) return undefined;
  if (one.format === "date-time" || (one.enum && one.type !== "string")) return undefined;
  if (value === null) return one.enum ? '"null" is not a valid choice.' : "This field may not be null.";
  const kind = Array.isArray(value)
    ? "list"
    : Number.isInteger(value)
      ? "int"
      : typeof value === "number"
        ? "float"
        : PYTHON[typeof value];
  const isText = kind === "str";
  switch (one.type) {
    case "string":
      if (others.length > 0) return isText ? undefined : "Not a valid string.";
      if (one.enum) return isText || kind === "int" ? `"${value}" is not a valid choice.` : undefined;
      if (!isText) return "Not a valid string.";
      if (one.format === "email" && value !== "") return "Enter a valid email address.";
      if (one.format === "uri" && value !== "") return "Enter a valid URL.";
      return one.maxLength !== undefined && (value as string).length > one.maxLength
        ? `Ensure this field has no more than ${one.maxLength} characters.`
        : undefined;
    case "integer":
    case "number":
      if (isText && /^-\d+$/.test(value as string)) return messageOf({ branches } as RequestField, Number(value));
      if (kind !== "int" && (one.type === "integer" || kind !== "float"))
        return one.type === "integer" && isText && /^[+-]?\d+$/.test(value as string)
          ? undefined
          : `A valid ${one.type} is required.`;
      if (one.minimum !== undefined && (value as number) < one.minimum)
        return `Ensure this value is greater than or equal to ${one.minimum}.`;
      return one.maximum !== undefined && (value as number) > one.maximum
        ? `Ensure this value is less than or equal to ${one.maximum}.`
        : undefined;
    case "boolean":
      return "Must be a valid boolean.";
    case "array":
      return kind === "list" ? "This list may not be empty." : A_LIST(kind ?? "");
    case "object":
      return kind === "dict" ? undefined : A_MAP(kind ?? "");
    default:
      return undefined;
  }
}

const ABSENT = Symbol("absent");

type Chosen = <T>(field: RequestField, values: readonly T[]) => readonly T[];

/** Chooses values: the first member of a shape gets every wrong value, and the others get one each. Emails get "" too. */
function chooser(): Chosen {
  const shapes = new Set<string>();
  return (field, values) => {
    const key = `${field.path.slice(-2).join()} ${JSON.stringify(field.branches)}`;
    const turn = shapes.size % Math.max(1, values.length);
    if (shapes.has(key)) return values.filter((value, i) => i === turn || (value === "" && field.path.at(-1) === "email"));
    shapes.add(key);
    return values;
  };
}

/** All invalid calls that differ from the valid call in one part. */
function* badCalls(some: Chosen, one: Operation, base: CallOptions, part: Part, schema: Json): Generator<BadCall> {
  for (const field of fieldsOf(schema)) {
    if (part === "query") {
      if (field.path.length !== 1) continue;
      const name = String(field.path[0]);
      // A repeated parameter is a list.
      const entry = { ...field, branches: field.branches.map((one) => one.items ?? one) };
      for (const value of some(field, wrongInQuery(field)))
        yield {
          what: `?${name}=${value}`,
          name,
          options: { ...base, query: { ...base.query, [name]: value } },
          message: name === "order_by" && one.id === "listDocuments" ? "value is not a valid choice." : messageOf(entry, value),
        };
      if (field.required) {
        const { [name]: _, ...rest } = base.query ?? {};
        yield { what: `no ?${name}`, name, options: { ...base, query: rest } };
      }
    } else if (part === "body" && one.bodyKind !== "urlencoded") {
      if (one.bodyKind === "multipart" && field.path[0] !== "data") {
        if (field.path.length === 1) yield* badPartCalls(base, String(field.path[0]), field.required);
        continue;
      }
      const values = [...some(field, wrongInBody(field)), ...(field.required ? [ABSENT] : [])];
      // A member inside the `data` of a form has the same name as in a JSON body.
      const named = one.bodyKind === "multipart" && field.path.length > 1 ? field.path.slice(1) : field.path;
      for (const value of values)
        yield {
          ...inBody(one, base, schema, field, value),
          name: nameOf(named),
          message: messageOf(field, value),
        };
    }
  }
}

/** A part of a form that is not `data`. */
function* badPartCalls(base: CallOptions, name: string, required: boolean): Generator<BadCall> {
  const { [name]: _, ...rest } = base.parts ?? {};
  if (required) yield { what: `no part ${name}`, name, options: { ...base, parts: rest } };
  if (name === "file") yield { what: "file is a text", name, options: { ...base, parts: { ...rest, file: "text" } } };
}

function inBody(one: Operation, base: CallOptions, schema: Json, field: RequestField, value: unknown) {
  const set = (body: unknown, inner: Json, path: RequestField["path"]) =>
    value === ABSENT ? withoutIt(body, inner, path) : withValue(body, inner, path, value);
  const what = `${nameOf(field.path)} ${value === ABSENT ? "absent" : `= ${JSON.stringify(value)?.slice(0, 40)}`}`;
  if (one.bodyKind !== "multipart")
    return { what, options: { ...base, body: JSON.stringify(set(base.body, schema, field.path)) } };
  if (field.path.length === 1 && value === ABSENT) {
    const { data: _, ...parts } = base.parts ?? {};
    return { what, options: { ...base, parts } };
  }
  const data = set(base.parts?.data, schema.properties?.data as Json, field.path.slice(1));
  return { what, options: { ...base, parts: { ...base.parts, data: JSON.stringify(data) } } };
}

/** Returns the answer as text if it is not the expected refusal, or else undefined. */
function faultOf(one: Operation, { name, message: wanted }: BadCall, { status, body }: Answer): string | undefined {
  const answerText = `${status} ${JSON.stringify(body)?.slice(0, 200)}`;
  if (status !== 400) return answerText;
  if (dialectOf(one) === "v2") {
    const pointer = name === "" ? null : `/${name.replace(/\[0\]/g, "/0").replace(/\./g, "/")}`;
    const names =
      body.code === "bad_request" &&
      body.details?.some(
        ({ pointer: at, data }: { pointer: string; data: { message: string } }) =>
          [pointer, `${pointer}/0`].includes(at) && (wanted === undefined || data.message === wanted),
      );
    return names ? undefined : answerText;
  }
  // A repeated query parameter is a list. Its only value is named as the first entry.
  const faults = typeof body.detail === "object" ? faultsByName(body.detail) : {};
  const messages = faults[name || "non_field_errors"] ?? faults[`${name}[0]`];
  const isList = Array.isArray(messages) && messages.length > 0 && messages.every((message) => /\w/.test(message));
  if (isList && wanted !== undefined && !messages.includes(wanted)) return answerText;
  return isList && body.type === (one.invalidType ?? "request_error") ? undefined : answerText;
}

describe("bad input to every operation", () => {
  test("every operation refuses each invalid value of each member, names the member, and changes nothing", async () => {
    const world = await testWorld();
    const snapshot = world.tenant.snapshot();
    const faults: string[] = [];
    const undeclared = new Set<string>();
    const lenient = new Set<RegExp>();
    const some = chooser();
    let calls = 0;
    for (const one of operations) {
      const id = one.id as OperationId;
      const base = await VALID_CALLS[id](world);
      const ready = world.tenant.snapshot();
      for (const [part, schema] of partsOf(one)) {
        for (const badCall of badCalls(some, one, base, part, schema)) {
          const { what, options } = badCall;
          const tolerance = LENIENT.find((entry) => entry.what.test(what));
          calls++;
          const { answer, wrote } = await watched(world, () => world.call(id, options));
          const fault = faultOf(one, badCall, answer);
          if (tolerance && fault && answer.status < 500) {
            lenient.add(tolerance.what);
            if (wrote) world.tenant.restore(ready);
            continue;
          }
          if (fault) faults.push(`${id} ${what}: ${fault}`);
          if (wrote) faults.push(`${id} ${what}: changed something`);
          if (!one.errors.includes(answer.status)) undeclared.add(id);
        }
      }
      const answer = await world.call(id, base);
      if (answer.status >= 300) faults.push(`${id} is not valid to begin with: ${answer.status} ${JSON.stringify(answer.body)}`);
      world.tenant.restore(snapshot);
    }
    expect(faults).toEqual([]);
    expect([...undeclared].sort()).toEqual([...NO_400_DECLARED].sort());
    expect([...lenient]).toEqual(LENIENT.map((entry) => entry.what));
    expect(calls).toBeGreaterThan(1500);
  });
});
