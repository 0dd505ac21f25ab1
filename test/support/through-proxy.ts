/** A double that plays the real service, and the proxy of `compare` in front of it, over sockets. */
import { readFileSync } from "node:fs";
import { onTestFinished } from "vitest";
import { CassetteWriter } from "../../src/tools/compare/cassette-writer.ts";
import { Comparison } from "../../src/tools/compare/comparison.ts";
import { type DoubleOptions, DoubleSide } from "../../src/tools/compare/double-side.ts";
import { CompareProxy } from "../../src/tools/compare/proxy.ts";
import { createSandbox } from "../../src/library/sandbox.ts";
import type { FixturesFile } from "../../src/library/file-types.ts";
import type { Sandbox, SandboxOptions } from "../../src/library/types.ts";
import { NORA } from "./people.ts";
import { type Calls, callsOver, NOW } from "./world.ts";

/** The built-in workspace with a key that the double does not know. */
const BUILT_IN = JSON.parse(readFileSync("fixtures/default.json", "utf8")) as FixturesFile;
export const REAL_KEY = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b";

export interface ThroughProxy extends Calls {
  readonly real: Sandbox;
  readonly double: DoubleSide;
  readonly url: string;
  readonly apiKey: string;
  readonly comparison: Comparison;
  /** Ends the proxy after it has compared each call. */
  close(): Promise<void>;
}

export async function throughProxy(options: {
  real?: SandboxOptions;
  double?: DoubleOptions;
  /** Another URL than that of the double that plays the real service. */
  realUrl?: string;
  record?: string;
}): Promise<ThroughProxy> {
  const bugs: unknown[] = [];
  const onError = (error: unknown) => void bugs.push(error);
  const real = await createSandbox({
    port: 0,
    seed: "the real service",
    clock: "frozen",
    now: NOW,
    fixtures: { ...BUILT_IN, api_keys: [{ key: REAL_KEY, member: NORA.email, kind: "production" }] },
    onBug: onError,
    ...options.real,
  });
  const double = await DoubleSide.start({ seed: 7, now: NOW, ...options.double });
  const realUrl = options.realUrl ?? real.url;
  const realKey = real.apiKey;
  const comparison = new Comparison({ double, realUrl, seesWebhooks: true });
  const proxy = await CompareProxy.start({ realUrl, realKey, double, comparison, onError });
  proxy.recorder =
    options.record === undefined
      ? undefined
      : await CassetteWriter.start({
          file: options.record,
          realUrl,
          keys: [realKey],
          ...(options.double && { double: options.double }),
        });
  let closing: Promise<void> | undefined;
  const close = () => {
    closing ??= proxy.close().then(() => proxy.recorder?.close());
    return closing;
  };
  onTestFinished(async () => {
    await close();
    await Promise.all([real.close(), double.close()]);
    if (bugs.length > 0) throw bugs[0];
  });
  return {
    // The admin API of the real side needs the real key, because the proxy does not replace it there.
    ...callsOver((path, init) =>
      fetch(
        proxy.url + path,
        path.startsWith("/__admin") ? withKey(init, realKey) : withClientKey(init, double.apiKey, proxy.apiKey),
      ),
    ),
    ...{ real, double, comparison, close },
    url: proxy.url,
    apiKey: proxy.apiKey,
  };
}

function withKey(init: RequestInit, key: string): RequestInit {
  return { ...init, headers: { ...(init.headers as Record<string, string>), authorization: `API-Key ${key}` } };
}

/** A call of a test names the key of the double unless it chooses another. */
function withClientKey(init: RequestInit, from: string, to: string): RequestInit {
  const headers = { ...(init.headers as Record<string, string>) };
  for (const [name, value] of Object.entries(headers)) headers[name] = value.replace(from, to);
  return { ...init, headers };
}
