/** A HAR of calls to the real service becomes a cassette without secrets. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { importHar } from "../../../src/cli/compare.ts";
import type { Har } from "../../../src/library/types.ts";
import { readCassette } from "../../../src/tools/compare/cassette.ts";
import { replayCassette } from "../../../src/tools/compare/replay.ts";
import { aSentDocument } from "../../support/stories.ts";
import { testWorld } from "../../support/world.ts";

const SECRET = "7f3e9c0b5d2a48e6b1c4f8a90d6e2b37";
const LINK = "5d1c0a9e8b7f6a5d4c3b2a1908f7e6d5c4b3a291";
const TOKEN = "bearer-of-the-account-44c1";

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), "docdouble-har-"));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

/** What a proxy of the real account would write: its host and its key. */
async function harOfRealCalls(): Promise<Har> {
  const world = await testWorld({ seed: "real account" });
  const id = await aSentDocument(world);
  await world.call("detailsDocument", { params: { id } });
  await world.call("statusDocument", { params: { id: "none" } });
  const { log } = JSON.parse(
    JSON.stringify(world.sandbox.har())
      .replaceAll("http://docdouble.test", "https://api.pandadoc.com")
      // The journal hides the token of a signing link, and a recording of the account has it.
      .replace(/(\/document\/)[^"\\]+/g, `$1${LINK}`),
  );
  for (const entry of log.entries) {
    entry.request.headers = [
      ...entry.request.headers.filter(({ name }: { name: string }) => name !== "authorization"),
      { name: "Authorization", value: `API-Key ${SECRET}` },
      { name: "Cookie", value: `session=${TOKEN}` },
      { name: ":authority", value: "api.pandadoc.com" },
    ];
  }
  return { log };
}

interface Imported {
  code: number;
  out: string;
  stdout: string;
  stderr: string;
}

async function imported(har: unknown, name = "traffic.har", real?: string): Promise<Imported> {
  const made = folder();
  const [file, out] = [join(made, name), join(made, "calls.cassette")];
  writeFileSync(file, typeof har === "string" ? har : JSON.stringify(har));
  const said = { stdout: "", stderr: "" };
  for (const stream of ["stdout", "stderr"] as const)
    vi.spyOn(process[stream], "write").mockImplementation((text) => {
      said[stream] += String(text);
      return true;
    });
  try {
    return { code: await importHar(file, { out, ...(real === undefined ? {} : { real }) }), out, ...said };
  } finally {
    vi.restoreAllMocks();
  }
}

test("a HAR becomes a cassette that holds no secret and plays without a difference", async () => {
  const har = await harOfRealCalls();
  const other = structuredClone(har.log.entries[0] as object) as Har["log"]["entries"][number];
  other.request.url = `https://shop.example/public/v1/documents?token=${TOKEN}`;
  har.log.entries.unshift(other);
  const { code, out, stdout } = await imported(har);
  expect({ code, stdout }).toEqual({ code: 0, stdout: `wrote 4 calls to ${out}, and left out 1 call to other hosts\n` });
  const text = readFileSync(out, "utf8");
  for (const secret of [SECRET, TOKEN, LINK, "shop.example", "api.pandadoc.com", "ivo.marek"])
    expect.soft(text).not.toContain(secret);
  const cassette = readCassette(out);
  expect(cassette.cut).toBeUndefined();
  const { calls, differences } = await replayCassette(cassette, {});
  expect({ calls, differences }).toEqual({ calls: 4, differences: [] });
});

test("a file that is not a HAR, or holds no call to the service, exits 2 with one sentence, and writes nothing", async () => {
  const har = await harOfRealCalls();
  const foreign = JSON.parse(JSON.stringify(har).replaceAll("api.pandadoc.com", "shop.example"));
  const broken = structuredClone(har);
  (broken.log.entries[0] as { response: unknown }).response = { status: SECRET };
  const cases: [unknown, RegExp][] = [
    ["not json", /^\S+traffic\.har is not a HAR\.\n$/],
    [{ log: {} }, /^\S+traffic\.har is not a HAR: log\.entries is missing or wrong\.\n$/],
    [broken, /^\S+traffic\.har is not a HAR: log\.entries\.0\.response\.status is missing or wrong\.\n$/],
    [{ log: { entries: [] } }, /^\S+traffic\.har holds no call to the service \(api\.pandadoc\.com, app\.pandadoc\.com\)\.\n$/],
    [foreign, /holds no call to the service/],
  ];
  for (const [content, sentence] of cases) {
    const { code, out, stderr } = await imported(content);
    expect.soft({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(sentence) });
    expect.soft(stderr).not.toContain(SECRET);
    expect.soft(existsSync(out)).toBe(false);
  }
});

test("calls of another address count with --real, a base64 body is read, and a call without credentials has a valid key", async () => {
  const har = JSON.parse(JSON.stringify(await harOfRealCalls()).replaceAll("api.pandadoc.com", "gateway.example")) as Har;
  for (const { request, response } of har.log.entries) {
    request.headers = request.headers.filter(({ name }) => name !== "Authorization");
    const { text } = response.content;
    if (text !== undefined) Object.assign(response.content, { text: Buffer.from(text).toString("base64"), encoding: "base64" });
  }
  const { code, out } = await imported(har, "gateway.har", "https://gateway.example");
  expect(code).toBe(0);
  const { calls, differences } = await replayCassette(readCassette(out), {});
  expect({ calls, differences }).toEqual({ calls: 4, differences: [] });
});

test("a call without an answer is left out, and an answer whose body is unknown counts as incomplete", async () => {
  const har = await harOfRealCalls();
  const [first, second, third] = har.log.entries as unknown as { response: { status: number; content?: object } | null }[];
  if (first?.response && second?.response) {
    first.response.status = 0;
    delete second.response.content;
  }
  if (third) third.response = null;
  const { code, out, stdout } = await imported(har);
  expect({ code, stdout }).toEqual({ code: 0, stdout: `wrote 2 calls to ${out}, and left out 2 calls without an answer\n` });
  expect(readCassette(out).entries[0]).toMatchObject({ answer: { partial: true } });
});

test("a body that stands only in params, or only in the text beside an empty list of params, is kept", async () => {
  const har = await harOfRealCalls();
  const [first] = har.log.entries;
  const entry = (url: string, postData: object) => {
    const one = structuredClone(first) as unknown as { request: object; response: object };
    Object.assign(one.request, { method: "POST", url: `https://api.pandadoc.com${url}`, postData });
    return one;
  };
  const multipart = '--x\r\nContent-Disposition: form-data; name="data"\r\n\r\n{}\r\n--x--\r\n';
  (har.log.entries as unknown[]) = [
    // As mitmproxy writes an upload.
    entry("/public/v1/documents", { mimeType: "multipart/form-data; boundary=x", text: multipart, params: [] }),
    // As Insomnia and Charles write a form.
    entry("/oauth2/access_token", {
      mimeType: "application/x-www-form-urlencoded",
      params: [{ name: "grant_type", value: "refresh_token" }],
    }),
  ];
  for (const { request } of har.log.entries) request.headers = request.headers.filter(({ name }) => name !== "content-type");
  const { code, out } = await imported(har);
  expect(code).toBe(0);
  const [form, token] = readCassette(out).entries as unknown as { request: { body: unknown } }[];
  expect(form?.request.body).toEqual({ form: [{ name: "data", json: {} }] });
  expect(token?.request.body).toEqual({ text: "grant_type=refresh_token" });
});

test("a call without a readable time is refused, because its place among the calls is unknown", async () => {
  const har = await harOfRealCalls();
  (har.log.entries[1] as { startedDateTime: string }).startedDateTime = "yesterday";
  const { code, stderr } = await imported(har);
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: expect.stringMatching(/is not a HAR: log\.entries\.1\.startedDateTime is missing or wrong\.\n$/),
  });
});

test("a HAR that docdouble wrote becomes a cassette whose replay shows no difference", async () => {
  const world = await testWorld();
  await world.call("detailsDocument", { params: { id: await aSentDocument(world) } });
  const [har, out] = ["own.har", "own.cassette"].map((name) => join(folder(), name)) as [string, string];
  writeFileSync(har, JSON.stringify(world.sandbox.har()));
  expect(await importHar(har, { out, real: world.sandbox.url })).toBe(0);
  expect(readFileSync(out, "utf8")).toContain("/document/");
  expect((await replayCassette(readCassette(out), {})).differences).toEqual([]);
});
