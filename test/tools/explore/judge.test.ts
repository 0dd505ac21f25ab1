/** What counts as a break. Each recording is written by hand, so that each rule stands alone. */
import { describe, expect, test } from "vitest";
import { judge } from "../../../src/tools/explore/judge.ts";
import type { Item, Post, Recording } from "../../../src/tools/explore/recording.ts";
import type { FaultPlace } from "../../../src/tools/explore/report.ts";
import { stepsOf } from "../../../src/tools/explore/story.ts";
import { call, place, post, recording, type Row, row, type Wanted } from "./by-hand.ts";

const how = { time: "virtual" as const, allowsFailure: () => false, isSteady: () => true };
const symptoms = (clean: Recording, run: Recording, faults: FaultPlace[] = []) =>
  judge(clean, run, faults, how).findings.map(({ symptom }) => symptom);

describe("duplicates", () => {
  const clean = recording([call({ operation: "createDocument", status: 201, document: "d1" })], [row("d1")]);

  test("a second document of the same name is a duplicate", () => {
    expect(symptoms(clean, recording(clean.items, [row("d1"), row("d2")]))).toEqual(["duplicate_document"]);
  });

  test.each<[string, Row]>([
    ["deleted", row("d2", "document.draft", { deleted: true })],
    ["voided", row("d2", "document.voided")],
    ["of another name", row("d2", "document.draft", { name: "Contract" })],
  ])("a second document that is %s does not count", (_, second) => {
    expect(symptoms(clean, recording(clean.items, [row("d1"), second]))).toEqual([]);
  });

  test("the break is at the last call that made one of them", () => {
    const second = call({ operation: "createDocument", nth: 2, status: 201, document: "d2" });
    const run = recording([...clean.items, second], [row("d1"), row("d2")]);
    expect(judge(clean, run, [], how).findings).toMatchObject([{ symptom: "duplicate_document", item: second }]);
  });

  test("two sends of one document break, and one send of each document does not", () => {
    const send = (document: string, nth: number, at: number) => call({ operation: "sendDocument", document, nth, at });
    const documents = [row("d1", "document.sent"), row("d2", "document.sent", { name: "Contract" })];
    const both = recording([send("d1", 1, 0), send("d2", 2, 1)], documents);
    expect(symptoms(both, both)).toEqual([]);
    expect(symptoms(both, recording([...both.items, send("d1", 3, 2)], documents))).toEqual(["duplicate_send"]);
    const refused = call({ operation: "sendDocument", document: "d1", nth: 3, status: 409 });
    expect(symptoms(both, recording([...both.items, refused], documents))).toEqual([]);
  });
});

describe("impatience", () => {
  const throttled = (body: string) =>
    call({ operation: "createContact", status: 429, own: undefined, retryAfter: 5, body, rule: "throttled", took_ms: 10 });
  const next = (body: string, at: number) => call({ operation: "createContact", nth: 2, status: 201, body, at });
  const run = (...items: Item[]) => symptoms(recording([]), recording(items));

  test("a repeat before Retry-After breaks, and a call with another body does not repeat", () => {
    expect(run(throttled('{"name":"A"}'), next('{"name":"A"}', 2000))).toEqual(["ignored_retry_after"]);
    expect(run(throttled('{"a":1,"b":2}'), next('{"b":2,"a":1}', 2000))).toEqual(["ignored_retry_after"]);
    expect(run(throttled('{"name":"A"}'), next('{"name":"B"}', 2000))).toEqual([]);
    expect(run(throttled('{"name":"A"}'), next('{"name":"A"}', 5010))).toEqual([]);
  });

  test("a call that began before the answer came does not ignore it", () => {
    expect(run(throttled("{}"), next("{}", 5))).toEqual([]);
  });

  test("two tests that make the same call do not repeat it, but a third call does", () => {
    const send = call({ operation: "sendDocument", document: "d1", at: 500 });
    const both = recording([next("{}", 0), send, next("{}", 1000)]);
    expect(symptoms(both, recording([throttled("{}"), send, next("{}", 1000)]))).toEqual([]);
    expect(symptoms(both, recording([throttled("{}"), next("{}", 100), send, next("{}", 1000)]))).toEqual([
      "ignored_retry_after",
    ]);
    expect(symptoms(recording([next("{}", 0), send]), recording([throttled("{}"), next("{}", 1000), send]))).toEqual([
      "ignored_retry_after",
    ]);
  });

  test("a read after a change may be of another test, and a read after a read is a poll", () => {
    const read = (at: number, wanted: Partial<Wanted> = {}) =>
      call({ operation: "listDocuments", method: "GET", at, answer: String(at), ...wanted });
    const refused = read(0, { status: 429, own: undefined, retryAfter: 5, rule: "throttled", took_ms: 10 });
    const change = call({ operation: "sendDocument", document: "d1", at: 500 });
    expect(symptoms(recording([read(0), change, read(1000)]), recording([refused, change, read(1000)]))).toEqual([]);
    expect(symptoms(recording([read(0), read(1000)]), recording([refused, read(1000)]))).toEqual(["ignored_retry_after"]);
  });

  test("a call with another cause does not know the answer", () => {
    expect(run(throttled("{}"), { ...next("{}", 1000), cause: post(200) })).toEqual([]);
  });

  test("a command that waits on docdouble's clock is patient, whatever real time passes", () => {
    const items = [throttled("{}"), { ...next("{}", 6000), wall: 20 }];
    const judged = (waits: Recording["waits"]) =>
      judge(recording([]), { ...recording(items), waits }, [], { ...how, time: "wall" }).findings.map(({ message }) => message);
    expect(judged([])).toEqual([
      "The client repeats createContact after less than 1 s of real time, though the answer asks it to wait 5 s.",
    ]);
    expect(judged([{ from: 10, to: 6000 }])).toEqual([]);
    expect(judged([{ from: 10, to: 4789 }])).toEqual([
      "The client repeats createContact after 4.7 s, though the answer asks it to wait 5 s.",
    ]);
    expect(
      judged([
        { from: 10, to: 2000 },
        { from: 1000, to: 3000 },
      ]),
    ).toHaveLength(1);
  });

  test("four reads with the same answer and no pause are polls, unless they are refused or change", () => {
    const reads = (one: (i: number) => Partial<Wanted>) =>
      [0, 1, 2, 3].map((i) =>
        call({ operation: "statusDocument", method: "GET", document: "d1", nth: i + 1, at: i * 100, ...one(i) }),
      );
    expect(run(...reads(() => ({})))).toEqual(["polls_too_fast"]);
    expect(run(...reads(() => ({ status: 404 })))).toEqual([]);
    expect(run(...reads((i) => ({ answer: String(i) })))).toEqual([]);
    expect(run(...reads((i) => ({ at: i * 500 })))).toEqual([]);
    // An event is a reason to read.
    expect(run(post(200), ...reads(() => ({})))).toEqual([]);
  });
});

describe("parts of a client that work at the same moment", () => {
  const list = (nth: number, at: number, more: Partial<Wanted> = {}) =>
    call({ operation: "listTemplates", method: "GET", nth, at, answer: "[1]", ...more });
  const refused = (nth: number, at: number) =>
    list(nth, at, { status: 429, own: undefined, retryAfter: 5, rule: "throttled", answer: "later" });
  const five = [0, 1, 2, 3, 4].map((at, i) => list(i + 1, at));

  test("may read the same list together, unless the next read shows news or the reads do not end", () => {
    expect(symptoms(recording(five), recording(five))).toEqual([]);
    expect(symptoms(recording([]), recording([...five, refused(6, 5)]))).toEqual([]);
    expect(symptoms(recording([]), recording([...five, list(6, 5, { answer: "[1,2]" })]))).toEqual(["polls_too_fast"]);
    const many = Array.from({ length: 21 }, (_, i) => list(i + 1, i));
    expect(symptoms(recording([]), recording(many))).toEqual(["polls_too_fast"]);
  });

  test("a part that was not refused may call, and one that was refused must wait", () => {
    const clean = recording([list(1, 0), list(2, 1), list(3, 3000), list(4, 3001)]);
    const judged = (...items: Item[]) => symptoms(clean, recording(items));
    expect(judged(refused(1, 0), list(2, 1), list(3, 3001), list(4, 5000))).toEqual([]);
    expect(judged(list(1, 0), refused(2, 1), list(3, 3000), list(4, 5001))).toEqual([]);
    expect(judged(refused(1, 0), list(2, 1), list(3, 200), list(4, 3000), list(5, 3001))).toEqual(["ignored_retry_after"]);
  });

  test("reads of one document are polls, whatever the run without a fault does", () => {
    const read = (nth: number, at: number) => list(nth, at, { operation: "statusDocument", document: "d1" });
    const throttled = { ...refused(1, 0), ...{ operation: "statusDocument" } };
    throttled.entry = { ...throttled.entry, url: read(1, 0).entry.url, path: read(1, 0).entry.path, subject: "d1" };
    const clean = recording([read(1, 0), read(2, 1), read(3, 2)]);
    expect(symptoms(clean, recording([throttled, read(2, 1), read(3, 2)]))).toEqual(["ignored_retry_after"]);
  });
});

describe("lost events", () => {
  const fault = place("gateway_error", "createContact");
  const clean = recording([post(200), call({ operation: "createContact", status: 201 })]);
  const failed = (at: number, cause?: Post) =>
    call({ operation: "createContact", status: 502, own: undefined, rule: "gateway", at, ...(cause ? { cause } : {}) });
  const judged = (...items: Item[]) => symptoms(clean, recording(items), [fault]);

  test("an event is lost when its work failed and it was answered with success", () => {
    const event = post(200);
    expect(judged(event, failed(10, event))).toEqual(["event_lost"]);
    expect(judged(event, failed(10))).toEqual(["event_lost"]);
  });

  test.each([400, 401, 500])("an event that was answered with %i is not lost, because the service repeats it", (status) => {
    const event = post(status);
    expect(judged(event, failed(10, event))).toEqual([]);
  });

  test("a change that took effect behind a lost answer is done, and a client that fails tells of its failure", () => {
    const event = post(200);
    const lost = { operation: "createContact", own: 201, networkFault: "reset", rule: "reset", at: 10 };
    expect(symptoms(clean, recording([event, call(lost)]), [place("reset_after", "createContact")])).toEqual([]);
    const failing = recording([event, failed(10)], [], { kind: "failed", message: "gave up" });
    expect(symptoms(clean, failing, [fault])).toEqual(["failed"]);
    expect(symptoms(clean, recording([event, failed(10, event)]), [place("not_found", "createContact")])).toEqual([]);
  });

  test("the break is at the event, and only a later delivery of the same event mends it", () => {
    const event = post(200);
    const later = (more: Partial<Post>) => judged(event, failed(10, event), post(200, { at: 20, nth: 2, ...more }));
    expect(judge(clean, recording([event, failed(10, event)]), [fault], how).findings).toMatchObject([{ item: event }]);
    expect(later({})).toEqual([]);
    expect(later({ eventId: "e2" })).toEqual(["event_lost"]);
    expect(judged(post(200), event, failed(10, event))).toEqual(["event_lost"]);
  });

  test("an outdated answer loses no event, and an unknown one is not called a failure", () => {
    const event = post(200);
    const read = call({ operation: "statusDocument", method: "GET", rule: "answer", at: 10, cause: event });
    const told = (fault: FaultPlace["fault"]) =>
      judge(clean, recording([event, read]), [place(fault, "statusDocument")], how).findings.map(({ message }) => message);
    expect(told("stale_read")).toEqual([]);
    expect(told("new_member")).toEqual([
      "The client answers 200 to document_state_changed (document.completed), though the answer to statusDocument was new to it while it handled the event. It never handles the event again.",
    ]);
  });

  test("a call that fails five seconds after an event has no cause", () => {
    expect(judged(post(200), failed(5000))).toEqual([]);
  });

  test("one read is enough, however often the clean run reads", () => {
    const read = (nth: number) => call({ operation: "statusDocument", method: "GET", nth, at: 20 + nth, answer: String(nth) });
    const event = post(200);
    const log = { ...failed(5, event), operation: "createLog" };
    const clean = recording([event, read(1), read(2), read(3)]);
    const judged = (...reads: Item[]) =>
      symptoms(clean, recording([event, log, ...reads]), [place("gateway_error", "createLog")]);
    expect(judged(read(1))).toEqual([]);
    expect(judged()).toEqual(["event_lost"]);
  });
});

describe("lost work", () => {
  const create = (id: string, nth: number) => call({ operation: "createDocument", status: 201, document: id, nth, body: id });
  const two = [row("d1"), row("d2", "document.draft", { name: "Contract" })];
  const clean = recording([create("d1", 1), create("d2", 2)], two);
  const judged = (run: Recording, fault: FaultPlace) => {
    const { findings, warnings } = judge(clean, run, [fault], how);
    return { found: findings.map(({ symptom, message }) => `${symptom}: ${message}`), warnings };
  };

  test.each([place("throttled", "createDocument", 1), place("gateway_error", "createDocument", 2)])(
    "a client that ends well without a document loses work, whatever the fault: %j",
    (fault) => {
      const left = fault.nth === 1 ? two[1] : two[0];
      expect(judged(recording([], [left as Row]), fault).found).toEqual([
        `lost_work: The client ends well, but the document "${fault.nth === 1 ? "Offer" : "Contract"}" of the clean run is missing.`,
      ]);
    },
  );

  test("a client that ends with an error loses nothing silently", () => {
    const run = recording([], [two[0] as Row], { kind: "failed", message: "throttled" });
    expect(judged(run, place("throttled", "createDocument", 2)).found).toEqual(["failed: The client fails: throttled"]);
  });

  test("after a fault that no client can mend, missing work is a warning", () => {
    const run = recording([], [two[0] as Row]);
    expect(judged(run, place("processing_failed", "createDocument", 1))).toEqual({
      found: [],
      warnings: ['The client ends well, but the document "Contract" of the clean run is missing.'],
    });
  });

  test("a document that was not sent is lost work, unless another call brought the send about", () => {
    const sent = recording([], [row("d1", "document.sent")]);
    const fault = [place("gateway_timeout", "sendDocument")];
    expect(judge(sent, recording([], [row("d1", "document.draft")]), fault, how).findings[0]?.message).toContain(
      'the send of the document "Offer"',
    );
    expect(symptoms(sent, recording([], [row("d1", "document.viewed")]), fault)).toEqual([]);
  });

  test("a download of zero bytes, a 202 or half a file loses the file", () => {
    const download = (more: Partial<Wanted>) =>
      call({
        operation: "downloadDocument",
        method: "GET",
        document: "d1",
        type: "application/pdf",
        answer: "[1775 bytes]",
        ...more,
      });
    const whole = recording([download({})], [row("d1")]);
    const fault = [place("pdf_not_ready", "downloadDocument")];
    const lost = (more: Partial<Wanted>) => symptoms(whole, recording([download(more)], [row("d1")]), fault);
    expect(lost({})).toEqual([]);
    for (const more of [{ status: 202, own: undefined, answer: "" }, { answer: "[0 bytes]" }, { networkFault: "truncate" }])
      expect(lost(more)).toEqual(["lost_work"]);
  });
});

describe("an end", () => {
  const hung = (time: "real" | "virtual") => recording([], [], { kind: "hung", time, message: "it still ran after 15 s" });

  test("a limit in real time alone is a warning, and a wait without an end on the clock is a break", () => {
    const real = judge(recording([]), hung("real"), [place("processing_failed", "createDocument")], how);
    expect(real).toEqual({
      findings: [],
      warnings: ["The client does not end: it still ran after 15 s. It may still end, because only the time limit stopped it."],
    });
    expect(symptoms(recording([]), hung("virtual"))).toEqual(["hung"]);
  });

  test("a bounded wait that ends with an error after a failed conversion is a warning", () => {
    const run = recording([], [], { kind: "failed", message: "not ready after 15 tries" });
    expect(judge(recording([]), run, [place("processing_failed", "createDocument")], how)).toEqual({
      findings: [],
      warnings: ["The client gives up: not ready after 15 tries"],
    });
    expect(symptoms(recording([]), run, [place("throttled", "createDocument")])).toEqual(["failed"]);
  });
});

describe("the call that a failure names", () => {
  const failed = (...items: Item[]) => recording(items, [], { kind: "failed", message: "1 failed, 3 passed" });
  const named = (run: Recording, ...faults: FaultPlace[]) => judge(recording([]), run, faults, how).findings[0]?.item;
  const refused = call({ operation: "createDocument", status: 429, own: undefined, rule: "throttled" });
  const polled = (nth: number) => call({ operation: "statusDocument", method: "GET", nth });

  test("is the call that the fault refused, although a runner of tests makes further calls", () => {
    expect(named(failed(refused, polled(1)), place("throttled", "createDocument"))).toBe(refused);
    const lost = call({ operation: "sendDocument", status: 200, rule: "reset_after", networkFault: "reset" });
    expect(named(failed(lost, polled(1)), place("reset_after", "sendDocument"))).toBe(lost);
  });

  test("is the last call, where the fault refuses nothing or the service refuses without it", () => {
    const slow = call({ operation: "createDocument", status: 201, rule: "slow_processing" });
    const last = polled(9);
    expect(named(failed(slow, polled(8), last), place("slow_processing", "createDocument"))).toBe(last);
    const early = call({ operation: "sendDocument", status: 409 });
    expect(named(failed(early, last), place("slow_processing", "createDocument"))).toBe(last);
    const strange = call({ operation: "statusDocument", method: "GET", nth: 2, rule: "new_status" });
    expect(named(failed(early, strange), place("new_status", "statusDocument", 2))).toBe(strange);
  });
});

test("a receiver that misses a lost event fails at that event, and the message tells what it believes and what is true", () => {
  const clean = recording([post(200)], [row("d1", "document.completed")]);
  const lost = post(null, { nth: 0, result: undefined });
  const end = { kind: "failed" as const, message: "no event came" };
  const run = { ...recording([post(200, { status: "document.sent" })], [row("d1", "document.completed")], end), lost: [lost] };
  const faults = [place("webhook_lost", "document_state_changed")];
  const { findings } = judge(clean, run, faults, { time: "virtual", allowsFailure: () => false, isSteady: () => true });
  expect(findings).toMatchObject([
    {
      symptom: "failed",
      message:
        "The client fails: no event came\nThe last event told the receiver document.sent. The document is document.completed.",
      item: lost,
    },
  ]);
  const [, step] = stepsOf(run, faults, findings[0]);
  expect(step).toMatchObject({ what: "document_state_changed", answer: "lost", fault: "webhook_lost", failing: true });
});
