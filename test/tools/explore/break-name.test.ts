/** The name of a break is also a file name, so it must be valid on each system. */
import { expect, test } from "vitest";
import { breakName } from "../../../src/tools/explore/break-name.ts";

const named = (operation: string, reading?: string) =>
  breakName([{ fault: "recipient_declines", operation, nth: 1, ...(reading && { reading }) }], "hung");

test("a name contains the symptom, the faults and their places", () => {
  expect(breakName([{ fault: "reset_after", operation: "createDocument", nth: 1 }], "duplicate_document")).toBe(
    "duplicate-document-reset-after-create-document",
  );
  expect(breakName([], "polls_too_fast")).toBe("polls-too-fast");
  expect(named("Client")).toBe("hung-recipient-declines-client");
});
