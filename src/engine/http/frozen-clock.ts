/** Tells a client that polls with a frozen clock when its answer would change, and how to advance the clock. */
import { DAY_MS } from "../core/time-limits.ts";
import type { JobRow } from "../jobs/rows.ts";
import type { Tenant } from "../runtime/tenants/tenant.ts";
import type { Answer, Call } from "./call.ts";
import { authorizationOf } from "./hono-context.ts";

/** Fewer equal answers may be a client that reads twice. */
const POLLS_MIN = 3;

/** `isNew` is false when the journal already has the text. */
export interface FrozenClock {
  text: string;
  isNew: boolean;
}

export function explainFrozenClock({ context, entry, tenant, dialect }: Call, answer: Answer): FrozenClock | undefined {
  if (entry.method !== "GET" || entry.injected || dialect === "admin" || typeof answer.body !== "string") return undefined;
  const jobs = tenant.scheduler;
  if (jobs.waiting === 0) return undefined;
  const { repeated } = tenant;
  repeated.begin(tenant.generation);
  if (repeated.see(`${authorizationOf(context) ?? ""} ${entry.url}`, answer.body, tenant.clock.now()) < POLLS_MIN)
    return undefined;
  const next = jobs.nextAwaited(jobsAbout(tenant, entry.path));
  const wait_ms = (next?.job.due ?? 0) - tenant.clock.now();
  if (!next || wait_ms <= 0) return undefined;
  const { subjects } = tenant.service;
  const { document: about, id } = next.job.payload;
  const subject = String(about ?? entry.subject ?? id);
  const isNew = repeated.explain(`${next.job.kind} ${subject}`);
  const row = subjects.find(tenant.world, subject);
  const what = row === undefined ? "what you wait for" : `"${subjects.describe(row).name}"`;
  return { text: `the clock is frozen; ${what} ${next.outcome} in ${waitText(wait_ms)}: ${howToAdvance(wait_ms)}`, isNew };
}

/** Segments of a path that name no rows. */
const VERSION = /^(?:v\d+|beta)$/;

/** Finds the jobs of a kind whose row the path names. A path of a list finds all jobs about its kind of row. */
function jobsAbout({ scheduler: jobs, service }: Tenant, path: string): (kind: string) => JobRow[] {
  const prefix = service.prefixes.find((one) => path.startsWith(`${one}/`)) ?? "";
  const segments = path
    .slice(prefix.length)
    .split("/")
    .filter((one) => one !== "" && !VERSION.test(one));
  const noun = /^([a-z]+)s$/.exec(segments.at(-1) ?? "")?.[1];
  if (noun !== undefined && segments.length === 1)
    return (kind) => jobs.findWhere(kind, {}).filter(({ payload }) => kind.includes(noun) || payload[noun] !== undefined);
  const named = segments.flatMap((one): Record<string, string>[] => [{ document: one }, { id: one }]);
  return (kind) => named.flatMap((one) => jobs.findWhere(kind, one));
}

const UNITS = [
  ["d", DAY_MS],
  ["h", DAY_MS / 24],
  ["m", 60_000],
] as const;

function unitOf(ms: number): readonly [name: string, ms: number] {
  return UNITS.find(([, unit]) => ms >= 2 * unit) ?? ["s", 1000];
}

function waitText(ms: number): string {
  const [name, unit] = unitOf(ms);
  return `${Math.ceil((ms / unit) * 10) / 10} ${name === "m" ? "min" : name}`;
}

/** Rounded up, so that one move is enough. */
function howToAdvance(ms: number): string {
  const [name, unit] = unitOf(ms);
  const by = `${Math.ceil(ms / unit)}${name}`;
  return `POST /__admin/clock/advance {"by": "${by}"}, npx docdouble clock advance ${by}, or sandbox.clock.advance("${by}")`;
}
