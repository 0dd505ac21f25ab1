/** `docdouble/intercept`: clients that call https://api.pandadoc.com reach the sandbox, each with its own HTTP library. */
import { once } from "node:events";
import http from "node:http";
import https from "node:https";
import net from "node:net";
import tls from "node:tls";
import axios from "axios";
import * as pandadoc from "pandadoc-node-client";
import * as undici from "undici";
import { describe, expect, onTestFinished, test } from "vitest";
import { createSandbox, type SandboxOptions } from "../../src/index.ts";
import { intercept, type InterceptOptions } from "../../src/intercept.ts";

const API = "https://api.pandadoc.com";

async function intercepted(options: SandboxOptions = {}, how: InterceptOptions = {}) {
  const sandbox = await createSandbox({ seed: 7, clock: "frozen", now: "2026-03-02T09:00:00Z", ...options });
  const stop = intercept(sandbox, how);
  onTestFinished(async () => {
    stop();
    await sandbox.close();
  });
  return { sandbox, stop, headers: { authorization: `API-Key ${sandbox.apiKey}`, "content-type": "application/json" } };
}

interface Answer {
  status: number;
  text: string;
}

function byNode(module: typeof http | typeof https, url: string, headers: Record<string, string>, body = ""): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = module.request(url, { method: body === "" ? "GET" : "POST", headers }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (part) => (text += part));
      response.on("end", () => resolve({ status: response.statusCode ?? 0, text }));
      response.on("error", reject);
    });
    request.on("error", reject).end(body);
  });
}

type Client = (url: string, headers: Record<string, string>, body?: string) => Promise<Answer>;

const CLIENTS: Record<string, Client> = {
  fetch: async (url, headers, body) => {
    const answer = await fetch(url, body === undefined ? { headers } : { headers, method: "POST", body });
    return { status: answer.status, text: await answer.text() };
  },
  https: (url, headers, body) => byNode(https, url, headers, body),
  "https with an agent": (url, headers, body) =>
    new Promise((resolve, reject) => {
      const agent = new https.Agent({ keepAlive: true, rejectUnauthorized: true });
      onTestFinished(() => agent.destroy());
      const request = https.request(url, { agent, headers, method: body === undefined ? "GET" : "POST" }, (response) => {
        let text = "";
        response.setEncoding("utf8").on("data", (part) => (text += part));
        response.on("end", () => resolve({ status: response.statusCode ?? 0, text }));
      });
      request.on("error", reject).end(body);
    }),
  "undici.request": async (url, headers, body) => {
    const answer = await undici.request(url, body === undefined ? { headers } : { headers, method: "POST", body });
    return { status: answer.statusCode, text: await answer.body.text() };
  },
  "undici.fetch": async (url, headers, body) => {
    const answer = await undici.fetch(url, body === undefined ? { headers } : { headers, method: "POST", body });
    return { status: answer.status, text: await answer.text() };
  },
  "undici with HTTP/2": async (url, headers, body) => {
    const dispatcher = new undici.Agent({ allowH2: true });
    onTestFinished(() => dispatcher.destroy());
    const answer = await undici.request(
      url,
      body === undefined ? { headers, dispatcher } : { headers, dispatcher, method: "POST", body },
    );
    return { status: answer.statusCode, text: await answer.body.text() };
  },
  axios: async (url, headers, body) => {
    const answer = await axios.request({
      url,
      headers,
      method: body === undefined ? "GET" : "POST",
      data: body,
      responseType: "text",
      validateStatus: () => true,
    });
    return { status: answer.status, text: typeof answer.data === "string" ? answer.data : JSON.stringify(answer.data) };
  },
};

const OFFER = JSON.stringify({
  name: "Offer",
  template_uuid: "TemplateOneSignerxxxxx",
  recipients: [{ email: "pat@client.example", role: "Client" }],
});

describe("intercept", () => {
  test.each(Object.entries(CLIENTS))(
    "%s creates a document at the fixed host and follows the link of the answer",
    async (_, call) => {
      for (const options of [{}, { port: 0 }]) {
        const { sandbox, stop, headers } = await intercepted(options);
        const created = await call(`${API}/public/v1/documents`, headers, OFFER);
        expect(created.status).toBe(201);
        const { id, links } = JSON.parse(created.text);
        expect(links[0].href).toBe(`${API}/public/v1/documents/${id}`);
        expect(JSON.parse((await call(links[0].href, headers)).text)).toMatchObject({ id, status: "document.uploaded" });
        expect(sandbox.journal.count({ operation: "statusDocument" })).toBe(1);
        stop();
      }
    },
  );

  test("the official client works with its default host", async () => {
    const { sandbox } = await intercepted();
    const configuration = pandadoc.createConfiguration({ authMethods: { apiKey: `API-Key ${sandbox.apiKey}` } });
    const { id } = await sandbox.documents.create();
    expect(await new pandadoc.DocumentsApi(configuration).statusDocument({ id })).toMatchObject({ id, status: "document.draft" });
  });

  test("plain HTTP reaches the sandbox too, and other hosts are not intercepted", async () => {
    const { headers } = await intercepted();
    expect((await byNode(http, "http://api.pandadoc.com/public/v1/contacts", headers)).status).toBe(200);
    const other = http.createServer((_, response) => response.end("other"));
    await new Promise<void>((ready) => other.listen(0, "127.0.0.1", ready));
    onTestFinished(() => void other.close());
    const { port } = other.address() as net.AddressInfo;
    expect((await byNode(http, `http://127.0.0.1:${port}/`, {})).text).toBe("other");
    expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe("other");
  });

  test("the tunnel of a proxy ends, so that it does not keep a program from ending", async () => {
    const { headers } = await intercepted();
    const proxy = http.createServer();
    const tunnels: Promise<unknown>[] = [];
    proxy.on("connect", (_, socket: net.Socket) => {
      tunnels.push(once(socket.resume(), "end"));
      socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
    });
    await once(proxy.listen(0, "127.0.0.1"), "listening");
    onTestFinished(() => void proxy.close());
    const { port } = proxy.address() as net.AddressInfo;
    const way = { protocol: "http", host: "127.0.0.1", port };
    expect((await axios.get(`${API}/public/v1/contacts`, { headers, proxy: way })).status).toBe(200);
    expect(tunnels).toHaveLength(1);
    await Promise.all(tunnels);
  });

  test("faults act on intercepted calls: a reset, half an answer, a 429", async () => {
    const { sandbox, headers } = await intercepted();
    const list = () => fetch(`${API}/public/v1/contacts`, { headers });
    sandbox.faults.next("listContacts", "reset_before");
    await expect(list()).rejects.toThrow("fetch failed");
    sandbox.faults.next("listContacts", "reset_before");
    await expect(axios.get(`${API}/public/v1/contacts`, { headers })).rejects.toMatchObject({ code: "ECONNRESET" });
    sandbox.faults.next("listContacts", "truncated");
    await expect(list().then((answer) => answer.text())).rejects.toThrow("terminated");
    sandbox.faults.next("listContacts", "throttled");
    expect((await list()).status).toBe(429);
    expect((await list()).status).toBe(200);
  });

  test("a closed sandbox answers intercepted calls with an error, and none reaches the real host", async () => {
    const { sandbox, headers } = await intercepted();
    await sandbox.close();
    const refused = await fetch(`${API}/public/v1/contacts`, { headers }).catch((error) => error.cause);
    expect(refused.message).toContain("this sandbox is closed");
    await expect(byNode(https, `${API}/public/v1/contacts`, headers)).rejects.toThrow("this sandbox is closed");
    await expect(byNode(http, "http://api.pandadoc.com/", headers)).rejects.toThrow("this sandbox is closed");
  });

  test("stop restores Node's functions, closes kept connections and resets the links", async () => {
    const before = [tls.connect, net.Socket.prototype.connect];
    const { sandbox, stop, headers } = await intercepted({ port: 0 });
    expect(tls.connect).not.toBe(before[0]);
    expect((await fetch(`${API}/public/v1/contacts`, { headers })).status).toBe(200);
    stop();
    stop();
    expect([tls.connect, net.Socket.prototype.connect]).toEqual(before);
    await sandbox.documents.create({ status: "document.sent" });
    expect(sandbox.emails.all()[0]?.link).toContain(sandbox.url);
    // A kept connection would answer with a document. A new connection is refused by the sandbox that listens now.
    const other = await intercepted();
    await other.sandbox.close();
    await expect(fetch(`${API}/public/v1/contacts`, { headers })).rejects.toThrow("fetch failed");
  });

  test("two sandboxes intercept one host each, and the latest wins for the same host", async () => {
    const [first, second] = [
      await intercepted({}, { hosts: ["one.example"] }),
      await intercepted({}, { hosts: ["one.example", "two.example"] }),
    ];
    first.sandbox.contacts.create({ email: "first@one.example" });
    const emails = async (host: string) => {
      const answer = await fetch(`https://${host}/public/v1/contacts?email=first@one.example`, { headers: first.headers });
      return ((await answer.json()) as { results: unknown[] }).results.length;
    };
    expect([await emails("one.example"), await emails("two.example")]).toEqual([0, 0]);
    second.stop();
    expect(await emails("one.example")).toBe(1);
  });
});
