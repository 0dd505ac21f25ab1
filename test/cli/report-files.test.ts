import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { reportFiles, writeReport } from "../../src/cli/report-files.ts";
import { files } from "../support/process.ts";

test("a report in a folder that is missing makes the folder before the work", () => {
  const file = join(files(), "reports", "today", "explore.json");
  reportFiles([file], [".json"]);
  expect(existsSync(dirname(file))).toBe(true);
  writeReport(file, "{}");
  expect(readFileSync(file, "utf8")).toBe("{}");
});
