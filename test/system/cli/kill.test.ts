/** The data files of servers that are killed, that share a file, or that lose their disk. */
import { mkdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { crash } from "../../../bench/crash.ts";
import { files, run, serve } from "../../support/process.ts";

const USUAL = ["--port", "0", "--log", "silent", "--seed", "7", "--clock", "frozen"];

describe("--data", () => {
  test("a server killed under load keeps each answered change", async () => {
    const { kills, answered, compared } = await crash({ rounds: 4, seed: 5 });
    expect(kills).toBe(4);
    expect(Math.min(answered, compared)).toBeGreaterThan(50);
  });

  test("a second server on the same file is refused until the first stops or is killed", async () => {
    const data = join(files(), "data.json");
    const first = await serve([...USUAL, "--data", data]);
    const second = await run(["start", ...USUAL, "--data", data]);
    expect(second.code).toBe(2);
    expect(second.stderr).toMatch(/^cannot use the data file .+ is in use by docdouble, process \d+; .+\n$/);
    expect(second.stderr.trim().split("\n")).toHaveLength(1);
    await first.stop("SIGKILL");
    const third = await serve([...USUAL, "--data", data]);
    expect((await third.stop()).code).toBe(0);
    const fourth = await serve([...USUAL, "--data", data]);
    expect((await fourth.stop()).code).toBe(0);
  });

  test("a server whose data folder is deleted reports it and keeps answering, and ends with 1 if it cannot save", async () => {
    const data = join(files(), "state", "data.json");
    mkdirSync(dirname(data));
    const server = await serve([...USUAL, "--data", data]);
    rmSync(dirname(data), { recursive: true });
    expect((await server.call("GET", "/public/v1/documents")).status).toBe(200);
    let health = await server.call("GET", "/health");
    for (let i = 0; i < 100 && health.body.status === "healthy"; i++) {
      await new Promise((resolve) => setTimeout(resolve, 50));
      health = await server.call("GET", "/health");
    }
    expect(health.body).toMatchObject({ status: "degraded", data: { ok: false, problem: expect.any(String) } });
    expect((await server.call("GET", "/public/v1/documents")).status).toBe(200);
    const { code, stderr } = await server.stop();
    expect(code).toBe(1);
    expect(stderr).toMatch(/^cannot write .+; docdouble still answers, and keeps changes in memory until it can write them\n/);
    expect(stderr.trim().split("\n")).toHaveLength(2);
  });
});
