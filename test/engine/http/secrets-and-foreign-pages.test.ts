/** Secrets, other web sites, private addresses, and text of a caller in logs, pages and shells. */
import { service } from "../../../src/service/service.ts";
import { blankPdf } from "../../../src/service/files/stand-in.ts";
import { execFile } from "node:child_process";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer as createHttpServer, request as httpRequest } from "node:http";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, onTestFinished, test } from "vitest";
import { dispatch } from "../../../src/engine/jobs/post-delivery.ts";
import { download } from "../../../src/engine/jobs/download.ts";
import { findOperation, operations } from "../../../src/service/nouns/index.ts";
import { toLogEvent } from "../../../src/inspector/log/log-event.ts";
import { jsonLine, lineOf, toEntries } from "../../../src/cli/log-lines.ts";
import type { JournalEntry } from "../../../src/engine/journal/journal.ts";
import { createSandbox, hostOf } from "../../../src/library/sandbox.ts";
import { readRule } from "../../../src/engine/scenario/load.ts";
import { html } from "../../../src/engine/http/html.ts";
import { curlOf } from "../../../src/inspector/views/code.ts";
import { succeed, TEMPLATES } from "../../support/stories.ts";
import { type TestWorld, testWorld } from "../../support/world.ts";

describe("calls from browsers", () => {
  /** Sends a request over a socket, because `fetch` cannot set Host, Origin or Sec-Fetch-Site. */
  function post(url: string, headers: Record<string, string>, body = '{"by":"1s"}'): Promise<number> {
    return new Promise((resolve, reject) => {
      const call = httpRequest(`${url}/__admin/clock/advance`, { method: "POST", headers }, (answer) => {
        answer.resume();
        resolve(answer.statusCode ?? 0);
      });
      call.on("error", reject);
      call.end(body);
    });
  }

  const JSON_TYPE = { "content-type": "application/json" };
  const origins = (port: string): [origin: string, site?: string][] => [
    [`http://127.0.0.1:${Number(port) + 1}`],
    ["http://127.0.0.1"],
    ["http://localhost:3000", "same-site"],
    [`https://127.0.0.1:${port}`],
    [`http://evil.localhost:${port}`, "cross-site"],
    [`http://localhost:${port}`, "cross-site"],
    [`http://127.0.0.2:${port}`],
    [`http://[::1]:${port}`],
    ["https://evil.example", "cross-site"],
    [`http://127.0.0.1.evil.example:${port}`],
    [`http://localhost.evil.example:${port}`],
    ["null", "cross-site"],
    ["file://"],
    [`chrome-extension://127.0.0.1:${port}`],
  ];

  test("14 foreign origins are refused, in JSON and plain text, even with the token of the page", async () => {
    const world = await testWorld({ port: 0 });
    const { url } = world.sandbox;
    const token = { "x-docdouble-page-token": hostOf(world.sandbox).pageToken };
    const before = world.tenant.clock.now();
    for (const [origin, site] of origins(new URL(url).port))
      for (const type of ["application/json", "text/plain"])
        for (const extra of [{}, token]) {
          const headers = { origin, "content-type": type, ...(site ? { "sec-fetch-site": site } : {}), ...extra };
          expect.soft(await post(url, headers), `${origin} ${type}`).toBe(403);
        }
    expect(world.tenant.clock.now()).toBe(before);
  });

  test("the server's own origin needs the token of the page, and a request with Sec-Fetch-Site but no Origin is refused", async () => {
    const world = await testWorld({ port: 0 });
    const { url } = world.sandbox;
    const token = { "x-docdouble-page-token": hostOf(world.sandbox).pageToken };
    const own = { ...JSON_TYPE, origin: url, "sec-fetch-site": "same-origin" };
    expect(await post(url, own)).toBe(403);
    expect(await post(url, { ...own, "x-docdouble-page-token": "0".repeat(64) })).toBe(403);
    expect(await post(url, { ...own, ...token })).toBe(200);
    for (const site of ["cross-site", "same-site", "none", "same-origin"])
      expect.soft(await post(url, { ...JSON_TYPE, "sec-fetch-site": site }), site).toBe(403);
    expect(await post(url, { ...JSON_TYPE, "sec-fetch-site": "same-site", ...token })).toBe(403);
  });

  test("programs other than browsers need no origin and no token", async () => {
    const world = await testWorld({ port: 0 });
    expect(await post(world.sandbox.url, {})).toBe(200);
    expect(await post(world.sandbox.url, { "content-type": "text/plain" })).toBe(200);
    const answer = await fetch(`${world.sandbox.url}/__admin/clock/advance`, { method: "POST", body: '{"by":"1s"}' });
    expect(answer.status).toBe(200);
  });

  test("another site cannot read an answer: no CORS header, no embedding, and a separate token per server", async () => {
    const world = await testWorld();
    const headers = { origin: "http://localhost:3000", "sec-fetch-site": "same-site" };
    for (const path of ["/__admin/", "/__admin/requests", "/__admin/events"]) {
      const answer = await world.request("GET", path, { headers });
      expect
        .soft(
          [...answer.headers.keys()].filter((name) => name.startsWith("access-control")),
          path,
        )
        .toEqual([]);
      expect.soft(answer.headers.get("cross-origin-resource-policy"), path).toBe("same-origin");
    }
    const other = await testWorld();
    expect(hostOf(other.sandbox).pageToken).not.toBe(hostOf(world.sandbox).pageToken);
  });
});

describe("connections to refused addresses", () => {
  /** Counts connections instead of requests. */
  async function listener(): Promise<{ port: number; connections: () => number }> {
    let connections = 0;
    const server = createServer((socket) => {
      connections++;
      socket.destroy();
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => {
      server.close();
    });
    return { port: (server.address() as AddressInfo).port, connections: () => connections };
  }

  const limits = { bytes: 1000, timeout_ms: 2000, standIn: blankPdf };
  const turns = () => new Promise<void>((resolve) => setImmediate(() => setImmediate(resolve)));

  test("a refused address gets no connection, by number or by name, for downloads and webhooks", async () => {
    const { port, connections } = await listener();
    for (const host of ["127.0.0.1", "[::ffff:127.0.0.1]", "localhost"]) {
      await expect(download(`http://${host}:${port}/x`, "public", limits)).rejects.toThrow("private address");
      const sent = await dispatch({
        url: `http://${host}:${port}/x`,
        body: "[]",
        headers: {},
        timeout_ms: 2000,
        addressPolicy: "public",
      });
      expect(sent).toMatchObject({ status: null, error: "CONNECT_ERROR", reason: expect.stringContaining("EOUTOFREACH") });
    }
    // The earlier connections, if any, would have arrived by now.
    await expect(download(`http://127.0.0.1:${port}/x`, "all", limits)).rejects.toThrow();
    await turns();
    expect(connections()).toBe(1);
  });

  test("a redirect to a refused address opens no connection", async () => {
    const { port, connections } = await listener();
    let opened = 0;
    const from = createHttpServer((_, answer) => {
      answer.writeHead(302, { location: `http://[::a9fe:a9fe]:${port}/` }).end();
    });
    await new Promise<void>((resolve) => from.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => {
      from.close();
    });
    const onConnect = () => opened++;
    subscribe("net.client.socket", onConnect);
    onTestFinished(() => {
      unsubscribe("net.client.socket", onConnect);
    });
    const url = `http://127.0.0.1:${(from.address() as AddressInfo).port}/`;
    await expect(download(url, "all", limits)).rejects.toThrow("docdouble never calls");
    // Only the connection to the first address.
    expect(opened).toBe(1);
    expect(connections()).toBe(0);
  });
});

/** Each place that shows calls, as one text. */
async function allViews(world: TestWorld, events: string): Promise<Record<string, string>> {
  const text = (value: unknown) => JSON.stringify(value);
  const { requests } = (await world.admin("GET", "/requests")).body;
  const ids: string[] = requests.map((one: { id: string }) => one.id);
  const pageOf = async (query: string) => {
    const { body } = await world.request("GET", `/__admin/?view=journal${query}`, {});
    return Buffer.from(body).toString().replaceAll("&quot;", '"').replaceAll("&amp;", "&").replaceAll("&#39;", "'");
  };
  const logs = (await world.call("listLogsV2")).body.results as { id: string }[];
  const missed = await world.admin("POST", "/requests/verify", {
    match: {
      path: "/x",
      headers: { authorization: "x" },
      body: { $: "x" },
      query: { token: "x" },
    },
    times: 1,
  });
  return {
    journal: text(requests),
    one: text(await Promise.all(ids.map(async (id) => (await world.admin("GET", `/requests/${id}`)).body))),
    found: text((await world.admin("POST", "/requests/find", {})).body),
    unmatched: text((await world.admin("GET", "/requests/unmatched/near-misses")).body),
    nearest: text(missed.body),
    inspector: (await Promise.all(["", ...ids.map((id) => `&id=${id}`)].map(pageOf))).join("\n"),
    logs: text(await Promise.all(logs.map(async ({ id }) => (await world.call("detailsLogV2", { params: { id } })).body))),
    log: world.tenant.journal
      .all()
      .map((one) => logOf(world, one))
      .join("\n"),
    events,
  };
}

/** The console output for a call, in each format. */
function logOf({ tenant }: TestWorld, entry: JournalEntry): string {
  const event = toLogEvent(tenant, { type: "exchange", entry });
  if (!event) throw new Error("a call has a log event");
  const lines = toEntries([event]).map((one) => lineOf(one, { color: false, clock: "instant" }));
  return [...lines, jsonLine(event)].join("\n");
}

/** The text of the event stream while `run` makes its calls. */
async function eventsDuring(world: TestWorld, run: () => Promise<void>): Promise<string> {
  const answer = await world.sandbox.fetch("/__admin/events");
  const reader = (answer.body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream()).getReader();
  let heard = (await reader.read()).value ?? "";
  const before = world.tenant.journal.total;
  await run();
  const wanted = world.tenant.journal.total - before;
  while ((heard.match(/^event: exchange$/gm) ?? []).length < wanted) heard += (await reader.read()).value ?? "";
  await reader.cancel();
  return heard;
}

async function expectHidden(run: (world: TestWorld) => Promise<readonly string[]>): Promise<void> {
  const world = await testWorld();
  let secrets: readonly string[] = [];
  const events = await eventsDuring(world, async () => {
    secrets = await run(world);
  });
  expect(world.tenant.journal.size).toBeGreaterThan(0);
  expect(secrets.length).toBeGreaterThan(0);
  for (const [place, shown] of Object.entries(await allViews(world, events)))
    for (const secret of secrets) {
      expect.soft(shown.includes(secret), `${secret} in ${place}`).toBe(false);
      expect
        .soft(decodeURIComponent(shown.replace(/%(?![0-9a-f]{2})/gi, "%25")).includes(secret), `${secret} in ${place}`)
        .toBe(false);
    }
}

const SECRET = "Op3nSesameZ9qT";
const FORM = { "content-type": "application/x-www-form-urlencoded" };
type Sent = { method?: string; path?: string; headers?: Record<string, string>; body?: string; key?: string | null };

/** The same secret in different spellings and places. */
const SPELLINGS: Record<string, Sent> = {
  "client%5Fsecret in a form": { path: "/oauth2/access_token", headers: FORM, body: `client%5Fsecret=${SECRET}&grant_type=x` },
  "Client_Secret in a form": { path: "/oauth2/access_token", headers: FORM, body: `Client_Secret=${SECRET}` },
  "client+secret in a form": { path: "/oauth2/access_token", headers: FORM, body: `client+secret=${SECRET}` },
  "a form's value with quotes and spaces": {
    path: "/oauth2/access_token",
    headers: FORM,
    body: `client_secret=a" <${SECRET}\\${SECRET} b`,
  },
  "a form without its content type": {
    path: "/oauth2/access_token",
    headers: { "content-type": "text/plain" },
    body: `refresh_token=${SECRET}`,
  },
  "?API_KEY=": { method: "GET", path: `/public/v1/documents?API_KEY=${SECRET}` },
  "?api%2Dkey=": { method: "GET", path: `/public/v1/documents?api%2Dkey=${SECRET}` },
  "?apiKey=": { method: "GET", path: `/public/v1/documents?apiKey=${SECRET}` },
  "?token=": { method: "GET", path: `/public/v1/documents?token=${SECRET}` },
  "?key=": { method: "GET", path: `/public/v1/documents?q=x&key=${SECRET}` },
  "?X-Amz-Signature=": { method: "GET", path: `/nothing?X-Amz-Signature=${SECRET}` },
  "an address within the query": {
    method: "GET",
    path: `/public/v1/documents?q=${encodeURIComponent(`https://x.example/?access_token=${SECRET}`)}`,
  },
  "a password within an address": { body: JSON.stringify({ name: "x", url: `https://pat:${SECRET}@files.example/x.pdf` }) },
  "a token within an address": { body: JSON.stringify({ name: "x", url: `https://files.example/x.pdf?a=1&token=${SECRET}` }) },
  "an address with & as \\u0026": { body: `{"name":"x","url":"https://files.example/x.pdf?a=1\\u0026token=${SECRET}"}` },
  "a passcode": {
    body: JSON.stringify({ recipients: [{ verification_settings: { passcode_verification: { passcode: SECRET } } }] }),
  },
  "a numeric passcode": { body: '{"recipients":[{"verification_settings":{"passcode_verification":{"passcode":731946285}}}]}' },
  "a list of passwords": { body: JSON.stringify({ passwords: [SECRET, { first: SECRET }] }) },
  "a name with escapes": { body: `{"pass\\u0063ode":"${SECRET}"}` },
  "a name in capitals": { body: JSON.stringify({ "API-KEY": SECRET, Client_Secret: SECRET }) },
  "broken JSON": { body: `{"client_secret":"${SECRET}` },
  "a code in JSON for a token": { path: "/oauth2/access_token", body: JSON.stringify({ code: SECRET }) },
  "no scheme": { headers: { authorization: SECRET }, key: null },
  "a scheme that nobody knows": { headers: { authorization: `${SECRET} and more words` }, key: null },
  "a digest": { headers: { authorization: `Digest username="pat", response="${SECRET}", uri="/public"` }, key: null },
  "x-api-key": { headers: { "x-api-key": SECRET } },
  "X_API_KEY and x-auth": { headers: { x_api_key: SECRET, "x-auth": SECRET } },
  "proxy-authorization": { headers: { "proxy-authorization": `Secret ${SECRET} and more` } },
  "a cookie": { headers: { cookie: `session=${SECRET}` } },
  "an address in referer": { headers: { referer: `https://app.example/?code=${SECRET}` } },
  "the caller's key in a body": { body: '{"name":"docdouble-key"}' },
  "the caller's key with escapes": { body: '{"name":"docdouble\\u002dkey"}' },
  "a session's address": { method: "GET", path: `/s/${SECRET}${SECRET}/` },
};

describe("secrets are hidden in each view", () => {
  test.each(Object.entries(SPELLINGS))(
    "%s is hidden",
    async (_, { method = "POST", path = "/public/v1/documents", headers, body, key }) => {
      await expectHidden(async (world) => {
        await world.request(method, path, {
          ...(headers ? { headers } : {}),
          ...(body === undefined ? {} : { body }),
          ...(key === undefined ? {} : { key }),
        });
        return [SECRET, "731946285", "docdouble-key", "docdouble\\u002dkey"];
      });
    },
  );

  test("each member whose name suggests a secret is marked by its operation, or excused here", () => {
    const EXCUSED: Record<string, string> = {
      tokens: "the template's placeholders",
      token_type: "always Bearer",
      passcode_verification: "the map around the passcode",
      postal_code: "an address",
      http_status_code: "a status",
      session_request_id: "names a request and opens nothing: notarize.pandadoc.com asks who comes",
      shared_link: "hidden as the address of a page",
      "detailsLog.key": "hidden by the operation itself",
      "detailsLogV2.key": "hidden by the operation itself",
      "getDocumentAiMetadata.key": "a field's name",
      "getDocumentAiMetadata.code": "a state",
      "batchGetDocumentAiMetadata.key": "a field's name",
      field_keys: "names of fields",
      "detailsWebhookEvent.signature": "proves one delivery, and opens nothing",
      qualified_electronic_signature: "a setting",
      email_otp_verification: "an email address",
    };
    const SUSPICIOUS = /token|secret|pass|key|code|credential|auth|session|otp|pin$|signature$|notarization_link|shared_link/i;
    const forgotten: string[] = [];
    for (const operation of operations) {
      const { request = [], response = [] } = operation.secret ?? {};
      const look = (schema: (() => unknown) | undefined, marked: readonly string[]) => {
        for (const name of schema ? membersOf(schema()) : [])
          if (SUSPICIOUS.test(name) && !marked.includes(name) && !(name in EXCUSED) && !(`${operation.id}.${name}` in EXCUSED))
            forgotten.push(`${operation.id}: ${name}`);
      };
      for (const schema of [operation.params, operation.query, operation.body]) look(schema, request);
      for (const answer of Object.values(operation.responses)) if (typeof answer === "function") look(answer, response);
    }
    expect(forgotten).toEqual([]);
    // The id of a session opens the signing page, although its name does not suggest a secret.
    expect(findOperation("createDocumentLink")?.secret?.response).toEqual(["id"]);
  });
});

/** The names of all members of a zod schema, at any depth. */
function membersOf(schema: unknown, seen = new Set<unknown>()): Set<string> {
  const names = new Set<string>();
  if (typeof schema !== "object" || schema === null || seen.has(schema)) return names;
  seen.add(schema);
  const add = (found: Iterable<string>) => {
    for (const name of found) names.add(name);
  };
  const def = (schema as { _zod?: { def: Record<string, unknown> } })._zod?.def ?? {};
  if (typeof def.shape === "object") {
    add(Object.keys(def.shape as object));
    for (const inner of Object.values(def.shape as object)) add(membersOf(inner, seen));
  }
  for (const name of ["element", "innerType", "in", "out", "left", "right", "valueType"]) add(membersOf(def[name], seen));
  for (const option of (def.options as unknown[] | undefined) ?? []) add(membersOf(option, seen));
  if (typeof def.getter === "function") add(membersOf((def.getter as () => unknown)(), seen));
  return names;
}

describe("the journal shows the sent answer", () => {
  const rule = (headers: Record<string, string>) => ({
    name: "odd",
    when: { operation: "listContacts" },
    then: { respond: { status: 200, headers, body: {} } },
  });

  test.each([
    [{ "x-note": "snow ☃" }, "headers.x-note: the header x-note holds U+2603"],
    [{ "x-note": "café" }, "U+00E9"],
    [{ "x-note": "a\nb" }, "U+000A"],
    [{ "x-note": "a\u0001b" }, "U+0001"],
    [{ "x note": "a" }, '"x note" is not a header name'],
    [{ "Content-Length": "5" }, "docdouble sends Content-Length itself"],
    [{ "transfer-encoding": "chunked" }, "docdouble sends transfer-encoding itself"],
  ])("a rule with the headers %j is refused when it is loaded", async (headers, message) => {
    const world = await testWorld();
    const refused = await world.admin("POST", "/rules", rule(headers));
    expect(refused.status).toBe(400);
    expect(JSON.stringify(refused.body).replaceAll('\\"', '"')).toContain(message);
    expect(world.tenant.rules.list()).toEqual([]);
    await expect(createSandbox({ scenario: { version: 1, name: "s", rules: [rule(headers)] } as never })).rejects.toThrow(
      message,
    );
  });

  test("printable ASCII is sent, and the Content-Type of a rule replaces the default", async () => {
    const world = await testWorld({ port: 0 });
    await succeed(world.admin("POST", "/rules", rule({ "X-Note": '~ "a"\t;', "Content-Type": "text/plain" })));
    const answer = await fetch(`${world.sandbox.url}/public/v1/contacts`, {
      headers: { authorization: "API-Key docdouble-key" },
    });
    expect([answer.status, answer.headers.get("x-note"), answer.headers.get("content-type")]).toEqual([
      200,
      '~ "a"\t;',
      "text/plain",
    ]);
    const [kept] = world.tenant.journal.all();
    expect(Object.fromEntries(answer.headers)).toMatchObject({ ...kept?.responseHeaders });
  });

  test("an answer that cannot be sent is a 500 in the journal and on the socket", async () => {
    const bugs: unknown[] = [];
    const world = await testWorld({ port: 0, onBug: (error) => bugs.push(error) });
    // Bypasses the schema, like a later bug might.
    const { tenant } = world;
    tenant.rules.put({ ...readRule(rule({}), service.language), id: "odd" });
    for (const armed of tenant.rules.list()) Object.assign(armed.effect.respond?.headers ?? {}, { "x-note": "☃" });
    const answer = await fetch(`${world.sandbox.url}/public/v1/contacts`, {
      headers: { authorization: "API-Key docdouble-key" },
    });
    expect(answer.status).toBe(500);
    expect(world.tenant.journal.all().map((one) => one.status)).toEqual([500]);
    expect(await answer.text()).toBe(world.tenant.journal.all()[0]?.responseBody);
    expect(bugs).toHaveLength(1);
  });
});

describe("text of a caller in logs, commands and pages", () => {
  test("the text log escapes control characters", async () => {
    const world = await testWorld();
    await world.request("POST", "/__admin/rules", {
      body: {
        name: "red\u001b[31m\u009b2J\n200 GET fake\u202e",
        when: { operation: "listContacts" },
        then: { error: "throttled" },
      },
    });
    await world.call("listContacts");
    const [one] = world.tenant.journal.all();
    const line = logOf(world, one as JournalEntry);
    expect(line).toContain("red\\u001b[31m\\u009b2J\\u000a200 GET fake\\u202e");
    const CONTROLS = /(?!\n)[\p{Cc}\u202e]/u;
    expect(line).not.toMatch(CONTROLS);
    expect(logOf(world, { ...(one as JournalEntry), url: "/\u001b]0;title\u0007", why: "a\rb" })).not.toMatch(CONTROLS);
  });

  test("the copied curl command reads no file, runs no code, and repeats the same call", async () => {
    const got: { url: string; headers: Record<string, unknown>; body: string }[] = [];
    const server = createHttpServer((request, answer) => {
      let body = "";
      request.setEncoding("utf8").on("data", (part: string) => {
        body += part;
      });
      request.on("end", () => {
        got.push({ url: request.url ?? "", headers: request.headers, body });
        answer.end();
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => {
      server.close();
    });
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const folder = mkdtempSync(join(tmpdir(), "docdouble-curl-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    writeFileSync(join(folder, "secret.txt"), "the file's content");
    writeFileSync(join(folder, "offer.pdf"), "the offer");
    const world = await testWorld();
    const run = async (sent: () => Promise<unknown>) => {
      await sent();
      const one = world.tenant.journal.all().at(-1) as JournalEntry;
      await promisify(execFile)("bash", ["-c", curlOf(one, base)], {
        cwd: folder,
        env: { ...process.env, DOCDOUBLE_API_KEY: "k" },
      });
      return got.at(-1);
    };
    const text = { "content-type": "text/plain" };
    for (const body of [
      "@secret.txt",
      "@/etc/hostname",
      "'; touch ran; '",
      "$(touch ran) `touch ran`",
      'a"b\\c\nd\te',
      "-K secret.txt",
    ])
      expect
        .soft((await run(() => world.request("POST", "/public/v1/documents", { headers: text, body })))?.body, body)
        .toBe(body);
    const odd = "/public/v1/documents?q=%27;touch%20ran;[1-3]{a,b}$(touch%20ran)";
    expect((await run(() => world.request("GET", odd)))?.url.replaceAll("%20", " ")).toBe(odd.replaceAll("%20", " "));
    const parts = {
      file: new File(["x"], "../../etc/offer.pdf", { type: "application/pdf" }),
      note: "@secret.txt",
      other: "<secret.txt",
      last: "a;type=text/html",
    };
    const form = await run(() => world.call("createDocumentFromUpload", { parts }));
    expect(form?.body).toContain("the offer");
    for (const value of ["@secret.txt", "<secret.txt", "a;type=text/html"]) expect(form?.body).toContain(`\r\n${value}\r\n`);
    expect(form?.body).not.toContain("the file's content");
    const headers = { "content-type": "text/plain; x='$(touch ran)'", authorization: "API-Key$(touch ran) x" };
    await run(() => world.request("POST", "/public/v1/documents", { headers, key: null, body: "x" }));
    expect(existsSync(join(folder, "ran"))).toBe(false);
  });

  test("a URL that runs a script becomes no link, in any spelling", () => {
    for (const address of [
      "javascript:alert(1)",
      "JavaScript:x",
      " java\nscript:x",
      "\u0001javascript:x",
      "data:text/html,x",
      "vbscript:x",
      "file:///etc",
    ])
      expect
        .soft(String(html`<a href="${address}">x</a><form action="${address}">`), address)
        .toBe('<a href="#">x</a><form action="#">');
    for (const address of [
      "https://a.example/?b=javascript:",
      "/files/a:b",
      "?view=x:y",
      "#top",
      "mailto:pat@client.example",
      "",
    ])
      expect.soft(String(html`<a href="${address}">x</a>`)).toBe(`<a href="${address.replace("&", "&amp;")}">x</a>`);
    expect(String(html`<img src="${"data:image/png;base64,AA"}">`)).toContain("data:image/png");
    // The pages insert each URL through the template, so that this check sees it.
    const pages = ["src/inspector", "src/service/pages"].flatMap((folder) =>
      readdirSync(folder).map((name) => join(folder, name)),
    );
    for (const file of pages.filter((one) => one.endsWith(".ts")))
      expect.soft(readFileSync(file, "utf8"), file).not.toMatch(/(?:href|src|action)=(?:'|\$\{|"[^"$]*[^"$/?#=a-z-]\$\{)/);
  });
});

describe("a member named __proto__ is refused instead of dropped", () => {
  const create = (members: string) =>
    `{"name":"n","template_uuid":"${TEMPLATES.oneSigner}","recipients":[{"email":"pat@example.test","role":"Client"}],${members}}`;

  test.each([
    ['"metadata":{"__proto__":"x"}'],
    ['"metadata":{"\\u005f_proto__":"x"}'],
    ['"fields":{"__proto__":{"value":"x"}}'],
    ['"tokens":[{"name":"a","value":"b","__proto__":{}}]'],
  ])("%s is refused", async (members) => {
    const world = await testWorld();
    const answer = await world.sandbox.fetch("/public/v1/documents", {
      method: "POST",
      headers: { authorization: "API-Key docdouble-key", "content-type": "application/json" },
      body: create(members),
    });
    expect(answer.status).toBe(400);
    expect(await answer.text()).toContain("docdouble cannot keep a member of this name. Choose another name.");
    expect(world.tenant.store.documents.all()).toHaveLength(0);
  });
});
