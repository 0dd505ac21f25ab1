/** A probe that ends within a call: its journal lets a cleanup delete what it created. `test/fuzz/probe.test.ts` ends all stories. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { openJournal } from "../../../src/cli/probe-journal.ts";
import { readJournal } from "../../../src/tools/probe/journal.ts";
import { HOSTILITIES, hostileAccount, unnamed } from "../../support/hostile-account.ts";
import { probeOf, realSide } from "../../support/probe.ts";
import { files } from "../../support/process.ts";

describe("a probe that crashes", () => {
  test.each(["contacts.delete_keeps_recipients", "catalog.bundled_item", "delete.second"])(
    "%s leaves nothing after a cleanup with its journal, whichever call was the last",
    async (story) => {
      const account = await hostileAccount();
      const before = account.owned();
      const { calls } = await account.probe([story]);
      for (let nth = 1; nth <= calls; nth++) {
        for (const isAfter of [false, true]) {
          await account.reset();
          const { report, lines } = await account.probe([story], undefined, { nth, isAfter });
          expect(report).toBeUndefined();
          if (lines.length === 0) continue;
          const cleaned = await account.clean(lines);
          const place = `call ${nth}, ${isAfter ? "after" : "before"} it`;
          expect(account.owned(), place).toEqual(before);
          expect(account.left(), place).toEqual([]);
          // A creation that was never carried out counts as perhaps created for an hour.
          expect(cleaned.left_behind ?? [], place).toEqual(
            (cleaned.left_behind ?? []).filter((one) => one.includes("perhaps created at")),
          );
        }
      }
    },
  );

  test("an hour later, a complete list proves that a thing was never created", async () => {
    const account = await hostileAccount();
    const { lines } = await account.probe(["contacts.known_email"], undefined, { nth: 4, isAfter: false });
    expect((await account.clean(lines)).left_behind).toEqual([
      expect.stringMatching(
        /^contact "docdouble-probe-hostile-1@example.com" \(its id is unknown\), perhaps created at 2026-03-02T/,
      ),
    ]);
    await account.advance(3_600_001);
    expect(await account.clean(lines)).toEqual({ version: 1, runs: 1 });
  });

  test("a cleanup deletes no id that existed before the run, although the journal names it as created", async () => {
    const account = await hostileAccount();
    const before = account.owned();
    const { lines } = await account.probe(["delete.second"], HOSTILITIES["answers with ids of the owner"], {
      nth: 6,
      isAfter: false,
    });
    const forged = [
      ...lines,
      {
        line: "creates",
        thing: 90,
        kind: "contact",
        name: "ann@acme.example",
        implied: false,
        at: "2026-03-02T09:00:00Z",
      } as const,
      { line: "created", thing: 90, id: "OwnerContact3xxxxxxxxx" } as const,
      {
        line: "creates",
        thing: 91,
        kind: "template",
        name: "Owner's template",
        implied: false,
        at: "2026-03-02T09:00:00Z",
      } as const,
    ];
    await account.clean(forged);
    expect(account.owned()).toEqual(before);
    expect(account.left()).toEqual([]);
  });

  test("a bug in a story still deletes what the probe created", async () => {
    const real = await realSide();
    const before = real.holdings();
    const onCall = (line: string) => {
      if (line.endsWith("/draft")) throw new TypeError("a bug");
    };
    await expect(probeOf(real, { only: ["revert.draft"], onCall })).rejects.toThrow("a bug");
    expect(real.holdings()).toEqual(before);
  });
});

describe("the journal of a probe", () => {
  test("names each thing before the call that creates it, and its id before the next call", async () => {
    const real = await realSide();
    const events: string[] = [];
    await probeOf(real, {
      only: ["contacts.known_email"],
      onCall: (line) => events.push(line.replace(/[\w-]{20,}$/, "{id}")),
      journal: (line) => events.push("kind" in line ? `${line.line} ${line.kind}` : line.line),
    });
    expect(events.slice(2)).toEqual([
      "run",
      "GET /public/v1/contacts",
      "before contact",
      "creates contact",
      "POST /public/v1/contacts",
      "created",
      "creates contact",
      "POST /public/v1/contacts",
      "refused",
      "GET /public/v1/contacts/{id}",
      "deletes",
      "DELETE /public/v1/contacts/{id}",
      "deleted",
      "GET /public/v1/contacts",
      "end",
    ]);
  });

  test("a journal that cannot be written stops the probe before it creates a thing", async () => {
    const real = await realSide();
    const before = real.holdings();
    const { report } = await probeOf(real, {
      only: ["contacts.known_email", "delete.second"],
      journal: ({ line }) => {
        if (line !== "run") throw new Error("The disk is full.");
      },
    });
    expect(report.stopped).toBe("The disk is full.");
    expect(report.results.map((one) => one.calls)).toEqual([1, 0]);
    expect(real.holdings()).toEqual(before);
  });

  test("a line that a crash cut is skipped, and the next probe begins a new line", () => {
    const file = join(dirname(files({ "a.txt": "" })), "probe.journal");
    const run = { line: "run", version: 1, run: "one", real: "https://a.example", account: "Member", at: "now" } as const;
    writeFileSync(file, `${JSON.stringify(run)}\n{"line":"creates","thing":1,"ki`);
    const journal = openJournal(file);
    journal.write({ ...run, run: "two" });
    journal.write({ line: "creates", thing: 1, kind: "contact", name: "a", implied: false, at: "now" });
    journal.close();
    expect(existsSync(file)).toBe(true);
    const runs = readJournal(readFileSync(file, "utf8"), file);
    expect(runs.map((one) => [one.run, one.things.length])).toEqual([
      ["one", 0],
      ["two", 1],
    ]);
  });

  test.each([
    ["an empty file", "", "no line of it starts a run"],
    ["another file", '{"a":1}\n', "no line of it starts a run"],
    ["a newer journal", '{"line":"run","version":2}', "a newer docdouble wrote it"],
    ["a damaged run", '{"line":"run","version":1,"run":"*","real":"x","account":"y"}', "the line of a run is damaged"],
  ])("%s is refused with the next step", (_, text, message) => {
    expect(() => readJournal(text, "probe.journal")).toThrow(`Cannot clean with probe.journal: ${message}`);
  });
});

describe("a lost answer and a late list", () => {
  test("the probe looks again until the list shows the thing", async () => {
    const account = await hostileAccount();
    const { report } = await account.probe(["delete.second"], HOSTILITIES["lists late and loses the answers to creations"]);
    expect(report).not.toHaveProperty("left_behind");
    expect(account.left()).toEqual([]);
  });

  test("what no list shows is reported with kind, name, address and time", async () => {
    const account = await hostileAccount();
    const { report } = await account.probe(["delete.second"], HOSTILITIES["lists nothing and loses the answers to creations"]);
    expect(report?.left_behind).toEqual([
      `contact "nora.lind+docdouble-probe-hostile@northpeak.example" (its id is unknown), made of a recipient, perhaps created at 2026-03-02T09:00:00.000000Z, in https://double.example/public/v1/contacts`,
      `document "docdouble probe hostile-1" (its id is unknown), perhaps created at 2026-03-02T09:00:00.000000Z, in https://double.example/public/v1/documents`,
    ]);
    expect(unnamed(account.left(), report?.left_behind)).toEqual([]);
  });

  test("a contact without a name is reported as one", async () => {
    const account = await hostileAccount();
    const { report } = await account.probe(["http.json_texts"], async (send, request) => {
      const answer = await send(request);
      return request.method === "POST" ? { status: 0, headers: {}, body: Buffer.alloc(0), failure: "ECONNRESET" } : answer;
    });
    expect(report?.left_behind).toEqual([
      expect.stringMatching(/^contact without a name \(its id is unknown\), perhaps created at 2026-03-02T09:00:00/),
    ]);
  });
});
