/** The search for breaks: which faults it derives, tries and skips, and which faults break a client. */
import { expect, test } from "vitest";
import { ExploreError, explore, type ExploreOptions, type ExploreReport } from "../../../src/index.ts";
import type { Sandbox } from "../../../src/library/types.ts";
import { Caller, drafts, listens, offers } from "./clients.ts";

const NOT_READY = "The document isn't ready for a status transition yet";
const sent = ({ apiKey }: Sandbox) => ({ authorization: `API-Key ${apiKey}`, "content-type": "application/json" });

/** No search ends by its budget. Otherwise its outcome would depend on the machine. */
const QUIET: ExploreOptions = { out: false, throwOnBreak: false, budget: "1h" };
const breaksOf = (report: ExploreReport) =>
  report.breaks.map(({ symptom, faults }) => `${symptom}: ${faults.map((one) => `${one.fault} ${one.operation}`).join(" + ")}`);
const outcome = (report: ExploreReport, operation: string, nth: number, fault: string) =>
  report.cells.find((one) => one.operation === operation && one.nth === nth && one.fault === fault);

test("a careful client survives each fault, and the report explains impossible and skipped faults", async () => {
  const report = await explore((sandbox) => offers(sandbox), { ...QUIET, throwOnBreak: true, pairs: false });
  expect(report).toMatchObject({ version: 1, ended: "complete", breaks: [], clean: { problem: null } });
  expect(new Set(report.cells.map((one) => one.outcome))).toEqual(new Set(["survived", "warned", "impossible", "left_out"]));
  expect(report.cells.filter((one) => one.outcome === "survived").length).toBeGreaterThan(25);
  expect(outcome(report, "sendDocument", 1, "not_found")).toMatchObject({ outcome: "warned" });
  expect(outcome(report, "sendDocument", 1, "not_ready_after_draft")?.outcome).toBe("survived");
  expect(outcome(report, "statusDocument", 1, "conflict")?.why).toContain("does not answer 409");
  expect(outcome(report, "createDocument", 1, "not_found")?.why).toContain("no document");
  expect(outcome(report, "sendDocument", 1, "unauthorized")?.why).toContain("access tokens");
  expect(outcome(report, "statusDocument", 1, "reset_after")?.outcome).toBe("left_out");
  expect(outcome(report, "Client", 1, "recipient_declines")?.outcome).toBe("survived");
  expect(report.clean.calls[0]).toMatchObject({ operation: "createDocument", nth: 1, status: 201 });
  expect(report.left_out).toBeGreaterThan(report.runs);
});

test("an event that showed the draft excludes a conflict of the conversion", async () => {
  const client = async (sandbox: Sandbox) => {
    const inbox = await sandbox.webhooks.receiver({ events: ["document_state_changed"] });
    const caller = new Caller(sandbox);
    const id = await caller.create("1");
    await inbox.next("document_state_changed");
    await caller.call("POST", `/documents/${id}/send`, { silent: true });
  };
  const report = await explore(client, { ...QUIET, only: "conflict,not_ready_after_draft", pairs: false });
  expect(outcome(report, "sendDocument", 1, "conflict")).toMatchObject({
    outcome: "impossible",
    why: "An earlier event showed that the conversion had ended.",
  });
  expect(outcome(report, "sendDocument", 1, "not_ready_after_draft")?.outcome).toBe("survived");
});

test("a client that takes the vendor's 409 for an end breaks, and its story shows the draft", async () => {
  const answers: string[] = [];
  const client = async (sandbox: Sandbox) => {
    const caller = new Caller(sandbox);
    const id = await caller.create("1");
    await caller.until(id, ["document.draft"]);
    const body = "{}";
    const sending = await sandbox.fetch(`/public/v1/documents/${id}/send`, { method: "POST", headers: sent(sandbox), body });
    if (!sending.ok) answers.push(await sending.text());
    if (!sending.ok) throw new Error(`send: ${sending.status}`);
  };
  const report = await explore(client, { ...QUIET, only: "not_ready_after_draft" });
  expect(breaksOf(report)).toEqual(["failed: not_ready_after_draft sendDocument"]);
  expect(JSON.parse(answers[0] ?? "")).toMatchObject({ status: "document.draft", info_message: NOT_READY });
});

test("each careless client breaks under the expected fault with the expected symptom", async () => {
  const cases: [(sandbox: Sandbox) => Promise<unknown>, string, string][] = [
    [(sandbox) => drafts(sandbox, "retries"), "createDocument:reset_before", "failed: reset_before createDocument"],
    [(sandbox) => drafts(sandbox, "look"), "createDocument:reset_after", "duplicate_document: reset_after createDocument"],
    [(sandbox) => drafts(sandbox, "retry_after"), "createDocument:throttled", "ignored_retry_after: throttled createDocument"],
    [(sandbox) => drafts(sandbox, "errors"), "createDocument:processing_failed", "hung: processing_failed createDocument"],
    [(sandbox) => offers(sandbox, "declined"), "recipient_declines", "hung: recipient_declines Client"],
  ];
  for (const [client, only, expected] of cases) {
    const report = await explore(client, { ...QUIET, only });
    expect(breaksOf(report)).toEqual([expected]);
    const [found] = report.breaks;
    expect(found?.steps[found.failing_step ?? -1]).toMatchObject({ failing: true });
  }
});

test("a pair of faults is minimal: with only one of them the client survives", async () => {
  const client = (sandbox: Sandbox) => drafts(sandbox, "second_look");
  const report = await explore(client, { ...QUIET, only: "createDocument:reset_after,listDocuments:gateway_error" });
  expect(breaksOf(report)).toEqual(["duplicate_document: reset_after createDocument + gateway_error listDocuments"]);
  for (const only of ["createDocument:reset_after", "listDocuments:gateway_error"])
    expect(breaksOf(await explore(client, { ...QUIET, only }))).toEqual([]);
});

test("the same seed produces the same report", async () => {
  const once = () => explore((sandbox) => drafts(sandbox, "look"), { ...QUIET, seed: 7, only: "createDocument" });
  expect(await once()).toEqual(await once());
});

test("reduction saves runs and finds the same breaks", async () => {
  const client = (sandbox: Sandbox) => drafts(sandbox, "retries");
  const only = "reset_before,throttled";
  const [reduced, whole] = [await explore(client, { ...QUIET, only }), await explore(client, { ...QUIET, only, reduce: false })];
  expect(new Set(breaksOf(reduced))).toEqual(new Set(breaksOf(whole)));
  expect(reduced.runs).toBeLessThan(whole.runs);
});

test("a forged event breaks a receiver that acts on it, but no receiver that refuses or ignores it", async () => {
  const only = "webhook_forged";
  const careless = await explore((sandbox) => listens(sandbox, "signature"), { ...QUIET, only });
  expect(breaksOf(careless)).toEqual(["forged_webhook_accepted: webhook_forged document_state_changed"]);
  for (const gap of [undefined, "ignores_silently"] as const)
    expect(breaksOf(await explore((sandbox) => listens(sandbox, gap), { ...QUIET, only }))).toEqual([]);
});

test("a lost event hangs a client that relies on webhooks", async () => {
  const report = await explore((sandbox) => listens(sandbox), { ...QUIET, only: "webhook_lost" });
  expect(breaksOf(report)).toEqual(["hung: webhook_lost document_state_changed"]);
});

test("invariants and expectations find breaks, and allowFailure permits a failure", async () => {
  const only = "createDocument:reset_after";
  const invariant = (sandbox: Sandbox) => sandbox.documents.all().length === 1;
  const broken = await explore((sandbox) => drafts(sandbox, "look"), { ...QUIET, only, invariant });
  expect(broken.breaks[0]).toMatchObject({ symptom: "duplicate_document", also: ["invariant"] });

  const scenario = {
    version: 1 as const,
    expect: { requests: [{ match: { operation: "createDocument" as const }, at_most: 1 }] },
  };
  const unmet = await explore((sandbox) => drafts(sandbox), { ...QUIET, scenario, only: "createDocument:gateway_error" });
  expect(breaksOf(unmet)).toEqual(["expectation: gateway_error createDocument"]);

  const allowed = await explore((sandbox) => drafts(sandbox, "retries"), { ...QUIET, only, allowFailure: "reset_after" });
  expect(allowed.breaks).toEqual([]);
  expect(outcome(allowed, "createDocument", 1, "reset_after")?.why).toContain("gives up");
});

test("the clean run must pass, and must be repeatable", async () => {
  const failing = explore(() => Promise.reject(new Error("no luck")), QUIET);
  await expect(failing).rejects.toThrow(/The clean run fails: Error: no luck/);
  let runs = 0;
  const changing = async (sandbox: Sandbox) => {
    await drafts(sandbox);
    if (runs++ > 0) await new Caller(sandbox).call("GET", "/contacts");
  };
  const error = await explore(changing, QUIET).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ExploreError);
  expect((error as ExploreError).report.clean.problem).toBe("differs");
  expect((error as ExploreError).message).toMatch(/differ from step 5.*the client ends.*call listContacts 1/s);
});

test("runs, budget and signal end the search, and the report contains the results so far", async () => {
  const client = (sandbox: Sandbox) => drafts(sandbox, "retries");
  const few = await explore(client, { ...QUIET, runs: 3 });
  // The third run breaks the client, and the fourth confirms it.
  expect(few).toMatchObject({ ended: "runs", runs: 4 });
  expect(few.not_tried).toBeGreaterThan(10);
  expect((await explore(client, { ...QUIET, budget: 1 })).ended).toBe("budget");

  const stop = new AbortController();
  const report = await explore(client, {
    ...QUIET,
    signal: stop.signal,
    onProgress: ({ breaks }) => breaks > 0 && stop.abort(),
  });
  expect(report).toMatchObject({ ended: "interrupted" });
  expect(report.breaks.length).toBeGreaterThan(0);
});

test("skip excludes faults, and impossible includes faults that the service never produces", async () => {
  const client = (sandbox: Sandbox) => drafts(sandbox);
  const skipped = await explore(client, { ...QUIET, skip: "*", pairs: false });
  expect(skipped.runs).toBe(2);
  const all = await explore(client, { ...QUIET, only: "statusDocument:conflict", impossible: true });
  expect(outcome(all, "statusDocument", 1, "conflict")?.outcome).toBe("survived");
});

test("ExploreError lists the breaks, and its enumerable properties exclude the report", async () => {
  const found = explore((sandbox) => drafts(sandbox, "retries"), {
    ...QUIET,
    throwOnBreak: true,
    only: "createDocument:throttled",
  });
  await expect(found).rejects.toThrow(/1 of the faults in \d+ runs broke the client:\n {2}failed-throttled-create-document: /);
  const error = await found.catch((one: unknown) => one);
  expect([(error as ExploreError).report.breaks.length, Object.keys(error as ExploreError).includes("report")]).toEqual([
    1,
    false,
  ]);
});

test.each([
  [{ runs: 0 }, /the option runs is a whole number from 1, not 0/],
  [{ runs: 1.5 }, /the option runs is a whole number from 1, not 1.5/],
  [{ jobs: 0 }, /the option jobs is a whole number from 1, not 0/],
  [{ seed: true }, /the option seed is a number or a text, not true/],
  [{ out: "" }, /the option out is the name of a folder, or false, not ""/],
  [{ runTimeout: 0 }, /the option runTimeout is real milliseconds from 1, not 0/],
  [{ budget: "soon" }, /the option budget/],
  [{ only: "throtled" }, /did you mean throttled\?/],
  [{ onlyy: "throttled" }, /there is no option onlyy; did you mean only\?/],
  [{ allowFailure: 3 }, /allowFailure takes patterns/],
  [{ signal: "stop" }, /the option signal is an AbortSignal/],
  [{ invariant: true }, /the option invariant is a function/],
])("misuse %j is explained", async (options, message) => {
  await expect(explore(() => {}, options as never)).rejects.toThrow(message);
});
