import { FORGERIES } from "../../engine/jobs/delivery-types.ts";
import type { AssumeFile, RuleFile, ScenarioFile, WebhookRuleFile } from "../../library/file-types.ts";
import type { CallFault, RecipientFault, WebhookFault } from "./fault-records.ts";
import type { FaultPlace } from "./report.ts";

export type Patch = Pick<ScenarioFile, "rules" | "webhooks" | "actors" | "instead" | "assume">;

export interface Fault extends FaultPlace {
  patch: Patch;
  /** In ms. Shrinking tries shorter ones. */
  wait?: number;
  withWait?: (wait: number) => Fault;
}

export type NewAnswerFault = "new_status" | "new_member" | "null_member" | "stale_read";
export type AnswerFault = Exclude<CallFault, "slow_processing" | "processing_failed" | "other_reading" | NewAnswerFault>;

const gateway = (status: number, title: string) => ({
  status,
  headers: { "content-type": "text/html" },
  body: `<html><head><title>${status} ${title}</title></head><body><h1>${status} ${title}</h1></body></html>`,
});

const seconds = (ms: number) => (ms % 60_000 === 0 ? `${ms / 60_000}m` : `${Math.ceil(ms / 1000)}s`);

const HELD_MS = 30_000;

/** Real milliseconds for which the faults hold answers back. */
export function answerDelayOf(faults: readonly Pick<FaultPlace, "fault">[]): number {
  return HELD_MS * faults.filter(({ fault }) => fault === "slow").length;
}

const EFFECTS: Readonly<
  Record<AnswerFault, { wait?: number; then: (wait: number, detail: string | undefined) => RuleFile["then"] }>
> = {
  reset_before: { then: () => ({ network: "reset" }) },
  reset_after: { then: () => ({ network: "reset", phase: "after" }) },
  throttled: { wait: 5000, then: (wait) => ({ error: "throttled", retry_after: seconds(wait), undeclared: true }) },
  // The text says it, because a rule for the send of a draft answers as `not_ready_after_draft` does.
  conflict: {
    then: (_, detail) => ({ error: "conflict", ...(detail === undefined ? {} : { detail }), undeclared: true }),
  },
  not_ready_after_draft: { then: () => ({ error: "conflict", undeclared: true }) },
  locked: { wait: 5000, then: (wait) => ({ error: "locked", lock: { expires_in: seconds(wait) }, undeclared: true }) },
  gateway_error: { then: () => ({ respond: gateway(502, "Bad Gateway"), undeclared: true }) },
  gateway_timeout: { then: () => ({ respond: gateway(504, "Gateway Time-out"), phase: "after", undeclared: true }) },
  unauthorized: { then: () => ({ error: "unauthorized", lasting: true }) },
  not_found: { then: () => ({ error: "not_found", lasting: true, undeclared: true }) },
  slow: { then: () => ({ delay: seconds(HELD_MS), phase: "after" }) },
  truncated: { then: () => ({ network: "truncate" }) },
  pdf_not_ready: {
    wait: 5000,
    then: (wait) => ({
      respond: { status: 202, headers: { "retry-after": String(Math.ceil(wait / 1000)) } },
      undeclared: true,
    }),
  },
};

/** `detail` is the text of a conflict. Without it, the service chooses the text. */
export function callFault(
  fault: AnswerFault,
  operation: string,
  nth: number,
  { wait = EFFECTS[fault].wait, detail }: { wait?: number | undefined; detail?: string | undefined } = {},
): Fault {
  const rule: RuleFile = {
    name: `${fault} at ${operation} ${nth}`,
    when: { operation, call: { nth } },
    // Later rules count the call too.
    then: { ...EFFECTS[fault].then(wait ?? 0, detail), times: 1, fallthrough: true },
  };
  return {
    ...{ fault, operation, nth, patch: { rules: [rule] } },
    ...(wait === undefined
      ? {}
      : { wait, withWait: (other: number) => callFault(fault, operation, nth, { wait: other, detail }) }),
  };
}

/** No client knows them. */
export const UNKNOWN_STATUS = "document.under_review";
export const NEW_MEMBER = "risk_summary";

function newAnswer(fault: NewAnswerFault, operation: string, nth: number, then: RuleFile["then"]): Fault {
  const rule: RuleFile = {
    name: `${fault} at ${operation} ${nth}`,
    when: { operation, call: { nth } },
    then: { ...then, times: 1, fallthrough: true },
  };
  return { fault, operation, nth, patch: { rules: [rule] } };
}

/** Steps add members of the whole answer, because these fit every answer of the operation. */
export function answerPatch(
  fault: "new_status" | "new_member" | "null_member",
  operation: string,
  nth: number,
  patch: { op: "add"; path: string; value: unknown }[],
): Fault {
  return newAnswer(fault, operation, nth, { patch });
}

export function staleRead(operation: string, nth: number, ago_ms: number): Fault {
  return newAnswer("stale_read", operation, nth, { stale: `${ago_ms}ms` });
}

const SLOW_PROCESSING_MS = 10_000;

export function slowProcessing(operation: string, nth: number, wait = SLOW_PROCESSING_MS): Fault {
  const rule: RuleFile = {
    name: `slow_processing at ${operation} ${nth}`,
    when: { operation, call: { nth } },
    then: { processing: seconds(wait), times: 1, fallthrough: true },
  };
  const withWait = (other: number) => slowProcessing(operation, nth, other);
  return { fault: "slow_processing", operation, nth, patch: { rules: [rule] }, wait, withWait };
}

export function processingFailed(operation: string, nth: number, document: Record<string, string>): Fault {
  const name = `processing_failed at ${operation} ${nth}`;
  const patch: Patch = { actors: [{ name, on: "document.uploaded", document, steps: [{ after: "1s", do: "fail" }] }] };
  return { fault: "processing_failed", operation, nth, patch };
}

export function otherReading(operation: string, nth: number, id: string, reading: string | number): Fault {
  const assume = { [id]: reading } as AssumeFile;
  return { fault: "other_reading", operation, nth, reading: `${id}=${reading}`, patch: { assume } };
}

const LATE_MS = 600_000;

function webhookThen(fault: WebhookFault, wait: number): WebhookRuleFile["then"] {
  switch (fault) {
    case "webhook_duplicate":
      return { duplicate: 1 };
    case "webhook_forged":
      // The true event follows, as a forger does not stop it.
      return { copy_ahead: [...FORGERIES], delay: seconds(wait) };
    case "webhook_respelled":
      return { respell: true };
    case "webhook_lost":
      return { drop: true };
    default:
      return { delay: seconds(wait) };
  }
}

export function webhookFault(
  fault: WebhookFault,
  event: string,
  nth: number,
  options: { wait?: number; after?: { event: string; status: string | null } } = {},
): Fault {
  const { wait = LATE_MS, after } = options;
  const then: WebhookRuleFile["then"] = after
    ? { after_event: { event: after.event, ...(after.status === null ? {} : { status: after.status }) } as never }
    : webhookThen(fault, wait);
  const rule: WebhookRuleFile = {
    name: `${fault} at ${event} ${nth}`,
    when: { event: event as never, nth },
    then: { ...then, times: 1, fallthrough: true },
  };
  const hasWait = !after && (fault === "webhook_late" || fault === "webhook_forged" || fault === "webhook_reordered");
  return {
    ...{ fault, operation: event, nth, patch: { webhooks: [rule] } },
    ...(hasWait ? { wait, withWait: (other: number) => webhookFault(fault, event, nth, { wait: other }) } : {}),
  };
}

/** `webhook_forged` with a valid signature. It shows what the client does on a true event at that time. */
export function withValidSignature(fault: Fault): Fault {
  const webhooks = (fault.patch.webhooks ?? []).map((rule) => ({
    ...rule,
    then: { ...rule.then, copy_ahead: "valid" as const },
  }));
  return { ...fault, patch: { ...fault.patch, webhooks } };
}

const INSTEAD: Readonly<Record<RecipientFault, object>> = {
  recipient_declines: { do: "decline", with: { reason: "The terms do not suit us." } },
  recipient_never_acts: { do: "nothing" },
  recipient_forwards: {
    do: "forward",
    with: { to: { email: "sam.deputy+sign.after=1h@client.example", first_name: "Sam", last_name: "Deputy", reassign: true } },
  },
  document_expires: { do: "expire" },
};

export function recipientFault(fault: RecipientFault, role: string, nth: number): Fault {
  const recipient = role.includes("@") ? { email: role } : { role };
  return { fault, operation: role, nth, patch: { instead: [{ recipient, ...INSTEAD[fault] } as never] } };
}

export function joined(faults: readonly Fault[]): Patch {
  const whole: Patch = {};
  for (const { patch } of faults) {
    if (patch.rules) whole.rules = [...(whole.rules ?? []), ...patch.rules];
    if (patch.webhooks) whole.webhooks = [...(whole.webhooks ?? []), ...patch.webhooks];
    if (patch.instead) whole.instead = [...(whole.instead ?? []), ...patch.instead];
    if (patch.actors) whole.actors = [...(whole.actors ?? []), ...patch.actors];
    if (patch.assume) whole.assume = { ...whole.assume, ...patch.assume };
  }
  return whole;
}

export function placeOf({ fault, operation, nth, reading }: FaultPlace): FaultPlace {
  return { fault, operation, nth, ...(reading === undefined ? {} : { reading }) };
}

export function placeText({ fault, operation, nth, reading }: FaultPlace): string {
  return `${fault} at ${operation} ${nth}${reading === undefined ? "" : ` (${reading})`}`;
}
