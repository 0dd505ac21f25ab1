import { own } from "../core/maps.ts";
import { parseLeniently } from "../core/text.ts";
import type { JournalEntry } from "../journal/journal.ts";
import type { RequestContext } from "../rules/rules.ts";
import type { DeliveryRow } from "../jobs/rows.ts";
import { jsonPath } from "./json-path.ts";

/** What a condition may ask about the subject of a call or a delivery. */
export interface SubjectContext {
  row: RequestContext | undefined;
  /** The attributes of input that creates a subject. */
  ofInput(input: object): RequestContext;
}

/** @param json returns the body, for callers that have parsed it */
export function entryContext(
  entry: JournalEntry,
  tenant: string,
  subject: SubjectContext,
  json = bodyReader(entry),
): RequestContext {
  const input = () => (entry.parts ? jsonPath(json(), "$.data") : json());
  const plain: Readonly<Record<string, unknown>> = {
    operation: entry.operationId,
    method: entry.method,
    path: entry.path.includes("//") ? entry.path.replace(/\/{2,}/g, "/") : entry.path,
    status: entry.status,
    tenant,
    tool: entry.tool,
    key: entry.caller?.key,
    subject: entry.subject,
  };
  return (name) => {
    if (Object.hasOwn(plain, name)) return plain[name];
    const dot = name.indexOf(".");
    const rest = name.slice(dot + 1);
    switch (name.slice(0, dot)) {
      case "query":
        return own(entry.query, rest);
      case "headers":
        return own(entry.headers, rest);
      case "body":
        return jsonPath(json(), rest);
      case "subject":
        if (rest === "status" && entry.subjectStatus !== undefined) return entry.subjectStatus;
        return (subject.row ?? subject.ofInput(objectOf(input())))(rest);
      default:
        return undefined;
    }
  };
}

function objectOf(value: unknown): object {
  return typeof value === "object" && value !== null ? value : {};
}

/** Reads the body once: as JSON, or the members of a form. */
function bodyReader({ body, headers }: JournalEntry): () => unknown {
  const isForm = headers["content-type"]?.toLowerCase().startsWith("application/x-www-form-urlencoded");
  let read: { value: unknown } | undefined;
  return () => {
    read ??= { value: isForm ? Object.fromEntries(new URLSearchParams(body)) : parseLeniently(body) };
    return read.value;
  };
}

export function deliveryContext(
  delivery: DeliveryRow,
  phase: string,
  attempt: number,
  subject: RequestContext | undefined,
): RequestContext {
  return (name) => {
    if (name.startsWith("subject.")) return subject?.(name.slice("subject.".length));
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
