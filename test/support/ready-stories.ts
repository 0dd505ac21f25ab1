/** The ready-made stories of `scenarios/`, played by an application. */
import { expect } from "vitest";
import { type Integration, patiently } from "./integration.ts";
import { ACCEPT, mcpToken } from "./mcp-messages.ts";
import { CLIENT, DIRECTOR, statusOf, succeed, TEMPLATES } from "./stories.ts";
import type { Calls } from "./world.ts";

export interface ReadyStory {
  /** A client that meets the expectations. */
  play(app: Integration): Promise<void>;
  /** Wrong clients, each with the expectations that it fails. */
  wrong?: Record<string, { play(app: Integration): Promise<void>; unmet: RegExp[] }>;
}

const find = async (world: Calls, key: string) =>
  (await succeed(world.call("listDocuments", { query: { metadata_order: key } }))).body.results as { id: string }[];

const verified = (one: { verified: boolean }) => (one.verified ? 200 : 401);

/** Calls a tool of the MCP server. */
const useTool = async (world: Calls, name: string, args: object = {}) => {
  const token = tokens.get(world) ?? mcpToken(world);
  tokens.set(world, token);
  const body = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } };
  const headers = { accept: ACCEPT, ...(await token) };
  return (await succeed(world.request("POST", "/v1/mcp", { key: null, headers, body }))).body.result;
};
const tokens = new WeakMap<Calls, Promise<Record<string, string>>>();

/** An agent that makes a draft with tools, and reads it. Returns its id. */
const prepare = async (world: Calls): Promise<string> => {
  const request = { source: "template", template_uuid: TEMPLATES.oneSigner, name: "Agreement", recipients: [CLIENT] };
  const { id } = (await useTool(world, "documents_create", { request })).structuredContent;
  for (let tries = 0; tries < 50; tries++) {
    if ((await useTool(world, "documents_status_get", { document_id: id })).structuredContent.status === "Draft") break;
    await world.advance("1s");
  }
  await useTool(world, "documents_details_get", { document_id: id });
  return id;
};

export const READY_STORIES: Record<string, ReadyStory> = {
  "agent-asks-first": {
    async play({ world }) {
      await prepare(world);
    },
    wrong: {
      "sending without a yes": {
        async play({ world }) {
          await useTool(world, "documents_send", { document_id: await prepare(world) });
        },
        unmet: [
          /^nobody allowed the agent to send: expected none, found 1/,
          /expected document\.draft, found document\.sent/,
          /^nobody gets a mail: expected none, found 1/,
        ],
      },
    },
  },
  "agent-sends-after-yes": {
    async play({ world }) {
      const document_id = await prepare(world);
      expect((await useTool(world, "documents_send", { document_id })).isError).toBe(true);
      expect((await useTool(world, "documents_send", { document_id })).isError).toBeUndefined();
    },
    wrong: {
      "giving up at the conflict": {
        async play({ world }) {
          await useTool(world, "documents_send", { document_id: await prepare(world) });
        },
        unmet: [
          /^the refused send and the one after it: expected exactly 2, found 1/,
          /^the contract goes out once: expected exactly 1, found 0/,
          /^the contract goes out once: expected as number 2 of the order, found never/,
          /expected document\.sent, found document\.draft/,
          /"kind":"sent".*expected exactly 1, found 0/,
        ],
      },
    },
  },
  "bad-day": {
    async play({ create, until, world }) {
      const id = await create();
      await until(id, "document.draft");
      await patiently(world, () => world.call("detailsDocument", { params: { id } }));
      const locked = await world.call("updateDocument", { params: { id }, body: { name: "Renamed" } });
      expect(locked.status).toBe(423);
      await world.advance("10s");
      await patiently(world, () => world.call("sendDocument", { params: { id }, body: {} }));
      await world.advance("10s");
      expect(await statusOf(world, id)).toBe("document.completed");
    },
  },
  "two-signers": {
    async play({ deal, world, hook }) {
      const id = await deal({ template_uuid: TEMPLATES.twoSigners, recipients: [CLIENT, DIRECTOR] });
      await world.advance("2h");
      expect(await statusOf(world, id)).toBe("document.viewed");
      await world.advance("3d");
      expect(hook.events().filter((one) => one.event === "recipient_completed")).toHaveLength(2);
    },
  },
  "approval-then-payment": {
    async play({ deal, until, send, world }) {
      const id = await deal({ template_uuid: "TemplateApproveAndPayx" });
      expect(await statusOf(world, id)).toBe("document.waiting_approval");
      await world.advance("30m");
      await until(id, "document.approved");
      await send(id);
      await world.advance("2d");
      await until(id, "document.paid");
    },
    wrong: {
      "one send is not enough": {
        async play({ deal, world }) {
          await deal({ template_uuid: "TemplateApproveAndPayx" });
          await world.advance("3d");
        },
        unmet: [
          /^sent for approval and sent after it: expected exactly 2, found 1/,
          /expected document\.paid, found document\.approved/,
        ],
      },
    },
  },
  "locked-twice": {
    async play({ deal }) {
      await deal();
    },
    wrong: {
      "giving up at once": {
        async play({ create, until, world }) {
          const id = await create();
          await until(id, "document.draft");
          await world.call("sendDocument", { params: { id }, body: {} });
        },
        unmet: [/"status":423.*exactly 2, found 1/, /"status":200.*exactly 1, found 0/, /found document\.draft/],
      },
      "deleting what is locked": {
        async play({ create, until, world }) {
          const id = await create();
          await until(id, "document.draft");
          await world.call("sendDocument", { params: { id }, body: {} });
          await world.call("deleteDocument", { params: { id } });
        },
        unmet: [/^a lock is no reason to delete: expected none, found 1/],
      },
    },
  },
  throttled: {
    async play({ deal }) {
      await deal();
    },
    wrong: {
      "coming back at once": {
        async play({ world }) {
          for (let i = 0; i < 4; i++)
            await world.call("createDocument", {
              body: { template_uuid: TEMPLATES.oneSigner, name: "Hasty", recipients: [CLIENT] },
            });
        },
        unmet: [/^retry_after_ignored/],
      },
    },
  },
  "lost-answer": {
    async play({ create, until, send, world }) {
      const input = { metadata: { order: "42" } };
      const id = await create(input).catch(async () => (await find(world, "42"))[0]?.id as string);
      await until(id, "document.draft");
      await send(id);
    },
    wrong: {
      "repeating blindly": {
        async play({ create, until, send }) {
          const input = { metadata: { order: "42" } };
          const id = await create(input).catch(() => create(input));
          await until(id, "document.draft");
          await send(id);
        },
        unmet: [/^not repeated blindly: expected exactly 1, found 2/, /^documents .*exactly 1, found 2/, /^duplicate_create/],
      },
    },
  },
  "webhook-disorder": {
    async play({ deal, world, hook }) {
      await deal();
      await world.advance("1h");
      const told = hook.events().map((one) => [one.event, one.data.status]);
      expect(told.at(-1)).toEqual(["document_state_changed", "document.sent"]);
      expect(told.filter(([event]) => event === "recipient_completed")).toHaveLength(1);
      expect(hook.received.filter((one) => one.duplicate)).toHaveLength(2);
    },
  },
  "forged-signature": {
    async play({ deal, world, hook }) {
      hook.answerWith(verified);
      await deal();
      await world.advance("1m");
      expect(hook.received.map((one) => one.verified)).toContain(false);
    },
    wrong: {
      "a receiver that does not verify": {
        async play({ deal, world }) {
          await deal();
          await world.advance("1m");
        },
        unmet: [/^nothing was accepted at the first attempt: expected none/, /^forged_webhook_accepted/],
      },
    },
  },
  "receiver-down": {
    async play({ deal, world, hook }) {
      await deal();
      await world.advance("10m");
      expect(hook.received.length).toBeGreaterThan(0);
      expect(hook.received.every((one) => one.verified && !one.duplicate)).toBe(true);
    },
  },
  declined: {
    async play({ deal, world, hook }) {
      await deal();
      await world.advance("1d");
      expect(hook.events().at(-1)).toMatchObject({ data: { status: "document.declined" } });
    },
  },
  expired: {
    async play({ deal, world }) {
      const id = await deal();
      await world.advance("59d");
      expect(await statusOf(world, id)).toBe("document.viewed");
      await world.advance("1d");
    },
  },
  "failed-conversion": {
    async play({ create, until, hook }) {
      const id = await create();
      expect(await until(id, "document.draft", "document.error")).toBe("document.error");
      expect(hook.events().map((one) => one.event)).toContain("document_creation_failed");
    },
    wrong: {
      "creating again and again": {
        async play({ create, until }) {
          await until(await create(), "document.error");
          await until(await create(), "document.error");
        },
        unmet: [/createDocument.*exactly 1, found 2/],
      },
    },
  },
  "slow-pdf": {
    async play({ deal, world }) {
      const id = await deal();
      await world.advance("1m");
      let answer = await world.call("downloadDocument", { params: { id } });
      for (; answer.status === 202; answer = await world.call("downloadDocument", { params: { id } }))
        await world.advance(`${answer.headers.get("retry-after")}s`);
      expect(Buffer.from(answer.body).subarray(0, 5).toString()).toBe("%PDF-");
    },
    wrong: {
      "saving the first answer": {
        async play({ deal, world }) {
          const id = await deal();
          await world.advance("1m");
          await world.call("downloadDocument", { params: { id } });
        },
        unmet: [/downloadDocument","status":200}.*exactly 1, found 0/],
      },
    },
  },
};
