/** Two doubles side by side: one plays the real service, and the comparison checks the other. It uses no socket and no wall clock. */
import { onTestFinished } from "vitest";
import { Comparison } from "../../src/tools/compare/comparison.ts";
import { DoubleSide, type DoubleOptions } from "../../src/tools/compare/double-side.ts";
import type { CallAnswer, CallRequest } from "../../src/tools/compare/exchange.ts";
import { createSandbox, hostOf } from "../../src/library/sandbox.ts";
import type { Sandbox, SandboxOptions } from "../../src/library/types.ts";
import { type Calls, callsOver, NOW } from "./world.ts";

export interface TwoSides extends Calls {
  readonly real: Sandbox;
  readonly double: DoubleSide;
  readonly comparison: Comparison;
  /** Milliseconds since the start of the story, as the comparison sees them. */
  at_ms: number;
  /** The calls of the story, as a cassette contains them. */
  readonly calls: { request: CallRequest; answer: CallAnswer }[];
  /** Closes both sides. The end of the test does so too. */
  close(): Promise<void>;
}

export interface TwoSidesOptions {
  real?: SandboxOptions;
  double?: DoubleOptions;
  /** Shows the webhooks of the real side to the comparison. */
  seesWebhooks?: boolean;
  /** Changes each answer of the real side before the comparison reads it. */
  noise?: (answer: CallAnswer, request: CallRequest) => CallAnswer;
}

export async function twoSides({
  real: realOptions = {},
  double: doubleOptions = {},
  seesWebhooks = false,
  noise,
}: TwoSidesOptions = {}): Promise<TwoSides> {
  const bugs: unknown[] = [];
  const onBug = (error: unknown) => void bugs.push(error);
  const real = await createSandbox({
    seed: "the real service",
    clock: "frozen",
    now: NOW,
    publicUrl: "https://api.service.test",
    onBug,
    ...realOptions,
  });
  const double = await DoubleSide.start({ seed: 7, now: NOW, ...doubleOptions });
  const comparison = new Comparison({ double, realUrl: "https://api.service.test", seesWebhooks });
  const started = real.clock.now();
  const webhooks: { body: string; at_ms: number; id: string }[] = [];
  if (seesWebhooks)
    hostOf(real).defaultTenant.eventStream.listen((event) => {
      if (event?.type === "delivery")
        webhooks.push({ body: event.delivery.body, at_ms: real.clock.now() - started, id: event.delivery.event_id });
    });
  const close = closeAtEnd({ real, double }, bugs);
  const carry = async (path: string, init: RequestInit): Promise<Response> => {
    const asked = new Request(new URL(path, "https://api.service.test"), init);
    const request: CallRequest = {
      method: asked.method,
      target: path,
      headers: Object.fromEntries(asked.headers),
      body: Buffer.from(await asked.arrayBuffer()),
    };
    const hasBody = request.body.length > 0;
    const sent = { method: request.method, headers: request.headers, ...(hasBody ? { body: new Uint8Array(request.body) } : {}) };
    const response = await real.fetch(path, sent);
    await real.clock.settle();
    const plain: CallAnswer = {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      body: Buffer.from(await response.arrayBuffer()),
    };
    const isAdmin = path.startsWith("/__admin");
    const answer = isAdmin ? plain : (noise?.(plain, request) ?? plain);
    if (isAdmin) await comparison.steer(request, plain, sides.at_ms);
    else {
      sides.calls.push({ request, answer });
      await comparison.call(request, answer, sides.at_ms);
    }
    for (const { body, at_ms, id } of webhooks.splice(0)) await comparison.event(Buffer.from(body), at_ms, id);
    return toResponse(answer);
  };
  const sides: TwoSides = { ...callsOver(carry), real, double, comparison, at_ms: 0, calls: [], close };
  return sides;
}

/** Drops both sides after they are closed, so that a test of a thousand walks does not keep their worlds. */
function closeAtEnd(sides: { real: Sandbox; double: DoubleSide }, bugs: readonly unknown[]): () => Promise<void> {
  let open: typeof sides | undefined = sides;
  const close = async () => {
    const closing = open;
    open = undefined;
    await Promise.all([closing?.real.close(), closing?.double.close()]);
    if (bugs.length > 0) throw bugs[0];
  };
  onTestFinished(close);
  return close;
}

function toResponse({ status, headers, body }: CallAnswer): Response {
  return new Response(body.length === 0 ? null : new Uint8Array(body), { status, headers });
}
