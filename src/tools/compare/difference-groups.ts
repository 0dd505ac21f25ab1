import type { CallRequest } from "./exchange.ts";
import type { Difference } from "./difference.ts";

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
  why?: string | undefined;
  assumption?: string | undefined;
}

export class DifferenceGroups {
  readonly #groups = new Map<string, DifferenceGroup>();

  add(found: readonly Difference[], { operation, request, why, assumption }: Evidence): void {
    const counted = new Set<string>();
    for (const one of found) {
      const key = keyOf(operation, one);
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
          assumption: assumption ?? namedIn(one, why),
          example: { method: request.method, path: request.target },
        });
    }
  }

  has(one: DifferenceGroup): boolean {
    return this.#groups.has(keyOf(one.operation, one));
  }

  all(): DifferenceGroup[] {
    return [...this.#groups.values()];
  }
}

function keyOf(operation: string, { kind, pointer, real, double }: Difference): string {
  return `${operation} ${kind} ${generalized(pointer)}${kind === "status" ? `${real}/${double}` : ""}`;
}

/** A refusal of the double has one reason, which may name the assumption. A limit of the real service comes from its profile. */
function namedIn({ kind, real, double }: Difference, why = ""): string | null {
  if (kind !== "status") return null;
  if ([real, double].includes(429)) return "rate_limit.profile";
  const named = /\(assumption ([\w.]+)/.exec(why)?.[1];
  return named !== undefined && Number(double) >= 400 && Number(real) > 0 && Number(real) < 500 ? named : null;
}

/** Replaces list indexes by `*`, so that all entries share a group. */
function generalized(pointer: string): string {
  return pointer.replace(/\/\d+(?=\/|$)/g, "/*");
}
