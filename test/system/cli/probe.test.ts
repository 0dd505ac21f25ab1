/** `docdouble probe` as users run it. */
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { spawn } from "node:child_process";
import { describe, expect, onTestFinished, test } from "vitest";
import { CLI, files, run, serve } from "../../support/process.ts";

const SERVED = ["start", "--port", "0", "--log", "silent"];
const KEY = ["--key", "docdouble-sandbox-key", "--calls-per-minute", "60"];

describe("probe", () => {
  test("a double with the file of --write has the readings of the service, and a second probe writes the same file", async () => {
    const real = await serve([...SERVED, "--assume", "query.empty_values=refuse", "--assume", "json.types=lenient"]);
    const file = join(dirname(files({ "a.txt": "" })), "assume.yaml");
    const flags = [...KEY, "--only", "query.empty_values,json.types", "--write", file];
    const first = await run(["probe", "--real", real.url, ...flags, "--json"]);
    expect(first.code, first.stderr).toBe(1);
    expect(JSON.parse(first.stdout)).toEqual({
      version: 1,
      results: [
        {
          assumption: "json.types",
          verdict: "contradicted",
          default: "strict",
          seen: "lenient",
          calls: 6,
          why: expect.stringMatching(/^docdouble assumes strict: .* The service shows lenient\.$/),
        },
        expect.objectContaining({ assumption: "query.empty_values", verdict: "contradicted", seen: "refuse" }),
      ],
    });
    const readings = readFileSync(file, "utf8").split("\n").slice(1);
    expect(readings).toEqual(["json.types: lenient", "query.empty_values: refuse", ""]);
    const fitted = await serve([...SERVED, "--assume", file]);
    await run(["probe", "--real", fitted.url, ...flags]);
    expect(readFileSync(file, "utf8").split("\n").slice(1)).toEqual(readings);
  });

  test.each(["SIGINT", "SIGHUP"] as const)(
    "%s while nobody reads the messages still deletes what the probe created",
    async (signal) => {
      const real = await serve(SERVED);
      const subscriptions = async () => (await real.call("GET", "/public/v1/webhook-subscriptions")).body.items.length;
      // The story waits ten seconds before its first look at the history.
      const flags = [...KEY, "--only", "webhook.zero_total"];
      const child = spawn(process.execPath, [CLI, "probe", "--real", real.url, ...flags], { stdio: ["ignore", "pipe", "pipe"] });
      onTestFinished(() => void child.kill("SIGKILL"));
      await expect.poll(subscriptions, { timeout: 10_000 }).toBe(1);
      child.stdout.destroy();
      child.stderr.destroy();
      const ended = new Promise((resolve) => child.once("exit", resolve));
      child.kill(signal);
      expect(await ended).toBe(1);
      expect(await subscriptions()).toBe(0);
    },
  );

  test.each<[string, string[], string]>([
    ["no service", ["--key", "k"], "Name its address with --real URL."],
    ["no address", ["--real", "pandadoc", "--key", "k"], "--real pandadoc is not an address."],
    ["no key", ["--real", "http://127.0.0.1:9"], "Give --key KEY, or set DOCDOUBLE_REAL_KEY."],
    ["an unknown assumption", ["--real", "http://127.0.0.1:9", ...KEY, "--only", "delete.secnd"], "Did you mean delete.second?"],
    ["another kind of file", ["--real", "http://127.0.0.1:9", ...KEY, "--write", "assume.txt"], "Name one such as assume.yaml."],
    ["a folder that is a file", ["--real", "http://127.0.0.1:9", ...KEY, "--write", "package.json/a.yaml"], "Check the folder."],
    ["an empty key", ["--real", "http://127.0.0.1:9", "--key", ""], "Give --key KEY, or set DOCDOUBLE_REAL_KEY."],
    ["a key with a line end", ["--real", "http://127.0.0.1:9", "--key", "abc\n"], "Copy the key alone."],
    ["a password in the address", ["--real", "http://a:b@127.0.0.1:9", ...KEY], "Leave them out."],
    ["a list of nothing", ["--real", "http://127.0.0.1:9", ...KEY, "--only", ","], "--only names no assumption."],
    ["a dry run that writes", ["--dry-run", "--write", "a.yaml"], "--dry-run does not go with --write, because"],
    ["no calls", ["--calls-per-minute", "0"], "Write a whole number from 1."],
  ])("%s ends with 2 and the next step", async (_, flags, message) => {
    expect(await run(["probe", ...flags])).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining(message) });
  });

  test("a production key ends with 2", async () => {
    const real = await serve(SERVED);
    expect(await run(["probe", "--real", real.url, "--key", "docdouble-key", "--only", "json.types"])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("is a production key. Use a sandbox key, or allow it with --allow-production-key."),
    });
  });
});
