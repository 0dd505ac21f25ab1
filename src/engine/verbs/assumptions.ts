import * as z from "zod";
import { AssumeError, type Choice, readChoice, shownReading } from "../../service/assumptions/parse.ts";
import { ledger } from "../../service/assumptions/ledger.ts";
import { SOURCE_KINDS } from "../../service/assumptions/record.ts";
import type { SwitchId } from "../../service/assumptions/switches.ts";
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
          reading: reading().describe("The reading in force."),
        }),
      ),
    }),
);

function toChoice({ readings }: Tenant) {
  const assume = Object.entries(readings.assume).map(([id, one]) => [id, shownReading(one)]);
  return { profile: readings.profile, assume: Object.fromEntries(assume) };
}

export const assumptionsGroup = group("Admin: assumptions", [
  operation({
    id: "adminAssumptions",
    route: "GET /__admin/assumptions",
    responses: { 200: ledgerView },
    handle: async (_, { tenant }) => {
      const records = await ledger();
      return {
        status: 200 as const,
        body: {
          ...toChoice(tenant),
          assumptions: records.map((one) => ({
            ...one,
            reading: one.switchable ? shownReading(tenant.readings.of(one.id as SwitchId)) : one.default,
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
      tenant.readings.changes = choiceOf(body);
      return { status: 200, body: toChoice(tenant) };
    },
  }),
]);

function choiceOf(body: unknown): Choice {
  try {
    return readChoice(body);
  } catch (error) {
    throw error instanceof AssumeError ? badRequest(error.message) : error;
  }
}
