/** Tests cassettes that were made to harm: control characters for a terminal, and deep nesting. */
import { describe, expect, test } from "vitest";
import { readCassette } from "../../../src/tools/compare/cassette.ts";
import { replayCassette } from "../../../src/tools/compare/replay.ts";
import { jsonReport, plainReport, reportFor } from "../../../src/tools/compare/report-text.ts";
import { files } from "../../support/process.ts";

const HEADER = '{"cassette":1,"by":"hand","at":"2026-03-02T09:00:00.000Z"}\n';
const cassette = (...entries: (object | string)[]) =>
  readCassette(
    files({
      "bad.cassette": HEADER + entries.map((one) => `${typeof one === "string" ? one : JSON.stringify(one)}\n`).join(""),
    }),
  );
const DEEP = `${"[".repeat(200_000)}${"]".repeat(200_000)}`;
const EVIL = "\u001b]0;owned\u0007\u009b31m\u202e\r";
const call = (method: string, path: string, answer: object, body?: object) => ({
  call: "x",
  at: 0,
  request: { method, path, credentials: "key", ...(body ? { body } : {}) },
  answer,
});

describe("hostile cassettes", () => {
  test("low: a report shows control characters of methods, paths, events and members as escapes", async () => {
    const { calls, differences, notes } = await replayCassette(
      cassette(
        call("GET", `/${EVIL}`, { status: 200 }),
        call("GET", "/public/v1/templates", { status: 200, body: { json: { [`a${EVIL}\nb`]: EVIL } } }),
        call("GET", "/public/v1/templates", { status: 200, headers: { "retry-after": EVIL, "content-type": EVIL } }),
        {
          event: `e${EVIL}`,
          at: 1,
          body: { event: `e${EVIL}\nforged line`, data: { id: "Vb6TqHk3NzPw8RxLm2YsCd", status: EVIL } },
        },
      ),
    );
    const report = { version: 1 as const, calls, differences };
    const texts = [
      plainReport(report, [...notes, EVIL]),
      jsonReport(report),
      ...([".json", ".md", ".xml"] as const).map((one) => reportFor(one, report, notes)),
    ];
    for (const text of texts) {
      expect(text).toContain("owned");
      expect(text.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\u202e]/u);
      expect(text).not.toMatch(/^forged/m);
    }
    expect(JSON.parse(jsonReport(report))).toEqual(report);
  });

  test("low: a message about a cassette shows control characters of the file as escapes", () => {
    const file = files({ "bad.cassette": `{"cassette":2,"by":${JSON.stringify(EVIL)}}\n` });
    let message = "";
    try {
      readCassette(file);
    } catch (error) {
      message = (error as Error).message;
    }
    expect(message).toContain("owned");
    expect(message).not.toMatch(/[\p{Cc}\u202e]/u);
  });

  test.each([
    ["an entry", DEEP],
    [
      "a body of JSON",
      `{"call":"x","at":0,"request":{"method":"GET","path":"/","credentials":"key","body":{"json":${DEEP}}},"answer":{"status":200}}`,
    ],
    ["an event", `{"event":"x","at":0,"body":${DEEP}}`],
  ])("low: %s that is nested 200,000 deep is refused with the line", (_, line) => {
    expect(() => cassette(line)).toThrow(/:2: the entry is nested deeper than 110 levels\. Delete the line, or record again\./);
  });
});
