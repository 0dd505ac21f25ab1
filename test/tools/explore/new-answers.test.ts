/** Faults of answers that no client has seen before, of reads that lag behind, and of calls that overtake each other. */
import { expect, test } from "vitest";
import { explore, type ExploreOptions, type ExploreReport } from "../../../src/index.ts";
import type { Sandbox } from "../../../src/library/types.ts";
import { Caller, offers, sleep } from "./clients.ts";

const QUIET: ExploreOptions = { out: false, throwOnBreak: false, budget: "1h", pairs: false };
const NEW = "new_*,null_member,stale_read";
const breaksOf = (report: ExploreReport) =>
  report.breaks.map(({ symptom, faults }) => `${symptom}: ${faults.map((one) => `${one.fault} ${one.operation} ${one.nth}`)}`);
const cellOf = (report: ExploreReport, fault: string, operation: string, nth = 1) =>
  report.cells.find((one) => one.operation === operation && one.nth === nth && one.fault === fault);

type Answers = Record<"create" | "status" | "send" | "details", Record<string, unknown>>;
type Look = (call: keyof Answers, answer: Record<string, unknown>) => void;

/** Creates, waits for the draft, sends and reads the details. `look` sees each answer first. */
const visits = (look: Look) => async (sandbox: Sandbox) => {
  const caller = new Caller(sandbox);
  const id = await caller.create("1");
  for (let tries = 0; ; tries++) {
    const answer = await caller.call("GET", `/documents/${id}`);
    look("status", answer);
    if (answer.status === "document.draft" || tries === 20) break;
    await sleep(2000);
  }
  look("send", await caller.call("POST", `/documents/${id}/send`, { silent: true }, async () => undefined));
  look("details", await caller.call("GET", `/documents/${id}/details`));
};

/** As `visits`, and looks at the answer to the creation too. */
const creates = (look: Look) => async (sandbox: Sandbox) => {
  const caller = new Caller(sandbox, "look");
  const recipients = [{ email: "pat@client.example", first_name: "Pat", last_name: "Lee", role: "Client" }];
  look("create", await caller.call("POST", "/documents", { name: "Offer", template_uuid: "TemplateOneSignerxxxxx", recipients }));
};

const STATUSES = ["document.uploaded", "document.draft", "document.sent"];
const KNOWN: Record<keyof Answers, string> = {
  create: "createDocument",
  status: "statusDocument",
  send: "sendDocument",
  details: "detailsDocument",
};

test("a tolerant client survives each new answer, stale read and overtaking call", async () => {
  const report = await explore((sandbox) => offers(sandbox), { ...QUIET, only: NEW });
  expect(breaksOf(report)).toEqual([]);
  expect(cellOf(report, "new_status", "createDocument")).toMatchObject({
    outcome: "impossible",
    why: "A new document always begins as document.uploaded.",
  });
  expect(cellOf(report, "new_status", "sendDocument")?.outcome).toBe("survived");
  expect(cellOf(report, "new_member", "statusDocument")?.outcome).toBe("survived");
  expect(cellOf(report, "null_member", "createDocument")).toMatchObject({
    outcome: "impossible",
    why: "No member of the answer can become null here.",
  });
});

test.each(["status", "send", "details"] as const)(
  "a client breaks at the answer of %s when it knows all statuses, and a tolerant one does not",
  async (at) => {
    const strict = await explore(
      visits((call, answer) => {
        if (call === at && !STATUSES.includes(String(answer.status))) throw new Error(`unknown status ${answer.status}`);
      }),
      { ...QUIET, only: NEW },
    );
    expect(breaksOf(strict)).toEqual([`failed: new_status ${KNOWN[at]} 1`]);
    const tolerant = await explore(
      visits(() => {}),
      { ...QUIET, only: NEW },
    );
    expect(breaksOf(tolerant)).toEqual([]);
  },
);

test.each(["create", "status", "send", "details"] as const)(
  "a client breaks at the answer of %s when it refuses further members",
  async (at) => {
    let members: string[] | undefined;
    const client = at === "create" ? creates : visits;
    const strict = await explore(
      client((call, answer) => {
        if (call !== at) return;
        members ??= Object.keys(answer);
        const more = Object.keys(answer).find((name) => !members?.includes(name));
        if (more !== undefined) throw new Error(`unknown member ${more}`);
      }),
      { ...QUIET, only: NEW },
    );
    expect(breaksOf(strict)).toEqual([`failed: new_member ${KNOWN[at]} 1`]);
  },
);

test("a client breaks where it relies on a member that may be null", async () => {
  const strict = await explore(
    visits((call, answer) => {
      if (call === "send" && answer.version === null) throw new Error("no version");
    }),
    { ...QUIET, only: NEW },
  );
  expect(breaksOf(strict)).toEqual(["failed: null_member sendDocument 1"]);
  expect(cellOf(strict, "null_member", "detailsDocument")?.outcome).toBe("impossible");
});

/** Sends, and then looks whether the document is sent. */
const checks = (isPatient: boolean) => async (sandbox: Sandbox) => {
  const caller = new Caller(sandbox);
  const id = await caller.create("1");
  await caller.until(id, ["document.draft"]);
  await caller.call("POST", `/documents/${id}/send`, { silent: true }, async () =>
    (await caller.status(id)) === "document.draft" ? undefined : {},
  );
  while ((await caller.status(id)) === "document.draft") {
    if (!isPatient) throw new Error("the send had no effect");
    await sleep(2000);
  }
};

test("a read that lags behind breaks a client that trusts it more than the answer to its send", async () => {
  const hasty = await explore(checks(false), { ...QUIET, only: "stale_read" });
  expect(breaksOf(hasty)).toEqual([expect.stringMatching(/^failed: stale_read statusDocument \d+$/)]);
  const patient = await explore(checks(true), { ...QUIET, only: "stale_read" });
  expect(breaksOf(patient)).toEqual([]);
  expect(cellOf(patient, "stale_read", "statusDocument")?.why).toBe(
    "The client changed no status of the document before the read.",
  );
  expect(cellOf(patient, "stale_read", "sendDocument")?.why).toBe("Only reads lag behind.");
});

test("a list that lags behind breaks a client that creates what it does not find", async () => {
  const client = (isCareful: boolean) => async (sandbox: Sandbox) => {
    const caller = new Caller(sandbox);
    const made = await caller.create("1");
    const found = await caller.find("1");
    if (!found && !isCareful) await caller.create("1");
    return { [made]: await caller.status(made) };
  };
  expect(breaksOf(await explore(client(false), { ...QUIET, only: "stale_read" }))).toEqual([
    "duplicate_document: stale_read listDocuments 1",
  ]);
  expect(breaksOf(await explore(client(true), { ...QUIET, only: "stale_read" }))).toEqual([]);
});
