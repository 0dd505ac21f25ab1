/** The compiled parts of a scenario: effects on requests and deliveries, actors, timers, expectations. */
import { STATUS_OF } from "../core/errors.ts";
import type { CountLimits } from "../core/count-limits.ts";
import type { Act } from "../domain/signing/act-table.ts";
import type { ActInput } from "../domain/signing/inputs.ts";
import type { Matcher } from "../engine/rules.ts";
import type { Signing } from "../engine/rows.ts";

export const ERROR_KINDS = ["locked", "conflict", "throttled", "not_found", "forbidden", "unauthorized", "invalid"] as const;
export type InjectedError = (typeof ERROR_KINDS)[number];

export const NETWORK_FAULTS = ["reset", "empty", "garbage", "hang", "truncate", "slow"] as const;
export type NetworkFault = (typeof NETWORK_FAULTS)[number];

export function statusOf(error: InjectedError): (typeof STATUS_OF)[keyof typeof STATUS_OF] {
  return STATUS_OF[error === "unauthorized" ? "unauthenticated" : error];
}

export interface Effect {
  /** Answers with the service's own body for this error. */
  error?: InjectedError;
  detail?: string;
  /** Seconds, for `throttled`. */
  retry_after_s?: number;
  lock?: { by?: string; expires_in_ms?: number };
  /** Answers with this status, headers and body unchanged. */
  respond?: { status: number; headers: Record<string, string>; body: unknown };
  network?: NetworkFault;
  /** `after`: the operation runs, and its answer is lost or replaced. */
  phase: "before" | "after";
  /** Wall milliseconds before the answer, or a range drawn from the seed. */
  delay_ms?: { min: number; max: number };
  rate_limit?: { limit: number; window_ms: number };
}

/** The longest answer delay. Delays are wall time, so that a frozen clock hangs no request. */
export const DELAY_MS_MAX = 30_000;

/** The effects of a webhook rule: `plan` acts before the first attempt, `perform` at each attempt. */
export interface DeliveryEffect {
  drop?: boolean;
  delay_ms?: number;
  copies?: number;
  held_for?: { event: string; status: string | null };
  batch?: { window_ms: number; max: number };
  retries_ms?: readonly number[];
  signed?: Signing;
  result?: "timeout" | "refused" | number;
}

export interface TimerSpec {
  name: string;
  /** Milliseconds after loading, or an instant. */
  at: { after_ms: number } | { instant: number };
  every_ms: number | undefined;
  document: Readonly<Record<string, Matcher>>;
  do: Act;
  with: ActInput;
}

export interface Expectations {
  requests: ({ when: Readonly<Record<string, Matcher>>; order: number | undefined; text: string } & CountLimits)[];
  documents: ({
    document: Readonly<Record<string, Matcher>>;
    status: string | undefined;
    path: string[] | undefined;
    text: string;
  } & CountLimits)[];
  deliveries: ({
    match: Readonly<Record<string, Matcher>>;
    acknowledged: boolean | undefined;
    attempts: number | undefined;
    text: string;
  } & CountLimits)[];
  emails: ({ match: Readonly<Record<string, Matcher>>; text: string } & CountLimits)[];
  rules_used: { except: string[] } | undefined;
  unmatched: boolean;
  contract: boolean;
}

/** A simulated recipient: when it acts, and how. */
export interface Actor {
  name: string;
  source: string;
  on: string[];
  /** Conditions on the document; attribute names without the `document.` prefix. */
  document: Readonly<Record<string, Matcher>>;
  /** Selects the recipient by role, e-mail or id. Undefined: the recipient whose turn it is. */
  recipient: Readonly<Record<string, Matcher>> | undefined;
  steps: { after_ms: number; do: Act; with: ActInput }[];
}
