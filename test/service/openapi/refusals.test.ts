import { describe, expect, test } from "vitest";
import { z } from "zod";
import { type OperationId, operations } from "../../../src/service/api/index.ts";
import { parseRoute } from "../../../src/engine/core/operation.ts";
import { type Dialect, dialectOf } from "../../../src/service/model/dialects.ts";
import { type Json, sample, STRANGER } from "../../support/sample.ts";
import { type Answer, KEY, testWorld, type TestWorld } from "../../support/world.ts";
import { buildApp } from "../../../src/engine/http/app.ts";
import { surfaces } from "../../../src/library/surfaces.ts";
import { service } from "../../../src/service/service.ts";
import { hostOf } from "../../../src/library/sandbox.ts";

type Operation = (typeof operations)[number];

const all = operations.map((one) => [one.id as OperationId, one] as const);
const secured = all.filter(([, one]) => one.security !== "none");
const withBody = all.filter(([, one]) => one.body !== undefined);
const withJson = withBody.filter(([, one]) => (one.bodyKind ?? "json") === "json");

interface RawOptions {
  query?: string;
  key?: string | null;
  body?: NonNullable<RequestInit["body"]>;
  type?: string;
  headers?: Record<string, string>;
}

/** The description gives the form of ids in these paths, so only an unknown id of this form is a 404. */
const isFormed = (path: string) => path.startsWith("/public/beta/privacy-settings/");
const UNKNOWN = "x".repeat(22);

/** Calls an operation with an unchanged body. Every path parameter names an unknown object. */
async function raw(world: TestWorld, one: Pick<Operation, "route">, options: RawOptions = {}): Promise<Answer> {
  const { method, path, variant } = parseRoute(one.route);
  const { key = KEY, query, body, type, headers = {} } = options;
  const search = [variant, query].filter(Boolean).join("&");
  const response = await world.sandbox.fetch(
    path.replace(/\{\w+\}/g, isFormed(path) ? UNKNOWN : STRANGER) + (search ? `?${search}` : ""),
    {
      method,
      headers: {
        ...(key === null ? {} : { authorization: `API-Key ${key}` }),
        ...(type ? { "content-type": type } : {}),
        ...headers,
      },
      ...(body === undefined ? {} : { body }),
    },
  );
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text === "" ? undefined : JSON.parse(text) };
}

/** The shape of a refusal's body in each dialect. */
function bodyOf(dialect: Dialect, v1: string, v2: string, detail: unknown): unknown {
  if (dialect === "v2") return { code: v2, details: expect.any(Array) };
  if (dialect === "oauth") return { error: expect.any(String) };
  return { type: v1, detail };
}

/** Makes a call that must be refused. Rows and jobs must stay the same, and the answer must have a reason. */
async function unchanged(world: TestWorld, call: () => Promise<Answer>): Promise<Answer> {
  const before = world.tenant.store.snapshot();
  const answer = await call();
  expect(world.tenant.store.snapshot()).toEqual(before);
  expect(answer.headers.get("x-docdouble-why")).toMatch(/\w/);
  return answer;
}

test("only the token endpoint needs no credentials", () => {
  expect(all.filter(([, one]) => one.security === "none").map(([id]) => id)).toEqual(["accessToken"]);
});

describe.each(secured)("%s", (_, one) => {
  const dialect = dialectOf(one);

  test("answers 401 in its dialect to a call without a key", async () => {
    const world = await testWorld();
    const answer = await unchanged(world, () => raw(world, one, { key: null }));
    expect([answer.status, answer.body]).toEqual([
      401,
      bodyOf(dialect, "authentication_error", "unauthorized", "Authentication credentials were not provided."),
    ]);
  });

  test("answers 401 to an unknown key or token", async () => {
    const world = await testWorld();
    const wrong = [{ key: "nobodys-key" }, { key: null, headers: { authorization: "Bearer nobodys-token" } }];
    for (const options of wrong) {
      const answer = await unchanged(world, () => raw(world, one, options));
      expect([answer.status, answer.body]).toEqual([
        401,
        bodyOf(dialect, "authentication_error", "unauthorized", "Invalid key."),
      ]);
    }
  });
});

describe.each(all)("%s", (id, one) => {
  test("answers 429 in its dialect with Retry-After under a throttling rule, and changes nothing", async () => {
    const world = await testWorld();
    const rule = { name: "throttle", when: { operation: id }, then: { error: "throttled", retry_after: "7s", undeclared: true } };
    const armed = await world.admin("POST", "/rules", rule);
    expect(armed.status, JSON.stringify(armed.body)).toBeLessThan(300);
    const answer = await unchanged(world, () => raw(world, one));
    expect([answer.status, answer.body, answer.headers.get("retry-after"), answer.headers.get("x-docdouble-rule")]).toEqual([
      429,
      bodyOf(dialectOf(one), "throttled", "too_many_requests", "Request was throttled. Expected available in 7 seconds."),
      "7",
      "throttle",
    ]);
  });
});

/** Bodies of operations that need more than the required members of their schema. */
const BODIES: Partial<Record<OperationId, unknown>> = {
  uploadSection: { template_uuid: "nothing", recipients: [] },
};

/** Required queries. */
const QUERIES: Partial<Record<OperationId, string>> = {
  getDocumentSummary: "type=short",
  getDocumentContent: "format=plaintext",
};

/** The body of a 404 of the operations in `QUERIES`, which differs from the usual body. */
const OWN_NOT_FOUND = { error: { code: "document_not_found", message: "The document was not found." } };

/** Messages whose words differ from the usual message in the official description. */
const OWN_WORDS: Partial<Record<OperationId, string>> = { removeMember: "This member or workspace does not exist." };

/** The smallest valid request of the operation. */
function acceptable(id: OperationId, one: Operation): RawOptions {
  if (!one.body) return QUERIES[id] === undefined ? {} : { query: QUERIES[id] };
  const schema = z.toJSONSchema(one.body() as z.ZodType, { io: "input", unrepresentable: "any" }) as Json;
  const body = BODIES[id] ?? sample(schema);
  if (one.bodyKind !== "multipart") return { body: JSON.stringify(body), type: "application/json" };
  const form = new FormData();
  for (const [name, part] of Object.entries({ file: "", ...(body as object) })) {
    if (name === "file") form.append(name, new Blob(["%PDF-1.7"], { type: "application/pdf" }), "file.pdf");
    else form.append(name, JSON.stringify(part));
  }
  return { body: form };
}

describe.each(all.filter(([, one]) => one.route.includes("{")))("%s", (id, one) => {
  test("answers 404 in its dialect for an unknown object", async () => {
    const world = await testWorld();
    const answer = await unchanged(world, () => raw(world, one, acceptable(id, one)));
    const usual = bodyOf(dialectOf(one), "request_error", "not_found", OWN_WORDS[id] ?? "Not found");
    expect([answer.status, answer.body]).toEqual([404, QUERIES[id] === undefined ? usual : OWN_NOT_FOUND]);
  });
});

describe.each(withJson)("%s", (_, one) => {
  test("answers 400 to a body that is not JSON", async () => {
    const world = await testWorld();
    for (const body of ["{", "{'a': 1}", "\u0000", "undefined"]) {
      const answer = await unchanged(world, () => raw(world, one, { body, type: "application/json" }));
      expect([answer.status, answer.body]).toEqual([
        400,
        bodyOf(dialectOf(one), "request_error", "bad_request", expect.stringMatching(/^JSON parse error - /)),
      ]);
    }
  });

  test("answers 400 to JSON of a wrong kind", async () => {
    const world = await testWorld();
    for (const body of ["null", "7", '"text"', "true", "[7]", "[null]"]) {
      const answer = await unchanged(world, () => raw(world, one, { body, type: "application/json" }));
      expect([body, answer.status]).toEqual([body, 400]);
    }
  });
});

describe.each(withBody)("%s", (_, one) => {
  const isUpload = one.bodyKind === "multipart";

  test("answers 400 to an unsupported content type", async () => {
    const world = await testWorld();
    for (const type of ["text/plain", "application/xml"]) {
      const answer = await unchanged(world, () => raw(world, one, { body: '{"a":1}', type }));
      expect([answer.status, answer.body]).toEqual([
        400,
        bodyOf(dialectOf(one), "request_error", "bad_request", `Unsupported media type "${type}" in request.`),
      ]);
    }
  });

  test("answers 413 to a body over the limit, with or without its content-length", async () => {
    const world = await testWorld();
    const type = isUpload ? "multipart/form-data; boundary=x" : "application/json";
    const size = isUpload ? 100 * 1024 * 1024 + 1 : 2 * 1024 * 1024 + 1;
    const announced = await unchanged(world, () =>
      raw(world, one, { body: "x", type, headers: { "content-length": String(size) } }),
    );
    expect(announced.status).toBe(413);
    expect(announced.body).toEqual(bodyOf(dialectOf(one), "request_error", "payload_too_large", expect.any(String)));
    if (isUpload) return;
    const real = await unchanged(world, () => raw(world, one, { body: new Uint8Array(size), type }));
    expect(real.status).toBe(413);
  });
});

describe.each(withBody.filter(([, one]) => one.bodyKind === "multipart"))("%s", (_, one) => {
  test("answers 400 to an unreadable multipart body", async () => {
    const world = await testWorld();
    for (const type of ["multipart/form-data", "multipart/form-data; boundary=x"]) {
      const answer = await unchanged(world, () => raw(world, one, { body: "--y\r\nnothing", type }));
      expect([answer.status, answer.body]).toEqual([
        400,
        bodyOf(dialectOf(one), "request_error", "bad_request", expect.anything()),
      ]);
    }
  });
});

test.each(["/public/v1/documents/{id}/holograms", "/public/v2/holograms"])(
  "an unserved operation at POST %s answers 501 with its id in the body, the reason and the journal",
  async (path) => {
    const world = await testWorld();
    const app = buildApp(service, surfaces, [{ id: "createHologram", route: `POST ${path}` }]);
    const request = new Request(`http://docdouble.local${path}`, {
      method: "POST",
      headers: { authorization: `API-Key ${KEY}` },
    });
    const response = await app.fetch(request, { host: hostOf(world.sandbox) });
    expect(response.status).toBe(501);
    expect(JSON.stringify(await response.json())).toContain('"createHologram"');
    expect(response.headers.get("x-docdouble-why")).toContain("createHologram");
    expect(world.tenant.journal.all().at(-1)).toMatchObject({ operationId: "createHologram", status: 501 });
  },
);
