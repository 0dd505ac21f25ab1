import { operationsFor } from "../../engine/core/define-operation.ts";
import { verbsFor } from "../../engine/verbs/define.ts";
import { anything } from "../../engine/verbs/operation.ts";
import type { Control } from "../model/tenant.ts";

export { anything };

/** Makes operations of the admin API that know the rows of the service. */
export const operation = operationsFor<Control, { 200: typeof anything }>({ 200: anything });

/** Makes verbs that know the rows of the service. */
export const verb = verbsFor<Control>();
