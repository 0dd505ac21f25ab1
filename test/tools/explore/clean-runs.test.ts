/** Which differences between two runs without a fault count. */
import { expect, test } from "vitest";
import { explore } from "../../../src/index.ts";
import type { ExploreReport } from "../../../src/tools/explore/report.ts";
import type { Sandbox } from "../../../src/library/types.ts";
import { Caller, sleep } from "./clients.ts";

const explored = (client: (sandbox: Sandbox, run: number) => Promise<unknown>): Promise<ExploreReport> => {
  let run = 0;
  return explore((sandbox) => client(sandbox, run++), {
    ...{ out: false, throwOnBreak: false, budget: "1h", pairs: false, only: "createDocument:throttled" },
  });
};

test("documents in another order, and one poll more, are the same run", async () => {
  const report = await explored(async (sandbox, run) => {
    const caller = new Caller(sandbox);
    for (const order of run % 2 === 0 ? ["1", "2"] : ["2", "1"]) {
      const id = await caller.create(order);
      for (let look = 0; look < 3 + run; look++) {
        await sleep(3000);
        await caller.call("GET", `/documents/${id}`);
      }
    }
  });
  expect([report.clean.problem, report.breaks, report.ended]).toEqual([null, [], "complete"]);
});

test("one document more, and another change, are another run", async () => {
  const another = explored(async (sandbox, run) => {
    for (let order = 0; order <= run; order++) await new Caller(sandbox).create(String(order));
  });
  await expect(another).rejects.toThrow("The two clean runs differ from step");
  const further = explored(async (sandbox, run) => {
    const caller = new Caller(sandbox);
    const id = await caller.create("1");
    if (run === 0) await caller.call("DELETE", `/documents/${id}`);
    else await caller.call("GET", `/documents/${id}`);
  });
  await expect(further).rejects.toThrow("deleteDocument");
});
