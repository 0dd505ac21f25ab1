/** What a rule does to a request it acts on. */

export const ERROR_KINDS = ["locked", "conflict", "throttled", "not_found", "forbidden", "unauthorized", "invalid"] as const;
export type InjectedError = (typeof ERROR_KINDS)[number];

export const NETWORK_FAULTS = ["reset", "empty", "hang", "truncate", "slow"] as const;
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

/** What an actor does and when. */
export interface Actor {
  name: string;
  source: string;
  /** Names of events or statuses that start it. */
  on: string[];
  /** What the document must be; facts without the `document.` prefix. */
  document: Readonly<Record<string, import("../engine/rules.ts").Matcher>>;
  /** Who acts: matched by role, e-mail or id. Undefined: whose turn it is. */
  recipient: Readonly<Record<string, import("../engine/rules.ts").Matcher>> | undefined;
  steps: { after_ms: number; do: import("../domain/signing.ts").Act; with: import("../domain/signing.ts").ActInput }[];
}
