/** `docdouble explore` as users run it. Integrations of the zoo run as processes. */
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import type { ExploreReport } from "../../../src/tools/explore/report.ts";
import { CLI, files, run } from "../../support/process.ts";
import { zooCommand } from "../../zoo/bundle.ts";

/** Their sleeps are virtual, so the integrations need no faster pace. */
const env = { ZOO_PACE: "1" };
const folder = mkdtempSync(join(tmpdir(), "docdouble-zoo-"));
let zoo: readonly string[] = [];

beforeAll(async () => {
  zoo = await zooCommand(folder);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const reportIn = (file: string): ExploreReport => JSON.parse(readFileSync(file, "utf8"));

describe("explore", () => {
  test("finds a break, writes its scenario and the reports, and later sees the fix", async () => {
    const out = files();
    const [json, html, xml] = ["last.json", "report.html", "report.xml"].map((name) => join(out, name)) as [
      string,
      string,
      string,
    ];
    const found = join(out, "found");
    const flags = ["--only", "createDocument:reset_after", "--out", found];
    const broken = await run(
      ["explore", ...flags, "--report", json, "--report", html, "--report", xml, "--", ...zoo, "team", "look_before_create"],
      { env },
    );
    expect(broken.code).toBe(1);
    expect(broken.stdout).toContain("duplicate_document");
    expect(broken.stdout).not.toContain("\u001b");
    const report = reportIn(json);
    expect(report.breaks).toMatchObject([
      { symptom: "duplicate_document", faults: [{ fault: "reset_after", operation: "createDocument", nth: 1 }] },
    ]);
    expect(report.clean.calls.map(({ operation, nth }) => `${operation} ${nth}`)).toContain("createDocument 1");
    expect(report.command).toMatch(/ team look_before_create$/);
    const [scenario = ""] = readdirSync(found).map((name) => join(found, name));
    expect(readFileSync(html, "utf8")).toContain("<h1>Your client breaks in one way</h1>");
    expect(readFileSync(xml, "utf8")).toContain('<testcase classname="createDocument 1" name="reset_after"><failure');

    // The file fails the client under `run`, and passes its fixed twin.
    expect((await run(["run", scenario, "--", ...zoo, "team", "look_before_create"], { env })).code).toBe(1);
    expect((await run(["run", scenario, "--", ...zoo, "team"], { env })).code).toBe(0);

    const mended = await run(["explore", ...flags, "--compare", json, "--", ...zoo, "team"], { env });
    expect(mended.stdout).toContain(`- mended: ${report.breaks[0]?.name}: duplicate_document`);
    expect(mended.stdout).toContain("Played first:");
    expect(mended.code).toBe(0);
  });

  test("Ctrl-C prints the results so far, and leaves no process", async () => {
    const marker = join(files(), "pid");
    // From the second run on, the client never ends.
    const client = `require("node:fs").appendFileSync(${JSON.stringify(marker)}, process.pid + "\\n"); setInterval(() => {}, 1000);`;
    const child = spawn(process.execPath, [CLI, "explore", "--", process.execPath, "-e", client], {
      stdio: ["ignore", "pipe", "pipe"],
    });
    onTestFinished(() => void child.kill("SIGKILL"));
    let stdout = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
    await expect.poll(() => existsSync(marker)).toBe(true);
    child.kill("SIGINT");
    const code = await new Promise((resolve) => child.once("close", resolve));
    expect({ code, stdout }).toMatchObject({ code: 130, stdout: expect.stringContaining("interrupted") });
    for (const pid of readFileSync(marker, "utf8").trim().split("\n"))
      expect(() => process.kill(Number(pid), 0)).toThrow("ESRCH");
  });
});
