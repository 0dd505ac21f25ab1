import { describe, expect, test } from "vitest";
import { ENTRIES_MAX, type JournalEntry, Journal, LENGTH_MAX } from "../../../src/engine/journal/journal.ts";
import { redact, redactHeaders, redactText } from "../../../src/engine/journal/redact.ts";

function exchange(id: string, part: Partial<JournalEntry> = {}): JournalEntry {
  return {
    id,
    at: 0,
    method: "GET",
    url: "/a",
    path: "/a",
    query: {},
    headers: {},
    body: "",
    operationId: undefined,
    subject: undefined,
    caller: undefined,
    rule: undefined,
    injected: false,
    own: undefined,
    why: undefined,
    status: 200,
    responseHeaders: {},
    responseBody: "",
    took_ms: 0,
    ...part,
  };
}

const ids = (journal: Journal) => journal.all().map((one) => one.id);

describe("the ring buffer", () => {
  test("the journal drops the oldest entries above its maximum count", () => {
    const journal = new Journal();
    for (let i = 0; i < ENTRIES_MAX + 2500; i++) journal.add(exchange(`x${i}`));
    expect(journal.size).toBe(ENTRIES_MAX);
    expect(journal.all()).toHaveLength(ENTRIES_MAX);
    expect(ids(journal)[0]).toBe("x2500");
    expect(ids(journal).at(-1)).toBe(`x${ENTRIES_MAX + 2499}`);
    expect([journal.get("x2499"), journal.get("x2500")?.id]).toEqual([undefined, "x2500"]);
  });

  test("the journal drops the oldest entries above its maximum size, but never the newest", () => {
    const journal = new Journal();
    const third = "x".repeat(Math.ceil(LENGTH_MAX / 3));
    journal.add(exchange("a", { body: third }));
    journal.add(exchange("b", { responseBody: third }));
    expect(ids(journal)).toEqual(["a", "b"]);
    journal.add(exchange("c", { body: third }));
    expect(ids(journal)).toEqual(["b", "c"]);
    journal.add(exchange("huge", { body: third.repeat(4) }));
    expect(ids(journal)).toEqual(["huge"]);
    journal.add(exchange("small"));
    expect(ids(journal)).toEqual(["small"]);
  });

  test("the journal counts dropped entries until it is emptied, also over a snapshot and a removal", () => {
    const journal = new Journal({ entriesMax: 2 });
    for (const id of ["a", "b", "c", "d", "e"]) journal.add(exchange(id));
    expect([journal.dropped, ids(journal)]).toEqual([3, ["d", "e"]]);
    const kept = journal.snapshot();
    journal.remove(({ id }) => id === "d");
    expect([journal.dropped, ids(journal)]).toEqual([3, ["e"]]);
    journal.clear();
    expect(journal.dropped).toBe(0);
    journal.load(kept);
    expect([journal.dropped, ids(journal)]).toEqual([3, ["d", "e"]]);
  });
});

describe("removal", () => {
  test("remove deletes and returns the matching entries, and keeps the others in order", () => {
    const journal = new Journal();
    for (const id of ["a", "b", "c", "d"]) journal.add(exchange(id, { status: id < "c" ? 200 : 400 }));
    expect(journal.remove((one) => one.status === 200).map((one) => one.id)).toEqual(["a", "b"]);
    expect([ids(journal), journal.get("a"), journal.get("d")?.id]).toEqual([["c", "d"], undefined, "d"]);
    expect(journal.remove(() => false)).toEqual([]);
  });

  test("remove keeps the wall-clock times of the other entries, and restored entries have none", () => {
    const journal = new Journal();
    for (const id of ["a", "b"]) journal.add(exchange(id));
    const { total } = journal;
    const times = journal.wallTimesSince(0);
    expect(times.every((time) => time > 0)).toBe(true);
    journal.remove((one) => one.id === "a");
    expect(journal.wallTimesSince(total)).toEqual([times[1]]);
    journal.load(journal.snapshot());
    expect(journal.wallTimesSince(0)).toEqual([Number.NaN]);
  });

  test("a snapshot restores the entries, also after the ring buffer has wrapped", () => {
    const journal = new Journal();
    for (let i = 0; i < ENTRIES_MAX + 10; i++) journal.add(exchange(`x${i}`));
    const snapshot = journal.snapshot();
    journal.clear();
    journal.load(snapshot);
    expect([journal.size, ids(journal)[0]]).toEqual([ENTRIES_MAX, "x10"]);
  });
});

describe("watchers", () => {
  test("watch receives each entry until it is ended", () => {
    const journal = new Journal();
    const seen: string[] = [];
    const end = journal.watch((one) => void seen.push(one.id));
    journal.add(exchange("a"));
    end();
    journal.add(exchange("b"));
    expect(seen).toEqual(["a"]);
  });
});

describe("redaction", () => {
  test.each([
    ["API-Key abcdef0123", "API-Key ***0123"],
    ["Bearer 0123456789abcdef", "Bearer ***cdef"],
    ["abcdef0123", "***0123"],
    ["API-Key key", "API-Key ***"],
    ["abcd", "***"],
    ["API-Key 12345678", "API-Key ***5678"],
    ["", "***"],
  ])("redact(%j) is %j", (secret, shown) => {
    expect(redact(secret)).toBe(shown);
  });

  test.each([
    ['{"client_secret": "docdouble-secret","grant_type":"x"}', '{"client_secret": "***cret","grant_type":"x"}'],
    ['{"passcode":"1234"}', '{"passcode":"***"}'],
    ['{"shared_key":"Qq\\"8abcdefgh"}', '{"shared_key":"***efgh"}'],
    [
      '{"client_secret":{"a":"value-1234","b":[{"c":"value-5678"}],"d":"value-9012"},"open":"e"}',
      '{"client_secret":{"a":"***1234","b":[{"c":"***5678"}],"d":"***9012"},"open":"e"}',
    ],
    ['{"key":"name","code":"validation_error"}', '{"key":"name","code":"validation_error"}'],
    [
      "grant_type=refresh_token&refresh_token=0123456789abcdef&code=0123456789",
      "grant_type=refresh_token&refresh_token=***cdef&code=***6789",
    ],
    ["/public/v1/documents?api_key=0123456789&count=1", "/public/v1/documents?api_key=***6789&count=1"],
    ["/public/v1/documents?q=docdouble-key", "/public/v1/documents?q=***-key"],
    ["plain", "plain"],
  ])("redactText(%j) is %j", (text, shown) => {
    expect(redactText(text, { key: "docdouble-key" })).toBe(shown);
  });

  test("redactHeaders hides all credentials and cookies, and keeps other headers", () => {
    expect(
      redactHeaders({
        authorization: "API-Key docdouble-key",
        "proxy-authorization": "Basic dXNlcjpwYXNz",
        cookie: "session=topsecretvalue; theme=dark-mode",
        "set-cookie": "session=topsecretvalue; Path=/; HttpOnly",
        "content-type": "application/json",
      }),
    ).toEqual({
      authorization: "API-Key ***-key",
      "proxy-authorization": "Basic ***YXNz",
      cookie: "***",
      "set-cookie": "***",
      "content-type": "application/json",
    });
  });
});
