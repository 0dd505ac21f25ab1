/** Shrinking produces fewer faults, earlier places and shorter waits while the symptom stays. */
import { expect, test } from "vitest";
import type { Candidate } from "../../../src/tools/explore/derive.ts";
import { callFault, type Fault, placeText } from "../../../src/tools/explore/faults.ts";
import type { Finding } from "../../../src/tools/explore/finding.ts";
import type { Recording } from "../../../src/tools/explore/recording.ts";
import { type Broken, type Earlier, shrink } from "../../../src/tools/explore/shrink.ts";

const finding: Finding = { symptom: "hung", message: "" };
const asBroken = (faults: readonly Fault[]): Broken => ({ faults: [...faults], recording: {} as Recording, finding });

/** The earlier places of a call. */
const earlier: Earlier = (_, { operation, nth }) =>
  Array.from({ length: nth - 1 }, (_, i) => ({ fault: callFault("throttled", operation, i + 1) }) as Candidate);

/** Shrinks for a client that breaks when `breaks` returns true. Returns the remaining faults, and the faults of each attempt. */
async function shrunk(faults: readonly Fault[], breaks: (faults: readonly Fault[]) => boolean) {
  const attempts: string[] = [];
  const text = (all: readonly Fault[]) => all.map((one) => `${placeText(one)} for ${one.wait}`).join(" + ");
  const smallest = await shrink(
    asBroken(faults),
    async (tried) => {
      attempts.push(text(tried));
      return breaks(tried) ? asBroken(tried) : undefined;
    },
    earlier,
  );
  return { left: text(smallest?.faults ?? []), attempts };
}

const at = (operation: string, nth: number) => callFault("throttled", operation, nth);
const nthOf = (faults: readonly Fault[], operation: string) => faults.find((one) => one.operation === operation)?.nth ?? 0;

test("each fault of a pair moves to the earliest place and the shortest wait that still break", async () => {
  const { left } = await shrunk([at("createDocument", 3), at("listDocuments", 5)], (faults) => {
    const isPatient = faults.every((one) => one.operation !== "listDocuments" || (one.wait as number) >= 2000);
    return isPatient && nthOf(faults, "createDocument") >= 2 && nthOf(faults, "listDocuments") >= 3;
  });
  expect(left).toBe("throttled at createDocument 2 for 1000 + throttled at listDocuments 3 for 2000");
});

test("a fault that the break does not need is removed first", async () => {
  const { left } = await shrunk(
    [at("createDocument", 1), at("listDocuments", 2)],
    (faults) => nthOf(faults, "listDocuments") > 0,
  );
  expect(left).toBe("throttled at listDocuments 1 for 1000");
});

test("two faults never apply to one call", async () => {
  const { left, attempts } = await shrunk([at("createDocument", 1), at("createDocument", 3)], ({ length }) => length === 2);
  expect(left).toBe("throttled at createDocument 1 for 1000 + throttled at createDocument 2 for 1000");
  expect(attempts.filter((one) => /(createDocument \d).*\1/.test(one))).toEqual([]);
});
