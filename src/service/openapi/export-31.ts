/**
 * The served API as OpenAPI 3.1. It is the description of version 3.0 in newer words. It adds webhooks, an example of each request and answer,
 * and links from a created object to the calls that follow.
 */
import { EVENTS, type EventName } from "../model/documents/status-machine.ts";
import { groups } from "../api/index.ts";
import { payloads } from "../api/webhook-events/payloads.ts";
import { ALWAYS_NULL, at, type Examples, exportOpenApi, toJsonSchema, toSummary } from "./export.ts";
import { addLinks } from "./links.ts";
import { withDescriptions } from "./member-descriptions.ts";

type Json = Record<string, unknown>;

export interface MoreExamples {
  /** A body of each refusal, by operation and status. */
  refusals: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** Bodies that the description of version 3.0 lacks: of forms, and of second successes. */
  calls: Readonly<Record<string, { request?: unknown; answers?: Readonly<Record<string, unknown>> }>>;
  /** What the service sends. */
  events: Readonly<Record<string, unknown>>;
}

export async function loadMoreExamples(url: string): Promise<MoreExamples> {
  const { default: refusals } = await import("../../../fixtures/refusal-examples.json", { with: { type: "json" } });
  const { default: others } = await import("../../../fixtures/event-examples.json", { with: { type: "json" } });
  return at(url, { refusals, ...others } as MoreExamples);
}

export function exportOpenApi31(url: string, version: string, examples: Examples, more: MoreExamples): Json {
  const { openapi: _, paths, components, info, tags, ...base } = exportOpenApi(url, version, examples) as Record<string, Json>;
  const { schemas, ...others } = components as Record<string, Json>;
  const served = mapped(paths as Json, (item) => mapped(item as Json, (one) => operation(one as Json, more)));
  const links = addLinks(served);
  return {
    openapi: "3.1.0",
    info: { ...info, license: { name: "MIT", identifier: "MIT" } },
    ...base,
    tags: (tags as unknown as { name: string }[]).map(({ name }) => ({ name, description: described(name) })),
    paths: served,
    webhooks: Object.fromEntries(EVENTS.map((event) => [event, { post: webhook(event, more.events[event]) }])),
    components: {
      ...others,
      schemas: {
        ...mapped(schemas as Json, (one) => ({ ...modern(one as Json), additionalProperties: true })),
        ...eventSchemas(),
      },
      links,
    },
  };
}

function described(tag: string): string {
  const count = groups.find(({ name }) => name === tag)?.operations.length ?? 0;
  return `${count} ${count === 1 ? "operation" : "operations"} of the official group ${tag}.`;
}

function operation(one: Json, { refusals, calls }: MoreExamples): Json {
  const { operationId, parameters, requestBody, responses } = one as Record<string, Json> & { operationId: string };
  const { request, answers } = calls[operationId] ?? {};
  return {
    ...one,
    parameters: (parameters as unknown as Json[]).map((each) => ({ ...each, schema: modern(each.schema as Json) })),
    ...(requestBody ? { requestBody: content(requestBody, request) } : {}),
    responses: mapped(responses as Json, (answer, status) =>
      content(answer as Json, answers?.[status] ?? refusals[operationId]?.[status]),
    ),
  };
}

/** Keeps an example that is there. */
function content(one: Json, example: unknown): Json {
  if (one.content === undefined) return one;
  const media = mapped(one.content as Json, (described, type) => {
    const { schema, example: first } = described as { schema: Json; example?: unknown };
    const shown = first ?? example ?? (isFile(schema) ? FILES[type] : undefined);
    return { schema: modern(schema, type), ...examplesOf(shown) };
  });
  return { ...one, content: media };
}

/** Importers of mock servers read `examples` only. */
function examplesOf(value: unknown): Json {
  return value === undefined ? {} : { examples: { recorded: { summary: "As docdouble answered", value } } };
}

/** How files of these types begin. */
const FILES: Readonly<Record<string, string>> = {
  "application/pdf": "%PDF-1.7",
  "application/*": "%PDF-1.7",
  "application/zip": "PK\u0003\u0004",
  "application/vnd.openxmlformats-officedocument.wordprocessingml.document": "PK\u0003\u0004",
};

function isFile({ format }: Json): boolean {
  return format === "binary";
}

/** A schema of OpenAPI 3.0 in the words of JSON Schema 2020-12. */
export function modern(schema: Json, media = "application/octet-stream"): Json {
  const { nullable, format, exclusiveMinimum, exclusiveMaximum, ...rest } = schema;
  const { description, type, minimum, maximum } = rest;
  if (nullable === true && String(description ?? "").endsWith(ALWAYS_NULL)) return { type: "null", description };
  const one: Json = { ...rest };
  if (isFile(schema)) one.contentMediaType = media;
  else if (format !== undefined) one.format = format;
  if (nullable === true) one.type = [type, "null"];
  bound(one, "minimum", minimum, "exclusiveMinimum", exclusiveMinimum);
  bound(one, "maximum", maximum, "exclusiveMaximum", exclusiveMaximum);
  for (const name of ["anyOf", "oneOf", "allOf"])
    if (Array.isArray(one[name])) one[name] = (one[name] as Json[]).map((each) => modern(each));
  for (const name of ["items", "additionalProperties"]) if (typeof one[name] === "object") one[name] = modern(one[name] as Json);
  if (one.properties !== undefined) one.properties = mapped(one.properties as Json, (each) => modern(each as Json));
  return one;
}

/** OpenAPI 3.0 marks a bound as exclusive. JSON Schema has another bound. */
function bound(schema: Json, name: string, value: unknown, exclusive: string, mark: unknown): void {
  if (mark === undefined || mark === false) return;
  if (mark === true) delete schema[name];
  schema[exclusive] = mark === true ? value : mark;
}

const DATA_OF = (about: string) => `${about}EventData`;

function eventSchemas(): Json {
  const kinds = new Map(Object.values(payloads).map(({ about, data }) => [about, data]));
  return Object.fromEntries(
    [...kinds].map(([about, data]) => {
      const described = { operationId: "webhook", group: about === "Template" ? "Templates" : "Documents", route: "" };
      const schema = withDescriptions(described, "answer", toJsonSchema(data, "output"));
      return [DATA_OF(about), modern({ title: DATA_OF(about), ...schema })];
    }),
  );
}

function webhook(event: EventName, example: unknown): Json {
  const { about, does } = payloads[event];
  const name = event.replace(/(?:^|_)(\w)/g, (_, first: string) => first.toUpperCase());
  return {
    operationId: `on${name}`,
    summary: toSummary(event.replaceAll("_", " ")),
    description: `${does} A delivery can hold several events, also others that the subscription takes.`,
    tags: ["Webhook events"],
    security: [],
    parameters: [
      {
        name: "signature",
        in: "query",
        description: "The HMAC-SHA256 of the raw body with the shared key of the subscription, in lower-case hexadecimal.",
        required: true,
        schema: { type: "string", pattern: "^[0-9a-f]{64}$" },
      },
      {
        name: "x-pandadoc-webhook-event-id",
        in: "header",
        description: "The id of the delivery.",
        required: true,
        schema: { type: "string" },
      },
    ],
    requestBody: {
      required: true,
      content: {
        "application/json": {
          schema: {
            type: "array",
            minItems: 1,
            title: `${name}Delivery`,
            items: {
              type: "object",
              title: `${name}Event`,
              required: ["event", "data"],
              properties: {
                event: { const: event, description: "The name of the event." },
                data: { $ref: `#/components/schemas/${DATA_OF(about)}` },
              },
              additionalProperties: false,
            },
          },
          ...examplesOf(example),
        },
      },
    },
    responses: {
      "200": { description: "Received" },
      "410": { description: "Ends the subscription" },
      default: { description: "Failed. The service tries again." },
    },
  };
}

function mapped(all: Json, change: (one: unknown, name: string) => unknown): Json {
  return Object.fromEntries(Object.entries(all).map(([name, one]) => [name, change(one, name)]));
}
