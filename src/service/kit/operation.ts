import { operationsFor } from "../../engine/core/define-operation.ts";
import type { World } from "./world.ts";

export const operation = operationsFor<World>();

export function ok<const Body>(body: Body) {
  return { status: 200 as const, body };
}

export function created<const Body>(body: Body) {
  return { status: 201 as const, body };
}
