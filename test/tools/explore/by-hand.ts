/** Recordings written by hand, for tests of what explore concludes from them. */
import { service } from "../../../src/service/service.ts";
import type { CallItem, Item, Post, Recording } from "../../../src/tools/explore/recording.ts";
import type { FaultPlace } from "../../../src/tools/explore/report.ts";

export type Row = Recording["documents"][number];

export const place = (fault: FaultPlace["fault"], operation: string, nth = 1): FaultPlace => ({ fault, operation, nth });

export function row(id: string, status = "document.draft", more: { name?: string; deleted?: boolean } = {}): Row {
  const { name = "Offer", deleted = false } = more;
  return { id, name, status, origin: "T", metadata: {}, isDeleted: deleted };
}

export interface Wanted {
  operation: string;
  at?: number;
  nth?: number;
  status?: number;
  own?: number | undefined;
  method?: string;
  document?: string;
  body?: string;
  answer?: string;
  retryAfter?: number;
  took_ms?: number;
  rule?: string;
  networkFault?: string;
  cause?: Post;
  type?: string;
}

export function call(wanted: Wanted): CallItem {
  const { operation, at = 0, nth = 1, status = 200, method = "POST", document, body = "", answer = "{}", cause } = wanted;
  const {
    own = "own" in wanted ? undefined : status,
    retryAfter,
    took_ms = 0,
    rule,
    networkFault,
    type = "application/json",
  } = wanted;
  const url = `/public/v1/${operation}/${document ?? ""}`;
  const entry = {
    ...{ operationId: operation, method, url, path: url, body, subject: document, status, own, took_ms, at },
    ...{ rule, injected: rule !== undefined, networkFault, responseBody: answer },
    responseHeaders: { "content-type": type, ...(retryAfter === undefined ? {} : { "retry-after": String(retryAfter) }) },
  } as unknown as CallItem["entry"];
  return { kind: "call", at, wall: at, entry, operation, nth, document, creates: own === 201, cause, site: undefined };
}

export function post(status: number | null, more: Partial<Post> = {}): Post {
  return {
    ...{ kind: "post", at: 0, event: "document_state_changed", status: "document.completed", document: "d1" },
    ...{ eventId: "e1", signed: "valid", nth: 1, result: { status, error: null }, ...more },
  } as Post;
}

export function recording(items: Item[], documents: Row[] = [], end: Recording["end"] = { kind: "returned" }): Recording {
  return {
    ...{ run: 0, began: 0, ended: 0, end, items, lost: [], waits: [], documents, unmet: [], broken: undefined },
    made: new Set(documents.map(({ id }) => id)),
    hasMovedInSilence: false,
    declaresSleeps: false,
    service,
  };
}
