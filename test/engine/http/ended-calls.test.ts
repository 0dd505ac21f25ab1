/** A call that began also ends, whatever fails inside docdouble. */
import { expect, test } from "vitest";
import { createSandbox } from "../../../src/index.ts";
import { hostOf } from "../../../src/library/sandbox.ts";
import { CLIENT, TEMPLATES } from "../../support/stories.ts";
import { callsOver } from "../../support/world.ts";

test("an error of docdouble after the handler becomes a 500 in the journal, and automatic time goes on", async () => {
  const bugs: unknown[] = [];
  const sandbox = await createSandbox({ clock: "auto", onBug: (error) => bugs.push(error) });
  const { call, admin } = callsOver((path, init) => sandbox.fetch(path, init));
  const tenant = hostOf(sandbox).defaultTenant;
  const failing = () => {
    throw new Error("no processing today");
  };
  Object.assign(tenant, {
    service: { ...tenant.service, subjects: { ...tenant.service.subjects, delayProcessing: failing } },
  });
  await admin("POST", "/rules", { name: "slow", when: { operation: "createDocument" }, then: { processing: "1m" } });
  const recipients = [CLIENT];
  const body = { name: "Offer", template_uuid: TEMPLATES.oneSigner, recipients };
  const answer = await call("createDocument", { body });
  expect([answer.status, answer.body.type]).toEqual([500, "docdouble_error"]);
  expect(bugs).toEqual([new Error("no processing today")]);
  expect(sandbox.journal.all().map(({ status }) => status)).toEqual([500]);
  const began = sandbox.clock.now();
  await admin("POST", "/clock/sleep", { by: "5s" });
  expect(sandbox.clock.now() - began).toBe(5000);
  await sandbox.close();
});
