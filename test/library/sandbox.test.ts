import { describe, expect, onTestFinished, test } from "vitest";
import { CLIENT, TEMPLATES } from "../support/stories.ts";
import { NOW } from "../support/world.ts";
import type { Sandbox, SandboxOptions } from "../../src/library/types.ts";
import { createSandbox } from "../../src/library/sandbox.ts";
import { systemClock } from "../../src/engine/core/clock.ts";

async function sandboxOf(options: SandboxOptions = {}): Promise<Sandbox> {
  const sandbox = await createSandbox({ seed: 7, clock: "frozen", now: NOW, ...options });
  onTestFinished(() => sandbox.close());
  return sandbox;
}

async function create(sandbox: Sandbox, key = sandbox.apiKey): Promise<string> {
  const response = await sandbox.fetch("/public/v1/documents", {
    method: "POST",
    headers: { authorization: `API-Key ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ template_uuid: TEMPLATES.oneSigner, name: "Deal", recipients: [CLIENT] }),
  });
  expect(response.status).toBe(201);
  return ((await response.json()) as { id: string }).id;
}

describe("createSandbox", () => {
  test("fetch works as a detached function, and a scenario and fixtures may be values", async () => {
    const { fetch, apiKey, files } = await sandboxOf({
      scenario: {
        version: 1,
        name: "busy",
        rules: [{ name: "r", when: { operation: "listContacts" }, then: { error: "throttled", times: 1 } }],
      },
      fixtures: {
        workspaces: [{ name: "Mine" }],
        members: [{ email: "me@mine.example" }],
        api_keys: [{ key: "my-key", member: "me@mine.example" }],
        contacts: [{ email: "pat@client.example" }],
      },
    });
    expect(apiKey).toBe("my-key");
    const list = () => fetch("/public/v1/contacts", { headers: { authorization: `API-Key ${apiKey}` } });
    expect((await list()).status).toBe(429);
    expect(await (await list()).json()).toMatchObject({ results: [{ email: "pat@client.example" }] });
    expect(files).toBeTypeOf("function");
    await expect(createSandbox({ scenario: { version: 1, rulez: [] } as never })).rejects.toThrow(
      /scenario:3:3 unknown name "rulez"/,
    );
    await expect(createSandbox({ fixtures: { members: [{ mail: "x" }] } as never })).rejects.toThrow(
      /fixtures:4:7 members.0: unknown name "mail"/,
    );
  });

  test("createSandbox listens on a free port, and frees it when closed", async () => {
    const first = await createSandbox({ port: 0 });
    const { url } = first;
    expect((await fetch(`${url}/health`)).status).toBe(200);
    await first.close();
    await expect(fetch(`${url}/health`)).rejects.toThrow();
  });

  test("a start that fails leaves no timer", async () => {
    const timers = new Set<() => void>();
    const { after } = systemClock;
    systemClock.after = (ms, run) => {
      const cancel = after.call(systemClock, ms, () => {
        timers.delete(cancel);
        run();
      });
      timers.add(cancel);
      return () => {
        timers.delete(cancel);
        cancel();
      };
    };
    onTestFinished(() => {
      systemClock.after = after;
    });
    const first = await createSandbox({ port: 0 });
    const { size } = timers;
    const busy: SandboxOptions["scenario"] = {
      version: 1,
      name: "busy",
      timers: [{ every: "1s", do: "remind", document: { name: "Offer" } }],
    };
    const failing: SandboxOptions[] = [
      { port: Number(new URL(first.url).port) },
      { world: new TextEncoder().encode("damaged") },
      { fixtures: { documents: [{ name: "D", template: "Nope" }] } },
    ];
    for (const options of failing) {
      await expect(createSandbox({ scenario: busy, ...options })).rejects.toThrow();
      expect(timers.size, Object.keys(options)[0]).toBe(size);
    }
    await first.close();
    const running = await createSandbox({ scenario: busy });
    expect(timers.size).toBeGreaterThan(size);
    await running.close();
  });

  test("fixtures without a workspace, a member or a key get one of each, for each tenant", async () => {
    await using sandbox = await sandboxOf({ fixtures: { templates: [{ name: "Own", roles: [{ name: "Client" }] }] } });
    for (const key of [sandbox.apiKey, "test-own", "docdouble-sandbox-key"]) {
      const answer = await sandbox.fetch("/public/v1/templates", { headers: { authorization: `API-Key ${key}` } });
      expect([answer.status, await answer.json()]).toMatchObject([200, { results: [{ name: "Own" }] }]);
    }
    await using none = await sandboxOf({ fixtures: { members: [{ id: "Seat", email: "nora@own.example" }] } });
    const me = await none.fetch("/public/v1/members/current", { headers: { authorization: "API-Key test-own" } });
    expect(await me.json()).toMatchObject({ membership_id: "Seat", email: "nora@own.example", workspace_name: "Workspace" });
  });

  test("a handle states the problem of a refusal once, with the next step", async () => {
    const sandbox = await sandboxOf();
    const { id } = await sandbox.documents.create({ status: "document.draft" });
    expect(() => sandbox.documents.simulate(id, "sign")).toThrow(
      /^documents\.simulate: Cannot sign the document: the document is in document\.draft\. Allowed in: document\.sent, document\.viewed\. To get there, send it$/,
    );
  });
});

describe("rules, snapshot, reset and tenants", () => {
  test("reset restarts the seed: the same calls produce the same ids", async () => {
    const sandbox = await sandboxOf();
    const first = await create(sandbox);
    await sandbox.reset();
    expect(sandbox.documents.all()).toEqual([]);
    expect(await create(sandbox)).toBe(first);
  });
});

describe("documents of one template", () => {
  test("are copies: a clone works, and a change to one does not change the sandbox", async () => {
    const sandbox = await sandboxOf();
    const [id, other] = [await create(sandbox), await create(sandbox)];
    const document = structuredClone(sandbox.documents.get(id));
    expect(document?.fields).toHaveLength(sandbox.documents.get(id)?.fields.length ?? 0);
    const shown = sandbox.documents.get(id);
    if (shown) shown.metadata.mine = "changed";
    expect([sandbox.documents.get(id), sandbox.documents.get(other)].map((one) => one?.metadata.mine)).toEqual([
      undefined,
      undefined,
    ]);
  });
});
