/** Shared by the helpers of all test runners: a sandbox per test file, and verdicts that show the nearest miss. */
import { operationIds } from "./api/index.ts";
import { type CountLimits, isWithin, limitWords, orAtLeastOne } from "./core/count-limits.ts";
import { noSuch } from "./core/text.ts";
import { EVENTS } from "./domain/document-model/status-machine.ts";
import { PAGE_IDS } from "./http/page-call.ts";
import { createSandbox } from "./sandbox.ts";
import type { EventName, OperationId, PageName } from "./scenario/file-types.ts";
import type { Delivery, DeliveryState, Sandbox, SandboxOptions } from "./types.ts";
import type { RequestPattern } from "./admin/wiremock/pattern-types.ts";

export interface Hooks {
  before(run: () => Promise<void>): void;
  afterEach(run: () => Promise<void>): void;
  after(run: () => Promise<void>): void;
}

/** Starts a sandbox on a free port before the tests of the file, resets it after each, and closes it at the end. */
export function sandboxOfFile(options: SandboxOptions, hooks: Hooks): Sandbox {
  let sandbox: Sandbox | undefined;
  hooks.before(async () => {
    sandbox = await createSandbox({ port: 0, ...options });
  });
  hooks.afterEach(async () => {
    await sandbox?.reset();
  });
  hooks.after(async () => {
    await sandbox?.close();
  });
  return new Proxy({} as Sandbox, {
    get(_, name) {
      if (!sandbox) throw new Error("The sandbox starts before the first test. Use it inside a test or a hook.");
      const value: unknown = Reflect.get(sandbox, name);
      return typeof value === "function" ? value.bind(sandbox) : value;
    },
  });
}

export interface Times {
  times?: number;
  atLeast?: number;
  atMost?: number;
}

export interface Received extends Times, Omit<RequestPattern, "operationId"> {}

export interface Delivered extends Times {
  document_id?: string;
  /** The document's status in the event, such as `document.completed`. */
  status?: string;
  /** Default: at least one acknowledged delivery. */
  state?: DeliveryState;
}

/** The matchers of `expect(sandbox)` in vitest and Jest. */
export interface DocdoubleMatchers<R = unknown> {
  /** The sandbox received calls of an operation, by default at least one. */
  toHaveReceived(operationId: OperationId | PageName, expected?: Received): R;
  /** The sandbox delivered an event to a subscriber, by default at least once and acknowledged. */
  toHaveDelivered(event: EventName, expected?: Delivered): R;
}

export interface Verdict {
  pass: boolean;
  /** Names the expected and the actual count. */
  message(): string;
}

/** Compares the number of calls of an operation with the expected count, by default at least one. */
export function received(sandbox: Sandbox, operationId: OperationId | PageName, expected: Received = {}): Verdict {
  requireOneOf(operationId, [...operationIds(), ...PAGE_IDS], "operation");
  const { times, atLeast, atMost, ...pattern } = expected;
  const limits = orAtLeastOne({ times, atLeast, atMost });
  const full: RequestPattern = { ...pattern, operationId };
  const count = sandbox.journal.count(full);
  const pass = isWithin(count, limits);
  return {
    pass,
    message: () =>
      pass
        ? `expected not to find ${countText(limits, "call")} of ${operationId}, found ${count}`
        : `expected ${countText(limits, "call")} of ${operationId}, found ${count} among ${sandbox.journal.all().length}${nearestMiss(sandbox, full)}`,
  };
}

/** An unknown name never matches, so a test for its absence would prove nothing. @throws TypeError */
function requireOneOf(name: string, names: readonly string[], what: string): void {
  if (!names.includes(name)) throw new TypeError(noSuch(what, name, names));
}

function nearestMiss(sandbox: Sandbox, pattern: RequestPattern): string {
  const near = sandbox.journal.nearest(pattern);
  if (!near) return ": the sandbox received no calls";
  if (near.differences.length === 0) return "";
  const { method, url, status, why } = near.exchange;
  const lines = near.differences.map(
    ({ criterion, expected, actual }) => `  ${criterion}: expected ${JSON.stringify(expected)}, was ${JSON.stringify(actual)}`,
  );
  return `\nThe nearest call was ${method} ${url} → ${status ?? "no answer"}${why ? ` (${why})` : ""}:\n${lines.join("\n")}`;
}

/** Compares the number of deliveries of an event with the expected count, by default at least one acknowledged. */
export function delivered(sandbox: Sandbox, event: EventName, expected: Delivered = {}): Verdict {
  requireOneOf(event, EVENTS, "event");
  const { document_id, status, state = "delivered", times, atLeast, atMost, ...others } = expected;
  for (const name of Object.keys(others))
    requireOneOf(name, ["document_id", "status", "state", "times", "atLeast", "atMost"], "condition");
  const limits = orAtLeastOne({ times, atLeast, atMost });
  const all = sandbox.webhooks.deliveries();
  const count = all.filter(
    (row) =>
      row.event === event &&
      row.state === state &&
      (document_id === undefined || row.subject === document_id) &&
      (status === undefined || row.status === status),
  ).length;
  const pass = isWithin(count, limits);
  const what = [status, state].filter((one) => one !== undefined).join(", ");
  const listing = all.length === 0 ? "; there were no deliveries" : `; there were:\n${all.map(lineOf).join("\n")}`;
  return {
    pass,
    message: () =>
      pass
        ? `expected not to find ${countText(limits, "delivery")} of ${event} (${what}), found ${count}`
        : `expected ${countText(limits, "delivery")} of ${event} (${what}), found ${count}${listing}`,
  };
}

function lineOf({ event, subject, status, url, state, attempts }: Delivery): string {
  return `  ${event}${status === null ? "" : ` (${status})`} of ${subject} to ${url}: ${state}, attempts ${attempts.map((one) => one.status ?? one.error).join(", ") || "none"}`;
}

function countText(limits: CountLimits, noun: string): string {
  const { times, atLeast, atMost } = limits;
  const isOne = (atMost ?? atLeast ?? times) === 1;
  return `${limitWords(limits)} ${isOne ? noun : noun.replace(/y$/, "ie").concat("s")}`;
}
