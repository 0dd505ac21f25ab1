import * as z from "zod";
import { AssumeError, type Choice, type ReadingValue, shownReading } from "../assumptions/switches.ts";
import { SEEN_BY, SOURCE_KINDS } from "../assumptions/record.ts";
import { badRequest } from "../core/errors.ts";
import { lazy } from "../core/operation.ts";
import type { Tenant } from "../runtime/tenants/tenant.ts";
import { verb, verbGroup } from "./define.ts";

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

const ELSEWHERE = {
  tool: "start takes a profile, and explain names the assumption of a refusal",
};

export const assumptionVerbs = verbGroup("Admin: assumptions", ELSEWHERE, [
  verb({
    name: "assumptions.list",
    does: "Lists the assumptions, each with the reading of this tenant. `assume` lists the readings that differ from the default.",
    async run({ tenant }) {
      const records = await tenant.service.ledger();
      const readingOf = (one: (typeof records)[number]) =>
        one.switchable ? shownReading(tenant.readings.of(one.id)) : one.default;
      return { ...toChoice(tenant), assumptions: records.map((one) => ({ ...one, reading: readingOf(one) })) };
    },
    admin: { id: "adminAssumptions", route: "GET /__admin/assumptions", answer: ledgerView },
  }),
  verb({
    name: "assumptions.set",
    does: "Sets readings by id, and optionally a `profile`. The call replaces earlier changes. Send an empty object to return to the readings of the start.",
    input: () => z.strictObject({ assume: z.looseObject({}).describe("a reading by the id of its assumption, and profile") }),
    run({ tenant }, { assume }) {
      tenant.readings.changes = choiceOf(tenant, assume);
      return toChoice(tenant);
    },
    admin: {
      id: "adminSetAssumptions",
      route: "PUT /__admin/assumptions",
      body: "assume",
      answer: () => z.strictObject({ profile: z.string(), assume: z.record(z.string(), reading()) }),
      example: { body: { "delete.second": 404 } },
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
