/** Shapes that several verbs answer. */
import * as z from "zod";
import { lazy } from "../../engine/core/operation.ts";
import { STATUSES } from "../model/documents/status-machine.ts";

export const actResult = lazy(() =>
  z.strictObject({
    id: z.string(),
    status: z.enum(STATUSES),
    may_sign: z.boolean().describe("whether the status lets recipients sign"),
    recipients: z.array(z.looseObject({ id: z.string() })).describe("as detailsDocument shows them"),
  }),
);
