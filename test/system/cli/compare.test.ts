/** `docdouble compare` and `docdouble replay` as users run them. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { files, run, serve } from "../../support/process.ts";

/** A client in one line: it reads paths in turn, then exits with a code. */
const client = (paths: readonly string[], code = 0) => [
  process.execPath,
  "-e",
  `(async () => { for (const path of ${JSON.stringify(paths)}) await fetch(process.env.DOCDOUBLE_URL + path, { headers: { authorization: "API-Key " + process.env.DOCDOUBLE_API_KEY } }); process.exit(${code}); })()`,
];

const PATHS = ["/public/v1/templates", "/public/v1/members/current", "/public/v1/documents/NoSuchDocumentxxxxxxxx"];

describe("compare", () => {
  test("compare of two equal sides ends with 0, and writes reports and a cassette that replays", async () => {
    const real = await serve(["start", "--port", "0", "--log", "silent"]);
    const folder = files();
    const [json, md, xml, cassette] = ["r.json", "r.md", "r.xml", "s.cassette"].map((name) => join(folder, name)) as [
      string,
      string,
      string,
      string,
    ];
    const flags = ["--report", json, "--report", md, "--report", xml, "--record", cassette];
    const ended = await run(["compare", "--real", real.url, "--real-key", "docdouble-key", ...flags, "--", ...client(PATHS)]);
    expect(ended).toEqual({ code: 0, stdout: "", stderr: "3 calls compared: no difference\n" });
    expect(JSON.parse(readFileSync(json, "utf8"))).toEqual({ version: 1, calls: 3, differences: [] });
    expect(readFileSync(md, "utf8")).toContain("3 calls compared: no difference.");
    expect(readFileSync(xml, "utf8")).toContain('<testsuite name="docdouble compare" tests="1" failures="0">');
    expect(await run(["replay", cassette, cassette])).toEqual({
      code: 0,
      stdout: "",
      stderr: "6 calls compared: no difference\n",
    });
  });

  test("compare ends with 1 for a difference and with the code of a failing command, and --json prints the report", async () => {
    const real = await serve(["start", "--port", "0", "--log", "silent", "--rate-limit", "sandbox"]);
    const flags = ["compare", "--real", real.url, "--real-key", "docdouble-sandbox-key"];
    const often = Array.from({ length: 12 }, () => "/public/v1/templates");
    const ended = await run([...flags, "--json", "--", ...client(often)]);
    expect(ended.code).toBe(1);
    expect(JSON.parse(ended.stdout)).toMatchObject({
      version: 1,
      calls: 12,
      differences: [
        { operation: "listTemplates", kind: "status", real: 429, double: 200, count: 2, assumption: "rate_limit.profile" },
      ],
    });
    const failed = await run([...flags, "--", ...client(["/public/v1/templates"], 7)]);
    expect(failed.code).toBe(7);
    expect(failed.stderr).toContain("✗ listTemplates: the real service answers 429, the double 200");
  });

  test("compare of a command that makes no call ends with 1 and says what to do", async () => {
    const real = await serve(["start", "--port", "0", "--log", "silent"]);
    const report = files({ "report.xml": "" });
    const flags = ["--real", real.url, "--real-key", "docdouble-key", "--report", report];
    expect(await run(["compare", ...flags, "--", "true"])).toEqual({
      code: 1,
      stdout: "",
      stderr: expect.stringMatching(
        /^no call compared\nWithout a compared call, the comparison proves nothing\. Let your command call/,
      ),
    });
    expect(readFileSync(report, "utf8")).toContain('<failure message="no call compared"');
  });

  test.each<[string, string[], string]>([
    ["without --real", ["--real-key", "k"], "Cannot compare: the real service is missing. Name its address with --real URL.\n"],
    [
      "without a key",
      ["--real", "http://127.0.0.1:9"],
      "Cannot compare: the key of the real service is missing. Give --real-key KEY, or set DOCDOUBLE_REAL_KEY.\n",
    ],
    [
      "with a bad address",
      ["--real", "api.pandadoc.com", "--real-key", "k"],
      "Cannot compare: --real api.pandadoc.com is not an address. Use one such as https://api.pandadoc.com.\n",
    ],
    [
      "with an empty key",
      ["--real", "http://127.0.0.1:9", "--real-key", ""],
      "Cannot compare: the key of the real service is missing. Give --real-key KEY, or set DOCDOUBLE_REAL_KEY.\n",
    ],
    [
      "with a report of unknown form",
      ["--real", "http://127.0.0.1:9", "--real-key", "k", "--report", "r.csv"],
      "Cannot write r.csv: its name must end in .json, .md, .xml.\n",
    ],
  ])("compare %s ends with 2 and the next step", async (_, flags, stderr) => {
    expect(await run(["compare", ...flags, "--", "true"])).toEqual({ code: 2, stdout: "", stderr });
  });
});
