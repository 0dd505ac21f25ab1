/** Commands as clients: their environment, how they end, and how the player kills commands that do not end. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { ProcessPlayer } from "../../../src/cli/explore/process-player.ts";
import type { RunPlan } from "../../../src/tools/explore/player.ts";
import { within } from "../../support/patience.ts";
import { files } from "../../support/process.ts";

const plan = (run: number, signal = new AbortController().signal): RunPlan => ({
  ...{ run, seed: "1", scenario: undefined, callsMax: 1000, patience: 1, held_ms: 0, signal },
});

function playerOf(code: string, options: { scenario?: string; cleanLimit_ms?: number } = {}): ProcessPlayer {
  return new ProcessPlayer({ command: [process.execPath, "-e", code], cleanLimit_ms: 20_000, ...options });
}

async function endOf(player: ProcessPlayer, run = 0, signal?: AbortSignal) {
  const { end, close } = await player.play(plan(run, signal));
  await close();
  return end;
}

const isGone = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return false;
  } catch {
    return true;
  }
};

describe("a command", () => {
  test("gets the URL, a key and the number of the run, which is 0 without a fault", async () => {
    const file = join(files(), "env");
    const player = playerOf(
      `const { DOCDOUBLE_URL, DOCDOUBLE_API_KEY, DOCDOUBLE_RUN } = process.env;
      fetch(DOCDOUBLE_URL + "/public/v1/templates", { headers: { authorization: "API-Key " + DOCDOUBLE_API_KEY } })
        .then(({ status }) => require("node:fs").appendFileSync(${JSON.stringify(file)}, DOCDOUBLE_RUN + " " + status + "\\n"))`,
    );
    for (const run of [0, 1, 7]) expect(await endOf(player, run)).toEqual({ kind: "returned" });
    expect(readFileSync(file, "utf8")).toBe("0 200\n0 200\n7 200\n");
  });

  test("runs with the automatic clock, unless its scenario sets another mode", async () => {
    const modes = [];
    for (const clock of ["", "clock: { mode: frozen }\n"]) {
      const scenario = files({ "story.yaml": `version: 1\nname: story\n${clock}` });
      const { sandbox, close } = await playerOf("", { scenario }).play(plan(0));
      const answer = await sandbox.fetch("/__admin/clock");
      modes.push(((await answer.json()) as { mode: string }).mode);
      await close();
    }
    expect(modes).toEqual(["auto", "frozen"]);
  });

  test("fails with its exit code and last output, or because it cannot start", async () => {
    expect(await endOf(playerOf("console.error('no \\u001b[31mluck'); process.exitCode = 7"))).toEqual({
      kind: "failed",
      message: "exited with 7: no \\u001b[31mluck",
    });
    // Node prints an error with its place, a stack trace and the version.
    const thrown = await endOf(playerOf("throw Object.assign(new TypeError('no luck'), { final: true })"));
    expect(thrown).toMatchObject({ message: expect.stringMatching(/^exited with 1: TypeError: no luck\n(.|\n)*Node\.js v/) });
    const python =
      "Traceback (most recent call last):\n  File 'client.py', line 3, in <module>\nurllib.error.HTTPError: HTTP Error 504";
    const printed = await endOf(playerOf(`console.log(${JSON.stringify(python)}); process.exitCode = 1`));
    expect(printed).toMatchObject({ message: `exited with 1: urllib.error.HTTPError: HTTP Error 504\n${python}` });
    const missing = new ProcessPlayer({ command: ["no-such-program"], cleanLimit_ms: 1000 });
    expect(await endOf(missing)).toEqual({ kind: "failed", message: expect.stringMatching(/^cannot run no-such-program: /) });
  });

  test("names the error that stands before a long dump, and the test that failed", async () => {
    const thrown = "const error = Object.assign(new TypeError('no luck'), { config: {} });";
    const dump = `for (let i = 0; i < 200; i++) error.config["setting_" + i] = "a value of some length " + i; throw error;`;
    const dumped = await endOf(playerOf(thrown + dump));
    expect(dumped).toMatchObject({ message: expect.stringMatching(/^exited with 1: TypeError: no luck\n/) });
    const tests =
      "ok 1 - tells of an error\nnot ok 2 - sends once\n  ---\n  error: twice\n  ...\nok 3 - ends\n# duration_ms 12.5";
    const tested = await endOf(playerOf(`console.log(${JSON.stringify(tests)}); process.exitCode = 1`));
    expect(tested).toMatchObject({ message: expect.stringMatching(/^exited with 1: not ok 2 - sends once\n/) });
  });

  test.each([
    [
      "PHP with a static method in its trace",
      [
        "PHP Fatal error:  Uncaught RuntimeException: list failed: HTTP 429 in /app/client.php:12",
        "Stack trace:",
        "#0 /app/client.php(20): ApiException::of('list failed', 429)",
        "#1 {main}",
        "  thrown in /app/client.php on line 12",
      ],
      "RuntimeException: list failed: HTTP 429 in /app/client.php:12",
    ],
    [
      "Python with the headers of an answer in its text",
      [
        "Traceback (most recent call last):",
        '  File "client.py", line 3, in <module>',
        "pandadoc_client.exceptions.ApiException: (502)",
        "Reason: Bad Gateway",
        "HTTP response headers: HTTPHeaderDict({'X-Error': 'bad gateway error', 'Date': 'Mon, 02 Mar 2026 09:00:07 GMT'})",
        "HTTP response body: <h1>502 error</h1>",
      ],
      "pandadoc_client.exceptions.ApiException: (502)",
    ],
    [
      "Ruby, which names the class last",
      ["client.rb:7:in `send': status 429 error (ApiError)", "\tfrom client.rb:12:in `<main>'"],
      "client.rb:7:in `send': status 429 error (ApiError)",
    ],
    [
      "Go",
      ["error: will retry", "panic: create failed: 502", "", "goroutine 1 [running]:", "exit status 2"],
      "panic: create failed: 502",
    ],
    [
      "Java",
      ['Exception in thread "main" java.lang.IllegalStateException: create failed: 502', "\tat Client.main(Client.java:9)"],
      'Exception in thread "main" java.lang.IllegalStateException: create failed: 502',
    ],
  ])("names the error that %s prints", async (_, lines, expected) => {
    const { message } = (await endOf(playerOf(`console.error(${JSON.stringify(lines.join("\n"))}); process.exitCode = 1`))) as {
      message: string;
    };
    expect(message.split("\n")[0]).toBe(`exited with 1: ${expected}`);
  });

  test("is killed with its child processes after the time limit and after an interrupt", async () => {
    const file = join(files(), "pids");
    const code = `const child = require("node:child_process").spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "inherit" });
      require("node:fs").writeFileSync(${JSON.stringify(file)}, [process.pid, child.pid].join());
      setInterval(() => {}, 1000)`;
    const pids = () => readFileSync(file, "utf8").split(",").map(Number);
    const kill = vi.spyOn(process, "kill");
    onTestFinished(() => kill.mockRestore());
    const hung = await endOf(playerOf(code, { cleanLimit_ms: 1500 }));
    expect(hung).toEqual({ kind: "hung", time: "real", message: "it still ran after 1.5 s" });
    const first = pids();
    const interrupt = new AbortController();
    const ended = endOf(playerOf(code), 0, interrupt.signal);
    await expect.poll(() => pids().join() !== first.join(), { timeout: within(20_000) }).toBe(true);
    interrupt.abort();
    expect(await ended).toEqual({ kind: "interrupted" });
    await expect.poll(() => [...first, ...pids()].every(isGone), { timeout: within(5000) }).toBe(true);
    // The first command has exited long since. Its group may belong to somebody else now, so nothing is sent to it again.
    expect(kill.mock.calls.filter(([pid]) => pid === -(first[0] ?? 0))).toHaveLength(1);
  });

  test("is recorded with a call whose answer it does not wait for", async () => {
    const code = `fetch(process.env.DOCDOUBLE_URL + "/public/v1/contacts", { headers: { authorization: "API-Key " + process.env.DOCDOUBLE_API_KEY }, signal: AbortSignal.timeout(300) }).catch(() => {})`;
    const rule = { name: "slow", when: { operation: "listContacts" }, then: { delay: "30s", phase: "after" as const } };
    const { end, recorder, close } = await playerOf(code).play({ ...plan(2), scenario: { version: 1, rules: [rule] } });
    await close();
    expect({ end, calls: recorder.items.map((one) => one.kind === "call" && one.operation) }).toEqual({
      ...{ end: { kind: "returned" }, calls: ["listContacts"] },
    });
  });

  test("counts as hung when it exceeds the limit of calls", async () => {
    const code = `(async () => { for (;;) await fetch(process.env.DOCDOUBLE_URL + "/public/v1/templates", { headers: { authorization: "API-Key " + process.env.DOCDOUBLE_API_KEY } }); })()`;
    const { end, recorder, close } = await playerOf(code).play({ ...plan(0), callsMax: 20 });
    await close();
    expect(end).toEqual({ kind: "hung", time: "virtual", message: "it made more than 20 calls and did not end" });
    expect(recorder.calls).toBeGreaterThan(20);
  });
});
