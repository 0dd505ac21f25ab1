/** Tests `compare` with a real service that is down, slow or broken: the client's answer, the report and the recording. */
import { readFileSync, writeFileSync } from "node:fs";
import type { RequestListener } from "node:http";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { compare } from "../../../src/cli/compare.ts";
import { readCassette } from "../../../src/tools/compare/cassette.ts";
import { Forwarder } from "../../../src/tools/compare/forward.ts";
import { files } from "../../support/process.ts";
import { CLIENT, TEMPLATES } from "../../support/stories.ts";
import { twoSides } from "../../support/two-sides.ts";
import { throughProxy } from "../../support/through-proxy.ts";
import { localServer } from "../../support/local-server.ts";

const CREATE = { body: { template_uuid: TEMPLATES.oneSigner, name: "Agreement", recipients: [CLIENT] } };

describe("compare with a failing real service", () => {
  test("a service that is down gives the client a 502, changes nothing in the double, and appears in the report", async () => {
    const record = join(files(), "down.cassette");
    const sides = await throughProxy({ realUrl: "http://127.0.0.1:9", record });
    const answer = await sides.call("createDocument", CREATE);
    expect(answer).toMatchObject({ status: 502, body: { type: "docdouble_compare_error" } });
    expect(answer.body.detail).toBe(
      "docdouble compare: http://127.0.0.1:9 gave no answer (ECONNREFUSED). Check --real and the network.",
    );
    await sides.close();
    expect(sides.double.sandbox.documents.all()).toEqual([]);
    expect(sides.comparison.report().differences).toMatchObject([
      { operation: "createDocument", kind: "status", real: 0, double: 201 },
    ]);
    expect(sides.comparison.notes()).toEqual(["the real service gave no answer (ECONNREFUSED)"]);
    expect(readCassette(record).entries).toHaveLength(1);
  });

  test("a port in use leaves an older cassette as it was", async () => {
    const record = join(files(), "older.cassette");
    writeFileSync(record, "older\n");
    const realUrl = await localServer((_, response) => void response.end());
    const port = Number(new URL(realUrl).port);
    expect(await compare(["true"], { real: realUrl, realKey: "key", record, port })).toBe(2);
    expect(readFileSync(record, "utf8")).toBe("older\n");
  });

  const JSON_TYPE = { "content-type": "application/json" };
  test.each<[string, RequestListener, object]>([
    [
      "answers HTML",
      (_, r) => void r.writeHead(200, { "content-type": "text/html" }).end("<h1>Sign in</h1>"),
      { kind: "header", pointer: "content-type", real: "text/html" },
    ],
    [
      "answers garbage",
      (_, r) => void r.writeHead(200, JSON_TYPE).end('{"results": ['),
      { kind: "value", pointer: "", real: 'not JSON: {"results": [' },
    ],
    ["answers 401", (_, r) => void r.writeHead(401, JSON_TYPE).end("{}"), { kind: "status", real: 401, double: 200 }],
    [
      "answers 429",
      (_, r) => void r.writeHead(429, { ...JSON_TYPE, "retry-after": "13" }).end("{}"),
      { kind: "status", real: 429, double: 200, assumption: "rate_limit.profile" },
    ],
    ["answers 503", (_, r) => void r.writeHead(503).end(), { kind: "status", real: 503, double: 200 }],
    ["does not speak HTTP", (request) => void request.socket.end("hello\r\n\r\n"), { kind: "status", real: 0, double: 200 }],
  ])("the report has a difference for a service that %s", async (_, answer, difference) => {
    const sides = await throughProxy({ realUrl: await localServer(answer) });
    const got = await fetch(`${sides.url}/public/v1/templates`, { headers: { authorization: `API-Key ${sides.apiKey}` } });
    await got.arrayBuffer();
    await sides.close();
    expect(sides.comparison.report().differences).toMatchObject([{ operation: "listTemplates", ...difference }]);
  });

  test("a service that cuts the connection makes the proxy cut the client's connection", async () => {
    const sides = await throughProxy({ realUrl: await localServer((request) => void request.socket.destroy()) });
    await expect(sides.call("createDocument", CREATE)).rejects.toThrow("fetch failed");
    await sides.close();
    expect(sides.comparison.report().differences).toMatchObject([{ kind: "status", real: 0 }]);
  });

  test("a call to a service that never answers ends with a timeout as the reason", async () => {
    const forwarder = new Forwarder(new URL(await localServer(() => {})), 50);
    const answer = await forwarder.send({ method: "GET", target: "/", headers: {}, body: Buffer.alloc(0) });
    forwarder.close();
    expect(answer).toMatchObject({ status: 0, failure: "no answer within 0.05 s" });
  });

  test("the real service receives the real key or no key, and never the key of the double", async () => {
    const seen: (string | undefined)[] = [];
    const url = await localServer((request, response) => {
      seen.push(request.headers.authorization);
      response.end();
    });
    const sides = await throughProxy({ realUrl: url });
    await sides.call("listTemplates");
    await sides.call("listTemplates", { key: null });
    expect(seen).toEqual([`API-Key ${sides.real.apiKey}`, undefined]);
  });
});

describe("compare after a change whose answer was lost", () => {
  test.each([502, 504])("an answer %i is one difference, and the changed documents are not compared any more", async (status) => {
    let lost = (_: string) => false;
    const sides = await twoSides({
      noise: (answer, { method, target }) =>
        lost(`${method} ${target}`) ? { status, headers: {}, body: Buffer.alloc(0), failure: "ECONNRESET" } : answer,
    });
    const created = [];
    for (const name of ["One", "Two", "Three"])
      created.push((await sides.call("createDocument", { body: { ...CREATE.body, name } })).body.id);
    const [sent, deleted, other] = created;
    await sides.real.clock.advance("1m");
    sides.at_ms += 60_000;
    for (const id of created) await sides.call("statusDocument", { params: { id } });
    lost = (place) => /send$|^DELETE/.test(place);
    await sides.call("sendDocument", { params: { id: sent }, body: { silent: true } });
    await sides.call("deleteDocument", { params: { id: deleted } });
    await sides.call("detailsDocument", { params: { id: sent } });
    await sides.call("detailsDocument", { params: { id: deleted } });
    await sides.call("listDocuments");
    await sides.call("detailsDocument", { params: { id: other } });
    expect(sides.comparison.report()).toMatchObject({
      calls: 12,
      differences: [
        { operation: "sendDocument", kind: "status", real: status, assumption: null },
        { operation: "deleteDocument", kind: "status", real: status, assumption: null },
      ],
    });
    expect(sides.comparison.notes()).toContain(
      "sendDocument: the real service may have carried it out, so what it names is not compared any more",
    );
  });
});
