/** Runs inside the process of a server (`node --import`), and sends its figures to the parent process every ten seconds. */
import { monitorEventLoopDelay, PerformanceObserver } from "node:perf_hooks";

const EVERY_MS = 10_000;
/** Heap after the last full garbage collection, in bytes. */
let live = 0;
const FULL_COLLECTION = 4;
new PerformanceObserver((list) => {
  if (list.getEntries().some(({ detail }) => detail.kind === FULL_COLLECTION)) live = process.memoryUsage().heapUsed;
}).observe({ entryTypes: ["gc"] });

const delay = monitorEventLoopDelay({ resolution: 10 });
delay.enable();

function counts() {
  const found = {};
  for (const name of process.getActiveResourcesInfo()) found[name] = (found[name] ?? 0) + 1;
  return found;
}

const timer = setInterval(() => {
  const { rss, heapUsed, external, arrayBuffers } = process.memoryUsage();
  const { user, system } = process.cpuUsage();
  const late = { late_ms: delay.max / 1e6, lateP99_ms: delay.percentile(99) / 1e6 };
  delay.reset();
  if (process.connected)
    process.send({ rss, heap: heapUsed, live, external, arrayBuffers, ...late, cpu_s: (user + system) / 1e6, handles: counts() });
}, EVERY_MS);
timer.unref();
process.on("message", () => {
  globalThis.gc();
  process.send({ collected: process.memoryUsage().heapUsed });
});
process.channel?.unref();
