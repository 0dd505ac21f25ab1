/** A world is saved and loaded in turns. Calls are answered meanwhile, and the saved or loaded world is always that of one instant. */
import { expect, test } from "vitest";
import { hostOf } from "../../../src/library/sandbox.ts";
import type { Sandbox, SandboxOptions } from "../../../src/library/types.ts";
import { CLIENT, TEMPLATES } from "../../support/stories.ts";
import { type Calls, callsOver, strictSandbox } from "../../support/world.ts";

interface Side extends Calls {
  sandbox: Sandbox;
}

/** Reading and writing them takes many turns. */
const DOCUMENTS = 4000;
const MIB = 2 ** 20;

async function side(options: SandboxOptions = {}): Promise<Side> {
  const sandbox = await strictSandbox(options);
  return { sandbox, ...callsOver((path, init) => sandbox.fetch(path, init)) };
}

/** A world with many copies of a document of this name. */
async function large(name: string, options: SandboxOptions = {}): Promise<Side> {
  // The freezing of so many rows would take most of the test.
  const made = await side({ strict: false, ...options });
  const { id } = await made.sandbox.documents.create({ template: "One signer", name, status: "document.sent" });
  const { store, ids } = hostOf(made.sandbox).defaultTenant;
  const row = store.documents.get(id);
  if (!row) throw new Error("the document is missing");
  store.transaction(() => {
    for (let i = 1; i < DOCUMENTS; i++) store.documents.put({ ...row, id: ids.short() });
  });
  return made;
}

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Does `act` in each turn until `work` ends. Returns how often that was. */
async function beside(work: Promise<unknown>, act: (number: number) => Promise<unknown>): Promise<number> {
  let isOver = false;
  const over = work.then(
    () => (isOver = true),
    () => (isOver = true),
  );
  let acts = 0;
  for (await turn(); !isOver; await turn()) await act(acts++);
  await over;
  return acts;
}

async function create({ call }: Side, name: string): Promise<string> {
  const made = await call("createDocument", { body: { template_uuid: TEMPLATES.oneSigner, name, recipients: [CLIENT] } });
  expect(made.status).toBe(201);
  return made.body.id;
}

async function names({ call }: Side): Promise<string[]> {
  const { body } = await call("listDocuments", { query: { count: 100 } });
  return [...new Set((body.results as { name: string }[]).map(({ name }) => name))];
}

test("a save holds one instant, whatever callers change while it is written", async () => {
  const world = await large("Offer");
  const before = await world.sandbox.world.save();
  const saving = world.sandbox.world.save();
  const [{ id = "" } = {}] = hostOf(world.sandbox).defaultTenant.store.documents.all();
  const changes = await beside(saving, async (number) => {
    await create(world, `Later ${number}`);
    await world.call("updateDocument", { params: { id }, body: { name: `Renamed ${number}` } });
    await world.call("createContact", { body: { email: `p${number}@client.example` } });
    world.sandbox.rules.add({ name: `rule ${number}`, when: { operation: "listForm" }, then: { error: "throttled" } });
    await world.admin("POST", "/snapshots", { name: `s${number}` });
    await world.advance("3s");
    if (number % 2 === 1) await world.call("deleteDocument", { params: { id: await create(world, "Gone") } });
  });
  expect(changes).toBeGreaterThan(2);
  expect(Buffer.from(await saving).equals(before)).toBe(true);
});

test("a save during a reset holds the world before the reset", async () => {
  const { sandbox } = await large("Offer");
  const before = await sandbox.world.save();
  const saving = sandbox.world.save();
  await sandbox.reset();
  expect(Buffer.from(await saving).equals(before)).toBe(true);
});

test("calls during a load see the old world, then the new one, and never a mixture", async () => {
  const file = await (await large("New")).sandbox.world.save();
  const world = await side({ strict: false });
  await create(world, "Old");
  const loading = world.sandbox.world.load(file);
  const seen: string[] = [];
  const calls = await beside(loading, async (number) => {
    await create(world, "Old");
    seen.push((await names(world)).join());
    await world.call("statusDocument", { params: { id: `none-${number}` } });
  });
  seen.push((await names(world)).join());
  expect(calls).toBeGreaterThan(2);
  // The last calls may have come after the load, and made one more document.
  expect(seen.filter((one, i) => one !== seen[i - 1]).map((one) => one.split(",")[0])).toEqual(["Old", "New"]);
  expect(hostOf(world.sandbox).defaultTenant.store.documents.size).toBe(DOCUMENTS);
});

test("a call that is under way when the loaded world replaces the old one has no effect", async () => {
  const file = await (await large("New")).sandbox.world.save();
  const world = await side({ strict: false });
  const body = new TransformStream<Uint8Array, Uint8Array>();
  const writer = body.writable.getWriter();
  const headers = { authorization: "API-Key docdouble-key", "content-type": "application/json" };
  const request = { method: "POST", headers, body: body.readable, duplex: "half" } as RequestInit;
  const calling = world.sandbox.fetch("/public/v1/contacts", request);
  await world.sandbox.world.load(file);
  await writer.write(Buffer.from('{"email":"held@client.example"}'));
  await writer.close();
  const answer = await calling;
  expect([answer.status, await answer.json()]).toEqual([503, expect.objectContaining({ type: "docdouble_reset" })]);
  const { contacts } = hostOf(world.sandbox).defaultTenant.store;
  expect(contacts.all().some(({ email }) => email === "held@client.example")).toBe(false);
});

test("a load that fails at its last line keeps everything that calls changed meanwhile", async () => {
  const file = Buffer.from(await (await large("New")).sandbox.world.save());
  file[file.length - 10] = (file[file.length - 10] as number) ^ 1;
  const world = await side({ strict: false });
  const loading = world.sandbox.world.load(file);
  const made: string[] = [];
  await beside(loading, async () => made.push(await create(world, "Old")));
  await expect(loading).rejects.toThrow(/^world\.load: the world is damaged at byte \d+ of \d+\.$/);
  expect(made.length).toBeGreaterThan(2);
  expect(await names(world)).toEqual(["Old"]);
  expect(world.sandbox.journal.all().filter((one) => one.operationId === "createDocument")).toHaveLength(made.length);
});

test("two loads at once end in the order in which they began", async () => {
  const big = await (await large("Big")).sandbox.world.save();
  const other = await side();
  await create(other, "Small");
  const small = await other.sandbox.world.save();
  const world = await side({ strict: false });
  await Promise.all([world.sandbox.world.load(big), world.sandbox.world.load(small)]);
  expect(Buffer.from(await world.sandbox.world.save()).equals(small)).toBe(true);
});

test("worlds that wait hold at most 512 MiB together, and then a load is refused", async () => {
  const { sandbox } = await side();
  const load = () => sandbox.world.load(Buffer.alloc(300 * MIB));
  const [first, second] = await Promise.allSettled([load(), load()]);
  expect(first).toMatchObject({ reason: { message: "world.load: the world is not a world of docdouble." } });
  expect(second).toMatchObject({ reason: { message: expect.stringContaining("together exceed 512 MiB; repeat the call") } });
  await expect(load()).rejects.toThrow("is not a world of docdouble");
});

test("a load into a tenant that is deleted meanwhile is refused with 409", async () => {
  const world = await large("Offer");
  const body = new Uint8Array(await world.sandbox.world.save());
  const headers = { authorization: "API-Key test-shop" };
  await world.sandbox.fetch("/public/v1/contacts", { headers });
  const put = world.sandbox.fetch("/__admin/world", { method: "PUT", headers, body });
  await turn();
  expect((await world.admin("DELETE", "/tenants/test-shop")).status).toBe(204);
  const answer = await put;
  expect([answer.status, await answer.json()]).toEqual([
    409,
    expect.objectContaining({ detail: "The world is not loaded: the tenant test-shop was deleted." }),
  ]);
});

test("automatic time stands while a world is saved or loaded, because the client waits for the file", async () => {
  const world = await large("Offer", { clock: { mode: "auto", idle: 1 } });
  await create(world, "Waits for a job");
  const [now, file] = [world.sandbox.clock.now(), world.sandbox.world.save()];
  await file;
  expect(world.sandbox.clock.now()).toBe(now);
  await world.sandbox.world.load(await file);
  expect(world.sandbox.clock.now()).toBe(now);
});
