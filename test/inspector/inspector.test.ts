/** Tests the pages of the inspector as the server sends them. */
import { hostOf } from "../../src/library/sandbox.ts";
import { describe, expect, test } from "vitest";
import { aSentDocument, succeed } from "../support/stories.ts";
import { KEY, testWorld } from "../support/world.ts";
import { EVIL, VIEWS, aBusyWorld, aDocumentOf, pageOf } from "../support/inspector.ts";

describe("adminInspector", () => {
  test("adminInspector escapes text from outside in every section", async () => {
    const { world, id } = await aBusyWorld(EVIL);
    const [call] = (await world.admin("GET", "/requests")).body.requests;
    const { timeline } = (await world.admin("GET", `/documents/${id}/timeline`)).body;
    expect(timeline.map((one: { kind: string }) => one.kind)).toEqual(
      expect.arrayContaining(["call", "act", "mail", "delivery"]),
    );
    const document = `?view=documents&id=${id}`;
    const opened = [...(await pageOf(world, document)).matchAll(/<a class="row" id="([^"]+)"/g)].map((match) => match[1]);
    const rule = encodeURIComponent(`rule-${EVIL}`);
    const queries = [
      ...VIEWS.map((view) => `?view=${view}`),
      ...[document, `${document}&open=${opened.join(",")}`, `?view=journal&id=${call.id}`, `?view=rules&open=${rule}`],
      `?view=mails&open=${world.tenant.store.emails.all()[0]?.id}`,
    ];
    for (const query of queries) {
      const page = await pageOf(world, query);
      expect.soft(page.match(/<script/g), query).toHaveLength(2);
      expect.soft(page, query).not.toContain("<img");
    }
    expect(await pageOf(world, `?view=documents&id=${id}`)).toContain("&lt;script&gt;alert(1)&lt;/script&gt;");
    expect(await pageOf(world, "?view=rules")).toContain("for webhooks");
    expect(await pageOf(world, "?view=scenarios")).toContain("expects nothing");
    const reflected = encodeURIComponent(EVIL);
    for (const [query, status] of [
      [`?q=${reflected}`, 200],
      [`?is=${reflected}`, 200],
      [`?id=${reflected}`, 404],
      [`?view=journal&id=${reflected}`, 404],
      [`?tenant=${reflected}`, 200],
    ] as const)
      expect.soft((await pageOf(world, query, undefined, status)).match(/<script|<img/g), query).toHaveLength(2);
  });

  test("adminInspector shows a journal without secrets", async () => {
    const world = await testWorld();
    const code = (await world.admin("POST", "/oauth/codes", { client_id: "docdouble-client" })).body.code;
    const token = await world.request("POST", "/oauth2/access_token", {
      key: null,
      body: `grant_type=authorization_code&client_id=docdouble-client&client_secret=docdouble-secret&code=${code}&scope=read%2Bwrite`,
      headers: { "content-type": "application/x-www-form-urlencoded" },
    });
    expect(token.status).toBe(200);
    await world.call("listDocuments");
    const all = (await world.admin("GET", "/requests")).body.requests;
    const pages = await Promise.all(all.map((one: { id: string }) => pageOf(world, `?view=journal&id=${one.id}`)));
    const text = pages.join();
    expect(text).toContain("authorization_code");
    expect(text).toContain("API-Key ***");
    for (const secret of ["docdouble-secret", code, token.body.access_token, token.body.refresh_token, KEY])
      expect.soft(text).not.toContain(secret);
  });

  test("adminInspector shows a form's fields as formatted JSON, and its files with name, size and digest", async () => {
    const world = await testWorld();
    const data = { name: "Offer", password: "correct horse" };
    await succeed(world.call("createDocumentFromUpload", { parts: { file: new File(["%PDF-1.7"], `${EVIL}.pdf`), data } }));
    const [{ id }] = (await world.admin("GET", "/requests")).body.requests;
    const text = await pageOf(world, `?view=journal&id=${id}`);
    expect(text).toContain("onerror=alert(2)&gt;.pdf · application/octet-stream · 8 bytes");
    expect(text).toMatch(/sha256 [0-9a-f]{64}/);
    expect(text).toContain('aria-label="Field data"');
    expect(text).toContain('<span class="j-name">&quot;name&quot;</span>: <span class="j-string">&quot;Offer&quot;</span>');
    expect(text).not.toContain("correct horse");
  });

  test("adminInspector shows why a call was refused, and reports an unknown document, call or view", async () => {
    const world = await testWorld();
    await world.call("statusDocument", { params: { id: "nothing" } });
    expect(await pageOf(world, "?view=journal")).toContain("no document nothing in this workspace");
    expect(await pageOf(world, "?view=documents&id=nothing", undefined, 404)).toContain("No such document");
    expect(await pageOf(world, "?view=journal&id=nothing", undefined, 404)).toContain("No such call");
    expect((await world.admin("GET", "/?view=nothing")).status).toBe(400);
  });

  test("adminInspector shows the tenant of the key or the address, and creates no tenant for an unknown name", async () => {
    const world = await testWorld();
    await aDocumentOf(world, "test-other", "Theirs");
    await aSentDocument(world, { body: { name: "Ours" } });
    for (const page of [await pageOf(world, "", "test-other"), await pageOf(world, "?tenant=test-other")]) {
      expect(page).toContain("Theirs");
      expect(page).not.toContain("Ours");
    }
    expect(await pageOf(world, "?tenant=test-new")).toContain("Ours");
    expect((await world.admin("GET", "/tenants")).body.tenants).toHaveLength(2);
  });

  test("the admin API answers only under a loopback name or the public URL, and accepts no changes from other pages", async () => {
    const world = await testWorld({ publicUrl: "http://docs.example:8080/double" });
    const ask = async (path: string, headers: Record<string, string>, method = "GET") =>
      (await world.request(method, path, { headers })).status;
    const READS = ["/", "/clock", "/requests", "/tenants", "/emails", "/health", "/events"];
    for (const host of ["localhost", "127.0.0.1:4010", "[::1]:4010", "app.localhost:80", "docs.example"])
      for (const path of READS) expect.soft(await ask(`/__admin${path}`, { host }), host + path).toBe(200);
    for (const host of ["evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "notlocalhost"]) {
      for (const path of READS) expect.soft(await ask(`/__admin${path}`, { host }), host + path).toBe(403);
      expect.soft(await ask("/health", { host }), host).toBe(200);
      expect.soft(await ask("/__admin/reset", { host }, "POST"), host).toBe(403);
      const origin = `http://${host}`;
      expect.soft(await ask("/__admin/reset", { host, origin }, "POST"), origin).toBe(403);
      expect.soft(await ask("/__admin/reset", { host: "localhost", origin }, "POST"), origin).toBe(403);
    }
    expect(await ask("/__admin/reset", { host: "localhost", origin: "null" }, "POST")).toBe(403);
    const own = { "x-docdouble-page-token": hostOf(world.sandbox).pageToken };
    expect(await ask("/__admin/reset", { host: "localhost:4010", origin: "http://localhost:4010", ...own }, "POST")).toBe(200);
    expect(await ask("/__admin/reset", { host: "localhost:4010", origin: "http://docs.example:8080", ...own }, "POST")).toBe(200);
    const { body } = await world.request("GET", "/__admin/clock", { headers: { host: "evil.example" } });
    expect(body.why).toBe(
      "the admin API answers under localhost and http://docs.example:8080/double, not under evil.example; set --public-url",
    );
  });

  test("beyond loopback the token opens the admin API under any host name, but not its pages", async () => {
    const world = await testWorld({ host: "0.0.0.0", adminToken: "open sesame", publicUrl: "http://docs.example" });
    const ask = async (path: string, token: string) =>
      (await world.request("GET", path, { headers: { host: "docdouble:4010", "x-docdouble-admin-token": token } })).status;
    expect(await ask("/__admin/clock", "open sesame")).toBe(200);
    expect(await ask("/__admin/clock", "wrong")).toBe(401);
    expect(await ask("/__admin/", "open sesame")).toBe(403);
  });

  test("the headers of a page prevent other sites from reading it, embedding it or running scripts in it", async () => {
    const world = await testWorld();
    const { headers } = await world.admin("GET", "/");
    expect([...headers.keys()].filter((name) => name.startsWith("access-control"))).toEqual([]);
    expect(headers.get("content-security-policy")).toMatch(
      /^default-src 'none'; style-src 'sha256-\S+'; script-src 'sha256-\S+'; connect/,
    );
    expect(headers.get("x-frame-options")).toBe("DENY");
  });

  test("when an admin token is set, a page asks the browser for it as a password", async () => {
    const world = await testWorld({ adminToken: "a-token" });
    const ask = (headers: Record<string, string>, path = "/__admin/") => world.request("GET", path, { key: null, headers });
    const basic = (password: string) => ({ authorization: `Basic ${Buffer.from(`me:${password}`).toString("base64")}` });
    const refused = await ask({});
    expect([refused.status, refused.headers.get("www-authenticate")]).toEqual([401, expect.stringContaining("Basic realm")]);
    expect((await ask(basic("wrong"))).status).toBe(401);
    expect((await ask(basic("a-token"))).status).toBe(200);
    expect((await ask({}, "/__admin/clock")).headers.get("www-authenticate")).toBeNull();
  });
});
