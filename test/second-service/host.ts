/** A running double of the parcels API, for a test or for a client. */
import { onTestFinished } from "vitest";
import { partsOf } from "../../src/library/any-service.ts";
import { createHost } from "../../src/library/create-host.ts";
import type { HostOptions, ServiceHost } from "../../src/library/host.ts";
import { service } from "./parcels.ts";

// #region host
export const parts = partsOf(service);

export function startParcels(options: HostOptions = {}): Promise<ServiceHost> {
  return createHost(parts, { clock: "frozen", now: "2026-03-02T09:00:00Z", seed: 1, strict: true, ...options });
}
// #endregion

export interface Answer {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests read bodies of every shape
  body: any;
  why: string | null;
}

export type Ask = (method: string, path: string, body?: unknown, key?: string) => Promise<Answer>;

/** A double that ends with the test, and how to call it. */
export async function testParcels(options: HostOptions = {}): Promise<{ host: ServiceHost; ask: Ask }> {
  const host = await startParcels(options);
  onTestFinished(() => host.close());
  return { host, ask: askOf(host) };
}

export function askOf(host: Pick<ServiceHost, "fetch" | "apiKey">): Ask {
  return async (method, path, body, key = host.apiKey) => {
    const answer = await host.fetch(path, {
      method,
      headers: { authorization: `API-Key ${key}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    return {
      status: answer.status,
      body: text.startsWith("{") ? JSON.parse(text) : text,
      why: answer.headers.get("x-docdouble-why"),
    };
  };
}
