/** The `fetch` that `intercept` uses in Bun and Deno. `test/system/nightly/runners.test.ts` runs it there. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { redirectFetch } from "../../src/library/kit/redirect-fetch.ts";

interface Seen {
  method: string;
  path: string;
  headers: IncomingMessage["headers"];
  body: string;
}

type Answers = Readonly<Record<string, (response: ServerResponse) => void>>;

/** A server with an answer for each path. It lists the calls that it sees. */
async function aServer(answers: Answers = {}) {
  const seen: Seen[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (part) => (body += part));
    request.on("end", () => {
      const { method = "", url = "", headers } = request;
      seen.push({ method, path: url, headers, body });
      const answer = answers[url];
      if (answer) answer(response);
      else response.end(`${method} ${url}`);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return { seen, target: { host: "127.0.0.1", port: (server.address() as AddressInfo).port } };
}

const to = (status: number, location: string) => (response: ServerResponse) => response.writeHead(status, { location }).end();

/** Redirects api.pandadoc.com to a server, until the test ends. */
async function redirected(answers: Answers = {}) {
  const server = await aServer(answers);
  const find = (host: string) => (host === "api.pandadoc.com" ? { target: async () => server.target } : undefined);
  const restore = redirectFetch(find);
  onTestFinished(restore);
  return { ...server, restore };
}

const API = "https://api.pandadoc.com";
const headers = { authorization: "API-Key docdouble-key", "content-type": "application/json" };

test("calls of a redirected host reach the server with query, headers and body, and the answer names the host", async () => {
  const { seen } = await redirected();
  const answer = await fetch(`${API}/public/v1/documents?page=2`, { method: "POST", headers, body: '{"name":"Offer"}' });
  expect([answer.status, answer.url, await answer.text()]).toEqual([
    200,
    `${API}/public/v1/documents?page=2`,
    "POST /public/v1/documents?page=2",
  ]);
  expect(seen).toEqual([
    { method: "POST", path: "/public/v1/documents?page=2", headers: expect.objectContaining(headers), body: '{"name":"Offer"}' },
  ]);
});

test("a Request and a form are sent whole", async () => {
  const { seen } = await redirected();
  const form = new FormData();
  form.append("file", new Blob(["%PDF-1.7"], { type: "application/pdf" }), "a.pdf");
  await fetch(new Request(`${API}/upload`, { method: "PUT", body: form }));
  expect(seen[0]).toMatchObject({
    method: "PUT",
    headers: { "content-type": expect.stringMatching(/^multipart\/form-data; boundary=/) },
  });
  expect(seen[0]?.body).toMatch(/filename="a.pdf"[\s\S]*%PDF-1\.7/);
});

test("other hosts get their calls unchanged, and so does every host after the end", async () => {
  const { restore, seen } = await redirected();
  const other = await aServer();
  const url = `http://127.0.0.1:${other.target.port}/here`;
  expect(await (await fetch(url, { method: "POST", body: "a" })).text()).toBe("POST /here");
  const replaced = fetch;
  restore();
  expect(fetch).not.toBe(replaced);
  expect([seen, other.seen.map(({ body }) => body)]).toEqual([[], ["a"]]);
});

test("without a target the call fails as fetch does, and names the reason", async () => {
  const reason = new Error("the sandbox is closed");
  onTestFinished(redirectFetch(() => ({ target: () => Promise.reject(reason) })));
  await expect(fetch(`${API}/public/v1/documents`)).rejects.toThrow(
    expect.objectContaining({ name: "TypeError", cause: reason }),
  );
});

test("an ended signal ends the call", async () => {
  await redirected({ "/slow": () => {} });
  const end = new AbortController();
  const call = fetch(`${API}/slow`, { signal: end.signal });
  end.abort();
  await expect(call).rejects.toThrow(expect.objectContaining({ name: "AbortError" }));
});

test.each([
  [301, "POST", "GET", ""],
  [302, "POST", "GET", ""],
  [302, "DELETE", "DELETE", "a"],
  [303, "PUT", "GET", ""],
  [307, "POST", "POST", "a"],
  [308, "PUT", "PUT", "a"],
])("a redirect with %i after a %s leads to a %s, also to the redirected host by its name", async (status, method, next, body) => {
  const { seen } = await redirected({ "/old": to(status, `${API}/new`) });
  const answer = await fetch(`${API}/old`, { method, headers, body: "a" });
  expect([answer.url, await answer.text()]).toEqual([`${API}/new`, `${next} /new`]);
  expect(seen[1]).toMatchObject({ method: next, body, headers: { authorization: headers.authorization } });
  expect(seen[1]?.headers["content-type"]).toBe(body === "" ? undefined : headers["content-type"]);
});

test("a redirect to another host carries no credentials", async () => {
  const other = await aServer();
  await redirected({ "/old": to(302, `http://127.0.0.1:${other.target.port}/there`) });
  expect(await (await fetch(`${API}/old`, { headers: { ...headers, cookie: "a=b" } })).text()).toBe("GET /there");
  expect(other.seen[0]?.headers).not.toHaveProperty("authorization");
  expect(other.seen[0]?.headers).not.toHaveProperty("cookie");
});

test("a call can keep or refuse redirects, and follows twenty at most", async () => {
  const { seen } = await redirected({ "/old": to(302, "/new"), "/again": to(302, "/again") });
  const kept = await fetch(`${API}/old`, { redirect: "manual" });
  expect([kept.status, kept.headers.get("location")]).toEqual([302, "/new"]);
  await expect(fetch(`${API}/old`, { redirect: "error" })).rejects.toThrow("fetch failed");
  seen.length = 0;
  await expect(fetch(`${API}/again`)).rejects.toThrow("fetch failed");
  expect(seen).toHaveLength(21);
});
