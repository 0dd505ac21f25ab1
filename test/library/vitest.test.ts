import { afterAll, expect, test } from "vitest";
import { useSandbox } from "../../src/vitest.ts";
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

afterAll(() => {
  expect(ids).toHaveLength(2);
});
