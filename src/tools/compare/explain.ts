/** Finds the assumption behind a difference: under its other reading, a double shows no such difference. */
import { service, type SwitchId } from "../../service/service.ts";
import type { Comparison } from "./comparison.ts";
import type { DifferenceGroup, DifferenceGroups } from "./difference-groups.ts";
import type { DoubleSide } from "./double-side.ts";
import type { CallAnswer, CallRequest } from "./exchange.ts";
import { operationOf } from "./operation-of.ts";

/** What the real side showed, in order. */
export type Told =
  | { request: CallRequest; real: CallAnswer; at_ms: number; isSteering?: true }
  | { event: Buffer; at_ms: number; id: string | undefined };

/** A longer story is not played again for each reading. */
const STORY_MAX = 500;

/** A failure says nothing about the behavior of the service. */
const isOpen = ({ assumption, kind, real }: DifferenceGroup) =>
  assumption === null && !(kind === "status" && (real === 0 || Number(real) >= 500));

export async function explain(
  groups: DifferenceGroups,
  story: readonly Told[],
  double: DoubleSide,
  compareWith: (double: DoubleSide) => Comparison,
): Promise<void> {
  if (story.length > STORY_MAX) return;
  const called = new Set(story.flatMap((one) => ("request" in one ? [operationOf(one.request).id] : [])));
  for (const { id, operations, readings, switchable } of await service.ledger()) {
    if (!switchable || (operations.length > 0 && !operations.some((one) => called.has(one)))) continue;
    for (const reading of readings) {
      const open = groups.all().filter(isOpen);
      if (open.length === 0) return;
      if (String(reading) === String(double.readingOf(id as SwitchId))) continue;
      const other = await double.again(id, reading).catch(() => undefined);
      if (!other) continue;
      const left = await compareWith(other).tell(story);
      await other.close();
      // A reading that brings other differences is not the one of the real side.
      if (left.all().every((one) => groups.has(one))) for (const one of open) if (!left.has(one)) one.assumption = id;
    }
  }
}
