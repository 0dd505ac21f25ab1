/** What the worst caller does, one habit after the other. Each habit plays round after round until the hour is over. */
import { gzipSync } from "node:zlib";
import { namedFiles } from "../../test/support/hostile-files.ts";
import { type Caller, requestText } from "./caller.ts";

export interface Surroundings {
  /** Addresses of receivers: one never answers, one refuses connections, one answers 500, one sends an endless answer. */
  hanging: string;
  refusing: string;
  failing: string;
  endless: string;
}

export type Habit = (caller: Caller, round: number, around: Surroundings) => Promise<void>;

const RECIPIENT = { email: "pat@client.example", first_name: "Pat", last_name: "Lee", role: "Client" };
const FILES = namedFiles();
const PUBLIC = "/public/v1";
const IMMEDIATE = { model: "document.processing", progression: "immediate" };

const draft = (name: string, more: object = {}) => ({
  name,
  template_uuid: "TemplateOneSignerxxxxx",
  recipients: [RECIPIENT],
  ...more,
});

/** A story of a document in a world that stays: nothing of a deleted document may add up. */
async function story(caller: Caller, key: string, round: number): Promise<void> {
  const ask = (method: string, path: string, body?: unknown) => caller.ask(method, path, { key, body });
  const { body } = await ask("POST", `${PUBLIC}/documents`, draft(`Story ${round}`, { metadata: { round: `${round}` } }));
  const path = `${PUBLIC}/documents/${body?.id}`;
  await ask("GET", path);
  await ask("POST", `${path}/send`, { silent: false });
  await ask("POST", `/__admin/documents/${body?.id}/simulate/sign`, {});
  await ask("GET", `${path}/details`);
  await ask("GET", `${path}/download`);
  await ask("DELETE", path);
}

/** Each habit calls its own tenants, so that no habit waits for the clock of another one. */
export const HABITS: Readonly<Record<string, Habit>> = {
  async stories(caller, round) {
    const key = "test-worst-stories";
    if (round % 200 === 0) {
      await caller.ask("POST", "/__admin/reset", { key });
      await caller.ask("POST", "/__admin/transitions", { key, body: IMMEDIATE });
    }
    await story(caller, key, round);
  },

  async mcp(caller, round) {
    const key = "test-worst-mcp";
    const send = (method: string, params: object, to = key) =>
      caller.ask("POST", "/v1/mcp", {
        key: to,
        headers: { accept: "application/json, text/event-stream" },
        body: { jsonrpc: "2.0", id: round, method, params },
      });
    const begin = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "worst", version: "1" } };
    for (let i = 0; i < 30; i++) await send("initialize", begin);
    await send("tools/list", {});
    await send("tools/call", { name: "documents_list", arguments: { request: {} } }, "docdouble-key");
    await send("tools/call", { name: "documents_search", arguments: { query: "x".repeat(50_000) } }, "docdouble-key");
    const text = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list", params: {} });
    caller.drop(requestText("POST", "/v1/mcp", "docdouble-key", text), 5);
    const client = { client_name: `Agent ${round}`, redirect_uris: [`http://localhost:3118/callback?${round}`] };
    await caller.ask("POST", "/register", { body: client });
  },

  async worlds(caller, round) {
    const [from, to] = ["test-worst-world-a", "test-worst-world-b"];
    if (round % 50 === 0) {
      await caller.ask("POST", "/__admin/reset", { key: from });
      await caller.ask("POST", "/__admin/transitions", { key: from, body: IMMEDIATE });
    }
    for (let i = 0; i < 5; i++)
      await caller.ask("POST", `${PUBLIC}/documents`, { key: from, body: draft(`World ${round}-${i}`) });
    const world = await caller.bytes("/__admin/world", from);
    if (!world) return;
    const put = (key: string, body: Uint8Array) => caller.ask("PUT", "/__admin/world", { key, body });
    await put(to, round % 2 ? world : gzipSync(world));
    await caller.ask("GET", `${PUBLIC}/documents`, { key: to });
    await put(to, world.subarray(0, caller.chance.between(1, world.length - 1)));
    const head = requestText("PUT", "/__admin/world", to, "", `Content-Length: ${world.length}\r\n`);
    caller.drop(Buffer.concat([Buffer.from(head), world.subarray(0, world.length >> 1)]), 2000);
    caller.drop(requestText("GET", "/__admin/world", from), 20);
    // A world that another key saved: each load makes a new tenant.
    await put(`test-worst-world-${round % 300}`, world);
  },

  async reports(caller, round) {
    const key = round % 3 ? "docdouble-key" : "test-worst-stories";
    for (const path of ["/__admin/har", "/__admin/saved/scenario", "/__admin/coverage"]) await caller.ask("GET", path, { key });
    await caller.ask("GET", "/__admin/contract", { key });
    caller.drop(requestText("POST", "/__admin/contract/signatures", "test-worst-hooks"), 30_000);
    for (const view of ["documents", "journal", "deliveries", "mails", "rules", "scenarios", "clock", "tenants"])
      await caller.ask("GET", `/__admin/?view=${view}`, { key });
    for (let i = 0; i < 5; i++) caller.drop(requestText("GET", "/__admin/har", key), 3000);
  },

  async "event streams"(caller, round) {
    const key = round % 2 ? "docdouble-key" : `test-worst-stream-${round % 20}`;
    for (let i = 0; i < 30; i++) caller.drop(requestText("GET", "/__admin/events?view=log", key), caller.chance.between(1, 8000));
    await caller.ask("GET", `${PUBLIC}/documents`, { key });
    await caller.ask("GET", "/health");
  },

  async "endless sleeps"(caller, round) {
    const key = `test-worst-sleep-${round % 10}`;
    if (round < 10) await caller.ask("PUT", "/__admin/clock", { key, body: { mode: round % 2 ? "auto" : "frozen" } });
    for (let i = 0; i < 20; i++) {
      const sleep = { process: `p-${round}-${i}`, others: i % 4, ...(i % 3 ? {} : { by: "9000d" }) };
      caller.drop(requestText("POST", "/__admin/clock/sleep", key, JSON.stringify(sleep)), caller.chance.between(1, 20_000));
    }
    if (round % 7 === 3) await caller.ask("POST", "/__admin/reset", { key });
    if (round % 11 === 5) await caller.ask("DELETE", `/__admin/tenants/${key}`);
    await caller.ask("GET", "/__admin/clock", { key });
  },

  async tenants(caller, round) {
    const made = `test-worst-made-${round}`;
    await caller.ask("POST", "/__admin/tenants", { body: { id: made } });
    await story(caller, made, round);
    await caller.ask("DELETE", `/__admin/tenants/${made}`);
    // Nobody drops this tenant.
    await caller.ask("GET", `${PUBLIC}/templates`, { key: `test-worst-left-${round}` });
    // A tenant that is dropped while calls to it are under way.
    const busy = `test-worst-busy-${round}`;
    const calls = Array.from({ length: 5 }, (_, i) =>
      caller.ask("POST", `${PUBLIC}/documents`, { key: busy, body: draft(`Busy ${i}`) }),
    );
    await caller.ask("DELETE", `/__admin/tenants/${busy}`);
    await Promise.all(calls);
    await caller.ask("DELETE", `/__admin/tenants/${busy}`);
  },

  async snapshots(caller, round) {
    const key = "test-worst-snapshots";
    if (round % 100 === 0) await caller.ask("POST", "/__admin/reset", { key });
    await caller.ask("POST", `${PUBLIC}/documents`, { key, body: draft(`Kept ${round}`) });
    const name = `s-${round % 70}`;
    await caller.ask("POST", "/__admin/snapshots", { key, body: { name } });
    await caller.ask("POST", `/__admin/snapshots/s-${caller.chance.between(0, 69)}/restore`, { key });
    if (round % 5 === 0) await caller.ask("DELETE", `/__admin/snapshots/${name}`, { key });
  },

  async rules(caller, round) {
    const key = "test-worst-rules";
    const ask = (method: string, path: string, body?: unknown) => caller.ask(method, path, { key, body });
    const patch = [
      { op: "add", path: "/extra", value: "x".repeat(10_000) },
      { op: "copy", from: "/extra", path: "/again" },
      { op: "move", from: "/name", path: "/title" },
    ];
    await ask("PUT", "/__admin/rules", {
      rules: [
        { name: "patched", when: { operation: "createDocument" }, then: { patch } },
        { name: "per key", when: { operation: "listDocuments", call: { every: 2, per: "key" } }, then: { error: "throttled" } },
        { name: "hangs", when: { operation: "listContacts" }, then: { network: "hang" } },
        { name: "slow", when: { operation: "listTemplates" }, then: { delay: "20s" } },
        { name: "drips", when: { operation: "listUsers" }, then: { network: "slow" } },
        {
          name: "bomb",
          when: { operation: "detailsDocument", query: { q: { regex: "(a|a)*b" } } },
          then: { error: "throttled" },
        },
      ],
    });
    await ask("POST", `${PUBLIC}/documents`, draft(`Ruled ${round}`));
    for (const path of ["contacts", "templates", "users"])
      for (let i = 0; i < 3; i++) caller.drop(requestText("GET", `${PUBLIC}/${path}`, key), caller.chance.between(1, 5000));
    await ask("POST", "/__admin/faults", { on: "sendDocument", fault: "throttled", retryAfter: "2s" });
    if (round % 30 === 29) await ask("POST", "/__admin/reset");
  },

  async scenarios(caller, round) {
    const key = "test-worst-scenarios";
    const text = `version: 1
name: worst-${round % 40}
rules:
  - { name: r, when: { operation: sendDocument }, then: { error: locked, times: 2 } }
actors:
  - { name: client, on: document.sent, steps: [{ after: 48h, do: sign }] }
timers:
  - { name: tick, every: 1h, do: remind }
`;
    const headers = { "content-type": "application/yaml" };
    await caller.ask("POST", "/__admin/scenarios", { key, headers, body: text });
    await caller.ask("POST", "/__admin/scenarios", { key, headers, body: text.replace("timers", "tim: &a [*a") });
    await caller.ask("POST", "/__admin/stories/declined", { key });
    await caller.ask("POST", `${PUBLIC}/documents`, { key, body: draft("Acted") });
    await caller.ask("POST", "/__admin/clock/advance", { key, body: { by: "3d" } });
    await caller.ask("POST", `/__admin/scenarios/worst-${round % 40}/verify`, { key });
    if (round % 3 === 0) await caller.ask("DELETE", `/__admin/scenarios/worst-${round % 40}`, { key });
    if (round % 40 === 39) await caller.ask("POST", "/__admin/reset", { key });
  },

  async uploads(caller, round) {
    const key = "test-worst-uploads";
    if (round % 20 === 0) await caller.ask("POST", "/__admin/reset", { key });
    const files = FILES;
    const { bytes, name } = files[round % files.length] as { bytes: Uint8Array<ArrayBuffer>; name: string };
    const upload = (file: Uint8Array<ArrayBuffer>, called: string) => {
      const form = new FormData();
      form.set("file", new File([file], called));
      form.set("data", JSON.stringify({ name: called }));
      return caller.ask("POST", `${PUBLIC}/documents`, { key, body: form });
    };
    await upload(bytes, name.slice(0, 60));
    if (round % 10 === 0) await upload(new Uint8Array(20 * 2 ** 20), "big.pdf");
    const head = requestText(
      "POST",
      `${PUBLIC}/documents?upload`,
      key,
      "",
      "Content-Type: multipart/form-data; boundary=x\r\nContent-Length: 90000000\r\n",
    );
    caller.drop(`${head}--x\r\n${"x".repeat(3_000_000)}`, 10_000);
    const { body } = await caller.ask("GET", `${PUBLIC}/documents?count=1`, { key });
    const id = body?.results?.[0]?.id;
    await caller.ask("GET", `${PUBLIC}/documents/${id}/download`, { key });
    await caller.ask("POST", `${PUBLIC}/documents/${id}/docx-export-tasks`, { key, body: {} });
  },

  async images(caller, round, around) {
    const key = "test-worst-images";
    if (round % 20 === 0) {
      await caller.ask("POST", "/__admin/reset", { key });
      await caller.ask("PUT", "/__admin/clock", { key, body: { mode: "auto" } });
    }
    const urls = [
      around.hanging,
      around.refusing,
      around.endless,
      "https://name.invalid/x.png",
      `${around.failing}/${round}.png`,
    ];
    for (const [i, url] of urls.entries())
      await caller.ask("POST", `${PUBLIC}/documents`, {
        key,
        body: {
          name: `Image ${round}-${i}`,
          template_uuid: "TemplateEveryFieldxxxx",
          recipients: [{ ...RECIPIENT, role: "Signer" }],
          images: [{ name: "Logo", urls: [url] }],
        },
      });
    await caller.ask("POST", `${PUBLIC}/documents`, { key, body: { name: "From a URL", url: urls[round % urls.length] } });
    await caller.ask("GET", `${PUBLIC}/documents`, { key });
  },

  async "slow readers"(caller, round) {
    const many = requestText("GET", `${PUBLIC}/templates?count=100`, "docdouble-key").repeat(20);
    for (let i = 0; i < 5; i++) caller.drop(many, caller.chance.between(1000, 60_000));
    for (let i = 0; i < 2; i++) caller.drop(requestText("GET", "/openapi.json", "docdouble-key").repeat(4), 30_000);
    await caller.ask("GET", `${PUBLIC}/templates?page=${round}`);
  },

  async "aborted calls"(caller, round) {
    const whole = requestText("POST", `${PUBLIC}/documents`, "test-worst-aborted", JSON.stringify(draft(`Aborted ${round}`)));
    for (let i = 0; i < 20; i++) caller.drop(whole.slice(0, caller.chance.between(1, whole.length)), caller.chance.between(0, 3));
    for (let i = 0; i < 5; i++) caller.drop(`${whole.slice(0, -20)}`, 30_000);
    const verify = JSON.stringify({ match: { urlPattern: ".*(a|b){200}c" }, timeoutMs: 60_000 });
    for (let i = 0; i < 10; i++) caller.drop(requestText("POST", "/__admin/requests/verify", "test-worst-aborted", verify), 2000);
    await caller.ask("POST", "/__admin/requests/find", { body: { urlPathPattern: "/public/.*" } });
    if (round % 50 === 49) await caller.ask("POST", "/__admin/reset", { key: "test-worst-aborted" });
  },

  async webhooks(caller, round, { hanging, refusing, failing, endless }) {
    const key = "test-worst-hooks";
    if (round % 60 === 0) {
      await caller.ask("POST", "/__admin/reset", { key });
      await caller.ask("POST", "/__admin/transitions", { key, body: IMMEDIATE });
      for (const url of [hanging, refusing, failing, endless])
        await caller.ask("POST", `${PUBLIC}/webhook-subscriptions`, {
          key,
          body: { name: "Worst", url, triggers: ["document_state_changed", "document_updated", "recipient_completed"] },
        });
    }
    await story(caller, key, round);
    const { body } = await caller.ask("GET", "/__admin/webhooks/deliveries?limit=3", { key });
    await caller.ask("POST", `/__admin/webhooks/deliveries/${body?.deliveries?.[0]?.id}/redeliver`, { key });
    await caller.ask("POST", "/__admin/webhooks/trigger", { key, body: { event: "document_updated" } });
  },

  async "clock jumps"(caller, round) {
    const key = `test-worst-clock-${round % 4}`;
    if (round % 40 < 4) await caller.ask("POST", "/__admin/reset", { key });
    const set = (body: object) => caller.ask("PUT", "/__admin/clock", { key, body });
    await story(caller, key, round);
    await set({ mode: "frozen" });
    await caller.ask("POST", `${PUBLIC}/documents`, { key, body: draft(`Jump ${round}`) });
    await caller.ask("POST", "/__admin/clock/advance", { key, body: { by: "30d" } });
    await caller.ask("POST", "/__admin/clock/advance", { key, body: { until: "idle" } });
    await set({ mode: "real", speed: 1_000_000 });
    await set({ mode: "auto" });
    await caller.ask("GET", `${PUBLIC}/documents`, { key });
    await set({ mode: "real", speed: 1 });
  },

  async "without a key"(caller, round) {
    const names = Array.from({ length: 6000 }, (_, i) => i.toString(36)).join("&");
    await caller.ask("GET", `${PUBLIC}/documents?${round}&${names}`, { key: "" });
    for (const path of [`/${"p".repeat(25_000)}${round}`, `/s/unknown-${round}`, `${PUBLIC}/documents/${round}`])
      await caller.ask("GET", path, { key: `unknown-${round}` });
    await caller.ask("POST", "/oauth2/access_token", {
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: `grant_type=authorization_code&code=${round}&client_id=docdouble-client`,
    });
  },

  async things(caller, round) {
    const key = "test-worst-things";
    if (round % 300 === 0) await caller.ask("POST", "/__admin/reset", { key });
    const ask = (method: string, path: string, body?: unknown) => caller.ask(method, `${PUBLIC}${path}`, { key, body });
    const contact = await ask("POST", "/contacts", { email: `c${round}@client.example` });
    await ask("DELETE", `/contacts/${contact.body?.id}`);
    const template = await ask("POST", "/templates/TemplateOneSignerxxxxx/duplicate", { name: `Twin ${round}` });
    await ask("DELETE", `/templates/${template.body?.id}`);
    const hook = await ask("POST", "/webhook-subscriptions", {
      name: "x",
      url: "http://127.0.0.1:9/",
      triggers: ["document_updated"],
    });
    await ask("DELETE", `/webhook-subscriptions/${hook.body?.uuid}`);
    await ask("POST", "/documents/folders", { name: `Folder ${round}` });
    const { body } = await ask("GET", "/documents?count=1");
    await ask("POST", `/documents/${body?.results?.[0]?.id}/session`, { recipient: RECIPIENT.email, lifetime: 900 });
    await caller.ask("POST", "/__admin/oauth/codes", { key, body: { client_id: "docdouble-client" } });
  },
};
