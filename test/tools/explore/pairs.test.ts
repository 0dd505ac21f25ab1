/** The order of pairs of faults, and what they excuse. */
import { expect, test } from "vitest";
import type { Candidate } from "../../../src/tools/explore/derive.ts";
import type { Fault } from "../../../src/tools/explore/faults.ts";
import type { Finding } from "../../../src/tools/explore/finding.ts";
import { mayGiveUp, pairsOf } from "../../../src/tools/explore/pairs.ts";
import type { Recording } from "../../../src/tools/explore/recording.ts";

const candidate = (fault: string, operation: string, weight: number): Candidate =>
  ({ fault: { fault, operation, nth: 1, patch: {} }, key: `${fault} ${operation}`, like: "", weight }) as Candidate;
const NO_RECORDING = {} as Recording;

test("the pair with the most weight comes first", () => {
  const survived = [1, 9, 5].map((weight) => ({
    candidate: candidate("throttled", `weight ${weight}`, weight),
    recording: NO_RECORDING,
  }));
  let number = 0;
  const facts = { survived, usual: new Set<string>(), broken: new Set<string>(), leavesOut: () => true };
  const pairs = pairsOf({ ...facts, secondsOf: () => [candidate("reset_after", `second ${number++}`, 1)] });
  expect(pairs.map(({ first }) => first.fault.operation)).toEqual(["weight 9", "weight 5", "weight 1"]);
});

test("pairs leave out what one fault alone shows, two faults of one call, and a second way to the same place", () => {
  const first = { ...candidate("throttled", "send", 1) };
  const seconds = [
    candidate("throttled", "send", 1),
    candidate("reset_after", "broken", 1),
    candidate("reset_after", "usual", 1),
    candidate("new_status", "look", 1),
    { ...candidate("reset_after", "late", 1), needless: "it comes too late" },
    candidate("reset_after", "look", 1),
  ];
  const leftOut: string[] = [];
  const pairs = pairsOf({
    survived: [first, candidate("reset_before", "create", 1)].map((one) => ({ candidate: one, recording: NO_RECORDING })),
    secondsOf: () => seconds,
    usual: new Set(["reset_after usual"]),
    broken: new Set(["reset_after broken"]),
    leavesOut: (why) => leftOut.push(why) > 0,
  });
  expect(pairs.map(({ first: one, second }) => [one.key, second.key])).toEqual([
    ["throttled send", "reset_after look"],
    ["reset_before create", "throttled send"],
  ]);
  const [back, fresh, late] = [
    "after the first fault the client is back on its way, so the second alone shows the same",
    "a new answer alone shows the same",
    "it comes too late",
  ];
  expect(leftOut).toEqual([back, fresh, late, back, fresh, late, "another pair leads the client to the same place"]);
});

test.each<[string, [string, number], [string, number], string, boolean]>([
  ["one call that meets two faults in a row", ["read", 1], ["read", 2], "failed", true],
  ["two calls of one operation with other addresses", ["read", 1], ["read", 3], "failed", false],
  ["two calls of other operations", ["read", 1], ["list", 1], "failed", false],
  ["another symptom", ["read", 1], ["read", 2], "hung", false],
])("a client may give up only when one call meets two faults: %s", (_, first, second, symptom, may) => {
  const call = (operation: string, nth: number, url: string) => ({ kind: "call", operation, nth, entry: { url } });
  const items = [call("read", 1, "/a"), call("read", 2, "/a"), call("read", 3, "/b"), call("list", 1, "/a")];
  const [one, two] = [first, second].map(([operation, nth]) => ({ ...candidate("throttled", operation, 1).fault, nth }));
  const recording = { items } as unknown as Recording;
  expect(mayGiveUp(recording, [one, two] as Fault[], { symptom } as Finding)).toBe(may);
});
