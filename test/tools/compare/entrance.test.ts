/** Tests who may use the proxy of `compare`, and which key reaches the client. */
import { request as httpRequest } from "node:http";
import { describe, expect, test } from "vitest";
import { RealKey } from "../../../src/tools/compare/real-key.ts";
import { localServer } from "../../support/local-server.ts";
import { receiver } from "../../support/receiver.ts";
import { REAL_KEY, throughProxy } from "../../support/through-proxy.ts";

/** Sends a request with any `Host`, which `fetch` does not allow. */
function raw(
  url: string,
  path: string,
  headers: Record<string, string>,
  method = "GET",
): Promise<{ status: number; body: string }> {
  const { port } = new URL(url);
  return new Promise((resolve, reject) => {
    const sent = httpRequest({ host: "127.0.0.1", port, path, method, headers, setHost: headers.host !== "" }, (answer) => {
      let body = "";
      answer.setEncoding("utf8").on("data", (text: string) => (body += text));
      answer.on("end", () => resolve({ status: answer.statusCode ?? 0, body }));
    });
    sent.on("error", reject).end(method === "POST" ? "[]" : undefined);
  });
}

/** A real service that shows which keys it received. */
async function watched() {
  const seen: { url: string; key: string | undefined }[] = [];
  const realUrl = await localServer((request, response) => {
    seen.push({ url: request.url ?? "", key: request.headers.authorization });
    response.writeHead(200, { "content-type": "application/json" }).end("{}");
  });
  return { seen, sides: await throughProxy({ realUrl }) };
}

const REFUSED = (detail: string) => ({
  status: 403,
  body: JSON.stringify({ type: "docdouble_compare_error", detail: `docdouble compare: ${detail}.` }),
});

describe("who may use the proxy of compare", () => {
  test("each run has its own key of 64 characters, and only that key becomes the real key", async () => {
    const { seen, sides } = await watched();
    const other = await throughProxy({});
    expect(sides.apiKey).toMatch(/^[0-9a-f]{64}$/);
    expect(sides.apiKey).not.toBe(other.apiKey);
    for (const authorization of [
      `API-Key ${sides.apiKey}`,
      `Bearer ${sides.apiKey}`,
      "API-Key docdouble-key",
      `API-Key ${other.apiKey}`,
      `API-Key ${sides.apiKey}0`,
      `API-Key x ${sides.apiKey}`,
    ])
      await raw(sides.url, "/public/v1/templates", { authorization });
    expect(seen.map((one) => one.key)).toEqual([
      `API-Key ${REAL_KEY}`,
      `Bearer ${REAL_KEY}`,
      "API-Key docdouble-key",
      `API-Key ${other.apiKey}`,
      `API-Key ${sides.apiKey}0`,
      `API-Key x ${sides.apiKey}`,
    ]);
  });

  test.each([
    ["evil.example", "evil.example"],
    ["abc.ngrok.app", "abc.ngrok.app"],
    ["localhost.evil.example:4010", "localhost.evil.example:4010"],
    ["127.0.0.1.evil.example", "127.0.0.1.evil.example"],
    ["evil.example@localhost", "evil.example@localhost"],
    ["localhost/evil.example", "localhost/evil.example"],
    ["0.0.0.0", "0.0.0.0"],
    ["192.168.1.7", "192.168.1.7"],
  ])("a request to %s is refused, also with the key, and does not reach the service", async (host, named) => {
    const { seen, sides } = await watched();
    const headers = { host, authorization: `API-Key ${sides.apiKey}` };
    for (const path of ["/public/v1/templates", "/__admin/state", "/__compare/webhooks/0", "/__compare/"])
      expect(await raw(sides.url, path, headers)).toEqual(
        REFUSED(`the proxy answers under localhost only, not under ${named}; call the address in DOCDOUBLE_URL`),
      );
    expect(seen).toEqual([]);
  });

  test.each(["localhost", "LOCALHOST:1", "127.0.0.1", "127.9.9.9", "[::1]:80", "api.localhost"])(
    "a request to %s is answered",
    async (host) => {
      const { seen, sides } = await watched();
      const answer = await raw(sides.url, "/public/v1/templates", { host, authorization: `API-Key ${sides.apiKey}` });
      expect(answer).toEqual({ status: 200, body: "{}" });
      expect(seen).toEqual([{ url: "/public/v1/templates", key: `API-Key ${REAL_KEY}` }]);
    },
  );

  test.each(["x-forwarded-host", "X-Forwarded-For", "forwarded", "cf-connecting-ip", "via"])(
    "a request that a tunnel marks with %s is refused, although its host is localhost",
    async (header) => {
      const { seen, sides } = await watched();
      const headers = { [header]: "203.0.113.7", authorization: `API-Key ${sides.apiKey}` };
      expect(await raw(sides.url, "/public/v1/templates", headers)).toEqual(
        REFUSED(
          `the request came through another proxy (header ${header.toLowerCase()}), which may deliver webhooks only; call the address in DOCDOUBLE_URL`,
        ),
      );
      expect(seen).toEqual([]);
    },
  );

  test("a tunnel delivers webhooks to the addresses of this run, and reaches nothing else", async () => {
    const sides = await throughProxy({});
    const hook = await receiver();
    const body = { name: "Mine", url: `${hook.url}/in?x=1`, triggers: ["document_state_changed"] };
    const made = await sides.call("createWebhookSubscription", { body });
    expect(made.body.url).toBe(`${hook.url}/in?x=1`);
    const tunnel = { host: "abc.ngrok.app", "x-forwarded-for": "203.0.113.7", "content-type": "application/json" };
    expect((await raw(sides.url, "/__compare/webhooks/0?signature=abc", tunnel, "POST")).status).toBe(200);
    expect(hook.received.map((one) => one.url)).toEqual(["/in?x=1&signature=abc"]);
    for (const path of [
      "/__compare/webhooks/1",
      "/__compare/webhooks/0/../../../public/v1/documents",
      "/__compare/webhooks/0/public/v1/documents",
      "/__compare/webhooks/-1",
      "/public/v1/documents?x=/__compare/webhooks/0",
      "/public/v1/__compare/webhooks/0",
      "//__compare/webhooks/0",
    ])
      expect((await raw(sides.url, path, { ...tunnel, authorization: `API-Key ${sides.apiKey}` }, "POST")).status).toBe(403);
    expect(hook.received).toHaveLength(1);
  });

  test("the command gets no variable that holds the real key", () => {
    const key = new RealKey(REAL_KEY, "client");
    const all = {
      DOCDOUBLE_REAL_KEY: REAL_KEY,
      PANDADOC_AUTH: `API-Key ${REAL_KEY}`,
      CODED: Buffer.from(REAL_KEY).toString("base64"),
      PATH: "/bin",
    };
    expect(key.variables(all)).toEqual({ DOCDOUBLE_REAL_KEY: undefined, PANDADOC_AUTH: undefined, CODED: undefined });
  });
});
