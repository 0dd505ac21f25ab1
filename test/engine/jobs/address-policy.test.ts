import { blankPdf } from "../../../src/service/files/stand-in.ts";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { dispatch } from "../../../src/engine/jobs/post-delivery.ts";
import { download } from "../../../src/engine/jobs/download.ts";
import { addressRefusal } from "../../../src/engine/jobs/address-policy.ts";
import { localServer } from "../../support/local-server.ts";

const LIMITS = { bytes: 10_000, timeout_ms: 5000, standIn: blankPdf };

const textOf = (bytes: Uint8Array) => Buffer.from(bytes).toString();

/** Metadata addresses, related addresses of clouds, and addresses without a host. */
const NEVER = [
  ...["169.254.169.254", "169.254.170.2", "169.254.169.253", "169.254.0.1", "169.254.0.23", "169.254.42.42", "168.63.129.16"],
  ...["100.100.100.200", "192.0.0.192", "192.0.0.170", "0.0.0.0", "0.1.2.3", "224.0.0.1", "239.255.255.250", "240.0.0.1"],
  ...["255.255.255.255", "::", "fe80::1", "fe80::1%eth0", "febf::1", "ff02::1", "100::1", "fd00:ec2::254", "fd00:ec2::253"],
  ...["fd20:ce::254", "fd00:c1::a9fe:a9fe", "fd00:42::42", "::ffff:169.254.169.254", "::ffff:a9fe:a9fe", "::ffff:168.63.129.16"],
  ...["::ffff:100.100.100.200", "::ffff:0.0.0.0", "::a9fe:a9fe", "::127.0.0.1", "not-an-address", "", "999.1.1.1"],
];

/** Addresses of this machine and its networks, The policy public refuses them. */
const PRIVATE = [
  ...[
    "127.0.0.1",
    "127.8.8.8",
    "127.255.255.254",
    "::1",
    "10.1.2.3",
    "172.16.0.1",
    "172.31.255.255",
    "192.168.1.1",
    "100.64.0.1",
  ],
  ...["198.18.0.1", "fc00::1", "fd12:3456::1", "fec0::1", "::ffff:127.0.0.1", "::ffff:10.1.2.3"],
];

const PUBLIC = [
  ...["93.184.216.34", "172.32.0.1", "172.15.0.1", "100.128.0.1", "192.0.2.1", "2606:2800:220:1::1", "::ffff:93.184.216.34"],
  ...["2001:db8::1"],
];

describe("addresses that are never called", () => {
  test.each(NEVER)("%s is never called", (address) => {
    for (const reach of ["all", "public"] as const) expect(addressRefusal(address, reach)).toContain("docdouble never calls");
  });

  test.each(PRIVATE)("%s is called by default, and refused by the policy public", (address) => {
    expect(addressRefusal(address, "all")).toBeUndefined();
    expect(addressRefusal(address, "public")).toContain("--allow-private-targets");
  });

  test.each(PUBLIC)("%s is always called", (address) => {
    expect(addressRefusal(address, "public")).toBeUndefined();
  });
});

describe("dispatch", () => {
  const post = (url: string, addressPolicy: "all" | "public") =>
    dispatch({ url, body: "[]", headers: {}, timeout_ms: 3000, addressPolicy });

  test.each([
    "http://169.254.169.254/latest/meta-data/",
    "http://2852039166/",
    "http://0xa9.0xfe.0xa9.0xfe/",
    "http://[fd00:ec2::254]/",
    "http://[::ffff:169.254.169.254]/",
    "https://169.254.169.254/",
  ])("%s is not called", async (url) => {
    expect(await post(url, "all")).toMatchObject({
      status: null,
      error: "CONNECT_ERROR",
      reason: expect.stringMatching(/^EOUTOFREACH: docdouble never calls .+ not a host$/),
    });
  });

  test("the policy public refuses a loopback address, and a name that resolves to one", async () => {
    let calls = 0;
    const url = await localServer((_, response) => {
      calls++;
      response.end();
    });
    expect(await post(url, "public")).toMatchObject({ status: null, reason: expect.stringContaining("127.0.0.1 is a private") });
    expect(await post(url.replace("127.0.0.1", "localhost"), "public")).toMatchObject({
      status: null,
      reason: expect.stringContaining("localhost leads to"),
    });
    expect(calls).toBe(0);
    expect(await post(url, "all")).toMatchObject({ status: 200 });
    expect(await post(url.replace("127.0.0.1", "localhost"), "all")).toMatchObject({ status: 200 });
  });
});

describe("download", () => {
  test("download returns the bytes, and decompresses them", async () => {
    const url = await localServer((request, response) => {
      const isPacked = request.url === "/packed";
      response.writeHead(200, isPacked ? { "content-encoding": "gzip" } : {});
      response.end(isPacked ? gzipSync("packed") : "plain");
    });
    expect(textOf(await download(`${url}/plain`, "all", LIMITS))).toBe("plain");
    expect(textOf(await download(`${url}/packed`, "all", LIMITS))).toBe("packed");
  });

  test("download follows redirects, and checks each target", async () => {
    const url = await localServer((request, response) => {
      const to = request.url === "/here" ? "/there" : request.url === "/away" ? "http://169.254.169.254/credentials" : undefined;
      if (request.url === "/loop") response.writeHead(302, { location: "/loop" });
      else if (to) response.writeHead(302, { location: to });
      response.end("there");
    });
    expect(textOf(await download(`${url}/here`, "all", LIMITS))).toBe("there");
    await expect(download(`${url}/away`, "all", LIMITS)).rejects.toThrow(
      "docdouble never calls 169.254.169.254: it is link-local",
    );
    await expect(download(`${url}/loop`, "all", LIMITS)).rejects.toThrow("status code: 302");
    await expect(download(`${url}/here`, "public", LIMITS)).rejects.toThrow("127.0.0.1 is a private address");
    await expect(download("file:///etc/passwd", "all", LIMITS)).rejects.toThrow("is not the address of a web server");
  });

  test("download limits the size, also after decompression, and the time", async () => {
    const url = await localServer((request, response) => {
      if (request.url === "/silent") return;
      response.writeHead(200, request.url === "/bomb" ? { "content-encoding": "gzip" } : {});
      if (request.url === "/drops") response.write("a");
      else response.end(request.url === "/bomb" ? gzipSync("x".repeat(1_000_000)) : "x".repeat(10_001));
    });
    await expect(download(`${url}/large`, "all", LIMITS)).rejects.toThrow(`${url}/large`);
    await expect(download(`${url}/bomb`, "all", LIMITS)).rejects.toThrow(`${url}/bomb`);
    const hasty = { ...LIMITS, timeout_ms: 100 };
    await expect(download(`${url}/silent`, "all", hasty)).rejects.toThrow();
    await expect(download(`${url}/drops`, "all", hasty)).rejects.toThrow();
  });

  test("download fails with the status code, or with the content type that is not accepted", async () => {
    const url = await localServer((request, response) => {
      response.writeHead(request.url === "/gone" ? 404 : 200, { "content-type": "text/html" });
      response.end();
    });
    await expect(download(`${url}/gone`, "all", LIMITS)).rejects.toThrow("status code: 404");
    await expect(download(url, "all", { ...LIMITS, types: ["application/pdf"] })).rejects.toThrow("content type text/html");
  });
});
