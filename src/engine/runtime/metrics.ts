/**
 * Counters of a server for Prometheus, in its text form. A few lines replace a library, which would load at each start. Labels are bounded:
 * operations, statuses, events and outcomes. Tenants are summed.
 */
import type { Service } from "./service.ts";
import type { EngineWorld } from "./world.ts";
import { countBy } from "../core/maps.ts";

/** Seconds. Most answers take less than a millisecond. */
const BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
/** A rule can make any status, and events of a service are few. Beyond this number, one label joins the others. */
const SERIES_MAX = 2000;
const OTHER = "other";

/** What the text reads of a tenant. */
interface Measured {
  readonly service: Service;
  readonly world: EngineWorld;
  readonly scheduler: { readonly waiting: number };
}

type Labels = readonly (readonly [name: string, value: string])[];

class Counter {
  readonly #names: readonly [string, string];
  readonly #counts = new Map<string, { labels: Labels; count: number }>();

  constructor(...names: [string, string]) {
    this.#names = names;
  }

  add(...values: [string, string]): void {
    let key = values.join("\n");
    let one = this.#counts.get(key);
    if (!one && this.#counts.size >= SERIES_MAX) {
      values = [OTHER, OTHER];
      key = values.join("\n");
      one = this.#counts.get(key);
    }
    if (one) one.count++;
    else this.#counts.set(key, { labels: this.#names.map((name, i) => [name, values[i] as string] as const), count: 1 });
  }

  samples(): Sample[] {
    return [...this.#counts.values()].map(({ labels, count }) => ({ labels, value: count }));
  }
}

interface Sample {
  suffix?: string;
  labels?: Labels;
  value: number;
}

export class Metrics {
  readonly #ofProcess: boolean;
  readonly #calls = new Counter("operation", "status");
  readonly #deliveries = new Counter("event", "outcome");
  readonly #buckets = new Array<number>(BUCKETS.length).fill(0);
  #callCount = 0;
  #callSeconds = 0;

  /** @param ofProcess whether the text shows the memory of the process too */
  constructor({ ofProcess = true }: { ofProcess?: boolean } = {}) {
    this.#ofProcess = ofProcess;
  }

  /** @param status undefined when the client got no answer. @param ms real milliseconds */
  call(operation: string | undefined, status: number | undefined, ms: number): void {
    this.#calls.add(operation ?? "none", String(status ?? "none"));
    const seconds = ms / 1000;
    this.#callCount++;
    this.#callSeconds += seconds;
    const at = BUCKETS.findIndex((most) => seconds <= most);
    if (at >= 0) this.#buckets[at] = (this.#buckets[at] as number) + 1;
  }

  delivery(event: string, outcome: string): void {
    this.#deliveries.add(event, outcome);
  }

  /** @param dropped the calls that left the journals of these tenants */
  text(tenants: readonly Measured[], dropped: number): string {
    const [first] = tenants;
    const noun = first?.service.language.words.subject ?? "subject";
    return [
      family("docdouble_calls_total", "counter", "Calls of the service, by operation and status.", this.#calls.samples()),
      family("docdouble_call_seconds", "histogram", "Real seconds until the answer of a call.", this.#histogram()),
      family(
        "docdouble_deliveries_total",
        "counter",
        "Finished webhook deliveries, by event and outcome.",
        this.#deliveries.samples(),
      ),
      family(`docdouble_${noun}s`, "gauge", `The number of ${noun}s, by status.`, statusesOf(tenants)),
      family("docdouble_jobs_due", "gauge", "Jobs that wait for their time.", [
        { value: sum(tenants, (one) => one.scheduler.waiting) },
      ]),
      family("docdouble_tenants", "gauge", "Tenants in memory.", [{ value: tenants.length }]),
      family("docdouble_journal_dropped_total", "counter", "Calls that left a full journal.", [{ value: dropped }]),
      ...(this.#ofProcess ? memory() : []),
    ].join("");
  }

  #histogram(): Sample[] {
    let below = 0;
    const buckets = BUCKETS.map((most, i) => {
      below += this.#buckets[i] as number;
      return { suffix: "_bucket", labels: [["le", String(most)]] as const, value: below };
    });
    return [
      ...buckets,
      { suffix: "_bucket", labels: [["le", "+Inf"]], value: this.#callCount },
      { suffix: "_sum", value: this.#callSeconds },
      { suffix: "_count", value: this.#callCount },
    ];
  }
}

function memory(): string[] {
  const { rss, heapUsed } = process.memoryUsage();
  return [
    family("process_resident_memory_bytes", "gauge", "Resident memory of the process.", [{ value: rss }]),
    family("nodejs_heap_size_used_bytes", "gauge", "Used heap of the process.", [{ value: heapUsed }]),
  ];
}

function statusesOf(tenants: readonly Measured[]): Sample[] {
  const counts = countBy(
    tenants.flatMap(({ service, world }) => service.subjects.all(world)),
    ({ status }) => status,
  );
  return [...counts].sort().map(([status, value]) => ({ labels: [["status", status]], value }));
}

function sum(tenants: readonly Measured[], of: (tenant: Measured) => number): number {
  return tenants.reduce((total, one) => total + of(one), 0);
}

function family(name: string, type: string, help: string, samples: readonly Sample[]): string {
  const lines = samples.map(({ suffix = "", labels = [], value }) => {
    const pairs = labels.map(([label, text]) => `${label}="${escaped(text)}"`).join(",");
    return `${name}${suffix}${pairs === "" ? "" : `{${pairs}}`} ${value}\n`;
  });
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join("")}`;
}

function escaped(text: string): string {
  return text.replace(/[\\"\n]/g, (one) => (one === "\n" ? "\\n" : `\\${one}`));
}
