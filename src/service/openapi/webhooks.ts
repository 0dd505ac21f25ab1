/** The webhooks of the description: what the service sends for each event. */
import type { EventName } from "../nouns/documents/status-machine.ts";
import { EVENTS } from "../nouns/documents/status-machine.ts";
import { payloads } from "../nouns/webhooks/payloads.ts";
import { examplesOf } from "./examples.ts";
import { type Json, titled, toJsonSchema } from "./json-schemas.ts";
import { withDescriptions } from "./member-descriptions.ts";

export function webhooksOf(examples: Readonly<Record<string, unknown>>): Json {
  return Object.fromEntries(EVENTS.map((event) => [event, { post: webhook(event, examples[event]) }]));
}

const DATA_OF = (about: string) => `${about}EventData`;

export function eventSchemas(): Json {
  const kinds = new Map(Object.values(payloads).map(({ about, data }) => [about, data]));
  return Object.fromEntries(
    [...kinds].map(([about, data]) => {
      const described = { operationId: "webhook", group: about === "Template" ? "Templates" : "Documents", route: "" };
      return [DATA_OF(about), titled(DATA_OF(about), withDescriptions(described, "answer", toJsonSchema(data, "output")))];
    }),
  );
}

function webhook(event: EventName, example: unknown): Json {
  const { about, does } = payloads[event];
  const name = event.replace(/(?:^|_)(\w)/g, (_, first: string) => first.toUpperCase());
  return {
    operationId: `on${name}`,
    summary: event.replaceAll("_", " ").replace(/^./, (first) => first.toUpperCase()),
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
      content: { "application/json": { schema: deliverySchema(event, name, about), ...examplesOf(example) } },
    },
    responses: {
      "200": { description: "Received" },
      "410": { description: "Ends the subscription" },
      default: { description: "Failed. The service tries again." },
    },
  };
}

function deliverySchema(event: EventName, name: string, about: string): Json {
  return {
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
  };
}
