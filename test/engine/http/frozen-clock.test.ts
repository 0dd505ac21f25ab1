/** A client that polls with a frozen clock learns when its answer would change, and how to advance the clock. */
import { expect, test } from "vitest";
import { lab } from "../../support/lab.ts";
import { aCompletedDocument, aDraft, aSentDocument, succeed } from "../../support/stories.ts";
import { testWorld, type TestWorld } from "../../support/world.ts";

const offer = {
  name: "Offer",
  template_uuid: "TemplateOneSignerxxxxx",
  recipients: [{ email: "pat@client.example", role: "Client" }],
};

interface Call {
  why?: string;
  request: { url: string };
}

const created = async (world: TestWorld) => (await succeed(world.call("createDocument", { body: offer }))).body.id as string;

/** The reasons of repeated reads. Null: without a reason. */
async function whys(world: TestWorld, path: string, times: number): Promise<(string | null)[]> {
  const found: (string | null)[] = [];
  for (let i = 0; i < times; i++) {
    const answer = await world.request("GET", path);
    found.push(answer.headers.get("x-docdouble-why"));
  }
  return found;
}

const advance = (by: string) =>
  `POST /__admin/clock/advance {"by": "${by}"}, npx docdouble clock advance ${by}, or sandbox.clock.advance("${by}")`;

/** The expected reason. The seed and the ids decide how long a conversion takes, so its length comes from the next job. */
async function readiness(world: TestWorld): Promise<{ text: string; whole: string }> {
  const { now, next } = (await world.admin("GET", "/clock")).body;
  const seconds = (Date.parse(next) - Date.parse(now)) / 1000;
  expect(seconds).toBeGreaterThanOrEqual(3);
  expect(seconds).toBeLessThanOrEqual(5);
  const whole = `${Math.ceil(seconds)}s`;
  return { text: `the clock is frozen; "Offer" is ready in ${Math.ceil(seconds * 10) / 10} s: ${advance(whole)}`, whole };
}

test("the third equal poll says when the document is ready and how to advance the clock", async () => {
  const world = await testWorld();
  const id = await created(world);
  const { text, whole } = await readiness(world);
  expect(await whys(world, `/public/v1/documents/${id}`, 4)).toEqual([null, null, text, text]);
  await world.advance(whole);
  expect((await world.request("GET", `/public/v1/documents/${id}`)).body.status).toBe("document.draft");
  expect(await whys(world, `/public/v1/documents/${id}`, 4)).toEqual([null, null, null, null]);
});

test("the journal explains each document once", async () => {
  const world = await testWorld();
  const ids = [await created(world), await created(world)];
  for (const id of ids) await whys(world, `/public/v1/documents/${id}`, 5);
  const { body } = await world.admin("GET", "/requests");
  const explained = body.requests.filter((one: Call) => one.why?.includes("the clock is frozen"));
  expect(explained.map((one: Call) => one.request.url).sort()).toEqual(ids.map((id) => `/public/v1/documents/${id}`).sort());
});

test("a list, a scheduled document and the next act of a person are explained too", async () => {
  const world = await lab({
    actors: [{ name: "signer", on: "document.sent", steps: [{ after: "2h", do: "sign" }] }],
  });
  const id = await created(world);
  const { text, whole } = await readiness(world);
  const [, , list] = await whys(world, "/public/v1/documents", 3);
  expect(list).toBe(text);
  await world.advance(whole);
  await succeed(world.call("sendDocument", { params: { id }, body: {} }));
  const [, , acted] = await whys(world, `/public/v1/documents/${id}`, 3);
  expect(acted).toBe(`the clock is frozen; "Offer" changes in 2 h: ${advance("2h")}`);
});

test("a finished document without its PDF says when it has the PDF", async () => {
  const world = await testWorld();
  const id = await aCompletedDocument(world);
  const [, , text] = await whys(world, `/public/v1/documents/${id}`, 3);
  expect(text).toMatch(/^the clock is frozen; "[^"]+" has its PDF in \d+(\.\d)? s: POST \/__admin\/clock\/advance/);
});

test("the upload of a section says when the document has the section", async () => {
  const world = await testWorld();
  const id = await aDraft(world);
  const body = { ...offer, name: "Annex" };
  const upload = await succeed(world.call("uploadSection", { params: { document_id: id }, body }));
  const [, , text] = await whys(world, `/public/v1/documents/${id}/sections/uploads/${upload.body.uuid}`, 3);
  expect(text).toMatch(/^the clock is frozen; "[^"]+" has the new section in [\d.]+ s: POST/);
});

test("polls with nothing due, with another answer, or of another client stay without the reason", async () => {
  const world = await testWorld();
  const draft = await aDraft(world);
  expect(await whys(world, `/public/v1/documents/${draft}`, 5)).toEqual([null, null, null, null, null]);
  // Only the expiry is due.
  const sent = await aSentDocument(world);
  expect(await whys(world, `/public/v1/documents/${sent}`, 4)).toEqual([null, null, null, null]);
  const id = await created(world);
  expect(await whys(world, `/public/v1/documents/${id}`, 2)).toEqual([null, null]);
  await world.advance("1s");
  expect(await whys(world, `/public/v1/documents/${id}`, 2)).toEqual([null, null]);
});

test("a real and an automatic clock explain nothing", async () => {
  for (const clock of ["real", "auto"] as const) {
    const world = await testWorld({ clock });
    const id = await created(world);
    for (const why of await whys(world, `/public/v1/documents/${id}`, 4)) expect(why ?? "", clock).not.toContain("frozen");
  }
});
