/** The timers, dates and random numbers of a client follow the sandbox. Code outside the client keeps its own. */
import { setTimeout as pause } from "node:timers/promises";
import axios from "axios";
import { expect, test } from "vitest";
import { explore } from "../../../src/index.ts";
import { within } from "../../support/patience.ts";

const one = { out: false as const, throwOnBreak: false, runs: 2 };

test("days of waiting take no real time, with each kind of timer", async () => {
  const began = performance.now();
  const seen: number[] = [];
  await explore(async (sandbox) => {
    const start = Date.now();
    expect(start).toBe(sandbox.clock.now());
    await pause(86_400_000);
    await new Promise((resolve) => setTimeout(resolve, 86_400_000));
    let beats = 0;
    await new Promise<void>((resolve) => {
      const beat = setInterval(() => {
        if (++beats < 3) return;
        clearInterval(beat);
        resolve();
      }, 3_600_000);
    });
    await expect(
      sandbox.fetch("/public/v1/contacts", { signal: AbortSignal.timeout(1) }).then(() => pause(5)),
    ).resolves.toBeUndefined();
    seen.push(Date.parse(new Date().toISOString()) - start, Math.random());
  }, one);
  expect(seen[0]).toBe(2 * 86_400_000 + 3 * 3_600_000 + 5);
  expect(seen.slice(0, 2)).toEqual(seen.slice(2));
  expect(performance.now() - began).toBeLessThan(within(5000));
  expect(Math.abs(new Date(Date.now()).getTime() - performance.timeOrigin - performance.now())).toBeLessThan(60_000);
});

test("fetch reaches the sandbox without a socket and axios through one, and a client that never ends is reported", async () => {
  const report = explore(async (sandbox) => {
    expect(
      (await fetch(`${sandbox.url}/public/v1/contacts`, { headers: { authorization: `API-Key ${sandbox.apiKey}` } })).status,
    ).toBe(200);
    const { status } = await axios.get(`${sandbox.url}/public/v1/contacts`, {
      headers: { authorization: `API-Key ${sandbox.apiKey}` },
    });
    expect(status).toBe(200);
    await new Promise(() => {});
  }, one);
  await expect(report).rejects.toThrow("The clean run does not end: it waits, and nothing more will happen.");
});
