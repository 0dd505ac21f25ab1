/** Clients that wait for slow processing: which ones break, and which ones docdouble cannot judge. */
import { describe, expect, test } from "vitest";
import { explore } from "../../../src/index.ts";
import type { Sandbox } from "../../../src/library/types.ts";
import { slowProcessing } from "../../../src/tools/explore/faults.ts";
import { judge } from "../../../src/tools/explore/judge.ts";
import { patienceText, roomierWait } from "../../../src/tools/explore/patience.ts";
import type { Item } from "../../../src/tools/explore/recording.ts";
import { call, place, post, recording } from "./by-hand.ts";
import { Caller } from "./clients.ts";

const SLOW = slowProcessing("createDocument", 1);
const created = call({ operation: "createDocument", status: 201, document: "d1" });

function look(at: number, status = "document.uploaded"): Item {
  const item = call({ operation: "statusDocument", method: "GET", document: "d1", at });
  return { ...item, entry: { ...item.entry, subjectStatus: status } };
}

const looks = (...at: number[]) => recording([created, ...at.map((one) => look(one))]);

describe("the room after the last look", () => {
  test("a last look just before the end of processing asks for a longer try, in whole seconds", () => {
    expect(roomierWait(looks(7998, 8998, 9997), SLOW)).toBe(11_000);
    expect(roomierWait(looks(3000, 6000), SLOW)).toBeUndefined();
    expect(roomierWait(looks(2000, 6000), SLOW)).toBeUndefined();
    expect(roomierWait(looks(2000, 6001), SLOW)).toBe(11_000);
  });

  test("a client that sees the end of processing did not give up", () => {
    expect(roomierWait(recording([created, look(9500), look(10_500, "document.draft")]), SLOW)).toBeUndefined();
    expect(roomierWait(recording([created]), SLOW)).toBeUndefined();
  });

  test("the text names both times", () => {
    expect(patienceText(looks(7998, 8998, 9997), { ...SLOW, wait: 60_000 })).toBe(
      "It waits 10 s for the document, and processing takes 60 s.",
    );
    expect(patienceText(looks(2001), place("slow_processing", "createDocument"))).toBe(
      "It waits 2 s for the document, and processing takes longer.",
    );
  });
});

/** Looks `tries` times, after a pause each. */
const patient = (tries: number, pause_ms: number) => async (sandbox: Sandbox) => {
  const caller = new Caller(sandbox);
  const id = await caller.create("1");
  for (let i = 0; i < tries; i++) {
    await new Promise((resolve) => setTimeout(resolve, pause_ms));
    if ((await caller.status(id)) === "document.draft") return;
  }
  throw new Error("gave up");
};

const QUIET = { only: "slow_processing", out: false, throwOnBreak: false, pairs: false } as const;

test("a found delay leaves the client room for one more look", async () => {
  const { breaks } = await explore(patient(10, 999), QUIET);
  expect(breaks).toMatchObject([
    { symptom: "failed", message: "The client fails: gave up\nIt waits 10 s for the document, and processing takes 11 s." },
  ]);
  const short = await explore(patient(4, 1000), QUIET);
  expect(short.breaks[0]?.message).toContain("It waits 4 s for the document, and processing takes 5 s.");
  expect(short.causes.map(({ cause }) => cause)).toEqual(["does not wait long enough for slow processing"]);
});

test("a client that waits long enough is not accused", async () => {
  expect((await explore(patient(11, 1000), QUIET)).breaks).toEqual([]);
});

describe("a command whose sleeps docdouble does not know", () => {
  const how = { time: "wall" as const, allowsFailure: () => false, isSteady: () => true };
  const warnings = (items: Item[], more: object = {}) =>
    judge(recording(items), { ...recording(items), ...more }, [place("slow_processing", "createDocument")], how).warnings;
  const ready = look(10_001, "document.draft");

  test("is not proved to wait long enough, because the clock moved in its pauses", () => {
    expect(warnings([created, look(0), ready])).toEqual([expect.stringMatching(/^Not proved: the sleeps of the client/)]);
    expect(warnings([created, look(0), ready], { declaresSleeps: true })).toEqual([]);
  });

  test("needs no patience when it makes no call about the document, or when an event tells of the end", () => {
    expect(warnings([created])).toEqual([]);
    expect(warnings([created, post(200, { at: 10_000, status: "document.draft" }), ready])).toEqual([]);
    expect(warnings([created, post(500, { at: 10_000, status: "document.draft" }), ready])).toHaveLength(1);
  });
});
