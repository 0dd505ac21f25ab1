/** Plays whole stories through the proxy of `compare`, over sockets. Two equal sides must show no difference. */
import { readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { hostOf } from "../../../src/library/sandbox.ts";
import { integration } from "../../support/integration.ts";
import { aPdf } from "../../support/content.ts";
import { READY_STORIES } from "../../support/ready-stories.ts";
import { CLIENT, TEMPLATES } from "../../support/stories.ts";
import { throughProxy } from "../../support/through-proxy.ts";

/** The proxy passes calls of the public API on. It passes no tools of agents on. */
const SCENARIOS = readdirSync("scenarios").filter((name) => name.endsWith(".yaml") && !name.startsWith("agent-"));

describe("compare: whole stories between two equal sides", () => {
  test.each(SCENARIOS)("%s, played through the proxy, shows no difference", async (file) => {
    const scenario = `scenarios/${file}`;
    const sides = await throughProxy({ real: { scenario }, double: { scenario: [scenario] } });
    await READY_STORIES[file.replace(".yaml", "")]?.play(await integration(sides));
    await sides.close();
    expect(sides.comparison.report().differences).toEqual([]);
    expect(sides.comparison.report().calls).toBeGreaterThan(3);
  });

  test("an upload reaches the real service byte for byte, and shows no difference", async () => {
    const sides = await throughProxy({});
    const file = await aPdf();
    const made = await sides.call("createDocumentFromUpload", { parts: { file, data: { name: "Terms", recipients: [CLIENT] } } });
    expect(made.status).toBe(201);
    await sides.advance("5s");
    const got = await sides.call("downloadDocument", { params: { id: made.body.id } });
    expect(Buffer.from(got.body).subarray(0, 5).toString()).toBe("%PDF-");
    const sent = sides.real.journal.find({ method: "POST" })[0]?.parts?.find((one) => one.filename !== undefined);
    expect(sent?.bytes).toBe(file.size);
    const [stored] = hostOf(sides.real).defaultTenant.store.files.all();
    expect(Buffer.from(stored?.base64 ?? "", "base64").equals(Buffer.from(await file.arrayBuffer()))).toBe(true);
    await sides.close();
    expect(sides.comparison.report().differences).toEqual([]);
  });

  test("links in the answers of the real service lead to the proxy", async () => {
    const sides = await throughProxy({});
    const made = await sides.call("createDocument", {
      body: { template_uuid: TEMPLATES.oneSigner, name: "A", recipients: [CLIENT] },
    });
    expect(made.body.links[0].href).toBe(`${sides.url}/public/v1/documents/${made.body.id}`);
  });
});
