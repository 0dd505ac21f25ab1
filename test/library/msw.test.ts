/** `docdouble/msw`: a sandbox behind an MSW server, for projects that use MSW. */
import axios from "axios";
import { HttpResponse, http } from "msw";
import { setupServer } from "msw/node";
import { expect, onTestFinished, test } from "vitest";
import { createSandbox, type SandboxOptions } from "../../src/index.ts";
import { handlers } from "../../src/msw.ts";

const API = "https://api.pandadoc.com";

async function serverOf(options: SandboxOptions = {}, ...more: Parameters<typeof setupServer>) {
  const sandbox = await createSandbox({ seed: 7, clock: "frozen", ...options });
  const server = setupServer(...more, ...handlers(sandbox));
  server.listen({ onUnhandledRequest: "error" });
  onTestFinished(async () => {
    server.close();
    await sandbox.close();
  });
  return { sandbox, headers: { authorization: `API-Key ${sandbox.apiKey}`, "content-type": "application/json" } };
}

test("handlers answer calls to the fixed host, and links use that host", async () => {
  const { sandbox, headers } = await serverOf();
  const body = JSON.stringify({ name: "Offer", template_uuid: "TemplateOneSignerxxxxx", recipients: [] });
  const created = await fetch(`${API}/public/v1/documents`, { method: "POST", headers, body });
  const { id, links } = (await created.json()) as { id: string; links: { href: string }[] };
  expect([created.status, links[0]?.href]).toEqual([201, `${API}/public/v1/documents/${id}`]);
  expect((await axios.get(links[0]?.href ?? "", { headers })).data).toMatchObject({ id, status: "document.uploaded" });
  expect(sandbox.journal.count({ operation: "createDocument" })).toBe(1);
});

test.each([[{}], [{ port: 0 }]])(
  "a fault becomes an answer, and a network fault becomes a network error, with %j",
  async (options) => {
    const { sandbox, headers } = await serverOf(options);
    sandbox.faults.next("listContacts", "throttled");
    sandbox.faults.next("listContacts", "reset_before");
    const list = () => fetch(`${API}/public/v1/contacts`, { headers });
    expect((await list()).status).toBe(429);
    await expect(list()).rejects.toThrow("Failed to fetch");
    expect((await list()).status).toBe(200);
    sandbox.faults.next("listContacts", "reset_before");
    await expect(axios.get(`${API}/public/v1/contacts`, { headers })).rejects.toThrow("Network error");
  },
);

test("other handlers of the project keep working", async () => {
  const { headers } = await serverOf(
    {},
    http.get(`${API}/public/v1/contacts`, () => HttpResponse.json("own")),
  );
  expect(await (await fetch(`${API}/public/v1/contacts`, { headers })).json()).toBe("own");
  expect((await fetch(`${API}/public/v1/templates`, { headers })).status).toBe(200);
});
