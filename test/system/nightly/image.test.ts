/** The container image: built from deploy/Dockerfile, run by a real engine with the commands of docs/deploy.md, and used from outside. */
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import * as pandadoc from "pandadoc-node-client";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { addAddresses } from "../../../.ci/addresses.mjs";
import { environment, runIn, serve } from "../../../docs/programs.ts";
import { blocksOf } from "../../../docs/snippets.ts";
import { type Engine, engine, missingForEngine } from "../../support/container-engine.ts";
import { cloneTo, temporary } from "../../support/package.ts";
import { receiver } from "../../support/receiver.ts";
import { CLIENT, TEMPLATES } from "../../support/stories.ts";
import { KEY } from "../../support/world.ts";
import { PROGRAM_MS, within } from "../../support/patience.ts";

const URL_OUTSIDE = "http://localhost:4010";
const TOKEN = "choose-one";
const DATA = ["start", "--data", "/data/state.jsonl"];
const lacks = missingForEngine();
const NAME = lacks === undefined ? "" : ` (skipped: there is no ${lacks} on this machine)`;
const lacksCompose = lacks ?? missingForEngine("podman-compose", "netavark", "aardvark-dns", "iptables", "catatonit");
const COMPOSE = lacksCompose === undefined ? "" : ` (skipped: there is no ${lacksCompose} on this machine)`;
const [build, plain, kept] = blocksOf(readFileSync("docs/deploy.md", "utf8")).slow;

let made: Engine;
let env: NodeJS.ProcessEnv;
beforeAll(async () => {
  if (lacks !== undefined) return;
  made = await engine("node:22-slim");
  env = environment({ PATH: `${made.bin}${delimiter}${process.env.PATH}` });
});
afterAll(() => made?.remove());

/** A new clone. Its lock file has the addresses of all packages, because the engine has no cache of npm. */
function clone(): string {
  const { folder, remove } = temporary();
  onTestFinished(remove);
  cloneTo(folder);
  addAddresses(join(folder, "package-lock.json"));
  return folder;
}

/** Runs a command of the engine to its end. */
const docker = async (...args: string[]): Promise<string> =>
  (await promisify(execFile)("docker", args, { env, timeout: PROGRAM_MS })).stdout.trim();
const inspected = async (kind: "container" | "image", format: string, id: string) =>
  JSON.parse(await docker(kind, "inspect", "--format", `{{json ${format}}}`, id));

/** Starts a container, which stays until the end of the test, also when it stops. Resolves when it answers. */
async function started(...args: string[]): Promise<string> {
  const id = await docker("run", "-d", "-p", "4010:4010", "-e", `DOCDOUBLE_ADMIN_TOKEN=${TOKEN}`, ...args);
  onTestFinished(async () => {
    await docker("rm", "--force", "--volumes", "--time", "0", id);
  });
  await serving();
  return id;
}

const serving = () => expect.poll(() => status("/health"), { timeout: within(20_000) }).toBe(200);
const status = (path: string, headers: Record<string, string> = {}) =>
  fetch(URL_OUTSIDE + path, { headers }).then(
    (answer) => answer.status,
    () => 0,
  );

/** The official client, outside the container. */
const clients = () => {
  const configuration = pandadoc.createConfiguration({
    authMethods: { apiKey: `API-Key ${KEY}` },
    baseServer: new pandadoc.ServerConfiguration(URL_OUTSIDE, {}),
  });
  return {
    documents: new pandadoc.DocumentsApi(configuration),
    webhooks: new pandadoc.WebhookSubscriptionsApi(configuration),
  };
};

async function aDocument(): Promise<string> {
  const documentCreateRequest = { name: "Offer", templateUuid: TEMPLATES.oneSigner, recipients: [CLIENT] };
  const { id } = await clients().documents.createDocument({ documentCreateRequest });
  return id as string;
}

test("docs/deploy.md has three commands for a container: one builds, and two serve", () => {
  const { slow } = blocksOf(readFileSync("docs/deploy.md", "utf8"));
  expect(slow.map(({ place, serves }) => `${place}${serves ? " serves" : ""}`)).toEqual([
    "engine",
    "engine serves",
    "engine serves",
  ]);
});

// In order, because all tests use the image that the first one builds.
describe.skipIf(lacks)(`the image${NAME}`, () => {
  test(`line ${build?.line}: it is built by the Dockerfile, with npm ci from the registry, and holds what it needs only`, async () => {
    await runIn(clone(), "sh", build?.code ?? "", env, PROGRAM_MS);
    const config = await inspected("image", ".Config", "docdouble");
    expect(config).toMatchObject({ User: "node", Entrypoint: ["node", "dist/cli.cjs"], Cmd: ["start"] });
    expect(Object.keys(config.ExposedPorts)).toEqual(["4010/tcp"]);
    const [size, base] = await Promise.all(["docdouble", "node:22-slim"].map((one) => inspected("image", ".Size", one)));
    // The size that docdouble adds to its base image, as docs/deploy.md states.
    expect(size - base).toBeLessThan(14e6);
    const app = await docker("run", "--rm", "--entrypoint", "node", "docdouble", "-p", "fs.readdirSync('.').sort().join()");
    expect(app).toBe("LICENSE,dist,examples,fixtures,package.json,scenarios,site");
    // A new volume gets the owner of this folder, so the server can write to it.
    expect(await docker("run", "--rm", "--entrypoint", "node", "docdouble", "-p", "fs.statSync('/data').uid")).toBe("1000");
  });

  test(`line ${plain?.line}: it runs as node instead of root, is healthy, and requires the API key and the admin token`, async () => {
    const server = await serve(plain?.code ?? "", ".", env, PROGRAM_MS);
    onTestFinished(() => server.stop());
    await serving();
    const id = await docker("ps", "--quiet");
    const first = await docker("exec", id, "node", "-p", "fs.readFileSync('/proc/1/status', 'utf8')");
    expect(/^Uid:\s+(.*)$/m.exec(first)?.[1]).toBe("1000\t1000\t1000\t1000");
    expect(/^CapEff:\s+(.*)$/m.exec(first)?.[1]).toMatch(/^0+$/);

    await docker("healthcheck", "run", id);
    expect((await inspected("container", ".State.Health", id)).Status).toBe("healthy");
    const document = await aDocument();
    const read = () => clients().documents.statusDocument({ id: document });
    await expect.poll(read, { timeout: within(20_000) }).toMatchObject({ status: "document.draft" });
    expect(await status(`/public/v1/documents/${document}`)).toBe(401);
    const guide = await fetch(`${URL_OUTSIDE}/docs/guides/polling`);
    expect([guide.status, await guide.text()]).toEqual([200, expect.stringContaining("Wait for a document")]);
    expect(await status("/__admin/requests")).toBe(401);
    expect(await status("/__admin/requests", { "x-docdouble-admin-token": TOKEN })).toBe(200);

    await server.stop();
    expect(await docker("ps", "--all", "--quiet"), "--rm").toBe("");
  });

  test("it refuses to start without a token, and explains why", async () => {
    const refused = await docker("run", "--rm", "docdouble").catch((error: { code: number; stderr: string }) => error);
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining("Set --admin-token") });
  });

  test("its health check fails when no server answers", async () => {
    const id = await docker("run", "-d", "--rm", "--entrypoint", "node", "docdouble", "-e", "setTimeout(() => {}, 1e9)");
    onTestFinished(async () => {
      await docker("kill", id);
    });
    await expect(docker("healthcheck", "run", id)).rejects.toMatchObject({ code: 1 });
  });

  test("its signed webhooks reach a receiver outside", async () => {
    const hook = await receiver();
    await started("--add-host", "host.docker.internal:host-gateway", "docdouble");
    const url = hook.url.replace("127.0.0.1", "host.docker.internal");
    const triggers = ["document_state_changed" as const];
    const made = await clients().webhooks.createWebhookSubscription({
      webhookSubscriptionCreateRequest: { name: "all", url, payload: [], triggers },
    });
    hook.key = made.sharedKey as string;
    const id = await aDocument();
    await hook.arrived(1);
    expect(hook.received[0]).toMatchObject({ verified: true, body: [{ data: { id, status: "document.draft" } }] });
  });

  test("it ends within four seconds of SIGTERM with exit code 0", async () => {
    const id = await started("docdouble");
    const begun = performance.now();
    await docker("stop", "--time", "10", id);
    expect(performance.now() - begun).toBeLessThan(within(4_000));
    expect(await inspected("container", ".State.ExitCode", id)).toBe(0);
  });

  test(`line ${kept?.line}: its volume survives kill -9, and only one container uses it at a time`, async () => {
    const volume = "docdouble:/data";
    const first = await serve(kept?.code ?? "", ".", env, PROGRAM_MS);
    onTestFinished(() => first.stop());
    await serving();
    const documents = [await aDocument()];
    await docker("kill", "--signal", "KILL", await docker("ps", "--quiet"));
    await first.stop();
    const id = await started("-v", volume, "docdouble", ...DATA);
    documents.push(await aDocument());
    await docker("kill", "--signal", "KILL", id);
    expect(await inspected("container", ".State.ExitCode", id)).toBe(137);

    await docker("start", id);
    await serving();
    const second = docker("run", "--rm", "-e", `DOCDOUBLE_ADMIN_TOKEN=${TOKEN}`, "-v", volume, "docdouble", ...DATA);
    await expect(second).rejects.toMatchObject({ code: 2, stderr: expect.stringContaining("is in use by the docdouble") });
    for (const document of documents) await clients().documents.statusDocument({ id: document });
  });
});

describe.skipIf(lacksCompose)(`deploy/compose.yaml${COMPOSE}`, () => {
  test("it runs docdouble with a scenario, and an application reaches docdouble by its service name", async () => {
    const program = async (name: string, ...args: string[]) =>
      (await promisify(execFile)(name, args, { env, timeout: PROGRAM_MS })).stdout.trim();
    // All commands run inside the network that compose makes. From outside, `down` would act on another network.
    const podman = (...args: string[]) => program("podman", ...args);
    const compose = (...args: string[]) => program("podman-compose", "-f", "deploy/compose.yaml", ...args);
    // The image that compose would build. test/system/deploy/container.test.ts checks that it is the same.
    await podman("tag", "docdouble", "deploy_docdouble");
    onTestFinished(async () => {
      await compose("down", "--timeout", "0");
    });
    await compose("up", "--detach", "docdouble");
    // docker compose waits until docdouble is healthy before it starts the application. podman-compose does not wait.
    const isHealthy = () =>
      podman("healthcheck", "run", "deploy_docdouble_1").then(
        () => true,
        () => false,
      );
    await expect.poll(isHealthy, { timeout: within(20_000) }).toBe(true);
    await compose("up", "--detach", "app");
    await expect.poll(() => podman("logs", "deploy_app_1"), { timeout: within(20_000) }).toBe("docdouble answers 200");
    const ask = `fetch("http://localhost:4010/__admin/scenarios", { headers: { "x-docdouble-admin-token": "${TOKEN}" } })`;
    const told = await podman("exec", "deploy_docdouble_1", "node", "-e", `${ask}.then((one) => one.text()).then(console.log)`);
    expect(JSON.parse(told)).toMatchObject({ scenarios: [{ name: "throttled" }] });
  });
});
