/**
 * Runs one story for each switch under each of its readings. A client must see the expected result, which differs from reading
 * to reading.
 */
import { describe, expect, test } from "vitest";
import { PROFILES } from "../../../src/engine/assumptions/profile-names.ts";
import { type Reading, SWITCH_IDS, type SwitchId, switches, switchOf } from "../../../src/service/assumptions/switches.ts";
import { aCompletedDocument, anUploadedDocument } from "../../support/stories.ts";
import { CASES } from "../../support/switch-stories.ts";
import { type Answer, type TestWorld, testWorld } from "../../support/world.ts";

const STRICT = [
  "audit_trail.access=refuse",
  "delete.bulk_locked=refuse",
  "download.before_completion=refused",
  "field_tags.undeclared=error",
  "list.date_sent=absent",
  "list.repeated_status=refuse",
  "pricing.negative_total=refuse",
  "query.empty_values=refuse",
  "rate_limit.profile=sandbox",
  "revert.draft=refuse",
  "revert.error=refuse",
  "sections.recipients=required",
  "send.without_recipients=refuse",
  "webhook.https_only=on",
];

/** Runs the switch's story. Returns what the client sees, and the reasons in the answers. */
async function observe(id: SwitchId, reading: unknown) {
  const world = await testWorld({ assume: { [id]: reading } as never });
  const reasons: string[] = [];
  const call = world.call.bind(world);
  const request = world.request.bind(world);
  const remember = (answer: Answer) => {
    reasons.push(answer.headers.get("x-docdouble-why") ?? "");
    return answer;
  };
  const watched: TestWorld = {
    ...world,
    call: async (...input) => remember(await call(...input)),
    request: async (...input) => remember(await request(...input)),
  };
  return { seen: await CASES[id].observe(watched), reasons };
}

const ALL = SWITCH_IDS.flatMap((id) => CASES[id].expected.map(([reading, seen]) => [id, reading, seen] as const));

describe("switches", () => {
  test.each(ALL)("a client sees the effect of %s = %j", async (id, reading, expected) => {
    const { seen, reasons } = await observe(id, reading);
    expect(seen).toEqual(expected);
    if (CASES[id].isNamed && reading !== switchOf(id).default)
      expect(reasons.join("\n")).toMatch(new RegExp(`\\(assumption [^)]*${id}`));
  });

  test("the table has every reading of every switch, and all results of a switch differ", () => {
    for (const id of SWITCH_IDS) {
      const { readings } = switchOf(id);
      if (readings !== "durations")
        expect(
          CASES[id].expected.map(([one]) => one),
          id,
        ).toEqual(readings);
      const seen = CASES[id].expected.map(([, one]) => JSON.stringify(one));
      expect(new Set(seen).size, id).toBe(seen.length);
    }
  });

  test("the first reading of each switch is the default", () => {
    for (const id of SWITCH_IDS) expect(CASES[id].expected[0]?.[0], id).toEqual(switchOf(id).default as Reading<typeof id>);
  });

  // Without this list, a switch could leave a profile unseen.
  test("the profile strict refuses what the service may refuse", () => {
    expect(Object.entries(switches.assumeOf("strict")).map(([id, reading]) => `${id}=${reading}`)).toEqual(STRICT);
    expect(switches.assumeOf("default")).toEqual({});
  });

  test("a refusal also names an assumption without a switch", async () => {
    const world = await testWorld();
    const document_id = await anUploadedDocument(world);
    const refused = await world.call("createExportDocxTask", { params: { document_id, id: document_id }, body: {} });
    expect(refused.status).toBe(400);
    expect(refused.headers.get("x-docdouble-why")).toContain("(assumption export.wrong_status)");
  });

  test.each(PROFILES)("a document can be completed and downloaded under the profile %s", async (profile) => {
    const world = await testWorld({ profile });
    const id = await aCompletedDocument(world);
    await world.advance("10s");
    expect((await world.call("downloadDocument", { params: { id } })).status).toBe(200);
  });
});
