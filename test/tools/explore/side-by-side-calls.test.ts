/** Calls that a client makes at the same time. */
import { expect, test } from "vitest";
import { explore, type Sandbox } from "../../../src/index.ts";

const QUIET = { out: false, throwOnBreak: false, budget: "1h", pairs: false, reduce: false } as const;

/** Creates two documents at the same time, and leaves out what is refused. */
async function creates({ url, apiKey }: Sandbox): Promise<void> {
  const headers = { authorization: `API-Key ${apiKey}`, "content-type": "application/json" };
  const create = (name: string) => {
    const recipients = [{ email: "pat@client.example", first_name: "Pat", last_name: "Lee", role: "Client" }];
    const body = JSON.stringify({ name, template_uuid: "TemplateOneSignerxxxxx", recipients });
    return fetch(`${url}/public/v1/documents`, { method: "POST", headers, body }).catch(() => undefined);
  };
  await Promise.all([create("Alpha"), create("Beta")]);
}

test("a story names the call that a fault hit, although another call was answered first", async () => {
  const { breaks } = await explore(creates, { ...QUIET, only: "createDocument:throttled" });
  const told = breaks.map(({ faults: [place], failing_step, steps }) => {
    const step = steps[failing_step ?? -1];
    return [place?.nth, step?.what, step?.nth, step?.answer, step?.fault];
  });
  expect(told).toEqual([[1, "createDocument", 1, "429", "throttled"]]);
});

test("a deletion by somebody else does not count as lost work, but a send that it prevents does", async () => {
  const looks = async (sandbox: Sandbox) => {
    const { url, apiKey } = sandbox;
    const headers = { authorization: `API-Key ${apiKey}`, "content-type": "application/json" };
    const recipients = [{ email: "pat@client.example", first_name: "Pat", last_name: "Lee", role: "Client" }];
    const body = JSON.stringify({ name: "Offer", template_uuid: "TemplateOneSignerxxxxx", recipients });
    const { id } = (await (await fetch(`${url}/public/v1/documents`, { method: "POST", headers, body })).json()) as {
      id: string;
    };
    await fetch(`${url}/public/v1/documents/${id}`, { headers });
    return id;
  };
  const report = await explore(
    async (sandbox) => {
      await looks(sandbox);
    },
    { ...QUIET, only: "statusDocument:not_found" },
  );
  expect(
    report.cells
      .filter(({ fault, operation }) => fault === "not_found" && operation === "statusDocument")
      .map(({ outcome }) => outcome),
  ).toEqual(["survived"]);

  const sends = await explore(
    async (sandbox) => {
      const id = await looks(sandbox);
      await new Promise((resolve) => setTimeout(resolve, 10_000));
      const headers = { authorization: `API-Key ${sandbox.apiKey}`, "content-type": "application/json" };
      await fetch(`${sandbox.url}/public/v1/documents/${id}/send`, { method: "POST", headers, body: "{}" });
    },
    { ...QUIET, only: "statusDocument:not_found" },
  );
  expect(sends.cells.filter(({ fault, operation }) => fault === "not_found" && operation === "statusDocument")).toMatchObject([
    { outcome: "warned", why: 'The client ends well, but the send of the document "Offer" of the clean run is missing.' },
  ]);
});
