import * as z from "zod";
import { AssumeError, type Choice, type ReadingValue, shownReading } from "../assumptions/switches.ts";
import { SEEN_BY, SOURCE_KINDS } from "../assumptions/record.ts";
import { badRequest } from "../core/errors.ts";
import { group, lazy } from "../core/operation.ts";
import type { Tenant } from "../runtime/tenants/tenant.ts";
import { anything, operation } from "./operation.ts";

const reading = () => z.union([z.string(), z.number(), z.array(z.string())]);
const ledgerView = lazy(
  (): z.ZodType =>
    z.strictObject({
      profile: z.string(),
      assume: z.record(z.string(), reading()),
      assumptions: z.array(
        z.strictObject({
          id: z.string(),
          statement: z.string(),
          operations: z.array(z.string()),
          readings: z.array(z.union([z.string(), z.number()])),
          default: reading(),
          switchable: z.boolean(),
          probeable: z.boolean().describe("Whether docdouble probe has a story for it."),
          not_probeable_because: z.string().optional().describe("Present only where probeable is false."),
          sources: z.array(
            z.strictObject({
              kind: z.enum(SOURCE_KINDS),
              for: z.union([z.string(), z.number()]),
              text: z.string(),
            }),
          ),
          seen: z.array(
            z.strictObject({ date: z.string(), by: z.enum(SEEN_BY), account: z.string().nullable(), source: z.string() }),
          ),
          reading: reading().describe("The reading in force."),
        }),
      ),
    }),
);

function toChoice({ readings }: Tenant) {
  const assume = Object.entries(readings.assume).map(([id, one]) => [id, shownReading(one as ReadingValue)]);
  return { profile: readings.profile, assume: Object.fromEntries(assume) };
}

export const assumptionsGroup = group("Admin: assumptions", [
  operation({
    id: "adminAssumptions",
    route: "GET /__admin/assumptions",
    responses: { 200: ledgerView },
    handle: async (_, { tenant }) => {
      const records = await tenant.service.ledger();
      return {
        status: 200 as const,
        body: {
          ...toChoice(tenant),
          assumptions: records.map((one) => ({
            ...one,
            reading: one.switchable ? shownReading(tenant.readings.of(one.id)) : one.default,
          })),
        },
      };
    },
  }),
  operation({
    id: "adminSetAssumptions",
    route: "PUT /__admin/assumptions",
    body: anything,
    errors: [400],
    handle: ({ body }, { tenant }) => {
      tenant.readings.changes = choiceOf(tenant, body);
      return { status: 200, body: toChoice(tenant) };
    },
  }),
]);

function choiceOf({ service }: Tenant, body: unknown): Choice {
  try {
    return service.switches.readChoice(body);
  } catch (error) {
    throw error instanceof AssumeError ? badRequest(error.message) : error;
  }
}
