/** Secrets, pages of other sites, addresses, and what a caller's text may do where it is shown. */
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { createServer as createHttpServer, request as httpRequest } from "node:http";
import { type AddressInfo, createServer } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { dispatch } from "../../../src/engine/dispatch.ts";
import { download } from "../../../src/engine/download.ts";
import { refusalOf } from "../../../src/engine/reach.ts";
import { hostOf } from "../../../src/sandbox.ts";
import { testWorld } from "../../support/world.ts";

describe("M10 only the inspector changes something from a browser", () => {
  /** A request over the socket, as `fetch` lets nobody set Host, Origin or Sec-Fetch-Site. */
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

  test("M10 14 origins are refused, in JSON and in plain text, even with the page's token", async () => {
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

  test("M10 the own origin needs the token of the page, and a browser that hides its origin needs both", async () => {
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

  test("M10 programs need neither: curl, WireMock's libraries and fetch on Node keep working", async () => {
    const world = await testWorld({ port: 0 });
    expect(await post(world.sandbox.url, {})).toBe(200);
    expect(await post(world.sandbox.url, { "content-type": "text/plain" })).toBe(200);
    const answer = await fetch(`${world.sandbox.url}/__admin/clock/advance`, { method: "POST", body: '{"by":"1s"}' });
    expect(answer.status).toBe(200);
  });

  test("M10 another site reads no answer: no CORS header, no embedding, no token but in the page", async () => {
    const world = await testWorld();
    const headers = { origin: "http://localhost:3000", "sec-fetch-site": "same-site" };
    for (const path of ["/__admin/", "/__admin/requests", "/__admin/events", "/__admin/emails/inbox"]) {
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

/** One metadata address in each form that leads to it, and the addresses that clouds use beside it. */
const NEVER = [
  ...["169.254.169.254", "169.254.170.2", "169.254.169.253", "169.254.0.23", "169.254.42.42", "168.63.129.16"],
  ...["100.100.100.200", "192.0.0.192", "192.0.0.170", "0.0.0.0", "0.1.2.3", "224.0.0.1", "239.255.255.250", "240.0.0.1"],
  ...["255.255.255.255", "::", "fe80::1", "fe80::1%eth0", "febf::1", "ff02::1", "100::1", "fd00:ec2::254", "fd00:ec2::253"],
  ...["fd20:ce::254", "fd00:c1::a9fe:a9fe", "fd00:42::42", "::ffff:169.254.169.254", "::ffff:a9fe:a9fe", "::ffff:168.63.129.16"],
  ...["::ffff:100.100.100.200", "::ffff:0.0.0.0", "::ffff:0:a9fe:a9fe", "::ffff:0:169.254.169.254", "::ffff:0:6464:64c8"],
  ...["::ffff:0:a83f:8110", "::a9fe:a9fe", "::169.254.169.254", "::6464:64c8", "::a83f:8110", "64:ff9b::a9fe:a9fe"],
  ...["64:ff9b::169.254.169.254", "64:ff9b::6464:64c8", "64:ff9b::a83f:8110", "64:ff9b::c000:c0", "64:ff9b:1::a9fe:a9fe"],
  ...[
    "64:ff9b:1::6464:64c8",
    "64:ff9b:1:a9fe:a9:fe00::",
    "64:ff9b:1:ffff:a9:fea9:fe00:0",
    "2002:a9fe:a9fe::",
    "2002:a9fe:a9fe::1",
  ],
  ...["2002:6464:64c8::", "2002:a83f:8110::1", "2001:0:a9fe:a9fe::", "2001::5601:5601", "2001:0:808:808::5601:5601"],
  ...["2001:db8::5efe:a9fe:a9fe", "2001:db8::200:5efe:a9fe:a9fe", "fe80::5efe:a9fe:a9fe", "2606:2800:220:1:0:5efe:6464:64c8"],
  ...["2606:2800:220:1::a9fe:a9fe", "fd12:3456::a9fe:a9fe", "not-an-address", "", "999.1.1.1"],
];

/** This machine and its networks, in the same forms: called from loopback only. */
const PRIVATE = [
  ...["127.0.0.1", "127.255.255.254", "::1", "10.1.2.3", "172.16.0.1", "172.31.255.255", "192.168.1.1", "100.64.0.1"],
  ...["198.18.0.1", "fc00::1", "fd12:3456::1", "fec0::1", "::ffff:127.0.0.1", "::ffff:10.1.2.3", "::ffff:0:7f00:1"],
  ...["::127.0.0.1", "::a00:1", "64:ff9b::7f00:1", "64:ff9b::a00:1", "64:ff9b:1::c0a8:101", "64:ff9b:1:a00:0:100::"],
  ...["2002:7f00:1::", "2002:c0a8:101::1", "2001:0:a00:1::f7f7:f7f7", "2001:0:808:808::f5ff:fffe", "2001:db8::5efe:a00:1"],
];

const PUBLIC = [
  ...["93.184.216.34", "172.32.0.1", "172.15.0.1", "100.128.0.1", "192.0.2.1", "2606:2800:220:1::1", "::ffff:93.184.216.34"],
  ...["64:ff9b::808:808", "64:ff9b:1::808:808", "2002:808:808::1", "2001:db8::1", "2001:0:808:808::f7f7:f7f7"],
];

describe("M11 addresses that are never to be called", () => {
  test("M11 the list has the 72 forms and more", () => {
    expect(new Set([...NEVER, ...PRIVATE]).size).toBeGreaterThanOrEqual(72);
  });

  test.each(NEVER)("M11 %s is called from nowhere", (address) => {
    for (const reach of ["all", "public"] as const) expect(refusalOf(address, reach)).toContain("it is never called");
  });

  test.each(PRIVATE)("M11 %s is called from loopback only", (address) => {
    expect(refusalOf(address, "all")).toBeUndefined();
    expect(refusalOf(address, "public")).toContain("--allow-private-targets");
  });

  test.each(PUBLIC)("M11 %s is called from anywhere", (address) => {
    expect(refusalOf(address, "public")).toBeUndefined();
  });
});

describe("L24 a refused address gets no connection", () => {
  /** Counts connections, not requests. */
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

  const limits = { bytes: 1000, timeout_ms: 2000 };
  const turns = () => new Promise<void>((resolve) => setImmediate(() => setImmediate(resolve)));

  test("L24 neither by address nor by name, for downloads and webhooks", async () => {
    const { port, connections } = await listener();
    for (const host of ["127.0.0.1", "[::ffff:127.0.0.1]", "localhost"]) {
      await expect(download(`http://${host}:${port}/x`, "public", limits)).rejects.toThrow("private address");
      const sent = await dispatch({
        url: `http://${host}:${port}/x`,
        body: "[]",
        headers: {},
        timeout_ms: 2000,
        reach: "public",
      });
      expect(sent).toMatchObject({ status: null, error: "CONNECT_ERROR", reason: expect.stringContaining("EOUTOFREACH") });
    }
    // A connection that was opened all the same would have come by now.
    await expect(download(`http://127.0.0.1:${port}/x`, "all", limits)).rejects.toThrow();
    await turns();
    expect(connections()).toBe(1);
  });

  test("L24 nor by a redirect", async () => {
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
    await expect(download(url, "all", limits)).rejects.toThrow("it is never called");
    // The first address only.
    expect(opened).toBe(1);
    expect(connections()).toBe(0);
  });
});
