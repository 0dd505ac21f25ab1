/** `npm run tenants -- 5000` plays tenants in one server and prints their time and memory. It fails when a tenant sees foreign data. */
import { createSandbox } from "../src/library/sandbox.ts";
import { crowd } from "./crowd.ts";

const many = Number(process.argv[2] ?? 5000);
const MEASURED = 1000;

/** Memory of live objects in MiB. */
function heap(): number {
  for (let i = 0; i < 3; i++) globalThis.gc?.();
  return process.memoryUsage().heapUsed / 2 ** 20;
}

async function fresh(tenants: number): Promise<{ ms: number; mib: number }> {
  await using sandbox = await createSandbox({ seed: 7, clock: "frozen" });
  const call = (key: string) => sandbox.fetch("/public/v1/templates?count=1", { headers: { authorization: `API-Key ${key}` } });
  await call("test-first");
  const [before, start] = [heap(), performance.now()];
  for (let i = 0; i < tenants; i++) await call(`test-${i}`);
  const ms = performance.now() - start;
  return { ms: ms / tenants, mib: heap() - before };
}

const { ms, mib } = await fresh(MEASURED);
const said = globalThis.gc ? "" : " (run with --expose-gc for a true figure)";
process.stdout.write(
  `${MEASURED} fresh tenants: ${ms.toFixed(2)} ms each with its first call, ${mib.toFixed(0)} MiB above one${said}\n`,
);

await using sandbox = await createSandbox({ seed: 7, clock: "frozen", tenantsMax: many + 1 });
const start = performance.now();
const { calls, crosstalk } = await crowd(sandbox, many);
const seconds = (performance.now() - start) / 1000;
process.stdout.write(
  `${many} tenants, ${calls} calls in turns, ${seconds.toFixed(0)} s, ${heap().toFixed(0)} MiB of heap: ${
    crosstalk.length === 0 ? "no cross-talk" : `${crosstalk.length} findings\n${crosstalk.slice(0, 20).join("\n")}`
  }\n`,
);
process.exitCode = crosstalk.length === 0 ? 0 : 1;
