// Tests against docdouble: one server for the tests of a file, and one tenant for each test.
// In Node you can also run docdouble in the process of the test: see useSandbox of docdouble/jest.
const { spawn } = require("node:child_process");
const { randomUUID } = require("node:crypto");
const { existsSync, readFileSync } = require("node:fs");
const { dirname, join } = require("node:path");

/** `docdouble explore` sets it, and `run` with a scenario or a file to write, because these concern one key only. */
const isOneWorld = Boolean(process.env.DOCDOUBLE_ONE_WORLD);

/** For the client under test. The key selects a tenant of this test alone. */
class Double {
  constructor(url) {
    this.url = url;
    this.key = isOneWorld ? process.env.DOCDOUBLE_API_KEY : `test-${randomUUID()}`;
  }

  /** Returns the status and the body, also of a refusal. */
  async call(method, path, body) {
    const headers = { authorization: `API-Key ${this.key}`, "content-type": "application/json" };
    const data = body === undefined || body instanceof Uint8Array ? body : JSON.stringify(body);
    const answer = await fetch(this.url + path, { method, headers, body: data });
    const text = await answer.text();
    return { status: answer.status, body: text === "" ? undefined : JSON.parse(text) };
  }

  /** The test goes on in a world that `run --save-world` wrote. Its calls do not count as calls of the test. */
  async loadWorld(file) {
    const { status, body } = await this.call("PUT", "/__admin/world", readFileSync(file));
    if (status !== 200) throw new Error(`${file}: ${body.detail}`);
    await this.call("DELETE", "/__admin/requests");
  }

  /** One line for each call of the test, oldest first. */
  async whatHappened() {
    const { requests } = (await this.call("GET", "/__admin/requests")).body;
    const lines = requests.reverse().map(({ request, response, why }) => {
      return `${request.method} ${request.url} -> ${response.status ?? "no answer"}${why ? ` (${why})` : ""}`;
    });
    return lines.join("\n") || "no call";
  }

  /** Calls of unknown paths, and mistakes that the service accepts. */
  async problems() {
    const unmatched = (await this.call("GET", "/__admin/requests/unmatched")).body.requests;
    const { findings } = (await this.call("GET", "/__admin/contract")).body;
    return [
      ...unmatched.map(({ request: { method, url } }) => `unknown path: ${method} ${url}`),
      ...findings.map(({ kind, message, fix }) => `${kind}: ${message} ${fix}`),
    ];
  }
}

/** docdouble of the project, of a folder above, or on PATH. */
function command() {
  for (let folder = __dirname; ; folder = dirname(folder)) {
    const found = join(folder, "node_modules", ".bin", "docdouble");
    if (existsSync(found)) return found;
    if (folder === dirname(folder)) return "docdouble";
  }
}

/** Attaches to DOCDOUBLE_URL, as under `docdouble run`. Otherwise starts a server that ends with this process. */
async function start() {
  const url = process.env.DOCDOUBLE_URL;
  if (url) return { url: url.replace(/\/$/, ""), stop: async () => {} };
  const options = ["--port", "0", "--clock", "auto", "--seed", "1", "--log", "silent", "--stop-with-input"];
  const server = spawn(command(), ["start", ...options], { stdio: ["pipe", "pipe", "inherit"] });
  const ended = new Promise((resolve) => server.once("close", resolve));
  const line = await new Promise((resolve, reject) => {
    const missing = "docdouble is missing: add it to node_modules with npm install, or put it on PATH";
    server.once("error", () => reject(new Error(missing)));
    server.once("close", () => reject(new Error("docdouble did not start")));
    server.stdout.once("data", (data) => resolve(String(data)));
  });
  const stop = () => {
    server.stdin.end();
    return ended;
  };
  return { url: line.split(" on ")[1].trim(), stop };
}

/** Returns a function that gives the double of the running test. */
function useDocdouble() {
  let server;
  let double;
  beforeAll(async () => {
    server = await start();
  });
  afterAll(() => server?.stop());
  beforeEach(() => {
    double = new Double(server.url);
  });
  afterEach(async () => {
    if (isOneWorld) return;
    const [story, problems] = [await double.whatHappened(), await double.problems()];
    await double.call("DELETE", `/__admin/tenants/${double.key}`);
    if (problems.length > 0) throw new Error(`docdouble found mistakes:\n${problems.join("\n")}\n\nWhat happened:\n${story}`);
  });
  return () => double;
}

/** As `test`, and adds what happened to a failure. */
function testWith(docdouble, name, run) {
  test(name, async () => {
    try {
      await run(docdouble());
    } catch (error) {
      error.message += `\n\nWhat happened:\n${await docdouble().whatHappened()}`;
      throw error;
    }
  });
}

module.exports = { useDocdouble, testWith };
