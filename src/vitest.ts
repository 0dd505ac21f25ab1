/** docdouble in vitest: a sandbox for a test file, and matchers that show the nearest miss. */
import { afterAll, afterEach, beforeAll, expect } from "vitest";
import type { RequestPattern } from "./control/journal-view.ts";
import type { EventName } from "./domain/document-machine.ts";
import { createSandbox, type Sandbox, type SandboxOptions } from "./sandbox.ts";

/**
 * Starts a sandbox before the tests of the file, resets it after each, and closes it at the end.
 * Without a `port` there is no socket: hand `sandbox.fetch` to the code under test.
 *
 * @example
 * const sandbox = useSandbox({ port: 0, clock: "frozen" });
 * test("sends the contract", async () => {
 *   await sendContract(sandbox.url, sandbox.apiKey);
 *   expect(sandbox).toHaveReceived("sendDocument", { times: 1 });
 * });
 */
export function useSandbox(options: SandboxOptions = {}): Sandbox {
  let sandbox: Sandbox | undefined;
  beforeAll(async () => {
    sandbox = await createSandbox(options);
  });
  afterEach(async () => {
    await sandbox?.reset();
  });
  afterAll(async () => {
    await sandbox?.close();
  });
  return new Proxy({} as Sandbox, {
    get(_, name) {
      if (!sandbox) throw new Error("the sandbox starts with the tests: use it inside of them");
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
  /** Default: one that was acknowledged. */
  state?: "pending" | "delivered" | "failed" | "dropped";
}

interface Matchers<R = unknown> {
  /** The sandbox was called with an operation, by default at least once. */
  toHaveReceived(operationId: string, expected?: Received): R;
  /** The sandbox told a subscriber of an event, by default at least once and acknowledged. */
  toHaveDelivered(event: EventName, expected?: Delivered): R;
}

declare module "vitest" {
  // biome-ignore lint/suspicious/noExplicitAny: vitest declares its matchers so
  interface Matchers<T = any> extends DocdoubleMatchers<T> {}
}

export type DocdoubleMatchers<R = unknown> = Matchers<R>;

function holds(count: number, { times, atLeast, atMost }: Times): boolean {
  const least = atLeast ?? (times === undefined && atMost === undefined ? 1 : 0);
  return (times === undefined || count === times) && count >= least && (atMost === undefined || count <= atMost);
}

function words({ times, atLeast, atMost }: Times): string {
  const said = [
    ...(times === undefined ? [] : [`exactly ${times}`]),
    ...(atLeast === undefined ? [] : [`at least ${atLeast}`]),
    ...(atMost === undefined ? [] : [`at most ${atMost}`]),
  ];
  return said.length > 0 ? said.join(" and ") : "at least 1";
}

expect.extend({
  toHaveReceived(sandbox: Sandbox, operationId: string, { times, atLeast, atMost, ...pattern }: Received = {}) {
    const counts: Times = {
      ...(times === undefined ? {} : { times }),
      ...(atLeast === undefined ? {} : { atLeast }),
      ...(atMost === undefined ? {} : { atMost }),
    };
    const full = { ...pattern, operationId } as RequestPattern;
    const count = sandbox.journal.count(full);
    const near = sandbox.journal.nearest(full);
    return {
      pass: holds(count, counts),
      message: () => {
        const differences =
          near?.differences.map(
            (one) => `  ${one.criterion}: expected ${JSON.stringify(one.expected)}, was ${JSON.stringify(one.actual)}`,
          ) ?? [];
        const miss =
          near && differences.length > 0
            ? `\nThe nearest call was ${near.exchange.method} ${near.exchange.url} → ${near.exchange.status ?? "no answer"}:\n${differences.join("\n")}`
            : "";
        return `expected ${words(counts)} calls of ${operationId}, found ${count} among ${sandbox.journal.all().length}${miss}`;
      },
    };
  },
  toHaveDelivered(sandbox: Sandbox, event: EventName, { document_id, state = "delivered", ...counts }: Delivered = {}) {
    const all = sandbox.webhooks.deliveries();
    const count = all.filter(
      (row) => row.event === event && row.state === state && (document_id === undefined || row.subject === document_id),
    ).length;
    return {
      pass: holds(count, counts),
      message: () => {
        const told = all.map(
          (row) =>
            `  ${row.event} of ${row.subject} to ${row.url}: ${row.state}, attempts ${row.attempts.map((one) => one.status ?? one.error).join(", ") || "none"}`,
        );
        return `expected ${words(counts)} deliveries of ${event} (${state}), found ${count}${told.length > 0 ? `; there were:\n${told.join("\n")}` : "; there were none at all"}`;
      },
    };
  },
});
