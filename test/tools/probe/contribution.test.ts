/** `probe --contribute` writes what a probe saw, and nothing of the account. */
import { describe, expect, test } from "vitest";
import { ledger } from "../../../src/service/assumptions/ledger.ts";
import { contribution } from "../../../src/tools/probe/contribution.ts";
import { VERSION } from "../../../src/library/version.ts";
import { hostileAccount } from "../../support/hostile-account.ts";
import { NOW, SANDBOX_KEY } from "../../support/world.ts";

const STORIES = ["contacts.not_found", "delete.second", "errors.nesting", "search.time_spans", "templates.list_order"];
const PLANTED = ["Zoe Quill", "zoe.quill@private-client.example", "Project Heron", "+1 415 555 0199", "Mémoire de Zoé"];

describe("a contribution", () => {
  test("holds a reading of the ledger for each assumption, with date, kind of account and version", async () => {
    const account = await hostileAccount();
    const { report } = await account.probe(["contacts.known_email", "delete.bulk_locked"]);
    const seen = { date: "2026-03-02", by: "probe", account: "sandbox", source: `docdouble probe ${VERSION}` };
    expect(await contribution(report?.results ?? [], "sandbox", Date.parse(NOW))).toEqual({
      version: 1,
      docdouble: VERSION,
      readings: [
        { id: "delete.bulk_locked", verdict: "undecided", reading: null, seen },
        { id: "contacts.known_email", verdict: "confirmed", reading: "update", seen },
      ],
    });
  });

  test("holds no name of the account, although each answer of the service carries one", async () => {
    const account = await hostileAccount();
    let nth = 0;
    // Every second refusal names a person, a document and a number, and each success carries them too.
    const { report } = await account.probe(STORIES, async (send, request) => {
      const answer = await send(request);
      nth++;
      const planted = PLANTED.join(", ");
      if (answer.status >= 400 && nth % 2 === 0)
        return {
          ...answer,
          headers: { "content-type": "application/json" },
          body: Buffer.from(JSON.stringify({ detail: planted })),
        };
      return { ...answer, body: Buffer.from(answer.body.toString("utf8").replace(/^\{/, `{"note":${JSON.stringify(planted)},`)) };
    });
    const results = report?.results ?? [];
    // The report itself quotes the service, so the test plants something to find.
    expect(JSON.stringify(results)).toContain("Zoe Quill");
    const record = await contribution(results, "production", Date.parse(NOW));
    const text = JSON.stringify(record);
    const ofAccount = [...PLANTED, "nora", "northpeak", "hostile", SANDBOX_KEY, "double.example", "Owner"];
    expect(ofAccount.filter((one) => text.toLowerCase().includes(one.toLowerCase()))).toEqual([]);
    expect(record.readings.map((one) => one.id)).toEqual(expect.arrayContaining(STORIES));
    expect(record.readings.filter((one) => one.reading === "other").length).toBeGreaterThan(0);
    const words = new Map((await ledger()).map((one) => [one.id, [...one.readings.map(String), "as_stated", "other", null]]));
    for (const { id, reading } of record.readings) expect(words.get(id)).toContain(reading);
  });
});
