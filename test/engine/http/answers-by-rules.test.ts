/** Tests rules that change the operation's own answer: patches, stale reads, and calls that wait for another call. */
import { describe, expect, test } from "vitest";
import { systemClock } from "../../../src/engine/core/clock.ts";
import { aDraft, anUploadedDocument, succeed } from "../../support/stories.ts";
import { type TestWorld, testWorld } from "../../support/world.ts";

async function withRule(world: TestWorld, when: object, then: object, name = "one"): Promise<void> {
  const added = await world.admin("POST", "/rules", { name, when, then });
  expect(added.status, JSON.stringify(added.body)).toBe(201);
}

async function refusalOf(world: TestWorld, then: object, when: object = { operation: "statusDocument" }): Promise<string> {
  const { status, body } = await world.admin("POST", "/rules", { name: "one", when, then });
  expect(status).toBe(400);
  return body.detail;
}

const rule = async (world: TestWorld, id = "one") => (await world.admin("GET", `/rules/${id}`)).body;

describe("patch", () => {
  test("a patch changes the answer, and nothing of the document", async () => {
    const world = await testWorld();
    const id = await aDraft(world);
    const own = (await world.call("statusDocument", { params: { id } })).body;
    await withRule(
      world,
      { operation: "statusDocument", call: { nth: 1 } },
      {
        patch: [
          { op: "replace", path: "/status", value: "document.in_translation" },
          { op: "add", path: "/risk", value: { score: null } },
          { op: "remove", path: "/expiration_date" },
        ],
      },
    );
    const answer = await world.call("statusDocument", { params: { id } });
    const { expiration_date, ...rest } = own;
    expect(answer.body).toEqual({
      ...rest,
      status: "document.in_translation",
      risk: { score: null },
    });
    expect(answer.status).toBe(200);
    expect(answer.headers.get("x-docdouble-rule")).toBe("one");
    expect(answer.headers.get("x-docdouble-why")).toBe(
      "rule one changed the answer: replace /status, add /risk, remove /expiration_date",
    );
    expect((await world.call("statusDocument", { params: { id } })).body).toEqual(own);
    expect(await rule(world)).toMatchObject({ hits: 1, pending: false });
  });

  test("a patch that does not fit answers an error of docdouble that names the rule and the path", async () => {
    const world = await testWorld();
    const id = await aDraft(world);
    await withRule(world, { method: "GET" }, { patch: [{ op: "replace", path: "/results/7/status", value: "x" }] }, "odd");
    const misfit = await world.call("statusDocument", { params: { id } });
    expect([misfit.status, misfit.body.type]).toEqual([500, "docdouble_error"]);
    expect(misfit.body.detail).toMatch(
      /^The patch of rule "odd" does not fit the answer of statusDocument: replace "\/results\/7\/status": the whole answer has no member "results"/,
    );
    const { body } = await world.call("listDocuments");
    expect(body.detail).toContain('"/results" has 1 entries, and none at 7');
    const bytes = await world.call("downloadDocument", { params: { id } });
    expect(bytes.body.detail).toBe(
      'The patch of rule "odd" does not fit the answer of downloadDocument: it has no body in JSON.',
    );
    expect(misfit.headers.get("x-docdouble-rule")).toBe("odd");
  });

  test("a refusal of the operation and an answer of another rule keep their bodies", async () => {
    const world = await testWorld();
    await withRule(world, { operation: "statusDocument" }, { patch: [{ op: "replace", path: "/status", value: "x" }] });
    const refused = await world.call("statusDocument", { params: { id: "nobody" } });
    expect([refused.status, refused.body]).toEqual([404, { type: "request_error", detail: "Not found" }]);
    expect(await rule(world)).toMatchObject({ matched: 1, hits: 0, pending: true });
    const id = await aDraft(world);
    await withRule(world, {}, { error: "throttled", times: 1, fallthrough: true, undeclared: true }, "first");
    expect((await world.call("statusDocument", { params: { id } })).status).toBe(429);
  });

  test.each([
    [[{ op: "ad", path: "/x", value: 1 }], '"ad" is unknown; did you mean "add"? it must be one of add, remove, replace'],
    [[{ op: "add", path: "x", value: 1 }], 'a path begins with "/": "/x"'],
    [[{ op: "add", path: "/x" }], "add needs a value; write value: null for null"],
    [[{ op: "remove", path: "/id", value: 1 }], "remove takes no value"],
    ...["move", "copy", "test"].map((op): [object[], string] => [[{ op, path: "/x" }], "must be one of add, remove, replace"]),
    [[{ op: "add", path: "/x", from: "/id", value: 1 }], 'unknown name "from"'],
    [[{ op: "add", path: "/x", vlaue: 1 }], 'unknown name "vlaue"; did you mean "value"?'],
    [[{ op: "replace", path: "/staus", value: 1 }], 'the answer of statusDocument has no "/staus"; did you mean "status"?'],
    [[{ op: "remove", path: "/nmae" }], 'the answer of statusDocument has no "/nmae"; did you mean "name"?'],
    [
      [
        { op: "add", path: "/id/x", value: 1 },
        { op: "replace", path: "/id/0", value: 1 },
      ],
      'the answer of statusDocument has no "/id/0"',
    ],
    [[], "must have at least 1 entry, not []"],
  ])("a mistake in a patch is refused with its place: %j", async (patch, message) => {
    const world = await testWorld();
    expect((await refusalOf(world, { patch })).toLowerCase()).toContain(message.toLowerCase());
  });

  test("a rule combines a patch with a stale read, and with no other answer", async () => {
    const world = await testWorld();
    const patch = [{ op: "add", path: "/x", value: null }];
    for (const other of [{ error: "locked" }, { respond: { status: 200 } }, { network: "reset" }])
      expect(await refusalOf(world, { patch, ...other })).toMatch(/write only one of \w+ and patch/);
    expect((await world.admin("POST", "/rules", { name: "one", then: { patch, stale: "1s" } })).status).toBe(201);
    expect(await refusalOf(world, { patch }, { operation: "deleteDocument" })).toContain("deleteDocument has no answer in JSON");
  });
});

describe("stale", () => {
  test("a stale read hides what is younger than the delay, and shows earlier statuses", async () => {
    const world = await testWorld();
    await withRule(world, { method: "GET" }, { stale: "2s" });
    const id = await anUploadedDocument(world);
    const seen = async () => {
      const { status, body } = await world.call("statusDocument", { params: { id } });
      const { results } = (await world.call("listDocuments")).body;
      return [status, body.status, results.map((one: { id: string }) => one.id)];
    };
    expect(await seen()).toEqual([404, undefined, []]);
    await world.advance("1s");
    expect(await seen()).toEqual([404, undefined, []]);
    await world.advance("1s");
    expect(await seen()).toEqual([200, "document.uploaded", [id]]);
    await world.advance("1m");
    await world.admin("DELETE", "/rules");
    const now = (await world.call("statusDocument", { params: { id } })).body.status;
    expect(now).toBe("document.draft");
  });

  test("a rule that comes later knows what came before, and changes nothing of the present", async () => {
    const world = await testWorld();
    const id = await aDraft(world);
    await world.advance("10s");
    await succeed(world.call("sendDocument", { params: { id }, body: { silent: true } }));
    const status = async () => (await world.call("statusDocument", { params: { id } })).body.status;
    await withRule(world, { operation: "statusDocument", call: { nth: 1 } }, { stale: "5s" });
    const before = world.tenant.store.snapshot();
    expect(await status()).toBe("document.draft");
    expect(world.tenant.store.snapshot()).toEqual(before);
    expect(await status()).toBe("document.sent");
    expect(await rule(world)).toMatchObject({ hits: 1, pending: false });
  });

  test("a deleted document is there again in a stale read, and a change is made in the present", async () => {
    const world = await testWorld();
    const id = await aDraft(world);
    await world.advance("1m");
    await succeed(world.call("deleteDocument", { params: { id } }));
    await withRule(world, {}, { stale: "30s" });
    expect((await world.call("detailsDocument", { params: { id } })).body.status).toBe("document.draft");
    expect((await world.call("sendDocument", { params: { id }, body: {} })).status).toBe(404);
  });

  test("a read of a time that docdouble no longer knows is an error of docdouble", async () => {
    const world = await testWorld();
    for (let i = 0; i < 6000; i++) {
      if (i % 1000 === 0) await world.advance("1s");
      world.tenant.store.contacts.put({ id: `c${i}` } as never);
    }
    await withRule(world, { operation: "listDocuments" }, { stale: "1m" });
    const { status, body } = await world.call("listDocuments");
    expect([status, body]).toEqual([
      500,
      {
        type: "docdouble_error",
        detail: 'Rule "one" asks for the world 1m ago, and too much has changed since then. Ask for less.',
      },
    ]);
  });

  test.each([
    [{ stale: "2h" }, {}, "is at most 1h"],
    [{ stale: "0s" }, {}, "must be longer than 0"],
    [{ stale: "2 seconds" }, {}, "2 seconds"],
    [{ stale: "2s", error: "locked" }, {}, "write only one of error and stale"],
    [{ stale: "2s" }, { operation: "sendDocument" }, "only reads can be stale, and sendDocument does more than read"],
    [{ stlae: "2s" }, {}, 'did you mean "stale"?'],
  ])("a mistake is refused: %j", async (then, when, message) => {
    const world = await testWorld();
    expect(await refusalOf(world, then, when)).toContain(message);
  });
});

describe("hold", () => {
  const until = (operation: string, nth?: number) => ({ until: { operation, ...(nth === undefined ? {} : { nth }) } });

  test("a held call takes effect after the call that it waits for", async () => {
    const world = await testWorld();
    const id = await aDraft(world);
    await withRule(
      world,
      { operation: "updateDocument", call: { nth: 1 } },
      { hold: { ...until("updateDocument", 2), at_most: "30s" } },
    );
    const rename = (name: string) => world.call("updateDocument", { params: { id }, body: { name } });
    const first = rename("first");
    await systemClock.soon();
    const nameNow = async () => (await world.call("statusDocument", { params: { id } })).body.name;
    const name = await nameNow();
    const second = await rename("second");
    expect([name === "first", await nameNow()]).toEqual([false, "second"]);
    expect([(await first).status, second.status, await nameNow()]).toEqual([204, 204, "first"]);
    expect((await first).headers.get("x-docdouble-why")).toBe("rule one held the call until call 2 of updateDocument came");
  });

  test("with phase after, the call takes effect at once and its answer waits", async () => {
    const world = await testWorld();
    const id = await aDraft(world);
    await withRule(
      world,
      { operation: "sendDocument" },
      { phase: "after", hold: { ...until("statusDocument"), at_most: "30s" } },
    );
    const send = world.call("sendDocument", { params: { id }, body: { silent: true } });
    await systemClock.soon();
    expect((await world.call("statusDocument", { params: { id } })).body.status).toBe("document.sent");
    expect((await send).status).toBe(200);
  });

  test("a call that comes after the awaited one does not wait", async () => {
    const world = await testWorld();
    const id = await aDraft(world);
    await withRule(world, { operation: "detailsDocument" }, { hold: { ...until("status*"), at_most: "30s" } });
    await world.call("statusDocument", { params: { id } });
    expect((await world.call("detailsDocument", { params: { id } })).status).toBe(200);
    expect(await rule(world)).toMatchObject({ matched: 1, hits: 0 });
  });

  test("a frozen clock ends the wait when it is advanced, and real time ends it too", async () => {
    const world = await testWorld();
    const id = await aDraft(world);
    const details = () => world.call("detailsDocument", { params: { id } });
    await withRule(world, { operation: "detailsDocument" }, { hold: { ...until("sendDocument"), at_most: "30s" } });
    const held = details();
    await systemClock.soon();
    await world.advance("30s");
    expect((await held).headers.get("x-docdouble-why")).toBe("rule one held the call; call 1 of sendDocument did not come");
    await withRule(world, { operation: "detailsDocument" }, { hold: { ...until("sendDocument"), at_most: "20ms" } });
    expect((await details()).status).toBe(200);
  });

  test("an automatic clock moves while the only client is held", async () => {
    const world = await testWorld({ clock: "auto" });
    const id = await aDraft(world);
    await withRule(world, { operation: "detailsDocument" }, { hold: { ...until("sendDocument"), at_most: "30s" } });
    const began = systemClock.elapsed();
    expect((await world.call("detailsDocument", { params: { id } })).status).toBe(200);
    expect(systemClock.elapsed() - began).toBeLessThan(5000);
  });

  test.each([
    [{ hold: until("sendDocumnt") }, 'unknown operation "sendDocumnt"; did you mean "sendDocument"?'],
    [{ hold: until("zzz*") }, 'no operation fits "zzz*"'],
    [{ hold: { ...until("sendDocument"), at_most: "31s" } }, "is at most 30s"],
    [{ hold: { ...until("sendDocument", 0) } }, "hold.until.nth"],
    [{ hold: { at_most: "3s" } }, "then.hold.until: is missing"],
    [{ hold: { ...until("sendDocument"), atmost: "3s" } }, 'did you mean "at_most"?'],
    [{ hold: { until: { operation: "sendDocument", nht: 1 } } }, 'did you mean "nth"?'],
  ])("a mistake is refused: %j", async (then, message) => {
    const world = await testWorld();
    expect(await refusalOf(world, then)).toContain(message);
  });
});
