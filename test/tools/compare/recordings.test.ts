/** Replays the recordings against the double. They hold calls and answers of the real service from public sources. */
import { readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { readCassette } from "../../../src/tools/compare/cassette.ts";
import { replayCassette } from "../../../src/tools/compare/replay.ts";

/** Intended differences from the recorded answers. Each has an assumption, or a reason here. */
const CHOSEN: Record<string, object[]> = {
  "send.cassette": [
    { operation: "sendDocument", kind: "type", pointer: "/recipients/0/id", assumption: "send.recipient_id" },
    // By the specification, the time to the expiration starts at the sending. The recorded answer has null.
    { operation: "sendDocument", kind: "type", pointer: "/expiration_date", real: null, assumption: null },
  ],
  // Rate limits are off unless a profile turns them on.
  "throttled.cassette": [{ operation: "listContacts", kind: "status", real: 429, double: 200, assumption: "rate_limit.profile" }],
};

const FILES = readdirSync("recordings").filter((file) => file.endsWith(".cassette"));

describe("recordings", () => {
  test.each(FILES)("%s names its source, and its replay shows only the intended differences", async (file) => {
    const cassette = readCassette(`recordings/${file}`);
    expect(cassette.header.source?.length).toBeGreaterThan(20);
    const { calls, differences } = await replayCassette(cassette, { seed: 1 });
    expect(calls).toBe(cassette.entries.filter((one) => "call" in one).length);
    expect(differences).toHaveLength((CHOSEN[file] ?? []).length);
    expect(differences).toMatchObject(CHOSEN[file] ?? []);
  });
});
