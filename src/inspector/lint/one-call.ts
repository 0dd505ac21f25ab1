/** Rules of client lint that read one call. */
import type { z } from "zod";
import { own } from "../../engine/core/maps.ts";
import { type Operation, parseRoute } from "../../engine/core/operation.ts";
import { definitionOf, innermost, listMembers } from "../../engine/core/schema-parts.ts";
import { decodeAddress, escapePointer, parseLeniently, pointerOf } from "../../engine/core/text.ts";
import type { JournalEntry } from "../../engine/journal/journal.ts";
import { findOperation } from "../../engine/runtime/find-operation.ts";
import { checks, service, type Tenant } from "../../service/service.ts";
import { doubtfulValues } from "./doubtful-values.ts";
import type { FindingKind } from "./finding.ts";
import { idleMembers } from "./idle-members.ts";

/** What a rule found. */
export interface Found {
  kind: FindingKind;
  message: string;
  fix?: string | undefined;
  pointer?: string | undefined;
  document_id?: string | undefined;
  /** Ids of earlier calls that prove it. */
  before?: readonly string[];
  /** Findings with the same key count as one. Default: the message. */
  key?: string;
}

/** A call of an operation. */
interface Call {
  entry: JournalEntry;
  operation: Operation;
  /** The JSON of the body, or of the part `data` of a form, with its schema. */
  body: { schema: z.ZodType; value: unknown } | undefined;
  parameters: Readonly<Record<string, z.ZodType>>;
}

export function lintCall(entry: JournalEntry, tenant: Tenant): Found[] {
  const found = [...keyInUrl(entry), ...ignoredMagic(entry), ...mcpCredentials(entry, tenant)];
  const operation = entry.operationId === undefined ? undefined : findOperation(service, entry.operationId);
  if (!operation) return found;
  const parameters = operation.query ? shapeOf(operation.query()) : {};
  const call: Call = { entry, operation, body: bodyOf(operation, entry), parameters };
  found.unshift(...unknownMembers(call), ...deprecated(call), ...sentBeforeDraft(entry));
  // What the operation refused, its answer says.
  if (entry.own !== undefined && entry.own < 400) found.unshift(...acceptedCall(call));
  return found;
}

function acceptedCall(call: Call): Found[] {
  const remarks = (call.entry.remarks ?? []) as Found[];
  return [
    ...missingBody(call),
    ...remarks,
    ...emptyParameters(call),
    ...strangeWords(call),
    ...strangeRoles(call),
    ...(call.body ? doubtfulValues(call.operation.id, call.body.schema, call.body.value) : []),
    ...idleMembers(call.operation.id, call.entry, call.body?.value),
  ];
}

function shapeOf(schema: z.ZodType): Readonly<Record<string, z.ZodType>> {
  return (definitionOf(innermost(schema))?.shape ?? {}) as Record<string, z.ZodType>;
}

function bodyOf({ body, bodyKind = "json" }: Operation, entry: JournalEntry): Call["body"] {
  if (!body || (bodyKind !== "json" && bodyKind !== "multipart")) return undefined;
  const value = parseLeniently(entry.body);
  if (bodyKind === "json") return { schema: body(), value };
  const schema = own(shapeOf(body()), "data");
  const { data } = (value ?? {}) as { data?: unknown };
  return schema && { schema, value: typeof data === "string" ? parseLeniently(data) : data };
}

/** Members and parameters that the operation does not use. */
function unknownMembers({ entry, operation, body, parameters }: Call): Found[] {
  const { id, route, query } = operation;
  const unknown = (what: string, pointer?: string): Found => ({
    kind: "unknown_field",
    message: `${id} has no ${what}, so the service ignores it`,
    pointer,
  });
  const paths = body ? unknownPaths(body.schema, body.value, "") : [];
  const names = Object.keys(entry.query).filter(
    (name) =>
      !own(parameters, name) && name !== parseRoute(route).variant && !(id === "listDocuments" && name.startsWith("metadata_")),
  );
  const lists = query ? listMembers(query()) : new Set<string>();
  const twice = Object.keys(parameters).filter((name) => (entry.query[name]?.length ?? 0) > 1 && !lists.has(name));
  return [
    ...paths.map((path) => unknown(`body member "${path}"`, pointerOf(path))),
    ...names.map((name) => unknown(`query parameter "${name}"`)),
    ...twice.map(
      (name): Found => ({
        kind: "unknown_field",
        message: `${id} takes one value of the query parameter "${name}", so the service ignores all but the last`,
        fix: `Send "${name}" once.`,
      }),
    ),
  ];
}

/** The paths of the members of a value that its schema does not name. */
function unknownPaths(schema: z.ZodType, value: unknown, path: string): string[] {
  const definition = definitionOf(innermost(schema));
  if (typeof value !== "object" || value === null || !definition) return [];
  if (definition.type === "union") {
    const each = (definition.options as z.ZodType[]).map((option) => unknownPaths(option, value, path));
    return each.sort((a, b) => a.length - b.length)[0] ?? [];
  }
  if (Array.isArray(value)) {
    if (definition.type !== "array") return [];
    return value.flatMap((one, i) => unknownPaths(definition.element as z.ZodType, one, `${path}[${i}]`));
  }
  if (definition.type !== "object" && definition.type !== "record") return [];
  const rest = (definition.type === "record" ? definition.valueType : definition.catchall) as z.ZodType | undefined;
  const isOpen = rest !== undefined && definitionOf(rest)?.type !== "never";
  const shape = (definition.shape ?? {}) as Record<string, z.ZodType>;
  return Object.entries(value).flatMap(([key, one]) => {
    const at = path ? `${path}.${key}` : key;
    const member = own(shape, key) ?? (definition.type === "record" ? rest : undefined);
    if (member) return unknownPaths(member, one, at);
    return isOpen ? [] : [at];
  });
}

/** assumed: http.empty_body. */
function missingBody({ entry, operation: { id, body, bodyOptional, bodyKind } }: Call): Found[] {
  if (!body || bodyOptional || bodyKind === "text" || entry.body !== "") return [];
  return [{ kind: "missing_body", message: `${id} has no body, so it changes nothing or takes defaults` }];
}

function emptyParameters({ entry, operation, parameters }: Call): Found[] {
  const names = Object.entries(entry.query).flatMap(([name, values]) =>
    own(parameters, name) && values.includes("") ? [name] : [],
  );
  return names.map((name) => ({
    kind: "doubtful_value",
    message: `${operation.id} got an empty query parameter "${name}", and the service may refuse it`,
    fix: `Leave "${name}" out.`,
  }));
}

/** Texts of queries with fixed words, where the official description gives no list of choices. */
const WORDS: Readonly<Record<string, RegExp>> = {
  // Source: the official description: `yes`, `1` or `true`.
  use_form_field_properties: /^(yes|1|true|no|0|false)$/i,
};

function strangeWords({ entry, operation, parameters }: Call): Found[] {
  return Object.entries(entry.query).flatMap(([name, values]): Found[] => {
    const strange = own(parameters, name) && values.find((value) => value !== "" && WORDS[name]?.test(value) === false);
    if (!strange) return [];
    const message = `${operation.id} does not know the word "${strange}" in the query parameter "${name}"`;
    return [{ kind: "doubtful_value", message, fix: "Send a word that the description names." }];
  });
}

/** Source: the official description: the role of a value in `fields` must be present in the list of recipients. */
function strangeRoles({ operation, body }: Call): Found[] {
  const { fields, recipients } = (body?.value ?? {}) as { fields?: unknown; recipients?: unknown };
  if (typeof fields !== "object" || fields === null || Array.isArray(fields)) return [];
  const roles = new Set(Array.isArray(recipients) ? recipients.map((one) => one?.role) : []);
  return Object.entries(fields).flatMap(([name, field]): Found[] =>
    typeof field?.role !== "string" || roles.has(field.role)
      ? []
      : [
          {
            kind: "unknown_role",
            message: `${operation.id} gives the field "${name}" to the role "${field.role}", which no recipient has`,
            fix: "Use the role of a recipient of this call.",
            pointer: `/fields/${escapePointer(name)}/role`,
          },
        ],
  );
}

function deprecated({ entry, operation: { id, deprecated: better }, parameters }: Call): Found[] {
  const old = Object.keys(entry.query).filter((name) => own(parameters, name)?.meta()?.deprecated === true);
  const found = old.map((name) => [`the parameter ${name} of ${id} is deprecated`, `Remove ${name}.`]);
  if (better !== undefined) found.push([`${id} is deprecated; use ${better}`, `Call ${better}.`]);
  return found.map(([message = "", fix]) => ({ kind: "deprecated_parameter", message, fix }));
}

function sentBeforeDraft({ operationId, status, injected, responseBody }: JournalEntry): Found[] {
  if (operationId !== "sendDocument" || status !== 409 || injected || !responseBody.includes('"document.uploaded"')) return [];
  return [{ kind: "sent_before_draft", message: "sendDocument was called before the document was a draft" }];
}

function keyInUrl({ caller, url, operationId }: JournalEntry): Found[] {
  if (!caller || !decodeAddress(url).includes(caller.key)) return [];
  return [{ kind: "key_in_url", message: `${operationId} was called with the key in its URL, where logs keep it` }];
}

const ADDRESS_MAX = 320;

function ignoredMagic({ body }: JournalEntry): Found[] {
  if (!body.includes(".after=")) return [];
  const addresses = new Set(body.split('"').filter((text) => text.length <= ADDRESS_MAX && text.includes(".after=")));
  return [...addresses].flatMap((address) => {
    const problem = checks.addressProblem(address);
    return problem === undefined ? [] : [{ kind: "magic_address_ignored", message: `${address} has no effect: ${problem}` }];
  });
}

/** assumed: mcp.credentials. */
function mcpCredentials({ caller, tool }: JournalEntry, { store }: Tenant): Found[] {
  if (!caller) return [];
  const isKey = caller.kind === "api_key";
  const token = isKey ? undefined : store.tokens.get(caller.key);
  // A token that is gone from the store says nothing.
  if ((!isKey && !token) || (token?.mcp === true) === (tool !== undefined)) return [];
  if (tool === undefined)
    return [
      {
        kind: "mcp_credentials",
        message: "the public API was called with a token of the MCP server, which the service may refuse",
        fix: "Use an API key, or a token of the public API.",
      },
    ];
  const what = isKey ? "an API key, which the real one refuses" : "a token of the public API, which the real one may refuse";
  return [{ kind: "mcp_credentials", message: `the MCP server was called with ${what}` }];
}
