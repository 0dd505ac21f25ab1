/** The webhooks of the description: what the service sends for each event. */
import type { EventName } from "../nouns/documents/status-machine.ts";
import { EVENTS } from "../nouns/documents/status-machine.ts";
import { libraryEvent } from "../nouns/library/items.ts";
import { templateEvent } from "../nouns/templates/templates.ts";
import { documentEvent } from "../nouns/webhooks/payloads.ts";
import type * as z from "zod";
import { examplesOf } from "./examples.ts";
import { type Json, titled, toJsonSchema } from "./json-schemas.ts";
import { withDescriptions } from "./member-descriptions.ts";

export interface EventPayload {
  /** What the event is about: a name for the schema of its data. */
  about: "Document" | "Template" | "ContentLibraryItem";
  /** When the service sends it. */
  does: string;
  data: () => z.ZodType;
}

const SENT: Readonly<Record<EventName, string>> = {
  recipient_completed: "A recipient completed their part of a document.",
  document_updated: "A document went back to draft, so that somebody can edit it.",
  document_deleted: "Somebody deleted a document.",
  document_state_changed: "A document has another status.",
  document_creation_failed: "The service could not process a new document.",
  document_completed_pdf_ready: "The file of a completed document is ready.",
  document_section_added: "A document has another section.",
  quote_updated: "Somebody changed a quote of a document.",
  template_created: "A template is ready.",
  template_updated: "Somebody changed a template.",
  template_deleted: "Somebody deleted a template.",
  content_library_item_created: "A content library item is ready.",
  content_library_item_creation_failed: "The service could not process a new content library item.",
  document_created: "A new document is ready.",
  document_completed: "A document is completed.",
};

export const payloads = Object.fromEntries(
  EVENTS.map((event): [EventName, EventPayload] => [
    event,
    {
      does: SENT[event],
      ...(event.startsWith("template_")
        ? { about: "Template", data: templateEvent }
        : event.startsWith("content_library_item_")
          ? { about: "ContentLibraryItem", data: libraryEvent }
          : { about: "Document", data: documentEvent }),
    },
  ]),
) as Readonly<Record<EventName, EventPayload>>;

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
