/** Describes the admin API in OpenAPI 3.1, from the records of its verbs. */
import type * as z from "zod";
import { toJSONSchema } from "../core/json-schemas.ts";
import { parseRoute } from "../core/operation.ts";
import type { AdminOperation } from "../core/verb.ts";
import { adminErrorsOf, partsOf } from "./define.ts";

type Json = Record<string, unknown>;

const REASONS: Readonly<Record<number, string>> = {
  400: "The request is wrong",
  401: "The admin token is missing or wrong",
  403: "A page of another site asks, or the name of the server is unknown",
  404: "There is no such thing",
  409: "Not possible now",
  413: "Too large",
  422: "Not verified",
  423: "Locked by an editor",
  429: "Too many of these wait already",
};

const DONE: Readonly<Record<number, string>> = { 200: "Done", 201: "Created", 202: "Accepted", 204: "Done, without a body" };

const REFUSAL = {
  type: "object",
  description: "`detail` says what is wrong, and `why` what would pass. A failed verification adds what it found.",
  properties: { type: { type: "string" }, detail: {}, why: { type: "string" } },
};

export function exportAdminOpenApi(
  operations: readonly AdminOperation<never>[],
  url: string,
  version: string,
): Json & { openapi: string } {
  const described = operations.filter((one) => one.verb);
  const schemas: Record<string, Json> = { Refusal: REFUSAL };
  const paths: Record<string, Json> = {};
  for (const operation of described) {
    const { method, path } = parseRoute(operation.route);
    paths[path] = { ...paths[path], [method.toLowerCase()]: toOperation(operation, schemas) };
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "docdouble admin API",
      version,
      description: `Controls docdouble: time, webhooks, rules, recipients, the journal. The API key of a call selects its tenant. The pages of the inspector are left out, because people read them.`,
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url }],
    security: [{}, { tenant: [] }, { token: [] }, { tenant: [], token: [] }],
    paths,
    components: {
      schemas,
      securitySchemes: {
        tenant: { type: "apiKey", in: "header", name: "authorization", description: "`API-Key <key>`, which selects the tenant" },
        token: {
          type: "apiKey",
          in: "header",
          name: "x-docdouble-admin-token",
          description: "needed if the server has an admin token",
        },
      },
    },
  };
}

function toOperation(operation: AdminOperation<never>, schemas: Record<string, Json>): Json {
  const { id, verb, responses } = operation;
  if (!verb) throw new Error(`${id} is not a verb`);
  const also = verb.admin?.also?.find((one) => one.id === id);
  const { properties = {}, required = [] } = verb.input ? jsonOf(verb.input(), "input", id, schemas) : {};
  const members = properties as Record<string, Json>;
  const needed = required as readonly string[];
  const { path, query, body } = partsOf(operation);
  const parameter = (place: string) => (name: string) => {
    const { description, ...schema } = members[name] ?? { type: "string" };
    const isRequired = place === "path" || needed.includes(name);
    return { name, in: place, required: isRequired, ...(description === undefined ? {} : { description }), schema };
  };
  const whole = verb.admin?.body;
  const content =
    whole !== undefined
      ? { required: needed.includes(whole), schema: members[whole] ?? {} }
      : body.length === 0
        ? undefined
        : { required: body.some((name) => needed.includes(name)), schema: objectOf(body, members, needed) };
  const answers = Object.entries(responses).map(([status, answer]) => [
    status,
    {
      description: DONE[Number(status)] ?? "Done",
      ...(answer === null
        ? {}
        : typeof answer === "function"
          ? { content: { "application/json": { schema: jsonOf(answer(), "output", `${id}Answer`, schemas) } } }
          : { content: Object.fromEntries(answer.media.map((media) => [media, {}])) }),
    },
  ]);
  const refusals = adminErrorsOf(operation).map((status) => [
    status,
    {
      description: REASONS[status] ?? "Refused",
      content: { "application/json": { schema: { $ref: "#/components/schemas/Refusal" } } },
    },
  ]);
  return {
    operationId: id,
    "x-verb": verb.name,
    summary: also?.does ?? verb.does,
    ...(operation.security === "none" ? { security: [] } : {}),
    parameters: [...path.map(parameter("path")), ...query.map(parameter("query"))],
    ...(content
      ? {
          requestBody: {
            required: content.required,
            content: { [verb.admin?.bodyKind === "text" ? "application/yaml" : "application/json"]: { schema: content.schema } },
          },
        }
      : {}),
    responses: Object.fromEntries([...answers, ...refusals]),
  };
}

function objectOf(names: readonly string[], members: Readonly<Record<string, Json>>, needed: readonly string[]): Json {
  const required = names.filter((name) => needed.includes(name));
  return {
    type: "object",
    properties: Object.fromEntries(names.map((name) => [name, members[name]])),
    ...(required.length > 0 ? { required } : {}),
    additionalProperties: false,
  };
}

/** Recursive parts become components, because a reference counts from the root of the description. */
function jsonOf(schema: z.ZodType, io: "input" | "output", name: string, schemas: Record<string, Json>): Json {
  const {
    $schema: _,
    "~standard": __,
    $defs = {},
    ...root
  } = toJSONSchema(schema, { target: "draft-2020-12", io, unrepresentable: "any" }) as Json;
  const text = JSON.stringify([$defs, root]).replaceAll('"#/$defs/', `"#/components/schemas/${name}.`);
  const [parts, own] = JSON.parse(text) as [Record<string, Json>, Json];
  for (const [part, one] of Object.entries(parts)) schemas[`${name}.${part}`] = one;
  if (!text.includes('"$ref":"#"')) return own;
  schemas[name] = JSON.parse(JSON.stringify(own).replaceAll('"$ref":"#"', `"$ref":"#/components/schemas/${name}"`)) as Json;
  return schemas[name];
}
