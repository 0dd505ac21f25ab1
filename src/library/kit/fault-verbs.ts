/** The verbs of faults for tests. */
import * as z from "zod";
import { badRequest } from "../../engine/core/errors.ts";
import { lazy } from "../../engine/core/operation.ts";
import { verbGroup } from "../../engine/verbs/define.ts";
import { verb } from "../../service/service.ts";
import { SettingsError } from "../errors.ts";
import { anyOptions, clearFaults, FAULT_NAMES, nextFault, pendingFaults } from "./faults.ts";

const faultInput = lazy(() =>
  z.strictObject({
    on: z.string().min(1).describe("an operation, an event, or a recipient"),
    fault: z.enum(FAULT_NAMES),
    ...anyOptions(),
  }),
);

const pendingView = lazy(() => z.strictObject({ pending: z.array(z.string()).describe("faults that wait for their calls") }));

/** @throws 400 */
function asRequest(run: () => void): void {
  try {
    run();
  } catch (error) {
    throw error instanceof SettingsError ? badRequest(error.message) : error;
  }
}

export const faultVerbs = verbGroup("Admin: faults", { tool: "add_fault adds a fault or a rule, and reset removes them" }, [
  verb({
    name: "faults.next",
    does: "Lets the next calls of an operation, deliveries of an event or turns of a recipient meet a fault. Later ones work again. `on` is an operationId, an event, or a recipient's role or email address. The other members are options, which depend on the fault.",
    input: faultInput,
    run: ({ tenant }, { on, fault, ...options }) => asRequest(() => nextFault(tenant, on, fault, options)),
    admin: {
      id: "adminAddFault",
      route: "POST /__admin/faults",
      status: 201,
      answer: pendingView,
      example: { body: { on: "sendDocument", fault: "throttled", retryAfter: "2s" } },
      show: (_, { tenant }) => ({ pending: pendingFaults(tenant) }),
    },
  }),
  verb({
    name: "faults.list",
    does: "Lists the faults that have not yet met all their calls, deliveries or turns.",
    run: ({ tenant }) => pendingFaults(tenant),
    admin: { id: "adminListFaults", route: "GET /__admin/faults", answer: pendingView, show: (pending) => ({ pending }) },
  }),
  verb({
    name: "faults.clear",
    does: "Removes all faults that `faults.next` added.",
    run: ({ tenant }) => clearFaults(tenant),
    admin: { id: "adminClearFaults", route: "DELETE /__admin/faults", answer: null },
  }),
]);
