import { operationsFor } from "../core/define-operation.ts";
import type { World } from "../domain/world.ts";

export const operation = operationsFor<World>();
