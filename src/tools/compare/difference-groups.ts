import type { CallRequest } from "./exchange.ts";
import type { Difference } from "./difference.ts";
import { assumptionOf } from "./assumption-of.ts";

export interface DifferenceGroup extends Difference {
  operation: string;
  count: number;
  assumption: string | null;
  example: { method: string; path: string };
}

export interface Report {
  version: 1;
  calls: number;
  differences: DifferenceGroup[];
}

export interface Evidence {
  operation: string;
  request: Pick<CallRequest, "method" | "target">;
  why?: string;
}

export class DifferenceGroups {
  readonly #groups = new Map<string, DifferenceGroup>();

  add(found: readonly Difference[], { operation, request, why }: Evidence): void {
    const counted = new Set<string>();
    for (const one of found) {
      const key = `${operation} ${one.kind} ${generalized(one.pointer)}${one.kind === "status" ? `${one.real}/${one.double}` : ""}`;
      if (counted.has(key)) continue;
      counted.add(key);
      const group = this.#groups.get(key);
      if (group) group.count++;
      else
        this.#groups.set(key, {
          operation,
          kind: one.kind,
          pointer: one.pointer,
          real: one.real ?? null,
          double: one.double ?? null,
          count: 1,
          assumption: assumptionOf({ operation, difference: one, found, why }),
          example: { method: request.method, path: request.target },
        });
    }
  }

  get size(): number {
    return this.#groups.size;
  }

  all(): DifferenceGroup[] {
    return [...this.#groups.values()];
  }
}

/** Replaces list indexes by `*`, so that all entries share a group. */
function generalized(pointer: string): string {
  return pointer.replace(/\/\d+(?=\/|$)/g, "/*");
}
