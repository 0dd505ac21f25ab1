import { operationsFor } from "../../engine/core/define-operation.ts";
import { verbsFor } from "../../engine/verbs/define.ts";
import type { Control } from "../kit/world.ts";

/** Makes pages of the admin API that know the rows of the service. */
export const operation = operationsFor<Control>();

/** Makes verbs that know the rows of the service. */
export const verb = verbsFor<Control>();
