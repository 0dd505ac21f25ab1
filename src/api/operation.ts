import { operationsFor } from "../core/operation.ts";
import type { World } from "../domain/world.ts";

export const operation = operationsFor<World>();
