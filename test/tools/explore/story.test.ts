/** The steps of a story: who did what, what the fault hit, and how the client ended. */
import { describe, expect, test } from "vitest";
import { answerOf, stepsOf } from "../../../src/tools/explore/story.ts";
import { call, place, post, recording, row } from "./by-hand.ts";

describe("the answer of a call", () => {
  test.each([
    [{ status: 200 }, "200"],
    [{ status: 200, networkFault: "truncate" }, "200, cut"],
    [{ own: undefined, networkFault: "reset" }, "connection lost, without effect"],
    [{ own: 201, networkFault: "reset" }, "connection lost after 201"],
  ])("%j reads as %j", (entry, text) => {
    expect(answerOf(call({ operation: "createDocument", ...entry }))).toBe(text);
  });
});

describe("the step that a fault hit", () => {
  const hitsOf = (one: ReturnType<typeof place>, ...items: Parameters<typeof recording>[0]) =>
    stepsOf(recording(items), [one]).flatMap((step, i) => (step.fault === undefined ? [] : [`${i} ${step.fault}`]));
  const create = (nth: number, rule?: string) =>
    call({ operation: "createDocument", nth, ...(rule === undefined ? {} : { rule }) });

  test.each(["slow_processing", "processing_failed", "other_reading"] as const)(
    "%s shows at its call, which no rule changed",
    (fault) => {
      expect(hitsOf(place(fault, "createDocument", 2), create(1), create(2))).toEqual([`1 ${fault}`]);
    },
  );

  test("any other fault of a call shows only where a rule changed the call", () => {
    expect(hitsOf(place("throttled", "createDocument", 2), create(1, "slow down"), create(2))).toEqual([]);
    expect(hitsOf(place("throttled", "createDocument", 2), create(1), create(2, "slow down"))).toEqual(["1 throttled"]);
  });

  test("a fault of a webhook shows at its number, and at each forged copy", () => {
    const [first, second, copy] = [post(200), post(200, { nth: 2 }), post(200, { nth: 3, signed: "invalid" })];
    expect(hitsOf(place("webhook_forged", "document_state_changed", 2), first, second, copy)).toEqual([
      "1 webhook_forged",
      "2 webhook_forged",
    ]);
    expect(hitsOf(place("throttled", "document_state_changed", 2), second)).toEqual([]);
  });
});

test("steps count their times from the beginning, and the end of the client is the last step", () => {
  const items = [call({ operation: "createDocument", status: 201, document: "d1", at: 1500 })];
  const run = { ...recording(items, [row("d1")]), began: 1000, ended: 61_000 };
  expect(stepsOf(run, []).map(({ at, what, detail }) => [at, what, detail])).toEqual([
    [500, "createDocument", "creates document 1"],
    [60_000, "ends", ""],
  ]);
});

test("a finding fails at its item, and without an item at the end", () => {
  const run = recording([call({ operation: "createDocument" }), call({ operation: "sendDocument" })]);
  const failing = (item?: (typeof run.items)[number]) =>
    stepsOf(run, [], { symptom: "failed", message: "", ...(item ? { item } : {}) }).findIndex((one) => one.failing);
  expect([failing(run.items[0]), failing(run.items[1]), failing()]).toEqual([0, 1, 2]);
});
