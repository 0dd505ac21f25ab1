import { parseLeniently } from "../core/text.ts";
import type { JournalEntry } from "../journal/journal.ts";
import type { RequestContext } from "../rules/rules.ts";
import type { DeliveryRow } from "../jobs/rows.ts";
import { jsonPath } from "./json-path.ts";
import type { DocumentRow } from "../../service/model/documents/document.ts";

const METADATA = "metadata.";

export function documentContext(document: DocumentRow): RequestContext {
  return (name) => {
    if (name.startsWith(METADATA)) return document.metadata[name.slice(METADATA.length)];
    switch (name) {
      case "as":
        return document.internal.alias ?? undefined;
      case "id":
        return document.id;
      case "name":
        return document.name;
      case "status":
        return document.status;
      case "tag":
        return document.tags;
      case "template":
        return document.template ? [document.template.id, document.template.name] : undefined;
      default:
        return undefined;
    }
  };
}

export function requestContext(body: unknown): RequestContext {
  const input = (typeof body === "object" && body !== null ? body : {}) as Record<string, unknown>;
  return (name) => {
    if (name.startsWith(METADATA))
      return (input.metadata as Record<string, unknown> | null | undefined)?.[name.slice(METADATA.length)];
    if (name === "name") return input.name;
    if (name === "tag") return input.tags;
    if (name === "template") return input.template_uuid;
    return undefined;
  };
}

/** @param json returns the body, for callers that have parsed it */
export function entryContext(
  entry: JournalEntry,
  tenant: string,
  document: DocumentRow | undefined,
  json = lazyJson(entry.body),
): RequestContext {
  const input = () => (entry.parts ? jsonPath(json(), "$.data") : json());
  const plain: Readonly<Record<string, unknown>> = {
    operation: entry.operationId,
    method: entry.method,
    path: entry.path.includes("//") ? entry.path.replace(/\/{2,}/g, "/") : entry.path,
    status: entry.status,
    tenant,
    key: entry.caller?.key,
    document: entry.subject,
  };
  return (name) => {
    if (Object.hasOwn(plain, name)) return plain[name];
    const dot = name.indexOf(".");
    const rest = name.slice(dot + 1);
    switch (name.slice(0, dot)) {
      case "query":
        return entry.query[rest];
      case "headers":
        return entry.headers[rest];
      case "body":
        return jsonPath(json(), rest);
      case "document":
        if (rest === "status" && entry.subjectStatus !== undefined) return entry.subjectStatus;
        return (document ? documentContext(document) : requestContext(input()))(rest);
      default:
        return undefined;
    }
  };
}

function lazyJson(text: string): () => unknown {
  let parsed: { value: unknown } | undefined;
  return () => {
    parsed ??= { value: parseLeniently(text) };
    return parsed.value;
  };
}

export function deliveryContext(
  delivery: DeliveryRow,
  phase: string,
  attempt: number,
  document: DocumentRow | undefined,
): RequestContext {
  return (name) => {
    if (name.startsWith("document.")) return document && documentContext(document)(name.slice("document.".length));
    switch (name) {
      case "phase":
        return phase;
      case "delivery":
        return delivery.id;
      case "attempt":
        return attempt;
      case "event":
        return delivery.event;
      case "status":
        return delivery.status;
      case "state":
        return delivery.state;
      case "subscription":
        return [delivery.subscriber, delivery.subscriber_name, delivery.url];
      default:
        return undefined;
    }
  };
}
