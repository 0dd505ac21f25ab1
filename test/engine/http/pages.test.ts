/** Tests pages as calls: the journal of their tenant records them, rules match their paths, and the API's counts omit them. */
import { describe, expect, test } from "vitest";
import { anUploadedDocument, aSentDocument, CLIENT, statusOf, succeed } from "../../support/stories.ts";
import { type Answer, type TestWorld, testWorld } from "../../support/world.ts";
import { service } from "../../../src/service/service.ts";

const PASSCODE = "abc1234";
const guarded = {
  ...CLIENT,
  verification_settings: { verification_place: "before_open", passcode_verification: { passcode: PASSCODE } },
};

async function aSession(world: TestWorld, id: string, key?: string): Promise<string> {
  const with_key = key === undefined ? {} : { key };
  const made = await succeed(
    world.call("createDocumentLink", { params: { id }, body: { recipient: CLIENT.email }, ...with_key }),
  );
  return `/s/${made.body.id}/`;
}

/** Requests a page as a browser does: without a key, and with a form if one is passed. */
function visit(world: TestWorld, path: string, form?: Record<string, string>): Promise<Response> {
  return world.sandbox.fetch(path, form ? { method: "POST", body: new URLSearchParams(form) } : {});
}

function finishing(world: TestWorld, id: string): Record<string, string> {
  const [field] = world.tenant.store.documents.get(id)?.fields ?? [];
  return { act: "finish", fields: "1", [`f.${field?.uuid}`]: "Ivo Marek" };
}

const aRule = (world: TestWorld, rule: object): Promise<Answer> => succeed(world.admin("POST", "/rules", rule));

// biome-ignore lint/suspicious/noExplicitAny: the journal's entries have many shapes
async function pagesOf(world: TestWorld, key?: string): Promise<any[]> {
  const { requests } = (await world.admin("GET", "/requests", undefined, key)).body;
  return requests.filter((one: { operationId: string }) => service.pageIds.includes(one.operationId)).reverse();
}

describe("the journal of pages", () => {
  test("records requests of browsers in the tenant of the page, without the contents of forms", async () => {
    const world = await testWorld();
    const id = await aSentDocument(world, { body: { recipients: [guarded] } });
    const path = await aSession(world, id);
    await visit(world, path);
    await visit(world, path, { act: "verify", answer: PASSCODE });
    await visit(world, path);
    const { recipients } = (await world.call("detailsDocument", { params: { id } })).body;
    await visit(world, new URL(recipients[0].shared_link).pathname);
    await visit(world, "/s/nothing/");
    await visit(world, "/files/nothing/document");
    await visit(world, "/oauth2/authorize?client_id=nobody");
    await visit(world, "/s/assets/pdf.mjs");
    const pages = await pagesOf(world);
    expect(pages.map((one) => [one.operationId, one.request.method, one.response.status, one.why ?? null])).toEqual([
      ["signingPage", "GET", 200, null],
      ["signingPage", "POST", 303, null],
      ["signingPage", "GET", 200, null],
      ["sharedLink", "GET", 303, null],
      ["signingPage", "GET", 404, "no signing session, shared link or file has this address"],
      ["fileDownload", "GET", 404, "no signing session, shared link or file has this address"],
      ["authorizePage", "GET", 400, null],
    ]);
    expect(JSON.stringify(pages)).not.toContain(PASSCODE);
    expect(pages[1]).toMatchObject({
      tenant: "default",
      // The session id opens the page, so the journal shows only its last characters.
      request: {
        url: expect.stringMatching(/^\/s\/\*\*\*.{4}\/$/),
        body: expect.stringMatching(/^\[\d+ bytes of application\/x-www-form-urlencoded/),
      },
    });

    const key = "test-other";
    const other = await anUploadedDocument(world, { key });
    await succeed(world.admin("POST", "/clock/advance", { by: "5s" }, key));
    await succeed(world.call("sendDocument", { params: { id: other }, body: { silent: true }, key }));
    await visit(world, await aSession(world, other, key));
    expect(await pagesOf(world)).toHaveLength(pages.length);
    expect((await pagesOf(world, key)).map((one) => [one.tenant, one.operationId])).toEqual([[key, "signingPage"]]);
  });

  test("does not change unmatched requests, coverage, contract findings and the log of the service", async () => {
    const world = await testWorld();
    const path = await aSession(world, await aSentDocument(world));
    const numbers = async () => {
      const coverage = (await world.admin("GET", "/coverage")).body;
      const contract = (await world.admin("GET", "/contract")).body;
      const unmatched = (await world.admin("GET", "/requests/unmatched")).body.requests;
      return { coverage, contract, unmatched, logs: (await world.call("listLogsV2")).body.results.length };
    };
    const before = await numbers();
    await visit(world, path);
    await visit(world, path, { act: "comment", text: "Hello" });
    expect(await numbers()).toMatchObject({ ...before, coverage: expect.anything(), logs: before.logs + 1 });
    const after = (await numbers()).coverage;
    const calls = (all: { operations: { operationId: string; calls: number }[] }) =>
      all.operations.filter((one) => one.operationId !== "listLogsV2").map((one) => one.calls);
    expect(calls(after)).toEqual(calls(before.coverage));
  });
});

describe("rules for pages", () => {
  test("a rule's failure is an error page, and on finish it also sends an exception event to the embedding page", async () => {
    const world = await testWorld();
    const id = await aSentDocument(world, { template: "pricing" });
    const path = await aSession(world, id);
    await aRule(world, { name: "down", when: { path: "/s/**" }, then: { respond: { status: 500 }, times: 2 } });
    const shown = await visit(world, path);
    expect([shown.status, shown.headers.get("content-type")]).toEqual([500, "text/html; charset=utf-8"]);
    const text = await shown.text();
    expect(text).toContain("Something went wrong");
    expect(text).toContain('{"type":"session_view.document.loading.error"');
    expect(text).not.toContain("session_view.document.exception");
    const finished = await visit(world, path, finishing(world, id));
    expect([finished.status, finished.headers.get("x-docdouble-rule")]).toEqual([500, "down"]);
    expect(await finished.text()).toContain('{"now":[{"type":"session_view.document.exception"');
    expect(await statusOf(world, id)).toBe("document.sent");
    expect((await visit(world, path, finishing(world, id))).status).toBe(200);
    expect(await statusOf(world, id)).toBe("document.completed");
    expect((await pagesOf(world)).map((one) => [one.rule ?? null, one.why ?? null])).toEqual([
      ["down", "injected by rule down"],
      ["down", "injected by rule down"],
      [null, null],
    ]);
  });

  test("a rule with phase after completes the document and fails its page", async () => {
    const world = await testWorld();
    const id = await aSentDocument(world, { template: "pricing" });
    const path = await aSession(world, id);
    await aRule(world, {
      name: "lost",
      when: { path: "/s/*/", method: "POST", document: { name: "Service agreement" } },
      then: { respond: { status: 503 }, phase: "after" },
    });
    expect((await visit(world, path)).status).toBe(200);
    expect((await visit(world, path, finishing(world, id))).status).toBe(503);
    expect(await statusOf(world, id)).toBe("document.completed");
  });

  test("a rule can answer a page with a fixed response or an error with headers, or delay it", async () => {
    const world = await testWorld();
    const path = await aSession(world, await aSentDocument(world));
    await aRule(world, { name: "slow", when: { path: "/s/**" }, then: { delay: "30ms", times: 1, fallthrough: true } });
    await aRule(world, { name: "busy", when: { path: "/s/**" }, then: { error: "throttled", retry_after: "7s", times: 1 } });
    await aRule(world, { name: "words", when: { path: "/oauth2/**" }, then: { respond: { status: 502, body: "Bad gateway" } } });
    const busy = await visit(world, path);
    expect([busy.status, busy.headers.get("retry-after")]).toEqual([429, "7"]);
    expect((await visit(world, path)).headers.get("x-docdouble-rule")).toBe("slow");
    const words = await visit(world, "/oauth2/authorize");
    expect([words.status, await words.text()]).toEqual([502, "Bad gateway"]);
  });
});
