import { describe, expect, test } from "vitest";
import { parseRoute } from "../../../src/engine/core/operation.ts";
import { useWorld } from "../../support/world.ts";
import { OFFICIAL, type OfficialOperation } from "./official.ts";

const MULTIPART = { "content-type": "multipart/form-data; boundary=x" };

const world = useWorld();

/** Sends a minimal request to the route. Returns the operation id in the journal. */
async function routedTo(one: Pick<OfficialOperation, "route">, change: (path: string) => string = (path) => path) {
  const { method, path, variant } = parseRoute(one.route);
  const target = change(path.replace(/\{\w+\}/g, "anything")) + (variant ? `?${variant}` : "");
  await world.request(method, target);
  return world.tenant.journal.all().at(-1)?.operationId;
}

describe("each of the 127 official paths", () => {
  test.each(OFFICIAL.map((one) => [one.id, one] as const))(
    "%s is reached by its path, with and without a trailing slash",
    async (id, one) => {
      expect(await routedTo(one)).toBe(id);
      expect(await routedTo(one, (path) => `${path}/`)).toBe(id);
    },
  );
});

describe("upload variants", () => {
  const variants = OFFICIAL.filter((one) => one.route.endsWith("?upload"));

  test.each(variants.map((one) => [one.id, one] as const))(
    "%s is also reached by a multipart body without ?upload",
    async (id, one) => {
      const { method, path } = parseRoute(one.route);
      await world.request(method, path.replace(/\{\w+\}/g, "anything"), { headers: MULTIPART, body: "--x--" });
      expect(world.tenant.journal.all().at(-1)?.operationId).toBe(id);
    },
  );

  test("a multipart body on a path without an upload variant reaches the usual operation", async () => {
    const answer = await world.request("POST", "/public/v1/documents/x/send", { headers: MULTIPART, body: "--x--" });
    expect(world.tenant.journal.all().at(-1)?.operationId).toBe("sendDocument");
    expect(answer.status).toBe(400);
  });

  test.each(["?upload", "?upload=", "?upload=1", "?editor_ver=ev1&upload"])(
    "createDocumentFromUpload is reached by the query %s",
    async (query) => {
      await world.request("POST", `/public/v1/documents${query}`);
      expect(world.tenant.journal.all().at(-1)?.operationId).toBe("createDocumentFromUpload");
    },
  );

  test("similar query parameters select no upload variant", async () => {
    await world.request("POST", "/public/v1/documents?uploads&x=upload");
    expect(world.tenant.journal.all().at(-1)?.operationId).toBe("createDocument");
  });

  test("?upload on an operation without an upload variant is ignored", async () => {
    await world.request("POST", "/public/v1/documents/x/send?upload");
    expect(world.tenant.journal.all().at(-1)?.operationId).toBe("sendDocument");
    await world.request("DELETE", "/public/v1/documents?upload");
    expect(world.tenant.journal.all().at(-1)?.operationId).toBe("bulkDeleteDocuments");
  });
});

describe("unknown paths and methods", () => {
  test.each(["/public/v1/documents/~upload", "/public/v1/documents/~upload-markdown", "/public/v1/documents/x/status/~upload"])(
    "the inner path %s is not reachable from outside",
    async (path) => {
      for (const method of ["POST", "PATCH", "GET"]) {
        const answer = await world.request(method, path, { headers: MULTIPART, body: method === "GET" ? undefined : "--x--" });
        expect([404, 405]).toContain(answer.status);
        expect(world.tenant.journal.all().at(-1)?.operationId).toBeUndefined();
      }
    },
  );

  test.each([
    ["GET", "/public/v1/nothing", { type: "request_error", detail: "Not found" }],
    ["POST", "/public/v1/documents/x/y/z", { type: "request_error", detail: "Not found" }],
    ["GET", "/public/v2/nothing", { code: "not_found", details: [] }],
    ["GET", "/public/beta/nothing", { code: "not_found", details: [] }],
    ["GET", "/documents", { type: "request_error", detail: "Not found" }],
  ])("%s %s answers 404, and x-docdouble-why explains that the service has no such path", async (method, path, body) => {
    const answer = await world.request(method, path);
    expect([answer.status, answer.body]).toEqual([404, body]);
    expect(answer.headers.get("x-docdouble-why")).toMatch(/^the service has no path \//);
    expect(world.tenant.journal.all().at(-1)).toMatchObject({ method, status: 404, operationId: undefined });
  });

  test("every official path answers 405 to an unsupported method, and Allow lists its methods", async () => {
    const byPath = new Map<string, Set<string>>();
    for (const { route } of OFFICIAL) {
      const { method, path } = parseRoute(route);
      const shape = path.replace(/\{\w+\}/g, "{}");
      byPath.set(shape, (byPath.get(shape) ?? new Set()).add(method));
    }
    for (const [shape, methods] of byPath) {
      const path = shape.replaceAll("{}", "anything");
      const answer = await world.request("PROPFIND", path);
      const allow = new Set(answer.headers.get("allow")?.split(", "));
      expect([path, answer.status]).toEqual([path, 405]);
      for (const method of methods) expect([path, method, allow.has(method)]).toEqual([path, method, true]);
      expect(answer.headers.get("x-docdouble-why")).toBe(`${path} supports ${answer.headers.get("allow")}`);
    }
    const answer = await world.request("PUT", "/public/v1/documents/x/send");
    expect(answer.body).toEqual({ type: "request_error", detail: 'Method "PUT" not allowed.' });
    expect(answer.headers.get("allow")).toBe("POST");
  });
});
