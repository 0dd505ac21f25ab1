/** The name of a break is also a file name, so it must be valid on each system. */
import { expect, test } from "vitest";
import { breakName } from "../../../src/tools/explore/break-name.ts";
import { FAULTS, SYMPTOMS } from "../../../src/tools/explore/report.ts";

const named = (operation: string, reading?: string) =>
  breakName([{ fault: "recipient_declines", operation, nth: 1, ...(reading && { reading }) }], "hung");

test("a name contains the symptom, the faults and their places", () => {
  expect(breakName([{ fault: "reset_after", operation: "createDocument", nth: 1 }], "duplicate_document")).toBe(
    "duplicate-document-reset-after-create-document",
  );
  expect(breakName([], "polls_too_fast")).toBe("polls-too-fast");
  expect(named("Client")).toBe("hung-recipient-declines-client");
});

test("different roles get different names, also with other alphabets, long names and reserved names", () => {
  const roles = [
    "客户",
    "供应商",
    "Käufer",
    "Kaufer",
    "a@b.example",
    "a-b.example",
    "CON",
    "x".repeat(300),
    `${"x".repeat(299)}y`,
    "..",
    "a/b",
    "a\\b",
    "nul.txt",
    " ",
    "a:b",
  ];
  expect(new Set(roles.map((role) => named(role))).size).toBe(roles.length);
});

test("a name is at most 80 plain characters, and never a name that Windows reserves", () => {
  const roles = ["CON", "aux", "nul.txt", 'a<b>c:d"e/f\\g|h?i*j', "trailing. ", "x".repeat(300), "\u0000\u001f", "🖊️"];
  const names = SYMPTOMS.flatMap((symptom) =>
    FAULTS.flatMap((fault) =>
      roles.flatMap((operation) => {
        const place = { fault, operation, nth: 1 };
        return [breakName([place], symptom), breakName([place, { ...place, reading: "delete.second=404" }], symptom)];
      }),
    ),
  );
  for (const name of names) {
    expect(name).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
    expect(name.length).toBeLessThanOrEqual(80);
    expect(name).not.toMatch(/^(con|prn|aux|nul|com\d|lpt\d)$/);
  }
});
