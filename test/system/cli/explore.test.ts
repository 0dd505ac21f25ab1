/** `docdouble explore` as users run it. Integrations of the zoo run as processes. */
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
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

/** Creates a document and waits for its draft. Gives up at the first fault. Logs its process id and the number of running clients. */
const NO_RETRY = `import { appendFileSync, readFileSync } from "node:fs";
const { DOCDOUBLE_URL: url, DOCDOUBLE_API_KEY: key, LOG: log } = process.env;
const runs = (pid) => { try { return process.kill(pid, 0); } catch { return false; } };
const others = readFileSync(log, "utf8").split("\\n").filter(Boolean).filter((line) => runs(Number(line.split(" ")[0])));
appendFileSync(log, process.pid + " " + (others.length + 1) + "\\n");
const headers = { authorization: "API-Key " + key, "content-type": "application/json" };
const call = async (path, body) => {
  const answer = await fetch(url + "/public/v1/documents" + path, { headers, ...(body && { method: "POST", body: JSON.stringify(body) }) });
  if (!answer.ok) throw new Error("answered " + answer.status);
  return answer.json();
};
const recipients = [{ email: "pat@client.example", first_name: "Pat", last_name: "Lee", role: "Client" }];
const { id } = await call("", { name: "Offer", template_uuid: "TemplateOneSignerxxxxx", recipients });
await call("/" + id);
`;

const reportIn = (file: string): ExploreReport => JSON.parse(readFileSync(file, "utf8"));

describe("explore", () => {
  test("parts of a search join to the report of the whole, and a wrong part or file exits with 2", async () => {
    const out = files();
    const client = files({ "client.mjs": NO_RETRY });
    const log = join(out, "log");
    writeFileSync(log, "");
    const explore = (...more: string[]) =>
      run(["explore", "--out", join(out, "found"), "--only", "throttled,new_status,reset_*", "--budget", "1h", ...more], {
        env: { LOG: log },
      });
    const report = (name: string) => join(out, `${name}.json`);
    const command = ["--", process.execPath, client];
    expect((await explore("--report", report("whole"), ...command)).code).toBe(1);
    for (const part of [1, 2]) {
      rmSync(join(out, "found"), { recursive: true, force: true });
      expect((await explore("--shard", `${part}/2`, "--report", report(String(part)), ...command)).code).toBeLessThan(2);
    }
    const merged = await run(["explore", "--merge", report("1"), report("2"), "--json"]);
    const cells = ({ cells }: ExploreReport) =>
      cells.map((one) => [one.operation, one.nth, one.fault, one.outcome].join(" ")).sort();
    const [whole, joined] = [reportIn(report("whole")), JSON.parse(merged.stdout) as ExploreReport];
    expect(cells(joined)).toEqual(cells(whole));
    expect(joined.breaks.map(({ name }) => name).sort()).toEqual(whole.breaks.map(({ name }) => name).sort());
    expect([merged.code, joined.shard, merged.stderr]).toEqual([1, undefined, ""]);
    expect((await run(["explore", "--merge", report("2")])).stderr).toContain("note: no report of part 1/2");
    for (const part of ["0/2", "3/2", "x"]) expect(await explore("--shard", part, ...command)).toMatchObject({ code: 2 });
    for (const file of [report("none"), log]) {
      const refused = await run(["explore", "--merge", file]);
      expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining(`Cannot merge ${file}: `)]);
    }
  });

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

  test("follows webhooks over a socket: a client without signature check breaks, and its twin survives", async () => {
    const flags = ["explore", "--sleep", "real", "--only", "document_state_changed#4:webhook_forged", "--json", "--out", files()];
    const broken = await run([...flags, "--", ...zoo, "bookings", "signature"], { env: { ZOO_PACE: "5" } });
    expect(JSON.parse(broken.stdout).breaks).toMatchObject([{ symptom: "forged_webhook_accepted" }]);
    expect(broken.code).toBe(1);
    const twin = await run([...flags, "--", ...zoo, "bookings"], { env });
    expect({ code: twin.code, breaks: JSON.parse(twin.stdout).breaks }).toEqual({ code: 0, breaks: [] });
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
