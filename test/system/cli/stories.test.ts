/**
 * `docdouble run` over each ready-made story. Its command prints the URL, waits until the test has played the story over the socket,
 * and exits with the wanted code. The tests check the exit code, the report and the JUnit file.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { type Integration, integration } from "../../support/integration.ts";
import { CLI, files } from "../../support/process.ts";
import { READY_STORIES } from "../../support/ready-stories.ts";
import { callsOver } from "../../support/world.ts";

const RELAY = `
  console.log(process.env.DOCDOUBLE_URL, process.env.DOCDOUBLE_API_KEY);
  process.stdin.once("data", (code) => process.exit(Number(code)));
`;

/** Runs `docdouble run` with a command that plays `play` and ends with `code`. Returns the exit code, the error output and the JUnit file. */
async function runs(name: string, play: (app: Integration) => Promise<void>, code = 0) {
  const junit = join(files(), "report.xml");
  const env = { ...process.env };
  for (const inherited of ["NODE_OPTIONS", "PORT", "VITEST"]) delete env[inherited];
  const args = [CLI, "run", `scenarios/${name}.yaml`, "--seed", "7", "--junit", junit, "--", process.execPath, "-e", RELAY];
  const child: ChildProcess = spawn(process.execPath, args, { env, stdio: "pipe" });
  onTestFinished(() => {
    child.kill("SIGKILL");
  });
  let stderr = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  const ready = new Promise<string>((resolve) => child.stdout?.setEncoding("utf8").once("data", resolve));
  const said = await Promise.race([ready, ended.then(() => Promise.reject(new Error(stderr)))]);
  const [url = "", key = ""] = said.trim().split(" ");
  const world = callsOver((path, init) => fetch(url + path, init));
  expect(key).toBe("docdouble-key");
  await play(await integration(world));
  await world.advance("0s");
  child.stdin?.write(String(code));
  return { code: await ended, stderr, xml: readFileSync(junit, "utf8") };
}

test.each(Object.keys(READY_STORIES))(
  "run: %s, played over a socket, ends with 0 and a JUnit file without failures",
  async (name) => {
    const { code, stderr, xml } = await runs(name, (app) => READY_STORIES[name]?.play(app) ?? Promise.resolve());
    // bad-day has no expectations, because it serves any client.
    const verdict = name === "bad-day" ? "the scenario expects nothing" : "every expectation holds";
    expect({ code, stderr }).toEqual({ code: 0, stderr: `${name}: ${verdict} (seed 7)\n` });
    const cases = xml.match(/<testcase classname="[^"]+" name="[^"]+"\/>/g) ?? [];
    expect(cases.length).toBeGreaterThan(name === "bad-day" ? 0 : 1);
    expect(xml).toContain(`<testsuite name="${name}" tests="${cases.length}" failures="0">`);
  },
);

test("run: lost-answer by a client that repeats blindly fails in the report and in the JUnit file, and the worse exit code wins", async () => {
  const blindly = READY_STORIES["lost-answer"]?.wrong?.["repeating blindly"];
  const { code, stderr, xml } = await runs("lost-answer", (app) => blindly?.play(app) ?? Promise.resolve(), 3);
  expect(code).toBe(3);
  const all = stderr.trim().split("\n");
  const lines = all.slice(all.findIndex((line) => line.startsWith("✗")));
  expect(lines.at(-1)).toBe(`lost-answer: ${lines.length - 1} unmet (seed 7)`);
  for (const unmet of blindly?.unmet ?? [])
    expect(lines.map((line) => line.replace(/^✗ (?:\w+: )?/, ""))).toContainEqual(expect.stringMatching(unmet));
  expect(xml).toContain('<testcase classname="lost-answer" name="command"><failure message="exited 3">');
  expect(xml).toContain(
    '<testcase classname="lost-answer.requests" name="not repeated blindly"><failure message="not repeated blindly: expected exactly 1, found 2">',
  );
  expect(xml).toContain('<testcase classname="lost-answer.contract" name="client lint finds nothing"><failure');
});
