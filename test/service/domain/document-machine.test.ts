import { default as fc } from "fast-check";
import { describe, expect, test } from "vitest";
import { ApiError } from "../../../src/engine/core/errors.ts";
import type { DocumentStatus, EventName, Trigger } from "../../../src/service/nouns/documents/status-machine.ts";
import {
  ALLOWED_IN,
  AUDIT_OF,
  EFFECTS_OF,
  EVENTS,
  EVENTS_OF,
  MANUAL_CHANGE,
  MANUAL_TRIGGERS,
  STATUSES,
  TRANSITIONS,
  codeOf,
  isAllowedIn,
  next,
  statusOf,
  triggersIn,
} from "../../../src/service/nouns/documents/status-machine.ts";
import { expire, fire } from "../../../src/service/nouns/documents/transitions.ts";
import { aDraft, anUploadedDocument, aSentDocument, statusOf as readStatus, simulate, succeed } from "../../support/stories.ts";
import { useWorld, type TestWorld } from "../../support/world.ts";
import type { DocumentRow } from "../../../src/service/nouns/documents/row.ts";
import { law } from "../../support/law.ts";

const world = useWorld();

const TRIGGERS = Object.keys(TRANSITIONS) as Trigger[];
const status = (word: string): DocumentStatus => `document.${word}` as DocumentStatus;

/** The manual matrix of the specification: to completed (2), voided (11), paid (10), declined (12). */
const MATRIX = `
  draft        yes  no   yes  yes
  approved     no   no   no   no
  sent         yes  yes  no   yes
  viewed       yes  yes  no   yes
  completed    no   no   no   yes
  waiting_pay  no   no   yes  yes
  paid         no   no   no   no
  voided       yes  no   yes  yes
  declined     yes  no   yes  no
`;

const COLUMNS = [
  [2, "completed"],
  [11, "voided"],
  [10, "paid"],
  [12, "declined"],
] as const;

const CELLS = MATRIX.trim()
  .split("\n")
  .flatMap((line) => {
    const [from = "", ...cells] = line.trim().split(/\s+/);
    return COLUMNS.map(([code, to], i) => ({ from: status(from), code, to: status(to), allowed: cells[i] === "yes" }));
  });

describe("the manual matrix", () => {
  test.each(CELLS)("changeDocumentStatus from $from to $code: $allowed", ({ from, code, to, allowed }) => {
    expect(next(from, MANUAL_TRIGGERS[code])).toBe(allowed ? to : undefined);
  });

  test("the matrix has 9 rows of 4 cells, and no other status allows a manual change", () => {
    expect(CELLS).toHaveLength(36);
    expect(new Set(Object.keys(MANUAL_CHANGE))).toEqual(new Set(CELLS.map((cell) => cell.from)));
    for (const from of STATUSES.filter((one) => !(one in MANUAL_CHANGE)))
      for (const trigger of Object.values(MANUAL_TRIGGERS)) expect(next(from, trigger), from).toBeUndefined();
  });
});

describe("statuses", () => {
  test.each([
    [0, "draft"],
    [1, "sent"],
    [2, "completed"],
    [3, "uploaded"],
    [4, "error"],
    [5, "viewed"],
    [6, "waiting_approval"],
    [7, "approved"],
    [8, "rejected"],
    [9, "waiting_pay"],
    [10, "paid"],
    [11, "voided"],
    [12, "declined"],
    [13, "external_review"],
    [14, "scheduled"],
  ])("code %d is document.%s", (code, word) => {
    expect([statusOf(code), codeOf(status(word))]).toEqual([status(word), code]);
  });

  test("there are fifteen statuses, and other codes have no status", () => {
    expect(STATUSES).toHaveLength(15);
    for (const code of [-1, 15, 1.5, Number.NaN]) expect(statusOf(code)).toBeUndefined();
  });
});

/** Columns: from, trigger, to, events in order. One line per transition that a source states. The matrix has the manual ones. */
const ROWS = `
  uploaded          process           draft             document_state_changed document_created
  uploaded          fail              error             document_creation_failed
  draft             schedule          scheduled         document_state_changed
  draft             send              sent              document_state_changed
  approved          send              sent              document_state_changed
  scheduled         send              sent              document_state_changed
  draft             request_approval  waiting_approval  document_state_changed
  scheduled         request_approval  waiting_approval  document_state_changed
  waiting_approval  approve           approved          document_state_changed
  waiting_approval  reject            rejected          document_state_changed
  sent              view              viewed            document_state_changed
  sent              review            external_review   document_state_changed
  viewed            review            external_review   document_state_changed
  external_review   accept_review     sent              document_state_changed
  sent              complete          completed         document_state_changed document_completed
  viewed            complete          completed         document_state_changed document_completed
  sent              await_payment     waiting_pay       document_state_changed
  viewed            await_payment     waiting_pay       document_state_changed
  waiting_pay       pay               paid              document_state_changed
  sent              decline           declined          document_state_changed
  viewed            decline           declined          document_state_changed
  sent              expire            voided            document_state_changed
  viewed            expire            voided            document_state_changed
  external_review   expire            voided            document_state_changed
  waiting_pay       expire            voided            document_state_changed
`;

const TRANSITION_ROWS = ROWS.trim()
  .split("\n")
  .map((line) => {
    const [from = "", trigger = "", to = "", ...events] = line.trim().split(/\s+/);
    return { from: status(from), trigger: trigger as Trigger, to: status(to), events: events as EventName[] };
  });

describe("transitions", () => {
  test.each(TRANSITION_ROWS)("$from, $trigger: $to", ({ from, trigger, to, events }) => {
    expect(next(from, trigger)).toBe(to);
    expect(EVENTS_OF[trigger]).toEqual(events);
  });

  test("documentRevertToDraft leads to draft from every status", () => {
    for (const from of STATUSES) expect(next(from, "revert")).toBe("document.draft");
    expect(EVENTS_OF.revert).toEqual(["document_state_changed", "document_updated"]);
  });

  test("the rows above, the matrix and the reverts are the only transitions", () => {
    const expected = [
      ...TRANSITION_ROWS.map((row) => `${row.from} ${row.trigger}`),
      ...STATUSES.map((from) => `${from} revert`),
      ...CELLS.filter((cell) => cell.allowed).map((cell) => `${cell.from} ${MANUAL_TRIGGERS[cell.code]}`),
    ];
    const actual = STATUSES.flatMap((from) => triggersIn(from).map((trigger) => `${from} ${trigger}`));
    expect(actual.sort()).toEqual(expected.sort());
  });

  test.each([
    ["complete_manually", ["document_state_changed", "document_completed"]],
    ["void_manually", ["document_state_changed"]],
    ["pay_manually", ["document_state_changed"]],
    ["decline_manually", ["document_state_changed"]],
  ] as const)("%s emits %j", (trigger, events) => {
    expect(EVENTS_OF[trigger]).toEqual(events);
  });

  test("each trigger into a final status stops the timers, and each event is one of the fifteen", () => {
    for (const trigger of TRIGGERS) {
      const { to } = TRANSITIONS[trigger];
      if ((ALLOWED_IN.final as readonly string[]).includes(to)) expect(EFFECTS_OF[trigger], trigger).toContain("stop_timers");
      for (const event of EVENTS_OF[trigger]) expect(EVENTS).toContain(event);
    }
    expect(EVENTS).toHaveLength(15);
    expect(new Set(Object.values(AUDIT_OF)).size).toBe(Object.values(AUDIT_OF).length);
  });

  test("a document may expire exactly where the trigger expire leads on, so not when it is paid", () => {
    expect(STATUSES.filter((one) => isAllowedIn(one, "expires"))).toEqual(STATUSES.filter((one) => next(one, "expire")));
    expect(isAllowedIn("document.paid", "expires")).toBe(false);
  });

  test("document.error is terminal, except for the revert to draft that each status has", () => {
    expect(triggersIn("document.error")).toEqual(["revert"]);
  });
});

/** These lists come from the specification. The other lists are assumptions, which the source states. */
test.each([
  ["edit", ["draft"]],
  ["send", ["draft", "approved"]],
  ["remind", ["sent", "viewed"]],
  ["sign", ["sent", "viewed"]],
  ["final", ["completed", "paid", "voided", "declined"]],
  ["download_protected", ["completed", "paid"]],
] as const)("%s is allowed in %j only", (what, words) => {
  expect(STATUSES.filter((one) => isAllowedIn(one, what)).sort()).toEqual(words.map(status).sort());
});

class RolledBack extends Error {}

/** Runs `story` in a transaction and rolls it back, so that no job runs and no delivery is posted. */
function rolledBack(world: TestWorld, story: () => void): void {
  try {
    world.tenant.store.transaction(() => {
      story();
      throw new RolledBack();
    });
  } catch (error) {
    if (!(error instanceof RolledBack)) throw error;
  }
}

/** Checks the dates of a document. `passed` holds the triggers since the last `revert`. */
function checkDates(document: DocumentRow, passed: ReadonlySet<Trigger>): void {
  const went = (...triggers: Trigger[]) => triggers.some((trigger) => passed.has(trigger));
  expect(document.date_sent !== null, "date_sent").toBe(went("send"));
  expect(document.expiration_date !== null, "expiration_date").toBe(went("send"));
  expect(document.date_completed !== null, "date_completed").toBe(went("complete", "complete_manually", "pay", "pay_manually"));
  expect(document.date_declined !== null, "date_declined").toBe(went("decline", "decline_manually"));
}

describe("fire", () => {
  test("random triggers follow the table, set exactly the dates of the passed transitions, and emit their events", async () => {
    const { tenant } = world;
    const id = await anUploadedDocument(world, { template: "payment" });
    tenant.store.subscriptions.put({
      id: "all",
      name: "all",
      url: "http://127.0.0.1:9/",
      active: true,
      deactivated: false,
      payload: null,
      triggers: [...EVENTS],
      workspace_id: tenant.world.caller.workspace_id,
      shared_key: "key",
      old_key: null,
      date_created: 0,
      internal: { failing_since: null },
    });
    const eventsOf = () => tenant.store.deliveries.where("subject", id).map((row) => row.event);
    const step = fc.oneof(
      { weight: 1, arbitrary: fc.constant("expiry falls due" as const) },
      { weight: 12, arbitrary: fc.constantFrom(...TRIGGERS) },
    );
    law(
      fc.property(fc.array(step, { maxLength: 25 }), (steps) => {
        rolledBack(world, () => {
          let passed = new Set<Trigger>();
          for (const one of steps) {
            tenant.clock.set({ now: tenant.clock.now() + 1000 });
            const before = tenant.store.documents.get(id) as DocumentRow;
            const emitted = eventsOf().length;
            const trigger: Trigger = one === "expiry falls due" ? "expire" : one;
            const to = next(before.status, trigger);
            if (one === "expiry falls due") expire(tenant.world, id);
            else if (to) fire(tenant.world, before, one);
            else {
              const refused = catchError(() => fire(tenant.world, before, one));
              expect(refused).toBeInstanceOf(ApiError);
              expect(refused).toMatchObject({
                status: 409,
                options: { why: expect.stringContaining(`Cannot ${one.replaceAll("_", " ")}:`) },
              });
            }
            const after = tenant.store.documents.get(id) as DocumentRow;
            if (to) {
              if (trigger === "revert") passed = new Set();
              passed.add(trigger);
              expect(after).toMatchObject({
                status: to,
                date_status_changed: tenant.clock.now(),
                date_modified: tenant.clock.now(),
              });
              expect(eventsOf().slice(emitted)).toEqual(EVENTS_OF[trigger]);
            } else {
              expect({ ...after, internal: { ...after.internal, expire_job: null } }).toEqual({
                ...before,
                internal: { ...before.internal, expire_job: null },
              });
              expect(eventsOf()).toHaveLength(emitted);
            }
            checkDates(after, passed);
            const job = after.internal.expire_job;
            if (job !== null) expect(tenant.store.jobs.get(job), `${after.status} waits for a job that is`).toBeDefined();
            if (isAllowedIn(after.status, "final") || after.status === "document.draft") expect(job).toBeNull();
          }
        });
      }),
      { numRuns: 300 },
    );
    expect(tenant.store.documents.get(id)?.status).toBe("document.uploaded");
  });

  test("an expiry that is due while the document cannot expire removes its job", async () => {
    const id = await aSentDocument(world);
    const { documents } = world.tenant.store;
    documents.put({ ...(documents.get(id) as DocumentRow), status: "document.rejected" });
    await world.advance("61d");
    expect(documents.get(id)).toMatchObject({ status: "document.rejected", internal: { expire_job: null } });
  });

  test("documentRevertToDraft clears signatures and initials, keeps other values, and requires a new send", async () => {
    const id = await aSentDocument(world, { template: "everyField", silent: false });
    await simulate(world, id, "sign");
    const mails = async () => (await world.admin("GET", "/emails")).body.emails.map((one: { kind: string }) => one.kind);
    const sent = await mails();
    const signed = world.tenant.store.documents.get(id) as DocumentRow;
    for (const type of ["signature", "initials", "stamp"])
      expect(signed.fields.filter((field) => field.type === type && field.value !== null).length, type).toBeGreaterThan(0);
    expect((await world.call("documentRevertToDraft", { params: { id } })).body.status).toBe("document.draft");
    const reverted = world.tenant.store.documents.get(id) as DocumentRow;
    for (const [i, field] of reverted.fields.entries())
      expect([field.name, field.value]).toEqual([
        field.name,
        field.type === "signature" || field.type === "initials" ? null : signed.fields[i]?.value,
      ]);
    expect(reverted.recipients.every((one) => !one.has_completed && one.signature_date === null)).toBe(true);
    expect(
      (await world.call("createDocumentLink", { params: { id }, body: { recipient: reverted.recipients[0]?.email } })).status,
    ).toBe(400);
    expect(await mails()).toEqual(sent);
    await succeed(world.call("sendDocument", { params: { id }, body: {} }));
    expect(await mails()).toEqual([...sent, "sent"]);
    expect(await readStatus(world, id)).toBe("document.sent");
  });
});

function catchError(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  return undefined;
}

/** No call of the API and no simulated act leads to these statuses. */
const UNREACHED: Partial<Record<DocumentStatus, string>> = {
  "document.scheduled": "the service has no call to schedule a sending; only its own pages do",
};

describe("from a created document", () => {
  test("calls and simulated acts reach each status, except the declared unreached ones", async () => {
    const reached = new Set<string>();
    const note = async (id: string) => void reached.add(await readStatus(world, id));
    const broken = await anUploadedDocument(world);
    await note(broken);
    await simulate(world, broken, "fail");
    await note(broken);
    const plain = await aDraft(world);
    await note(plain);
    await succeed(world.call("sendDocument", { params: { id: plain }, body: { silent: true } }));
    await note(plain);
    await simulate(world, plain, "view");
    await note(plain);
    await simulate(world, plain, "review");
    await note(plain);
    for (const act of ["sign", "decline", "expire"]) {
      const id = await aSentDocument(world);
      await simulate(world, id, act);
      await note(id);
    }
    for (const decision of ["approve", "reject"]) {
      const id = await aSentDocument(world, { template: "approval" });
      await note(id);
      for (let i = 0; i < 5 && (await readStatus(world, id)) === "document.waiting_approval"; i++)
        await simulate(world, id, decision);
      await note(id);
    }
    const paid = await aSentDocument(world, { template: "payment" });
    await simulate(world, paid, "sign");
    await note(paid);
    await simulate(world, paid, "pay");
    await note(paid);
    expect([...reached].sort()).toEqual(STATUSES.filter((one) => !(one in UNREACHED)).sort());
  });
});
