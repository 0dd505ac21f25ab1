import { describe, expect, onTestFinished, test } from "vitest";
import { CLIENT, TEMPLATES } from "../support/stories.ts";
import { NOW } from "../support/world.ts";
import type { Sandbox, SandboxOptions } from "../../src/library/types.ts";
import { createSandbox } from "../../src/library/sandbox.ts";
import { SettingsError, VerificationError } from "../../src/library/errors.ts";
import { systemClock } from "../../src/engine/core/clock.ts";
import { ScenarioError } from "../../src/engine/scenario/error.ts";

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

async function send(sandbox: Sandbox, id: string): Promise<Response> {
  return sandbox.fetch(`/public/v1/documents/${id}/send`, {
    method: "POST",
    headers: { authorization: `API-Key ${sandbox.apiKey}`, "content-type": "application/json" },
    body: "{}",
  });
}

describe("createSandbox", () => {
  test("createSandbox answers without a socket and plays a whole story", async () => {
    const sandbox = await sandboxOf();
    const id = await create(sandbox);
    const fired = await sandbox.clock.advance("5s");
    expect(fired.map((one) => one.kind)).toEqual(["convert_document"]);
    expect((await send(sandbox, id)).status).toBe(200);
    expect(sandbox.emails.find({ document_id: id }).map((one) => one.to)).toEqual([CLIENT.email]);
    expect(sandbox.documents.simulate(id, "sign").status).toBe("document.completed");
    expect(sandbox.documents.get(id)?.recipients[0]?.has_completed).toBe(true);
    expect(sandbox.journal.count({ operation: "createDocument" })).toBe(1);
  });

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

  test("createSandbox names a wrong setting", async () => {
    await expect(createSandbox({ host: "0.0.0.0" })).rejects.toThrow(SettingsError);
    await expect(createSandbox({ now: "yesterday" })).rejects.toThrow(/yesterday" is not an ISO 8601 instant/);
    await expect(createSandbox({ scenario: "nowhere.yaml" })).rejects.toThrow(/cannot read nowhere.yaml: ENOENT/);
  });

  test.each([
    [{ potr: 1 }, "there is no option potr; did you mean port?"],
    [{ clock: "frosen" }, 'the option clock is one of real, frozen, auto, or { mode: "auto", idle, poll }, not "frosen"'],
    [{ port: "4010" }, 'the option port is a number from 0 to 65535, where 0 picks a free port, not "4010"'],
    [{ strict: 1 }, "the option strict is true or false, not 1"],
    [{ onBug: "log" }, 'the option onBug is a function, not "log"'],
    [{ clockSpeed: 0 }, "the option clockSpeed: Cannot set the clock's speed to 0."],
    [
      { fixtures: { documents: [{ name: "D", template: "Nope" }] } },
      /^fixtures:3:5 documents\.0: is refused: no template "Nope"/,
    ],
    [
      { scenario: { version: 1, name: "own", world: { folders: [{ name: "A", parent: "b" }] } } },
      "own:6:7 world.folders.0: folder A: no folder b before it",
    ],
  ])("createSandbox refuses unknown names and unusable fixtures: %j", async (options, message) => {
    await expect(createSandbox(options as never)).rejects.toThrow(message);
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

  test("a handle explains a refusal, and refuses unknown conditions", async () => {
    await using sandbox = await sandboxOf();
    expect(() => sandbox.documents.simulate("x", "sign")).toThrow("documents.simulate: no document x");
    expect(() => sandbox.emails.find({ recipient: "pat@client.example" } as never)).toThrow(
      /^emails.find: unknown name "recipient"; there are to, kind/,
    );
    expect(() => sandbox.webhooks.deliveries({ document: "x" } as never)).toThrow(
      /^webhooks.deliveries: unknown name "document"; did you mean "document_id"/,
    );
    expect(() => sandbox.webhooks.redeliver("x")).toThrow(
      "webhooks.redeliver: no delivery has the id x. webhooks.deliveries() lists them.",
    );
    const bad = { name: "a", when: { operation: "sendDoc" }, then: { error: "locked" } };
    expect(() => sandbox.rules.add(bad as never)).toThrow(
      'when.operation: unknown operation "sendDoc"; did you mean "sendDocument"?',
    );
  });

  test("createSandbox holds a hundred separate worlds in one process", async () => {
    const sandboxes = await Promise.all(Array.from({ length: 100 }, () => sandboxOf()));
    await Promise.all(sandboxes.slice(0, 50).map((one) => create(one)));
    expect(sandboxes.map((one) => one.documents.all().length)).toEqual([
      ...Array<number>(50).fill(1),
      ...Array<number>(50).fill(0),
    ]);
  });
});

describe("rules, snapshot, reset and tenants", () => {
  test("rules.add affects the next call, and refuses a wrong rule with the nearest name", async () => {
    const sandbox = await sandboxOf();
    sandbox.rules.add({
      name: "busy",
      when: { operation: "sendDocument" },
      then: { error: "throttled", retry_after: "2s", times: 1 },
    });
    expect(sandbox.rules.pending()).toEqual(["busy"]);
    const id = await create(sandbox);
    await sandbox.clock.advance("5s");
    const refused = await send(sandbox, id);
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "2"]);
    expect((await send(sandbox, id)).status).toBe(200);
    expect(sandbox.rules.pending()).toEqual([]);
    expect(() => sandbox.rules.add({ name: "x", when: { operation: "sendDocumet" }, then: { error: "throttled" } })).toThrow(
      /did you mean "sendDocument"/,
    );
    expect(() => sandbox.rules.add({ name: "x", then: { error: "throttled" }, wen: {} } as never)).toThrow(ScenarioError);
  });

  test("a snapshot restores state, clock and journal, more than once", async () => {
    const sandbox = await sandboxOf();
    const id = await create(sandbox);
    const before = sandbox.snapshot();
    for (let i = 0; i < 2; i++) {
      await sandbox.clock.advance("5s");
      expect(sandbox.documents.get(id)?.status).toBe("document.draft");
      before.restore();
      expect(sandbox.documents.get(id)?.status).toBe("document.uploaded");
      expect(sandbox.clock.now()).toBe(Date.parse(NOW));
      expect(sandbox.journal.all()).toHaveLength(1);
    }
  });

  test("reset restarts the seed: the same calls produce the same ids", async () => {
    const sandbox = await sandboxOf();
    const first = await create(sandbox);
    await sandbox.reset();
    expect(sandbox.documents.all()).toEqual([]);
    expect(await create(sandbox)).toBe(first);
  });

  test("tenant returns the handles of a key's own world", async () => {
    const sandbox = await sandboxOf();
    await create(sandbox, "test-one");
    expect(sandbox.tenant("test-one").documents.all()).toHaveLength(1);
    expect(sandbox.documents.all()).toEqual([]);
    expect(() => sandbox.tenant("other")).toThrow(SettingsError);
  });

  test("verify throws the expectations of the scenario that are not met", async () => {
    const sandbox = await sandboxOf({ scenario: "scenarios/bad-day.yaml" });
    await sandbox.verify();
    await using other = await createSandbox({ seed: 7, clock: "frozen", scenario: "test/support/expects-a-send.yaml" });
    await expect(other.verify()).rejects.toThrow(VerificationError);
    await expect(other.verify()).rejects.toThrow(/requests: The contract is sent once: expected exactly 1, found 0/);
  });
});

describe("documents of one template", () => {
  test("have separate fields and tables, independent of who reads them and in which order", async () => {
    const contents = async (isReversed: boolean) => {
      const sandbox = await sandboxOf();
      const ids = [await create(sandbox), await create(sandbox)];
      const read = (isReversed ? [...ids].reverse() : ids).map((id) => sandbox.documents.get(id)?.fields.map(({ uuid }) => uuid));
      return isReversed ? read.reverse() : read;
    };
    const [first = [], second = []] = await contents(false);
    expect(first.length).toBeGreaterThan(0);
    expect(new Set([...first, ...second]).size).toBe(first.length + second.length);
    expect(await contents(true)).toEqual([first, second]);
  });

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
