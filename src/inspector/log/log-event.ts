/**
 * The events of a tenant as the console shows them: flat, with names beside ids, and without secrets. `took_ms` counts on the tenant's
 * clock for a call, and on the wall clock for a delivery.
 */
import { isoMillis } from "../../engine/core/clock.ts";
import { documents, type Tenant } from "../../service/service.ts";
import type { JournalEntry } from "../../engine/journal/journal.ts";
import { DELIVER_JOB } from "../../engine/jobs/outbox.ts";
import { shownUrl, shownWhy } from "../../engine/journal/redacted-call.ts";
import { redactText } from "../../engine/journal/redact.ts";
import type { DeliveryRow } from "../../engine/jobs/rows.ts";
import type { LintPlace } from "../lint/finding.ts";
import type { TenantEvent } from "../../engine/runtime/tenants/event-stream.ts";

export interface Named {
  id: string;
  name: string;
}

interface Base {
  at: string;
  tenant: string;
}

export interface CallEvent extends Base {
  type: "call";
  method: string;
  url: string;
  status: number | null;
  took_ms: number;
  operationId?: string;
  /** The tool of an agent that made the call. */
  tool?: string;
  rule?: string;
  why?: string;
  about?: Named[];
}

export interface DeliveryEvent extends Base {
  type: "delivery";
  subscription: string;
  event: string;
  url: string;
  document?: Named;
  document_status?: string;
  attempt: number;
  status: number | null;
  reason?: string;
  took_ms: number;
  state: DeliveryRow["state"];
  /** Present when the signature is wrong on purpose. */
  signed?: string;
  /** Milliseconds from this attempt to the next. */
  retry_ms?: number;
}

export interface ActEvent extends Base {
  type: "act";
  act: string;
  by: string;
  reason?: string;
  document: Named;
}

export interface StatusEvent extends Base {
  type: "status";
  status: string;
  /** Why the document is in error. */
  reason?: string;
  document: Named;
}

export interface JobEvent extends Base {
  type: "job";
  kind: string;
  name?: string;
  act?: string;
  document?: Named;
  refused?: string;
}

export interface ClockEvent extends Base {
  type: "clock";
  mode: string;
  speed: number;
  moved_ms?: number;
  /** Where the move ends, in ISO 8601. Then `at` is its start, and the events that it causes follow. */
  to?: string;
}

export interface ResetEvent extends Base {
  type: "reset";
}

export interface LintEvent extends Base {
  type: "lint";
  kind: string;
  message: string;
  fix: string;
  docs: string;
  place: LintPlace;
}

export type LogEvent = CallEvent | DeliveryEvent | ActEvent | StatusEvent | JobEvent | ClockEvent | ResetEvent | LintEvent;

/**
 * Undefined for events that the log leaves out: calls to pages, and jobs that another line shows.
 * `at` is the instant of the event, epoch ms.
 */
export function toLogEvent(tenant: Tenant, event: TenantEvent, at: number = tenant.clock.now()): LogEvent | undefined {
  const base = { at: isoMillis(at), tenant: tenant.id };
  switch (event.type) {
    case "exchange":
      return toCall(tenant, event.entry);
    case "delivery":
      return toDeliveryEvent(tenant, event.delivery);
    case "status": {
      const { status, subject } = event;
      const reason = documents.whyInError(tenant.world, subject);
      return { ...base, type: "status", status, ...reason, document: documentName(tenant, subject) };
    }
    case "act": {
      const { acts, subjects } = tenant.service;
      const told = acts.told(subjects.find(tenant.world, event.subject), event.act);
      if (told === undefined) return undefined;
      const { reason } = event.act;
      return {
        ...base,
        type: "act",
        act: told.did,
        by: told.by,
        document: documentName(tenant, event.subject),
        ...(reason === null ? {} : { reason }),
      };
    }
    case "job":
      return toJobEvent(tenant, event, base);
    case "advance": {
      const { mode, speed } = event.clock;
      // The move comes before what it causes. Without a known end, the event of the end comes last.
      return event.to === undefined || event.to === event.from
        ? undefined
        : {
            ...{ ...base, at: isoMillis(event.from), type: "clock", mode, speed },
            ...{ moved_ms: event.to - event.from, to: isoMillis(event.to) },
          };
    }
    case "clock": {
      const { mode, speed } = event.clock;
      if (event.from !== undefined && event.to !== undefined && event.to !== event.from && at >= event.to) return undefined;
      return { ...base, type: "clock", mode, speed, ...(event.from === undefined ? {} : { moved_ms: at - event.from }) };
    }
    case "reset":
      return { ...base, type: "reset" };
  }
}

function toCall(tenant: Tenant, entry: JournalEntry): CallEvent {
  const { at, method, operationId, tool, rule, status, took_ms } = entry;
  const why = shownWhy(entry);
  const about = rowsNamedIn(tenant, entry);
  return {
    at: isoMillis(at),
    tenant: tenant.id,
    type: "call",
    method,
    url: shownUrl(entry),
    status: status ?? null,
    took_ms,
    ...(operationId === undefined ? {} : { operationId }),
    ...(tool === undefined ? {} : { tool }),
    ...(rule === undefined ? {} : { rule }),
    ...(why === undefined ? {} : { why }),
    ...(about.length === 0 ? {} : { about }),
  };
}

const ID_LENGTH_MIN = 16;

export function rowsNamedIn(tenant: Tenant, { path, status, injected, responseBody }: JournalEntry): Named[] {
  const ids = path.split("/").filter((part) => part.length >= ID_LENGTH_MIN);
  if (status === 201 && !injected) ids.push(...(/^\{"(?:uu)?id":"([^"]+)"/.exec(responseBody)?.slice(1) ?? []));
  return ids.flatMap((id) => {
    const name = nameOf(tenant, id);
    return name === undefined ? [] : [{ id, name }];
  });
}

/** The name of a row in lists and the log. */
export function nameOf({ service, world }: Tenant, id: string): string | undefined {
  return service.nameOf(world, id);
}

function documentName(tenant: Tenant, id: string): Named {
  return { id, name: nameOf(tenant, id) ?? id };
}

function toDeliveryEvent(tenant: Tenant, row: DeliveryRow): DeliveryEvent | undefined {
  const attempt = row.attempts.at(-1);
  if (!attempt) return undefined;
  const { event, url, subject, state } = row;
  const [next] = state === "pending" ? tenant.scheduler.findWhere(DELIVER_JOB, { delivery: row.id }) : [];
  return {
    at: isoMillis(attempt.at),
    tenant: tenant.id,
    type: "delivery",
    subscription: row.subscriber,
    event,
    url: redactText(url),
    ...(subject === "" ? {} : { document: documentName(tenant, subject) }),
    ...(row.status === null ? {} : { document_status: row.status }),
    attempt: row.attempts.length,
    status: attempt.status,
    ...(attempt.reason === null ? {} : { reason: attempt.reason }),
    took_ms: attempt.duration_ms,
    state,
    ...(attempt.signed === "valid" ? {} : { signed: attempt.signed }),
    ...(next ? { retry_ms: next.due - attempt.at } : {}),
  };
}

function toJobEvent(
  tenant: Tenant,
  { run: { kind, payload }, refused }: TenantEvent & { type: "job" },
  base: Base,
): JobEvent | undefined {
  if (kind === DELIVER_JOB) return undefined;
  const text = (name: string) => (typeof payload[name] === "string" ? (payload[name] as string) : undefined);
  const [id, name, act] = [text("document"), text("actor") ?? text("name"), text("act")];
  return {
    ...base,
    type: "job",
    kind,
    ...(name === undefined ? {} : { name }),
    ...(act === undefined ? {} : { act }),
    ...(id === undefined ? {} : { document: documentName(tenant, id) }),
    ...(refused === undefined ? {} : { refused }),
  };
}
