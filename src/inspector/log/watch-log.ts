import { isoMillis, systemClock } from "../../engine/core/clock.ts";
import { lintClient } from "../lint/client-lint.ts";
import { redactText } from "../../engine/journal/redact.ts";
import type { TenantEvent } from "../../engine/runtime/tenants/event-stream.ts";
import type { Tenant } from "../../service/service.ts";
import { type LogEvent, toLogEvent } from "./log-event.ts";

/** The lint reads the whole journal, so it waits for a pause in the calls of this many wall milliseconds. */
const QUIET_MS = 300;
const WAITING_MAX = 1000;

/**
 * Calls `run` with each log event in order, and with undefined at the tenant's end. An event follows the call that caused it. `holds` keeps
 * the tenant from eviction. Returns a function that ends the watch after the events so far.
 */
export function watchLog(
  tenant: Tenant,
  run: (event: LogEvent | undefined) => void,
  { holds }: { holds: boolean } = { holds: false },
): () => void {
  let waiting: (() => LogEvent | undefined)[] = [];
  let isScheduled = false;
  let cancelLint = (): void => {};
  const known = new Set<string>();
  const flush = () => {
    isScheduled = false;
    const ready = waiting;
    waiting = [];
    for (const convert of ready) {
      const event = convert();
      if (event) run(event);
    }
  };
  let isLintDue = false;
  const lint = () => {
    flush();
    try {
      if (isLintDue) for (const event of newFindings(tenant, known)) run(event);
    } catch (error) {
      tenant.eventStream.report(error);
    }
    isLintDue = false;
  };
  const push = (event: TenantEvent) => {
    const at = tenant.clock.now();
    // A delivery's next attempt may run before the call ends, so this reads its time at once.
    const ready = event.type === "exchange" ? undefined : toLogEvent(tenant, event, at);
    waiting.push(event.type === "exchange" ? () => toLogEvent(tenant, event, at) : () => ready);
    if (event.type === "reset") known.clear();
    if (event.type === "exchange" || event.type === "delivery") {
      isLintDue = true;
      cancelLint();
      cancelLint = systemClock.after(QUIET_MS, lint);
    }
    if (waiting.length >= WAITING_MAX) flush();
    else if (!isScheduled) {
      isScheduled = true;
      void systemClock.soon().then(flush);
    }
  };
  const hear = (event: TenantEvent | undefined) => {
    if (event) return push(event);
    stop();
    run(undefined);
  };
  const forget = holds ? tenant.eventStream.listen(hear) : tenant.eventStream.observe(hear);
  const stop = () => {
    forget();
    cancelLint();
    lint();
  };
  return stop;
}

/** Returns the findings that `known` lacks, and adds them. Findings that differ only in numbers count as one. */
export function newFindings(tenant: Tenant, known: Set<string>): LogEvent[] {
  const base = { at: isoMillis(tenant.clock.now()), tenant: tenant.id, type: "lint" as const };
  return lintClient(tenant).flatMap((finding) => {
    const key = `${finding.kind} ${finding.message.replace(/\d+/g, "#")}`;
    if (known.has(key)) return [];
    known.add(key);
    const { kind, message, fix, docs, place } = finding;
    return [{ ...base, kind, message: redactText(message), fix, docs, place }];
  });
}
