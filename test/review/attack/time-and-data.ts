/** Time has limits, and answered data stays: the entries about the clock, the data file and its lock. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { ClosedError } from "../../../src/errors.ts";
import { createSandbox } from "../../../src/sandbox.ts";
import { engine, START } from "../../support/engine.ts";
import { opened, temporary, turn } from "../../support/data-file.ts";
import { receiver } from "../../support/receiver.ts";
import { aSubscription, anUploadedDocument, succeed } from "../../support/stories.ts";
import { testWorld } from "../../support/world.ts";

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

const CONTACT = { email: "late@client.example" };

describe("M13 the receipt of an advance", () => {
  test("M13 a second advance is refused and leaves the receipt of the first whole", async () => {
    const world = await testWorld({ port: 0 });
    const hook = await receiver();
    hook.answerWith("hang");
    await aSubscription(world, hook);
    await anUploadedDocument(world);
    const first = world.admin("POST", "/clock/advance", { by: "5s" });
    await hook.arrived(1);
    expect((await world.admin("POST", "/clock/advance", { by: "1s" })).status).toBe(409);
    await hook.close();
    const { fired } = (await succeed(first)).body;
    expect(fired.map((one: { kind: string }) => one.kind)).toEqual(["convert_document", "deliver"]);
  });
});

describe("L7 a tenant that ends under a call", () => {
  test("L7 a call that waits while its tenant is deleted answers 503 with the reason", async () => {
    const world = await testWorld();
    const key = "test-l7";
    await succeed(world.admin("POST", "/rules", { name: "slow", when: {}, then: { delay: "150ms" } }, key));
    const late = world.call("createContact", { key, body: CONTACT });
    const { rules } = world.sandbox.tenant(key);
    while (rules.pending().length > 0) await nextTurn();
    await succeed(world.admin("DELETE", `/tenants/${key}`));
    expect(await late).toMatchObject({
      status: 503,
      body: {
        type: "docdouble_reset",
        detail: "This call has no effect: the tenant test-l7 was deleted while it was under way.",
      },
    });
  });

  test("L7 the handles of a deleted tenant refuse changes and go on reading", async () => {
    const world = await testWorld();
    const handles = world.sandbox.tenant("test-l7-handles");
    await succeed(world.admin("DELETE", "/tenants/test-l7-handles"));
    expect(() => handles.rules.clear()).toThrow("the tenant test-l7-handles was deleted");
    await expect(handles.clock.advance("1s")).rejects.toThrow(ClosedError);
    expect(handles.journal.all()).toEqual([]);
  });
});

test("L8 a closed sandbox refuses calls and changes with a ClosedError, and still shows what it holds", async () => {
  const sandbox = await createSandbox({ clock: "frozen" });
  const snapshot = sandbox.snapshot();
  const headers = { authorization: `API-Key ${sandbox.apiKey}`, "content-type": "application/json" };
  const create = () => sandbox.fetch("/public/v1/contacts", { method: "POST", headers, body: JSON.stringify(CONTACT) });
  expect((await create()).status).toBe(201);
  await sandbox.close();
  await expect(create()).rejects.toThrow("Cannot do this: this sandbox is closed. Start another with createSandbox()");
  await expect(sandbox.clock.advance("1s")).rejects.toThrow(ClosedError);
  await expect(sandbox.reset()).rejects.toThrow(ClosedError);
  for (const change of [
    () => sandbox.tenant("test-a"),
    () => sandbox.reload(),
    () => sandbox.clock.set({ speed: 2 }),
    () => sandbox.rules.clear(),
    () => sandbox.emails.clear(),
    () => sandbox.journal.clear(),
    () => sandbox.documents.simulate("x", "view"),
    () => sandbox.webhooks.trigger("document_updated"),
    () => snapshot.restore(),
  ])
    expect(change).toThrow(ClosedError);
  expect(sandbox.journal.all().map((one) => one.status)).toEqual([201]);
});

test("L9 each damage of a data file keeps what it cut off in a file of its own", async () => {
  const file = temporary();
  for (const round of [1, 2, 3]) {
    const { database, store } = await opened(file);
    for (const id of ["a", "b", "c"]) {
      store.things.put({ id, text: `round ${round}` });
      await turn();
    }
    await database.close();
    const lines = readFileSync(file, "utf8").split("\n");
    // The middle one of the round's three lines is spoilt.
    const at = lines.length - 3;
    lines[at] = (lines[at] as string).replace(`round ${round}`, `ROUND ${round}`);
    writeFileSync(file, lines.join("\n"));
    const again = await opened(file);
    await again.database.close();
    expect(again.notices.join()).toContain(`kept in ${file}.damaged${round === 1 ? "" : `.${round}`}`);
  }
  const kept = readdirSync(dirname(file)).filter((name) => name.includes("damaged"));
  expect(kept.sort()).toEqual(["state.json.damaged", "state.json.damaged.2", "state.json.damaged.3"]);
  expect(readFileSync(`${file}.damaged`, "utf8")).toContain("ROUND 1");
});

test("L12 snapshots whose names are numbers keep their order over a restart", async () => {
  const data = temporary();
  const names = ["10", "2", "b", "1"];
  const first = await testWorld({ data });
  for (const name of names) await succeed(first.admin("POST", "/snapshots", { name }));
  await first.sandbox.close();
  const second = await testWorld({ data });
  const { snapshots } = (await second.admin("GET", "/snapshots")).body;
  expect(snapshots.map((one: { name: string }) => one.name)).toEqual(names);
});

test("L13 clock.set of the library is an event as that of the admin API", async () => {
  const world = await testWorld();
  const heard: unknown[] = [];
  world.tenant.audience.listen((event) => heard.push(event?.type));
  world.sandbox.clock.set({ now: "2026-03-02T10:00:00Z" });
  expect(heard).toEqual(["clock"]);
});

describe("L14 a job that throws", () => {
  test.each([
    ["at once", () => ({ run: () => fail() })],
    ["in its promise", () => ({ run: async () => fail() })],
    ["in its outcome", () => ({ run: async () => fail })],
  ])("L14 %s runs once more a minute later, then it is removed", async (_, handler) => {
    const { scheduler, advance, errors, clock } = engine({ bad: handler() as never });
    scheduler.schedule("bad", 1);
    await advance(1);
    expect([errors.length, scheduler.pending().map((job) => job.due), clock.next()]).toEqual([
      1,
      [START + 60_001],
      START + 60_001,
    ]);
    await advance(60_000);
    expect([errors, scheduler.pending(), clock.next()]).toEqual([["bad job", "bad job"], [], undefined]);
  });

  function fail(): never {
    throw new Error("bad job");
  }
});

describe("L15 a callback that throws", () => {
  test("L15 after a commit fails neither the call nor the callbacks behind it, and is told", () => {
    const told = vi.spyOn(console, "error").mockImplementation(() => {});
    const { store } = engine({});
    const ran: string[] = [];
    const result = store.transaction(() => {
      store.afterCommit(() => {
        throw new Error("first callback");
      });
      store.afterCommit(() => ran.push("second"));
      return "held";
    });
    expect([result, ran, String(told.mock.calls[0]?.[0])]).toEqual(["held", ["second"], "Error: first callback"]);
    told.mockRestore();
  });

  test("L15 of the library's user, onExchange, leaves the answer as it is and is told as a bug", async () => {
    const bugs: string[] = [];
    const world = await testWorld({
      onExchange: () => {
        throw new Error("my callback");
      },
      onBug: (error) => bugs.push((error as Error).message),
    });
    expect((await world.call("createContact", { body: CONTACT })).status).toBe(201);
    expect([bugs, world.tenant.journal.size]).toEqual([["my callback"], 1]);
  });
});
