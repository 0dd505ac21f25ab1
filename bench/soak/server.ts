/** The server of a soak, with default settings. It sends its figures to the parent process on request. Needs `--expose-gc`. */
import { monitorEventLoopDelay } from "node:perf_hooks";
import { createSandbox, hostOf } from "../../src/library/sandbox.ts";

export interface Figures {
  /** Bytes of live objects, after a garbage collection. */
  heap: number;
  /** All memory of the process, in bytes. */
  rss: number;
  /** Delays of the event loop in ms since the last request for figures: the longest one, and the 99th percentile. */
  late_ms: number;
  lateP99_ms: number;
  tenants: number;
  handles: number;
  listeners: number;
}

const options = JSON.parse(process.argv[2] ?? "{}") as { tenantsMax: number };
const sandbox = await createSandbox({ port: 0, seed: 7, ...options });
const host = hostOf(sandbox);
const delay = monitorEventLoopDelay({ resolution: 5 });
delay.enable();

process.on("message", (message) => {
  if (message !== "figures") return;
  const figures: Figures = {
    heap: 0,
    rss: 0,
    late_ms: delay.max / 1e6,
    lateP99_ms: delay.percentile(99) / 1e6,
    tenants: 0,
    handles: 0,
    listeners: 0,
  };
  for (let i = 0; i < 3; i++) globalThis.gc?.();
  ({ heapUsed: figures.heap, rss: figures.rss } = process.memoryUsage());
  figures.tenants = [...host.tenants()].length;
  figures.handles = process.getActiveResourcesInfo().filter((name) => name === "TCPSocketWrap").length;
  figures.listeners = [...host.tenants()].filter((tenant) => tenant.eventStream.isListening).length;
  // Garbage collection delays the event loop too. The next figures must not count that.
  setTimeout(() => delay.reset(), 20);
  process.send?.(figures);
});
process.on("disconnect", () => process.exit(0));
process.send?.({ url: sandbox.url });
