import { operationsFor } from "../core/operation.ts";
import type { World } from "../domain/world.ts";

/** Makes an operation of the service. */
export const operation = operationsFor<World>();
