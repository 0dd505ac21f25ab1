/** Makes faults from a seed: rules that refuse, lose, cut and delay answers, slow conversions, and webhooks out of order. */
import { Ids } from "../../src/engine/core/ids.ts";
import type { ScenarioFile } from "../../src/library/file-types.ts";

export interface Order {
  /** The client writes this key into the document's metadata, and finds the document by it. */
  key: string;
  rename: boolean;
  download: boolean;
  remove: boolean;
}

export interface Plan {
  seed: number;
  /** The client makes a mistake: it repeats a create without looking for the document first. */
  isHasty: boolean;
  orders: Order[];
  /** Number of deliveries that the receiver fails before it accepts them. */
  receiverFails: number;
  scenario: ScenarioFile;
}

const OPERATIONS = [
  "createDocument",
  "statusDocument",
  "detailsDocument",
  "updateDocument",
  "sendDocument",
  "listDocuments",
  "downloadDocument",
  "deleteDocument",
  "*Document",
  "*",
];
const STATUSES = [500, 502, 503, 504];
const BODIES = ["<h1>Bad gateway</h1>", { type: "server_error", detail: "Try again." }, undefined];
/** Quick network faults. A hanging answer takes `PATIENCE_MS` of real time and a slow one takes a second, so both are rare. */
const NETWORKS = ["reset", "reset", "empty", "empty", "garbage", "truncate", "truncate"] as const;

type Rule = NonNullable<ScenarioFile["rules"]>[number];
type Webhook = NonNullable<ScenarioFile["webhooks"]>[number];

export function planOf(seed: number): Plan {
  const chance = new Ids(`faults/${seed}`);
  const dice = (sides: number) => chance.between(1, sides);
  const pick = <T>(from: readonly T[]): T => from[chance.between(0, from.length - 1)] as T;
  const is = (oneIn: number) => dice(oneIn) === 1;

  const effect = (): Rule["then"] => {
    const kind = dice(10);
    if (kind <= 3) {
      const error = pick(["locked", "conflict", "throttled"] as const);
      return {
        error,
        undeclared: true,
        ...(error === "throttled" ? { retry_after: `${dice(20)}s` } : {}),
        ...(error === "locked" ? { lock: { expires_in: `${dice(60)}s` } } : {}),
      };
    }
    if (kind <= 5) return { respond: { status: pick(STATUSES), body: pick(BODIES) }, undeclared: true };
    if (kind <= 8) return { network: is(25) ? "hang" : is(40) ? "slow" : pick(NETWORKS) };
    return kind === 9 ? { rate_limit: { limit: dice(3), window: `${5 * dice(12)}s` } } : { delay: `${dice(5)}ms` };
  };
  const call = () =>
    pick([
      {},
      {},
      { call: { nth: dice(4) } },
      { call: { first: dice(3) } },
      { call: { from: dice(4) } },
      { call: { every: 1 + dice(3), per: pick(["rule", "document", "key"] as const) } },
    ]);
  const rule = (name: string): Rule => ({
    name,
    when: { operation: pick(OPERATIONS), ...call() },
    then: {
      ...effect(),
      phase: is(2) ? "after" : "before",
      times: dice(3),
      ...(is(3) ? { fallthrough: true } : {}),
    },
  });
  const webhook = (name: string): Webhook => ({
    name,
    when: pick([{}, { event: "document_state_changed" as const }, { event: "recipient_completed" as const }, { nth: dice(3) }]),
    then: pick<Webhook["then"]>([
      { duplicate: dice(3) },
      { delay: `${dice(120)}s` },
      { after_event: "recipient_completed" },
      { batch: { window: `${dice(60)}s`, max: 1 + dice(5) } },
      { signature: pick(["invalid", "missing", "old_key"] as const), times: dice(3) },
      { attempt_result: pick(["timeout", "refused", 500, 503] as const), times: dice(3) },
      { retries: ["5s", "1m", "10m", "30m"] },
    ]),
  });
  const many = <T>(count: number, make: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));
  const act = pick(["sign", "sign", "sign", "decline", "view", undefined] as const);
  return {
    seed,
    isHasty: is(4),
    orders: many(dice(3), (i) => ({ key: `order-${i + 1}`, rename: is(2), download: is(3), remove: is(5) })),
    receiverFails: is(3) ? dice(3) : 0,
    scenario: {
      version: 1,
      name: `faults-${seed}`,
      transitions: {
        "document.processing": is(12)
          ? { fail: { after: "3s" } }
          : pick(["immediate" as const, { time: `${dice(90)}s` }, { time: "4s" }, { polls: dice(3) }]),
        "document.pdf": is(2) ? "immediate" : { time: `${dice(60)}s` },
      },
      rules: many(dice(6), (i) => rule(`fault-${i + 1}`)),
      webhooks: many(chance.between(0, 3), (i) => webhook(`webhook-${i + 1}`)),
      actors: act === undefined ? [] : [{ name: "client", on: "document.sent", steps: [{ after: `${dice(48)}h`, do: act }] }],
    },
  };
}
