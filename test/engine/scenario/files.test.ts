/** Tests every shipped scenario: it parses, a client with retries completes it, and no rule stays unused. */
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { subscribed } from "../../support/lab.ts";
import { callTool } from "../../support/mcp-messages.ts";
import { CLIENT, TEMPLATES } from "../../support/stories.ts";
import { type Answer, type TestWorld, testWorld } from "../../support/world.ts";

const FOLDER = "scenarios";
const names = readdirSync(FOLDER).filter((name) => /\.(ya?ml|json)$/.test(name));
const RETRIED = [409, 423, 429, 500, 502, 503];

/** A usual client. It retries on the sandbox's clock, after the time in `retry-after` or after growing waits. */
async function retrying(world: TestWorld, call: () => Promise<Answer>): Promise<Answer> {
  for (let tries = 0; ; tries++) {
    const answer = await call().catch(() => undefined);
    if (answer && !RETRIED.includes(answer.status)) return answer;
    expect(tries, `${answer?.status} ${JSON.stringify(answer?.body)}`).toBeLessThan(10);
    await world.advance(`${answer?.headers.get("retry-after") ?? 2 ** tries}s`);
  }
}

describe.each(names)("%s", (name) => {
  const file = `${FOLDER}/${name}`;

  test("plays to the end, and leaves no rule pending", async () => {
    const world = await testWorld({ scenario: file });
    // Rules for webhooks act only when a receiver has subscribed.
    await subscribed(world);
    const created = await retrying(world, () =>
      world.call("createDocument", {
        body: { template_uuid: TEMPLATES.oneSigner, recipients: [CLIENT], metadata: { order: "1" } },
      }),
    );
    expect(created.status).toBe(201);
    const params = { id: created.body.id as string };
    const status = async () => (await retrying(world, () => world.call("statusDocument", { params }))).body.status;
    for (let polls = 0; polls < 20 && (await status()) === "document.uploaded"; polls++) await world.advance("1s");
    if ((await status()) === "document.draft") {
      expect((await retrying(world, () => world.call("detailsDocument", { params }))).status).toBe(200);
      expect((await retrying(world, () => world.call("updateDocument", { params, body: { name: "Two" } }))).status).toBe(204);
      // A rule may be for agents only.
      if (readFileSync(file, "utf8").includes("tool: documents_send"))
        expect((await callTool(world, "documents_send", { document_id: params.id, silent: true })).isError).toBe(true);
      expect((await retrying(world, () => world.call("sendDocument", { params, body: { silent: true } }))).status).toBe(200);
      await world.admin("POST", "/clock/advance", { until: "idle" });
    }
    const { pending } = (await world.admin("GET", "/rules")).body;
    expect(pending).toEqual([]);
    expect(await status()).not.toBe("document.uploaded");
  });
});
