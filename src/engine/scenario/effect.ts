import { STATUS_OF } from "../core/errors.ts";
import type { CountLimits } from "../core/count-limits.ts";
import type { PatchStep } from "../core/json-patch.ts";
import type { Matcher } from "../rules/rules.ts";
import type { Signing } from "../jobs/rows.ts";

export const ERROR_KINDS = ["locked", "conflict", "throttled", "not_found", "forbidden", "unauthorized", "invalid"] as const;
export type InjectedError = (typeof ERROR_KINDS)[number];

export const NETWORK_FAULTS = ["reset", "empty", "garbage", "hang", "truncate", "slow"] as const;
export type NetworkFault = (typeof NETWORK_FAULTS)[number];

export function statusOf(error: InjectedError): (typeof STATUS_OF)[keyof typeof STATUS_OF] {
  return STATUS_OF[error === "unauthorized" ? "unauthenticated" : error];
}

export interface Effect {
  error?: InjectedError;
  detail?: string;
  retry_after_s?: number;
  lock?: { by?: string; expires_in_ms?: number };
  lasting?: boolean;
  respond?: { status: number; headers: Record<string, string>; body: unknown };
  network?: NetworkFault;
  /** `after`: the operation runs, then its answer is lost or replaced. */
  phase: "before" | "after";
  /** Milliseconds of wall time. */
  delay_ms?: { min: number; max: number };
  rate_limit?: { limit: number; window_ms: number };
  /** Milliseconds on the tenant's clock. */
  processing_ms?: number;
  /** Changes the operation's own successful answer. */
  patch?: readonly PatchStep[];
  /** A read answers as the world was this long ago. Milliseconds on the tenant's clock. */
  stale_ms?: number;
  hold?: Hold;
}

/** The call waits until the `nth` call of one of these operations has arrived, counted since the rule was added. */
export interface Hold {
  operations: readonly string[];
  nth: number;
  /** Real milliseconds where the clock is real. Elsewhere also milliseconds on the tenant's clock. */
  at_most_ms: number;
}

export interface TurnEffect {
  do: string;
  with: ActInput;
  after_ms: number;
}

/** Delays are wall time, so that a frozen clock stops no call. */
export const DELAY_MS_MAX = 30_000;
export const HOLD_MS = 5000;
/** The store keeps no writes of a longer time. */
export const STALE_MS_MAX = 3_600_000;

/** `plan` acts before the first attempt, `perform` at each attempt. */
export interface DeliveryEffect {
  drop?: boolean;
  delay_ms?: number;
  copies?: number;
  /** Sends copies with these signatures ahead of the delivery. */
  copies_ahead?: readonly Signing[];
  /** Writes the JSON of the body in another way. */
  respell?: boolean;
  held_for?: { event: string; status: string | null };
  batch?: { window_ms: number; max: number };
  retries_ms?: readonly number[];
  signed?: Signing;
  result?: "timeout" | "refused" | number;
}

export interface TimerSpec {
  name: string;
  at: { after_ms: number } | { instant: number };
  every_ms: number | undefined;
  subject: Readonly<Record<string, Matcher>>;
  do: string;
  with: ActInput;
}

export interface Expectations {
  requests: ({ when: Readonly<Record<string, Matcher>>; order: number | undefined; text: string } & CountLimits)[];
  /** Calls that agents made with tools. */
  tools: ({ when: Readonly<Record<string, Matcher>>; text: string } & CountLimits)[];
  subjects: ({
    subject: Readonly<Record<string, Matcher>>;
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
  messages: ({ match: Readonly<Record<string, Matcher>>; text: string } & CountLimits)[];
  rules_used: { except: string[] } | undefined;
  unmatched: boolean;
  contract: boolean;
  contract_without: readonly string[];
  client: ClientExpectations;
}

/** Symptoms of clients that do not wait. They need real time. */
export const IMPATIENCES = ["ignored_retry_after", "polls_too_fast"] as const;
export type Impatience = (typeof IMPATIENCES)[number];

export interface ClientExpectations {
  ends_within?: number | undefined;
  /** The command exits with 0. */
  succeeds?: true | undefined;
  truthful?: true | undefined;
  without?: readonly Impatience[] | undefined;
}

export interface Actor {
  name: string;
  source: string;
  on: string[];
  /** Attribute names have no `subject.` prefix. */
  subject: Readonly<Record<string, Matcher>>;
  /** Undefined selects the participant whose turn it is. */
  participant: Readonly<Record<string, Matcher>> | undefined;
  steps: { after_ms: number; do: string; with: ActInput }[];
}

export interface Substitute {
  of: readonly string[];
  subject: Readonly<Record<string, Matcher>>;
  participant: Readonly<Record<string, Matcher>>;
  do: string;
  with: ActInput;
}

/** The input of an act, as the service declares it. */
export type ActInput = Readonly<Record<string, unknown>>;
