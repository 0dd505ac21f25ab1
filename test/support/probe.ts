/** A double that plays the real service over a socket. A probe of it moves the double's clock instead of waiting. */
import { onTestFinished } from "vitest";
import { Forwarder } from "../../src/tools/compare/forward.ts";
import { Pacing } from "../../src/tools/probe/pacing.ts";
import { probe, type ProbeOptions, type ProbeReport } from "../../src/tools/probe/probe.ts";
import { createSandbox, hostOf } from "../../src/library/sandbox.ts";
import type { Sandbox, SandboxOptions } from "../../src/library/types.ts";
import { NOW, SANDBOX_KEY } from "./world.ts";

export interface RealSide {
  readonly sandbox: Sandbox;
  /** The things in the account that a probe could leave behind. */
  holdings(): object;
}

export async function realSide(options: SandboxOptions = {}): Promise<RealSide> {
  const bugs: unknown[] = [];
  const sandbox = await createSandbox({
    port: 0,
    seed: "the real service",
    clock: "frozen",
    now: NOW,
    strict: true,
    onBug: (error) => bugs.push(error),
    scenario: {
      version: 1,
      // No delivery may leave the machine.
      webhooks: [{ name: "nobody listens", then: { attempt_result: 500 } }],
    },
    ...options,
  });
  onTestFinished(async () => {
    await sandbox.close();
    if (bugs.length > 0) throw bugs[0];
  });
  const { store } = hostOf(sandbox).defaultTenant;
  return {
    sandbox,
    holdings: () => ({
      documents: store.documents.all().filter((one) => one.internal.deleted_at === null).length,
      contacts: store.contacts.all().length,
      subscriptions: store.subscriptions.all().length,
      templates: store.templates.all().filter((one) => one.internal.deleted_at === null).length,
    }),
  };
}

interface Probed {
  report: ProbeReport;
  /** The time of each call. */
  at: number[];
  waits: string[];
}

export async function probeOf(
  { sandbox }: RealSide,
  options: Partial<ProbeOptions> & { perMinute?: number } = {},
): Promise<Probed> {
  const { perMinute = 9, ...rest } = options;
  const url = options.url ?? sandbox.url;
  const forwarder = new Forwarder(new URL(url));
  onTestFinished(() => forwarder.close());
  const at: number[] = [];
  const waits: string[] = [];
  const clock = { now: () => sandbox.clock.now(), wait: async (ms: number) => void (await sandbox.clock.advance(ms)) };
  const report = await probe({
    url,
    key: SANDBOX_KEY,
    pacing: new Pacing(clock, perMinute),
    run: "test",
    onWait: (line) => void waits.push(line),
    ...rest,
    carry: (request) => {
      at.push(clock.now());
      return options.carry ? options.carry(request) : forwarder.send(request);
    },
  });
  return { report, at, waits };
}
