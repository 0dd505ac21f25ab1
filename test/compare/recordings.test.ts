/** The recordings: what public sources recorded of the real service, replayed against the double. */
import { readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { readCassette } from "../../src/compare/cassette-reader.ts";
import { replayCassette } from "../../src/compare/replay.ts";

/** Differences from the recorded answers that docdouble chose. Each has its assumption, or a reason here. */
const CHOSEN: Record<string, object[]> = {
  "send.cassette": [
    { operation: "sendDocument", kind: "type", pointer: "/recipients/0/id", assumption: "send.recipient_id" },
    // The specification lets a document expire from its sending on; the recorded answer showed null.
    { operation: "sendDocument", kind: "type", pointer: "/expiration_date", real: null, assumption: null },
  ],
  // Rate limits are off unless a profile turns them on.
  "throttled.cassette": [{ operation: "listContacts", kind: "status", real: 429, double: 200, assumption: "rate_limit.profile" }],
};

const FILES = readdirSync("recordings").filter((file) => file.endsWith(".cassette"));

describe("recordings", () => {
  test.each(FILES)("%s names its source, and replays with no difference but those that docdouble chose", async (file) => {
    const cassette = readCassette(`recordings/${file}`);
    expect(cassette.header.source?.length).toBeGreaterThan(20);
    const { calls, differences } = await replayCassette(cassette, { seed: 1 });
    expect(calls).toBe(cassette.entries.filter((one) => "call" in one).length);
    expect(differences).toHaveLength((CHOSEN[file] ?? []).length);
    expect(differences).toMatchObject(CHOSEN[file] ?? []);
  });
});
