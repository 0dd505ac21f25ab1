/** Tests what the journal keeps of a multipart body, and how patterns, rules, expectations and client lint use it. */
import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { lab } from "../../support/lab.ts";
import { succeed } from "../../support/stories.ts";
import { KEY, testWorld, type TestWorld } from "../../support/world.ts";

const TEXT = "%PDF-1.7 an offer";
const SHA256 = createHash("sha256").update(TEXT).digest("hex");
const DATA = { name: "Offer 7", recipients: [{ email: "ivo.marek@client.example" }], metadata: { order: "7" } };
const pdf = (text = TEXT, name = "offer.pdf") => new File([text], name, { type: "application/pdf" });
const upload = (world: TestWorld, parts: object = {}) =>
  world.call("createDocumentFromUpload", { parts: { file: pdf(), data: DATA, ...parts } });
const findings = async (world: TestWorld) =>
  (await world.admin("GET", "/contract")).body.findings as { kind: string; message: string; entries: string[] }[];
const idOf = (answer: { headers: Headers }) => answer.headers.get("x-request-id") as string;
const latest = async (world: TestWorld) => (await world.admin("GET", "/requests?limit=1")).body.requests[0];

/** Uploads a form with the given parts under the given boundary. */
const raw = (world: TestWorld, boundary: string, parts: readonly string[]) =>
  world.request("POST", "/public/v1/documents?upload", {
    body: `${parts.map((part) => `--${boundary}\r\nContent-Disposition: form-data; ${part}\r\n`).join("")}--${boundary}--\r\n`,
    headers: { "content-type": `multipart/form-data; boundary=${boundary}` },
  });

describe("createDocumentFromUpload in the journal", () => {
  test("createDocumentFromUpload records fields with their text, and files with name, type, size and digest", async () => {
    const world = await testWorld();
    await succeed(upload(world, { note: "as agreed" }));
    const { request } = await latest(world);
    expect(request.parts).toEqual([
      { name: "file", filename: "offer.pdf", type: "application/pdf", bytes: TEXT.length, sha256: SHA256 },
      {
        name: "data",
        type: "text/plain",
        bytes: JSON.stringify(DATA).length,
        sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
        text: JSON.stringify(DATA),
      },
      { name: "note", type: "text/plain", bytes: 9, sha256: expect.any(String), text: "as agreed" },
    ]);
    expect(JSON.parse(request.body)).toEqual({
      file: { filename: "offer.pdf", type: "application/pdf", bytes: TEXT.length, sha256: SHA256 },
      data: DATA,
      note: "as agreed",
    });
  });

  test("createDocumentFromUpload masks secrets in fields, nested values and file names, and patterns still match the real values", async () => {
    const world = await testWorld();
    await upload(world, {
      password: "correct horse battery",
      data: {
        ...DATA,
        recipients: [
          {
            email: "a@b.example",
            verification_settings: { verification_place: "before_open", passcode_verification: { passcode: "swordfish1" } },
          },
        ],
      },
      note: `my key is ${KEY}`,
      broken: '{"passcode":"swordfish2"',
      file: pdf(TEXT, `${KEY}.pdf`),
    });
    const { request } = await latest(world);
    const shown = JSON.stringify(request);
    for (const secret of ["correct horse", "swordfish", KEY]) expect(shown).not.toContain(secret);
    expect(JSON.parse(request.body)).toMatchObject({ password: "***tery", broken: '{"passcode":"***ish2"' });
    const body = { "$.password": "correct horse battery" };
    expect((await world.admin("POST", "/requests/count", { body })).body.count).toBe(1);
  });

  test("createDocumentFromUpload refuses an unreadable form with a reason, and the journal records only its size", async () => {
    const world = await testWorld();
    const answer = await world.request("POST", "/public/v1/documents?upload", {
      body: "--x\r\nno form",
      headers: { "content-type": "multipart/form-data; boundary=y" },
    });
    expect(answer).toMatchObject({ status: 400, body: { detail: expect.stringContaining("Multipart form parse error") } });
    const { request } = await latest(world);
    expect(request.body).toBe("[12 bytes of multipart/form-data; boundary=y]");
    expect(request.parts).toBeUndefined();
  });

  test("createDocumentFromUpload keeps the journal entry of huge, repeated, deeply nested and badly named fields within bounds", async () => {
    const world = await testWorld();
    const many = Array.from({ length: 500 }, (_, i) => `name="n${i % 250}"\r\n\r\n${i}`);
    const odd = [
      `name="__proto__"\r\n\r\n{"a":1}`,
      `name="${"x".repeat(9000)}"\r\n\r\n1`,
      `name="deep"\r\n\r\n${"[".repeat(5000)}`,
      `name="nest"\r\n\r\n${"[".repeat(5000)}${"]".repeat(5000)}`,
      `name="large"\r\n\r\n${"y".repeat(2 * 1024 * 1024)}`,
    ];
    expect((await raw(world, "b", [...many, ...odd])).status).toBe(400);
    const { request } = await latest(world);
    const body = JSON.parse(request.body);
    expect(body.n0).toEqual(["0", "250"]);
    expect(Object.keys(body)).toHaveLength(255);
    expect(Object.getOwnPropertyDescriptor(body, "__proto__")?.value).toEqual({ a: 1 });
    expect(body[`${"x".repeat(255)}…`]).toBe("1");
    expect(body.nest).toBe("[".repeat(5000) + "]".repeat(5000));
    expect(body.large).toEqual({ type: "text/plain", bytes: 2 * 1024 * 1024, sha256: expect.any(String) });
  });
});

describe("createDocumentFromUpload under rules and expectations", () => {
  test("a rule matches an upload by its data, its file, and the name and metadata of its document", async () => {
    const world = await lab({
      rules: [
        {
          name: "by data",
          when: { operation: "createDocumentFromUpload", body: { "$.data.metadata.order": "1" } },
          then: { error: "unauthorized" },
        },
        {
          name: "by file",
          when: { body: { "$.file.sha256": SHA256, "$.file.filename": "odd.pdf" } },
          then: { error: "throttled" },
        },
        { name: "by name", when: { document: { name: "Nine" } }, then: { respond: { status: 503 }, undeclared: true } },
        {
          name: "by metadata",
          when: { document: { "metadata.order": "8" } },
          then: { respond: { status: 502 }, undeclared: true },
        },
      ],
      expect: { requests: [{ match: { operation: "createDocumentFromUpload", body: { "$.data.name": "Offer 7" } }, times: 4 }] },
    });
    const status = async (data: object, file = pdf()) => (await upload(world, { data: { ...DATA, ...data }, file })).status;
    expect(await status({ metadata: { order: "1" } })).toBe(401);
    expect(await status({}, pdf(TEXT, "odd.pdf"))).toBe(429);
    expect(await status({ name: "Nine" })).toBe(503);
    expect(await status({ metadata: { order: "8" } })).toBe(502);
    expect(await status({})).toBe(201);
    expect((await world.admin("POST", "/scenarios/lab/verify")).body).toMatchObject({ unmet: [] });
  });
});

describe("duplicate_create", () => {
  test("duplicate_create reports a repeated upload despite another boundary, but not an upload with another file, file name or field", async () => {
    const world = await testWorld();
    const file = `name="file"; filename="offer.pdf"\r\nContent-Type: application/pdf\r\n\r\n${TEXT}`;
    const data = `name="data"\r\n\r\n${JSON.stringify(DATA)}`;
    const [one, two] = [await succeed(raw(world, "first", [file, data])), await succeed(raw(world, "second", [file, data]))];
    await succeed(raw(world, "first", [file.replace("an offer", "no offer"), data]));
    await succeed(raw(world, "first", [file.replace("offer.pdf", "other.pdf"), data]));
    await succeed(raw(world, "first", [file, data.replace("Offer 7", "Offer 8")]));
    const twice = "the same createDocumentFromUpload took effect twice: two documents exist";
    expect(await findings(world)).toMatchObject([{ kind: "duplicate_create", message: twice, entries: [idOf(one), idOf(two)] }]);
  });

  test("duplicate_create ignores a repeat after a deletion, and covers templates and library items", async () => {
    const world = await testWorld();
    const first = await succeed(upload(world));
    await succeed(world.call("deleteDocument", { params: { id: first.body.id } }));
    await succeed(upload(world));
    expect(await findings(world)).toEqual([]);
    const template = () => world.call("createTemplateWithUpload", { parts: { file: pdf(), data: { name: "T" } } });
    const { body } = await succeed(template());
    await succeed(world.call("deleteTemplate", { params: { id: body.id } }));
    await succeed(template());
    expect(await findings(world)).toEqual([]);
    await succeed(template());
    const item = () => world.call("createContentLibraryItemFromUpload", { parts: { file: pdf(), data: { name: "L" } } });
    await succeed(item());
    await succeed(item());
    expect((await findings(world)).map((one) => one.message)).toEqual([
      "the same createTemplateWithUpload took effect twice: two templates exist",
      "the same createContentLibraryItemFromUpload took effect twice: two content library items exist",
    ]);
  });
});
