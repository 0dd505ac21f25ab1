import { describe, expect, test } from "vitest";
import { Semaphore } from "../../../src/engine/jobs/semaphore.ts";

/** Visitors ask for entry. `entered` lists them in the order of entry. */
function visitors(gate: Semaphore) {
  const entered: string[] = [];
  const come = (kind: string, name: string) => {
    void gate.enter(kind).then(() => entered.push(name));
  };
  const settled = () => new Promise<void>((resolve) => queueMicrotask(() => queueMicrotask(resolve)));
  return { entered, come, settled };
}

describe("gate", () => {
  test("a kind has so many places, and waiting visitors enter in order as others leave", async () => {
    const gate = new Semaphore(2, 100);
    const { entered, come, settled } = visitors(gate);
    for (const name of ["a1", "a2", "a3", "a4"]) come("a", name);
    await settled();
    expect(entered).toEqual(["a1", "a2"]);
    gate.leave("a");
    await settled();
    expect(entered).toEqual(["a1", "a2", "a3"]);
    gate.leave("a");
    gate.leave("a");
    await settled();
    expect(entered).toEqual(["a1", "a2", "a3", "a4"]);
  });

  test("a full kind does not block another kind", async () => {
    const gate = new Semaphore(1, 100);
    const { entered, come, settled } = visitors(gate);
    for (const name of ["a1", "a2", "b1"]) come(name.charAt(0), name);
    await settled();
    expect(entered).toEqual(["a1", "b1"]);
    gate.leave("b");
    await settled();
    expect(entered).toEqual(["a1", "b1"]);
  });

  test("all kinds share a total number of places, and waiting kinds take turns", async () => {
    const gate = new Semaphore(5, 2);
    const { entered, come, settled } = visitors(gate);
    for (const name of ["a1", "a2", "a3", "a4", "b1", "b2", "c1"]) come(name.charAt(0), name);
    await settled();
    expect(entered).toEqual(["a1", "a2"]);
    for (let i = 0; i < 5; i++) {
      gate.leave(entered[i]?.charAt(0) ?? "");
      await settled();
    }
    expect(entered).toEqual(["a1", "a2", "a3", "b1", "c1", "a4", "b2"]);
  });
});
