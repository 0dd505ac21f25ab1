/** The order of pairs of faults. */
import { expect, test } from "vitest";
import type { Candidate } from "../../../src/tools/explore/derive.ts";
import { pairsOf } from "../../../src/tools/explore/pairs.ts";
import type { Recording } from "../../../src/tools/explore/recording.ts";

const candidate = (fault: string, operation: string, weight: number): Candidate =>
  ({ fault: { fault, operation, nth: 1, patch: {} }, key: `${fault} ${operation}`, like: "", weight }) as Candidate;
const ran = (...coverage: string[]) => ({ coverage: new Set(coverage) }) as unknown as Recording;

test("a pair comes first when its first fault leads the client to new code, and else by its weight", () => {
  const survived = [
    { candidate: candidate("throttled", "a", 9), recording: ran("main") },
    { candidate: candidate("throttled", "b", 1), recording: ran("main", "retry", "look") },
    { candidate: candidate("throttled", "c", 5), recording: ran("main") },
  ];
  let number = 0;
  const facts = { clean: ran("main"), survived, usual: new Set<string>(), broken: new Set<string>(), leavesOut: () => true };
  const pairs = pairsOf({ ...facts, secondsOf: () => [candidate("reset_after", `second ${number++}`, 1)] });
  expect(pairs.map(({ first }) => first.fault.operation)).toEqual(["b", "a", "c"]);
});
