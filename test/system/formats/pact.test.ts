/** The verifier of the Pact foundation, against new servers. */
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, expect, test } from "vitest";
import type { Pact } from "../../../src/library/types.ts";
import { PROGRAM_MS } from "../../support/patience.ts";
import { run, serve } from "../../support/process.ts";

const VERIFIER = join(fileURLToPath(import.meta.resolve("@pact-foundation/pact-cli/package.json")), "../bin/pact-verifier.js");
const folder = mkdtempSync(join(tmpdir(), "docdouble-pact-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Polls, sleeps, uploads, makes mistakes, and lets somebody sign when the argument says so. */
const CLIENT = `
const url = process.env.DOCDOUBLE_URL;
const call = async (method, path, body, headers = {}) => {
  const isForm = body instanceof FormData;
  const answer = await fetch(url + path, {
    method,
    headers: { authorization: "API-Key " + process.env.DOCDOUBLE_API_KEY, ...(body && !isForm ? { "content-type": "application/json" } : {}), ...headers },
    ...(body ? { body: isForm ? body : JSON.stringify(body) } : {}),
  });
  return (answer.headers.get("content-type") ?? "").startsWith("application/json") ? answer.json() : {};
};
const documents = "/public/v1/documents";
const create = (name) => call("POST", documents, {
  name, template_uuid: "TemplateOneSignerxxxxx", metadata: { "a deal": "42", "it's": "odd" }, tags: ["q1"],
  recipients: [{ email: "pat@client.example", first_name: "Pat", role: "Client" }],
});
await call("POST", "/public/v1/contacts", { email: "pat@client.example", first_name: "Pat" });
await call("GET", "/public/v1/contacts?email=pat%40client.example");
await call("GET", "/public/v1/templates?q=signer&count=2");
const { id } = await create("Polled");
while ((await call("GET", documents + "/" + id)).status !== "document.draft") await new Promise((r) => setTimeout(r, 700));
await call("GET", documents + "/" + id + "/details");
await call("PATCH", documents + "/" + id, { name: "Polled", metadata: { deal: "43" } });
await call("POST", documents + "/" + id + "/send", { subject: "Offer", silent: true });
await call("POST", documents + "/" + id + "/session", { recipient: "pat@client.example", lifetime: 900 });
await call("GET", documents + "?q=Polled&status=2");
const slept = await create("Slept");
await new Promise((r) => setTimeout(r, 30_000));
await call("POST", documents + "/" + slept.id + "/send", { silent: true });
await call("GET", documents + "/" + slept.id + "/download");
const form = new FormData();
form.append("file", new File(["%PDF-1.7"], "offer.pdf", { type: "application/pdf" }));
form.append("data", JSON.stringify({ name: "Uploaded", recipients: [{ email: "pat@client.example" }] }));
await call("POST", documents + "?upload", form);
await call("POST", "/public/v1/contacts", { email: 3 });
await call("GET", documents + "/AAAAAAAAAAAAAAAAAAAAAA");
await call("GET", "/public/v1/contacts", undefined, { authorization: "API-Key unknown" });
if (process.argv.includes("sign")) {
  await call("POST", "/__admin/documents/" + id + "/simulate/sign", {});
  await call("GET", documents + "/" + id);
  await call("GET", documents + "/" + id + "/details");
}
await call("DELETE", documents + "/" + slept.id);
await call("GET", documents + "/" + slept.id);
process.exit(3);
`;

async function pactOf(name: string, ...more: string[]): Promise<string> {
  const file = join(folder, `${name}.json`);
  const client = join(folder, "client.mjs");
  writeFileSync(client, CLIENT);
  const ended = await run([
    "run",
    "--clock",
    "auto",
    "--seed",
    "7",
    "--pact",
    file,
    "--consumer",
    "shop",
    "--",
    process.execPath,
    client,
    ...more,
  ]);
  expect({ code: ended.code, stderr: ended.stderr.split("\n").filter((line) => line.startsWith("pact")) }).toEqual({
    code: 3,
    stderr: [],
  });
  return file;
}

interface Verified {
  code: number;
  failed: string[];
  count: number;
}

async function verify(file: string, start: readonly string[], hasStates: boolean): Promise<Verified> {
  const server = await serve(["start", "--port", "0", ...start]);
  const { hostname, port } = new URL(server.url);
  const report = `${file}.report.json`;
  rmSync(report, { force: true });
  const args = [
    "--file",
    file,
    "--hostname",
    hostname,
    "--port",
    port,
    "--provider-name",
    "PandaDoc",
    "--no-colour",
    "--json",
    report,
  ];
  if (hasStates) args.push("--state-change-url", `${server.url}/__admin/pact/states`);
  const env = { ...process.env, PACT_DO_NOT_TRACK: "true" };
  const code = await promisify(execFile)(process.execPath, [VERIFIER, ...args], { env, timeout: PROGRAM_MS }).then(
    () => 0,
    ({ code = 1 }: { code?: number }) => code,
  );
  await server.stop();
  const { output } = JSON.parse(readFileSync(report, "utf8")) as { output: string[] };
  const failed = output.filter((line) => line.includes("FAILED"));
  return { code, failed, count: output.filter((line) => /^ {2}\S.*verification\)/.test(line)).length };
}

const AUTO = ["--seed", "7", "--clock", "auto"];
const FROZEN = ["--seed", "8", "--clock", "frozen"];

test("run writes the pact of a command that fails, which only its owner can read", async () => {
  const polled = await pactOf("owned");
  expect(statSync(polled).mode & 0o777).toBe(0o600);
  const pact = JSON.parse(readFileSync(polled, "utf8")) as Pact;
  expect([pact.consumer.name, pact.provider.name, pact.metadata.docdouble.seed]).toEqual(["shop", "PandaDoc", "7"]);
});

test("the verifier accepts the pact without states, on a new server with the same seed and an automatic clock", async () => {
  const polled = await pactOf("polled");
  const { interactions } = JSON.parse(readFileSync(polled, "utf8")) as Pact;
  expect(await verify(polled, AUTO, false)).toEqual({ code: 0, failed: [], count: interactions.length });
});

test("the verifier accepts the pact with states, also with another seed, a frozen clock and signatures", async () => {
  const signed = await pactOf("signed", "sign");
  const { interactions } = JSON.parse(readFileSync(signed, "utf8")) as Pact;
  expect(interactions.flatMap((one) => one.providerStates ?? []).map(({ name }) => name)).toContain(
    "the document is document.completed",
  );
  expect(await verify(signed, FROZEN, true)).toEqual({ code: 0, failed: [], count: interactions.length });
});

test("the verifier refuses a pact whose answers the server does not give", async () => {
  const pact = JSON.parse(readFileSync(await pactOf("right"), "utf8")) as Pact;
  const wrong = join(folder, "wrong.json");
  const spoiled = pact.interactions.filter(({ response }) => response.body).length;
  for (const { response } of pact.interactions)
    if (response.body && typeof response.body.content === "object")
      Object.assign(response.body.content as object, { unknown: 1 });
  writeFileSync(wrong, JSON.stringify(pact));
  const { code, failed } = await verify(wrong, FROZEN, true);
  expect([code, failed.length]).toEqual([1, spoiled]);
});

test("run refuses a name that cannot name a file, and a name without a pact, before the command starts", async () => {
  const command = ["--", process.execPath, "--eval", "console.log('ran')"];
  const path = await run(["run", "--pact", join(folder, "x.json"), "--consumer", "../x", ...command]);
  expect(path).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining('--consumer "../x"') });
  const alone = await run(["run", "--consumer", "shop", ...command]);
  expect(alone).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining("Add --pact FILE.") });
  const nowhere = await run(["run", "--pact", join(folder, "no", "x.json"), ...command]);
  expect(nowhere).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining("Cannot write") });
});
