/** Runs three docdouble servers behind a real nginx with deploy/nginx.conf. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { files, type Served, serve } from "../../support/process.ts";
import { receiver } from "../../support/receiver.ts";
import { CLIENT, TEMPLATES } from "../../support/stories.ts";

const NGINX = ["/usr/sbin/nginx", "/usr/local/sbin/nginx", "/usr/bin/nginx"].find(existsSync);
const NAME = NGINX ? "" : " (skipped: there is no nginx on this machine)";
const TENANTS = Array.from({ length: 24 }, (_, i) => `test-suite-${i}`);

async function freePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(
    Array.from({ length: count }, async () => {
      const server = createServer();
      await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
      return server;
    }),
  );
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(servers.map((server) => new Promise((done) => server.close(done))));
  return ports;
}

/** Writes the configuration with the ports and the folder of this test. Returns its file. */
function configure(ports: readonly number[], folder: string): string {
  for (const name of ["nginx.conf", "servers.conf"]) {
    const text = ["4010", "4011", "4012", "4013"].reduce(
      (all, shown, i) => all.replaceAll(`127.0.0.1:${shown}`, `127.0.0.1:${ports[i]}`),
      readFileSync(join("deploy", name), "utf8"),
    );
    writeFileSync(join(folder, name), text.replaceAll("/tmp/docdouble-nginx", join(folder, "nginx")));
  }
  return join(folder, "nginx.conf");
}

async function startNginx(file: string, url: string): Promise<void> {
  execFileSync(NGINX as string, ["-t", "-q", "-c", file]);
  const child: ChildProcess = spawn(NGINX as string, ["-c", file], { stdio: "ignore" });
  onTestFinished(async () => {
    child.kill("SIGTERM");
    await new Promise((done) => (child.exitCode === null ? child.once("exit", done) : done(undefined)));
  });
  await expect
    .poll(() =>
      fetch(`${url}/health`).then(
        (one) => one.status,
        () => 0,
      ),
    )
    .toBe(200);
}

interface Answer {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers of every shape
  body: any;
}

type Call = (authorization: string, method: string, path: string, body?: unknown) => Promise<Answer>;

const through =
  (url: string): Call =>
  async (authorization, method, path, body) => {
    const answer = await fetch(url + path, {
      method,
      headers: { authorization, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    const isJson = answer.headers.get("content-type")?.startsWith("application/json");
    return { status: answer.status, body: isJson ? JSON.parse(text) : text };
  };

async function created(call: Call, authorization: string, name: string): Promise<string> {
  const recipients = [CLIENT];
  const made = await call(authorization, "POST", "/public/v1/documents", {
    name,
    template_uuid: TEMPLATES.oneSigner,
    recipients,
  });
  expect(made, JSON.stringify(made.body)).toMatchObject({ status: 201 });
  return made.body.id;
}

/** Checks that every tenant sees its document in all its calls and is on exactly one instance. Returns the instance of each tenant. */
async function neverSplit(call: Call, instances: readonly Served[]): Promise<Map<string, number>> {
  await Promise.all(TENANTS.map((key) => created(call, `API-Key ${key}`, `Deal of ${key}`)));
  for (let round = 0; round < 3; round++) {
    const seen = await Promise.all(TENANTS.map((key) => call(`API-Key ${key}`, "GET", "/public/v1/documents")));
    expect(seen.map(({ body }) => body.results.map((one: { name: string }) => one.name))).toEqual(
      TENANTS.map((key) => [`Deal of ${key}`]),
    );
  }
  const homes = new Map<string, number>();
  for (const [i, instance] of instances.entries())
    for (const { id } of (await instance.call("GET", "/__admin/tenants")).body.tenants)
      if (id !== "default") {
        expect(homes.has(id), `${id} is at two instances`).toBe(false);
        homes.set(id, i);
      }
  expect([...homes.keys()].sort()).toEqual([...TENANTS].sort());
  expect(new Set(homes.values()).size).toBe(instances.length);
  return homes;
}

/** Checks that webhooks arrive, and that a recipient without a key can open, fill in and sign a signing page. */
async function signs(call: Call, url: string, key: string): Promise<void> {
  const hook = await receiver();
  const authorization = `API-Key ${key}`;
  const subscription = { name: "app", url: hook.url, triggers: ["document_state_changed"], payload: [] };
  const { body: subscribed } = await call(authorization, "POST", "/public/v1/webhook-subscriptions", subscription);
  hook.key = subscribed.shared_key;
  const id = await created(call, authorization, "Offer");
  await call(authorization, "POST", "/__admin/clock/advance", { by: "5s" });
  expect((await call(authorization, "POST", `/public/v1/documents/${id}/send`, { silent: true })).status).toBe(200);
  const session = await call(authorization, "POST", `/public/v1/documents/${id}/session`, { recipient: CLIENT.email });
  const page = await fetch(`${url}/s/${session.body.id}/`);
  expect(page.status).toBe(200);
  const names = [...(await page.text()).matchAll(/type="(\w+)"[^>]*name="(f\.[\w-]+)"|name="(f\.[\w-]+)"/g)];
  const fields = names.map(
    ([, type, named, other]) => [named ?? other ?? "", type === "checkbox" ? "true" : "Ivo Marek"] as [string, string],
  );
  const form = new URLSearchParams([["act", "finish"], ["fields", "1"], ...fields]);
  const signed = await fetch(`${url}/s/${session.body.id}/`, { method: "POST", body: form });
  expect(signed.status, await signed.text()).toBe(200);
  expect((await call(authorization, "GET", `/public/v1/documents/${id}`)).body.status).toBe("document.completed");
  await hook.arrived(3);
  expect(hook.received.every((one) => one.verified)).toBe(true);
  expect((await fetch(`${url}/s/nobody/`)).status).toBe(404);
}

/** Checks that a call with a token reaches the instance that issued it, and that an unknown token is refused. */
async function findsTokens(call: Call, key: string): Promise<void> {
  const { body: me } = await call(`API-Key ${key}`, "GET", "/public/v1/members/current");
  const path = `/public/v1/members/${me.membership_id}/token`;
  const { body } = await call(`API-Key ${key}`, "POST", path, { lifetime: 3600 });
  const found = await call(`Bearer ${body.token}`, "GET", "/public/v1/documents");
  expect(found.body.results.map((one: { name: string }) => one.name)).toContain(`Deal of ${key}`);
  expect((await call("Bearer nobody", "GET", "/public/v1/documents")).status).toBe(401);
}

describe(`deploy/nginx.conf${NAME}`, () => {
  test("the servers stand in servers.conf alone", () => {
    expect(readFileSync("deploy/servers.conf", "utf8").match(/^server /gm)).toHaveLength(3);
    expect(readFileSync("deploy/nginx.conf", "utf8").replace(/^#.*$/gm, "")).not.toMatch(/401[1-9]/);
  });

  test.skipIf(!NGINX)(
    `each tenant stays on one instance, webhooks and signing pages work, and a stopped instance affects only its tenants${NAME}`,
    async () => {
      const folder = files();
      const ports = await freePorts(4);
      const url = `http://127.0.0.1:${ports[0]}`;
      const start = (i: number) => {
        const flags = ["--public-url", url, "--data", join(folder, `${i}.json`), "--clock", "frozen", "--log", "silent"];
        return serve(["--port", String(ports[i + 1]), ...flags]);
      };
      const instances = await Promise.all([0, 1, 2].map(start));
      await startNginx(configure(ports, folder), url);
      const call = through(url);

      const homes = await neverSplit(call, instances);
      const [one, two, three] = [0, 1, 2].map((home) => TENANTS.find((key) => homes.get(key) === home) as string);
      for (const key of [one, two, three]) await signs(call, url, key as string);
      expect((await call("API-Key docdouble-key", "GET", "/public/v1/templates")).status).toBe(200);
      await findsTokens(call, two as string);
      await findsTokens(call, three as string);

      await instances[1]?.stop();
      for (const key of TENANTS) {
        const { status } = await call(`API-Key ${key}`, "GET", "/public/v1/documents");
        expect.soft([key, status]).toEqual([key, homes.get(key) === 1 ? 502 : 200]);
      }
      await signs(call, url, three as string);
      await findsTokens(call, three as string);

      await start(1);
      const { body } = await call(`API-Key ${two}`, "GET", "/public/v1/documents");
      expect(body.results.map((document: { name: string }) => document.name)).toContain(`Deal of ${two}`);
    },
  );
});
