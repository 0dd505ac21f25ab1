import type { Operation } from "../core/operation.ts";
import type { Service } from "./service.ts";
import type { EngineWorld } from "./world.ts";

const tables = new WeakMap<Service["operations"], ReadonlyMap<string, Operation<EngineWorld>>>();

/** The served operation with this id. */
export function findOperation({ operations }: Pick<Service, "operations">, id: string): Operation<EngineWorld> | undefined {
  let table = tables.get(operations);
  if (table === undefined) {
    table = new Map(operations.map((one) => [one.id, one]));
    tables.set(operations, table);
  }
  return table.get(id);
}
