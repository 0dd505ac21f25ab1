import { afterAll, expect, test } from "vitest";
import { useSandbox } from "../../src/vitest.ts";
import { receiver } from "../support/receiver.ts";
import { CLIENT, TEMPLATES } from "../support/stories.ts";

const sandbox = useSandbox({ seed: 7, clock: "frozen" });
const ids: string[] = [];

async function post(path: string, body: unknown): Promise<{ id: string }> {
  const headers = { authorization: `API-Key ${sandbox.apiKey}`, "content-type": "application/json" };
  return (await sandbox.fetch(path, { method: "POST", headers, body: JSON.stringify(body) })).json() as Promise<{ id: string }>;
}

async function create(): Promise<string> {
  return (await post("/public/v1/documents", { template_uuid: TEMPLATES.oneSigner, name: "Deal", recipients: [CLIENT] })).id;
}

for (const round of [1, 2]) {
  test(`useSandbox starts each test at the seed, round ${round}`, async () => {
    expect(sandbox.documents.all()).toEqual([]);
    ids.push(await create());
    expect(new Set(ids).size).toBe(1);
  });
}

test("useSandbox listens on a free port", async () => {
  const answer = await fetch(`${sandbox.url}/public/v1/contacts`, { headers: { authorization: `API-Key ${sandbox.apiKey}` } });
  expect(answer.status).toBe(200);
});

test("toHaveReceived counts calls, and its failure shows the nearest call with the difference", async () => {
  await create();
  expect(sandbox).toHaveReceived("createDocument", { times: 1 });
  expect(sandbox).toHaveReceived("createDocument", {
    body: { "$.name": { contains: "Deal" } },
    path: "/public/v1/*",
    status: 201,
  });
  expect(() => expect(sandbox).toHaveReceived("createDocument", { body: { "$.name": "Other" } })).toThrow(
    'body.$.name: expected "Other", was "Deal"',
  );
  expect(sandbox).not.toHaveReceived("sendDocument");
  expect(() => expect(sandbox).toHaveReceived("sendDocument", { times: 1 })).toThrow(
    /expected exactly 1 call of sendDocument, found 0 among 1\nThe nearest call was POST \/public\/v1\/documents → 201:\n {2}operation: expected "sendDocument", was "createDocument"/,
  );
});

test("a matcher refuses unknown names, and says when the sandbox received no calls", () => {
  const claims = expect(sandbox).not;
  // @ts-expect-error: the compiler knows the operations too
  expect(() => claims.toHaveReceived("sendDocumnt")).toThrow("there is no operation sendDocumnt; did you mean sendDocument?");
  // @ts-expect-error: the compiler knows the events
  expect(() => claims.toHaveDelivered("recipient_complete")).toThrow(/no event .*did you mean recipient_completed/);
  // @ts-expect-error: the compiler knows the conditions of deliveries
  expect(() => claims.toHaveDelivered("recipient_completed", { stauts: "x" })).toThrow(
    /no condition stauts; did you mean status/,
  );
  // @ts-expect-error: the compiler knows the conditions of calls
  expect(() => claims.toHaveReceived("sendDocument", { bdy: {} })).toThrow("there is no condition bdy; did you mean body?");
  expect(() => expect(sandbox).toHaveReceived("signingPage")).toThrow(
    "expected at least 1 call of signingPage, found 0 among 0: the sandbox received no calls",
  );
});

test("toHaveDelivered counts acknowledged deliveries, and its failure shows the nearest delivery", async () => {
  const hook = await receiver();
  await post("/public/v1/webhook-subscriptions", { name: "app", url: hook.url, triggers: ["document_state_changed"] });
  const id = await create();
  await sandbox.clock.advance("5s");
  expect(sandbox).toHaveDelivered("document_state_changed", { document_id: id, status: "document.draft", times: 1 });
  expect(sandbox).not.toHaveDelivered("document_state_changed", { status: "document.sent" });
  expect(() => expect(sandbox).toHaveDelivered("recipient_completed")).toThrow(
    new RegExp(
      [
        "expected at least 1 delivery of recipient_completed \\(delivered\\), found 0 among 1",
        `The nearest delivery was document_state_changed \\(document\\.draft\\) of ${id} to .*: delivered, attempts 200:`,
        ' {2}event: expected "recipient_completed", was "document_state_changed"',
      ].join("\n"),
    ),
  );
});

afterAll(() => {
  expect(ids).toHaveLength(2);
});
