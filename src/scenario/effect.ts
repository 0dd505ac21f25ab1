/** What the parts of a scenario do, compiled: to requests, to deliveries, by actors and by timers. */
import type { Act, ActInput } from "../domain/signing/acts.ts";
import type { Matcher } from "../engine/rules.ts";
import type { Signing } from "../engine/rows.ts";

export const ERROR_KINDS = ["locked", "conflict", "throttled", "not_found", "forbidden", "unauthorized", "invalid"] as const;
export type InjectedError = (typeof ERROR_KINDS)[number];

export const NETWORK_FAULTS = ["reset", "empty", "garbage", "hang", "truncate", "slow"] as const;
export type NetworkFault = (typeof NETWORK_FAULTS)[number];

/** The status of each injected error. */
export const STATUS_OF_ERROR = {
  locked: 423,
  conflict: 409,
  throttled: 429,
  not_found: 404,
  forbidden: 403,
  unauthorized: 401,
  invalid: 400,
} as const satisfies Record<InjectedError, number>;

export interface Effect {
  /** The service's own body of this refusal. */
  error?: InjectedError;
  detail?: string;
  /** Seconds, for throttled. */
  retry_after_s?: number;
  lock?: { by?: string; expires_in_ms?: number };
  /** Any answer, word for word. */
  respond?: { status: number; headers: Record<string, string>; body: unknown };
  network?: NetworkFault;
  /** `after`: the operation is carried out and its answer is lost or replaced. */
  phase: "before" | "after";
  /** Real milliseconds before the answer, or a range drawn from the seed. */
  delay_ms?: { min: number; max: number };
  rate_limit?: { limit: number; window_ms: number };
}

/** Answer delays are real time and never longer than this, so that a frozen clock hangs no request. */
export const DELAY_MS_MAX = 30_000;

/** What a webhook rule does: `plan` effects before the first attempt, `perform` effects at each. */
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

/** What happens by itself. */
export interface TimerSpec {
  name: string;
  /** Milliseconds after loading, or an instant. */
  at: { after_ms: number } | { instant: number };
  every_ms: number | undefined;
  /** Which documents it acts on. */
  document: Readonly<Record<string, Matcher>>;
  do: Act;
  with: ActInput;
}

/** How many: all that are given must hold. */
export interface Count {
  times?: number;
  at_least?: number;
  at_most?: number;
}

/** What must be true at the end. */
export interface Expectations {
  requests: ({ when: Readonly<Record<string, Matcher>>; order: number | undefined; text: string } & Count)[];
  documents: ({
    document: Readonly<Record<string, Matcher>>;
    status: string | undefined;
    path: string[] | undefined;
    text: string;
  } & Count)[];
  deliveries: ({
    match: Readonly<Record<string, Matcher>>;
    acknowledged: boolean | undefined;
    attempts: number | undefined;
    text: string;
  } & Count)[];
  emails: ({ match: Readonly<Record<string, Matcher>>; text: string } & Count)[];
  rules_used: { except: string[] } | undefined;
  unmatched: boolean;
  contract: boolean;
}

/** What an actor does and when. */
export interface Actor {
  name: string;
  source: string;
  /** Names of events or statuses that start it. */
  on: string[];
  /** What the document must be; facts without the `document.` prefix. */
  document: Readonly<Record<string, Matcher>>;
  /** Who acts: matched by role, e-mail or id. Undefined: whose turn it is. */
  recipient: Readonly<Record<string, Matcher>> | undefined;
  steps: { after_ms: number; do: Act; with: ActInput }[];
}
