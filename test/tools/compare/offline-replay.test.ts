/** Tests that a replay opens no connection, whatever the cassette names. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import dns from "node:dns";
import net from "node:net";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { readCassette } from "../../../src/tools/compare/cassette.ts";
import { replayCassette } from "../../../src/tools/compare/replay.ts";
import { files } from "../../support/process.ts";
import { CLIENT, TEMPLATES } from "../../support/stories.ts";

/** A server that counts its connections, at an address that a cassette can name. */
async function watched() {
  let connections = 0;
  const server = createServer((_, response) => response.end("x")).on("connection", () => connections++);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const connect = vi.spyOn(net.Socket.prototype, "connect");
  const lookup = vi.spyOn(dns, "lookup");
  onTestFinished(() => {
    vi.restoreAllMocks();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen: () => ({ connections, sockets: connect.mock.calls.length, lookups: lookup.mock.calls.length }),
  };
}

const HEADER = '{"cassette":1,"by":"hand","at":"2026-03-02T09:00:00.000Z"}\n';
const ID = "Vb6TqHk3NzPw8RxLm2YsCd";
let at = 0;
const later = () => {
  at += 10_000;
  return at;
};
const call = (method: string, path: string, body: object | undefined, status: number, answer?: object) => ({
  call: path,
  at: later(),
  request: { method, path, credentials: "key", ...(body ? { body: { json: body } } : {}) },
  answer: { status, ...(answer ? { body: { json: answer } } : {}), partial: true },
});
const cassette = (...entries: object[]) =>
  readCassette(files({ "story.cassette": HEADER + entries.map((one) => `${JSON.stringify(one)}\n`).join("") }));
const created = { id: ID, status: "document.uploaded" };
const read = call("GET", `/public/v1/documents/${ID}`, undefined, 200, { id: ID, status: "document.draft" });

describe("replay opens no connection", () => {
  test.each<[string, (url: string) => object[]]>([
    [
      "a document by URL",
      (url) => [
        call("POST", "/public/v1/documents", { name: "A", url: `${url}/a.pdf`, recipients: [CLIENT] }, 201, created),
        { ...read, at: later() },
      ],
    ],
    [
      "an image by URL",
      (url) => [
        call(
          "POST",
          "/public/v1/documents",
          {
            name: "A",
            template_uuid: TEMPLATES.oneSigner,
            recipients: [CLIENT],
            images: [{ name: "Logo", urls: [`${url}/a.png`] }],
          },
          201,
          created,
        ),
        { ...read, at: later() },
      ],
    ],
    ["a template by URL", (url) => [call("POST", "/public/v1/templates", { name: "T", url: `${url}/a.pdf` }, 201, { id: ID })]],
    [
      "a library item by URL",
      (url) => [call("POST", "/public/v1/content-library-items", { name: "L", url: `${url}/a.pdf` }, 201, { id: ID })],
    ],
    [
      "a workspace's icon",
      (url) => [call("POST", "/public/v1/workspaces", { name: "W", icon_url: `${url}/a.png` }, 201, { id: ID })],
    ],
    [
      "a section and an attachment by URL",
      (url) => [
        call(
          "POST",
          "/public/v1/documents",
          { name: "A", template_uuid: TEMPLATES.oneSigner, recipients: [CLIENT] },
          201,
          created,
        ),
        { ...read, at: later() },
        call("POST", `/public/v1/documents/${ID}/sections/uploads`, { name: "S", url: `${url}/a.pdf` }, 201, { uuid: ID }),
        call("POST", `/public/v1/documents/${ID}/attachments`, { name: "F", source: `${url}/a.pdf` }, 201, { uuid: ID }),
      ],
    ],
    [
      "a webhook, also of another tenant",
      (url) =>
        ["key", "API-Key test-other"].flatMap((credentials) =>
          [
            call(
              "POST",
              "/public/v1/webhook-subscriptions",
              { name: "H", url: `${url}/h`, triggers: ["document_state_changed"] },
              201,
            ),
            call(
              "POST",
              "/public/v1/documents",
              { name: "A", template_uuid: TEMPLATES.oneSigner, recipients: [CLIENT] },
              201,
              created,
            ),
            { ...read, at: later() },
          ].map((one) => ({ ...one, request: { ...one.request, credentials } })),
        ),
    ],
    [
      "a document by URL of another tenant",
      (url) => {
        const made = call("POST", "/public/v1/documents", { name: "A", url: `${url}/a.pdf`, recipients: [CLIENT] }, 201, created);
        return [
          { ...made, request: { ...made.request, credentials: "API-Key test-other" } },
          { ...read, at: later() },
        ];
      },
    ],
  ])("replay does not fetch %s", async (_, story) => {
    const server = await watched();
    const { calls } = await replayCassette(cassette(...story(server.url), ...story("http://files.named.test")), { seed: 1 });
    expect(calls).toBeGreaterThan(1);
    expect(server.seen()).toEqual({ connections: 0, sockets: 0, lookups: 0 });
  });

  test("a document by URL replays to a draft without a difference, as the real service did", async () => {
    const server = await watched();
    const story = [
      call("POST", "/public/v1/documents", { name: "A", url: `${server.url}/a.pdf`, recipients: [CLIENT] }, 201, created),
      { ...read, at: later() },
    ];
    expect((await replayCassette(cassette(...story), { seed: 1 })).differences).toEqual([]);
  });

  test.each(["/__admin/reset", "//__admin/state", "/public/../__admin/state", "/%5F_admin/state", "/__compare/webhooks/0"])(
    "a cassette that calls docdouble's own path %s is refused",
    (path) => {
      expect(() => cassette(call("POST", path, {}, 200))).toThrow(/:2: the entry calls docdouble itself/);
    },
  );
});
