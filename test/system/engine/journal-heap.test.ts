/** What the journal counts as its memory, against the heap of a process. */
import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

interface HeapOfCalls {
  /** Bytes of heap for a call of each kind. */
  held: Record<string, number>;
  /** Bytes that the journal counts for the call. */
  counted: Record<string, number>;
}

async function heapOfCalls(): Promise<HeapOfCalls> {
  const script = fileURLToPath(new URL("../../support/journal-heap.ts", import.meta.url));
  const child = fork(script, { execArgv: ["--expose-gc", "--import", "tsx"] });
  const [message] = await once(child, "message");
  return message as HeapOfCalls;
}

// A separate process, because the garbage of other tests is larger than an entry.
test("no call uses much more heap than the journal counts", async () => {
  const { held, counted } = await heapOfCalls();
  expect(Object.keys(counted)).toHaveLength(7);
  for (const [name, bytes] of Object.entries(counted)) {
    const real = held[name] as number;
    // The garbage collector adds a few hundred bytes per call.
    expect(real, name).toBeLessThan(bytes * 1.25 + 1000);
    expect(bytes, name).toBeLessThan(real * 4 + 4000);
  }
});
