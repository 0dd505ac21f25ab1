/** Tests what cassettes keep, what they hide, and what their replay shows. */
import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readCassette } from "../../../src/tools/compare/cassette.ts";
import { replayCassette } from "../../../src/tools/compare/replay.ts";
import { aPdf } from "../../support/content.ts";
import { files } from "../../support/process.ts";
import { receiver } from "../../support/receiver.ts";
import { TEMPLATES } from "../../support/stories.ts";
import { REAL_KEY, throughProxy } from "../../support/through-proxy.ts";

const PERSON = { email: "Jane.Roe@acme-corp.com", first_name: "Jane", last_name: "Roe", role: "Client" };
const PRIVATE = [
  "Jane",
  "Roe",
  "acme-corp",
  "Offer to",
  "Please sign here",
  "Quick Place",
  "4711-SECRET",
  REAL_KEY,
  "My own hook",
];

/** Records a story with private data. Returns the cassette's file. */
async function record(): Promise<string> {
  const file = join(files(), "story.cassette");
  const sides = await throughProxy({ record: file });
  const hook = await receiver();
  const subscription = {
    name: "My own hook",
    url: `${hook.url}/in?x=1`,
    triggers: ["document_state_changed", "recipient_completed"],
  };
  await sides.call("createWebhookSubscription", { body: subscription, key: sides.apiKey });
  const made = await sides.call("createDocument", {
    body: {
      name: "Offer to Jane Roe",
      template_uuid: TEMPLATES.oneSigner,
      recipients: [PERSON],
      fields: { Company: { value: "Quick Place" } },
      metadata: { order: "4711-SECRET" },
    },
  });
  const params = { id: made.body.id };
  await sides.advance("5s");
  await sides.call("detailsDocument", { params });
  await sides.call("sendDocument", { params, body: { subject: "Please sign here", silent: false } });
  await sides.call("createDocumentLink", { params, body: { recipient: PERSON.email } });
  await sides.call("listContacts", { query: { email: PERSON.email.toLowerCase() } });
  await sides.call("createContact", { body: { email: "not an address of Jane" } });
  await sides.call("createDocumentFromUpload", {
    parts: { file: await aPdf(), data: { name: "Offer to Jane Roe", recipients: [PERSON] } },
  });
  sides.real.documents.simulate(params.id, "sign", { recipient: PERSON.email });
  await sides.real.clock.settle();
  await sides.call("detailsDocument", { params });
  await sides.call("deleteDocument", { params });
  await sides.call("listMembers", { key: null });
  await sides.close();
  expect(sides.comparison.report().differences).toEqual([]);
  return file;
}

describe("cassettes", () => {
  test("a cassette holds no private data, keeps files as size and hash, and replays without a difference", async () => {
    const file = await record();
    const text = readFileSync(file, "utf8");
    expect(PRIVATE.filter((one) => text.toLowerCase().includes(one.toLowerCase()))).toEqual([]);
    const cassette = readCassette(file);
    const calls = cassette.entries.flatMap((one) => ("call" in one ? [one.call] : []));
    expect(calls).toEqual([
      ...["createWebhookSubscription", "createDocument", "detailsDocument", "sendDocument", "createDocumentLink"],
      ...["listContacts", "createContact", "createDocumentFromUpload", "detailsDocument", "deleteDocument", "listMembers"],
    ]);
    const upload = cassette.entries.find((one) => "call" in one && one.call === "createDocumentFromUpload");
    expect(JSON.stringify(upload)).toMatch(/"file":\{"bytes":\d+,"sha256":"[0-9a-f]{64}","type":"application\/pdf"\}/);
    expect(cassette.entries.filter((one) => "event" in one).length).toBeGreaterThan(3);
    const replayed = await replayCassette(cassette, { seed: 3 });
    expect(replayed.differences).toEqual([]);
    expect(replayed.calls).toBe(11);
  });

  test("a replay against a double with another reading shows a difference that names the assumption", async () => {
    const file = files({
      "limits.cassette": lines(
        call("listMembers", "GET", "/public/v1/members/current", {
          status: 429,
          body: { json: { type: "throttled", detail: "Request was throttled. Expected available in 13 seconds." } },
        }),
      ),
    });
    const { differences } = await replayCassette(readCassette(file));
    expect(differences).toMatchObject([{ kind: "status", real: 429, double: 200, assumption: "rate_limit.profile" }]);
  });
});

const HEADER = '{"cassette":1,"by":"docdouble 0.1.0","at":"2026-03-02T09:00:00.000Z"}\n';
const lines = (...all: object[]) => HEADER + all.map((one) => `${JSON.stringify(one)}\n`).join("");
const call = (name: string, method: string, path: string, answer: object) => ({
  call: name,
  at: 0,
  request: { method, path, credentials: "key" },
  answer,
});
const MEMBERS = call("listMembers", "GET", "/public/v1/members", { status: 200 });

describe("invalid cassettes", () => {
  test.each<[string, string, RegExp]>([
    [
      "of another version",
      HEADER.replace('"cassette":1', '"cassette":2'),
      /:1: this is a cassette of version 2, and this docdouble reads version 1/,
    ],
    ["without a header", `${JSON.stringify(MEMBERS)}\n`, /:1: this is not a cassette: the first line must be/],
    ["that is empty", "", /:1: this is not a cassette/],
    ["with a broken line", `${HEADER}{"call":\n${JSON.stringify(MEMBERS)}\n`, /:2: this is not an entry of a cassette/],
    ["with an unknown member", lines({ ...MEMBERS, extra: 1 }), /:2: this is not an entry of a cassette/],
  ])("a cassette %s is refused with the line and the reason", (_, text, message) => {
    const file = files({ "bad.cassette": text });
    expect(() => readCassette(file)).toThrow(message);
  });

  test("a cassette that ends in the middle of a line is read up to that line, with a notice", async () => {
    const file = files({ "cut.cassette": lines(MEMBERS, MEMBERS) });
    writeFileSync(file, readFileSync(file, "utf8").slice(0, -20));
    const cassette = readCassette(file);
    expect(cassette.cut).toContain(
      "cut.cassette:3: the file ends in the middle of a line. Entries before it, which are replayed: 1.",
    );
    expect(cassette.entries).toHaveLength(1);
    appendFileSync(file, "\n");
    expect(() => readCassette(file)).toThrow(/:3: this is not an entry/);
  });
});
