import { readdirSync } from "node:fs";
import { expect, test, vi } from "vitest";
import { intercepting } from "../../src/cli/interception.ts";
import { files } from "../support/process.ts";

test("an interception that cannot begin leaves no folder", async () => {
  const folder = files();
  vi.stubEnv("TMPDIR", folder);
  await expect(intercepting("no address")).rejects.toThrow();
  vi.unstubAllEnvs();
  expect(readdirSync(folder)).toEqual([]);
});
