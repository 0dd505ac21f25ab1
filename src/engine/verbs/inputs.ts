/** Members of inputs and answers that several verbs have. Inputs are not transformed, so that every surface can send them on. */
import * as z from "zod";
import { readInstant, readMoment } from "../core/clock.ts";
import { notFound } from "../core/errors.ts";
import type { Control } from "../runtime/tenants/tenant-registry.ts";
import type { Tenant } from "../runtime/tenants/tenant.ts";
import { advanceProblem, type Checked, instantProblem, parseDuration, readDuration } from "../core/time-limits.ts";

type Time = string | number;

/** For links of pages, because a browser sends no key. */
export const tenantName = () => z.string().optional().describe("the id of a tenant. Default: the tenant of the key");

/** Never creates a tenant. @throws 404 */
export function namedTenant<T extends Tenant>({ host, tenant }: Control<T>, name: string | undefined): T {
  const chosen = name === undefined ? tenant : host.find(name);
  if (!chosen) throw notFound(`no tenant ${name}`);
  return chosen;
}

const time = (problemOf: (value: Time) => string | undefined) =>
  z.union([z.string(), z.number()], { error: ({ input }) => problemOf(input as Time) }).superRefine((value, context) => {
    const message = problemOf(value);
    if (message !== undefined) context.addIssue({ code: "custom", message });
  });

const instantOf = (value: Time): Checked => {
  if (typeof value === "string") return readInstant(value);
  const problem = instantProblem(typeof value === "number" ? value : undefined, value);
  return problem === undefined ? { value } : { problem };
};

const momentOf = (value: Time, now: number): Checked => (typeof value === "string" ? readMoment(value, now) : instantOf(value));

function spanOf(value: Time): Checked {
  if (typeof value === "string") {
    const by = parseDuration(value);
    return by === undefined ? readDuration(value) : { value: by };
  }
  if (typeof value === "number" && value < 0) return { problem: `Cannot advance the clock by ${value}: it only moves forward.` };
  // The clock itself checks the end, because only it knows the present.
  const problem = advanceProblem(Number.NEGATIVE_INFINITY, value);
  return problem === undefined ? { value } : { problem };
}

const numberOf = (checked: Checked): number => (checked.problem === undefined ? checked.value : Number.NaN);

/** An instant, as ISO 8601 or in epoch ms. */
export const instant = () => time((value) => instantOf(value).problem).describe("an instant, in ISO 8601 or epoch ms");
export const readInstantOf = (value: Time): number => numberOf(instantOf(value));

/** An instant, or a duration from now. */
export const moment = () => time((value) => momentOf(value, 0).problem).describe("an instant, or a duration from now such as 2h");
export const readMomentOf = (value: Time, now: number): number => numberOf(momentOf(value, now));

/** A duration, as text or in ms. */
export const span = () =>
  time((value) => spanOf(value).problem).describe("a duration such as 250ms, 3s, 5m, 2h or 5d, or milliseconds");
export const readSpan = (value: Time): number => numberOf(spanOf(value));

/** An instant of an answer. */
export const isoText = () => z.string().describe("an instant in ISO 8601");

/** `gone` counts rows that a limit deleted, so that the list may lack some. */
export const metaView = () =>
  z.strictObject({ total: z.int(), gone: z.int().optional().describe("deleted by a limit; some may belong here") });
