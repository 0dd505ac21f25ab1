import { group, lazy } from "../../engine/core/operation.ts";
import { listSmsOptOuts, toSmsOptOut } from "../domain/communication-preferences/sms-opt-outs.ts";
import { ok, operation } from "./operation.ts";
import * as inputs from "../model/communication-preferences/inputs.ts";
import * as z from "zod";
import { dateTimeOfSeconds } from "./shapes/document.ts";

const smsOptOutList = lazy(() =>
  z.strictObject({
    results: z.array(
      z.strictObject({ phone_number: z.string(), status: z.enum(["opt-in", "opt-out"]), opt_out_changed: dateTimeOfSeconds() }),
    ),
  }),
);

export const communicationPreferencesGroup = group("Communication Preferences", [
  operation({
    id: "listRecentSmsOptOuts",
    route: "GET /public/v1/sms-opt-outs",
    query: inputs.smsOptOutsQuery,
    responses: { 200: smsOptOutList },
    errors: [400, 401, 403, 429],
    handle: ({ query }, world) => ok({ results: listSmsOptOuts(world, query).map(toSmsOptOut) }),
  }),
]);
