/** Tests the notes of commands, the texts of the clock command, and the suggestions for wrong input. */
import { expect, test, vi } from "vitest";
import { type CommandRecord, notesText } from "../../src/cli/command-record.ts";
import { advancedText, clockText } from "../../src/cli/clock-text.ts";
import { withNearestChoice } from "../../src/cli/options.ts";
import { program, records } from "../../src/cli/commands.ts";
import { report } from "../../src/cli/run.ts";
import { usageMessage } from "../../src/cli/usage-error.ts";
import { verbRows } from "../../src/cli/verbs.ts";
import { SettingsError } from "../../src/library/errors.ts";

test("every command has examples and exit codes, and its examples use only its flags", () => {
  for (const { name, examples, exit } of records.filter((one) => one.name !== "help")) {
    const command = program.commands.find((one) => one.name() === name);
    expect.soft(examples.length, name).toBeGreaterThan(0);
    expect.soft(Object.keys(exit), name).toContain("0");
    for (const [line] of examples) {
      expect.soft(line.split(" ")[0]).toBe(name);
      const [own = ""] = line.split(" -- ");
      const ofVerb = name === "do" ? verbRows().find((one) => one.name === line.split(" ")[1])?.flags : undefined;
      for (const flag of own.match(/--[a-z-]+/g) ?? [])
        expect.soft([...(command?.options.map((one) => one.long) ?? []), ...(ofVerb ?? [])], line).toContain(flag);
    }
  }
  expect(notesText(records.find((one) => one.name === "health") as CommandRecord)).toContain("  docdouble health\n");
});

test("every command that prints a result has --json", () => {
  const without = program.commands.filter((one) => !one.options.some((option) => option.long === "--json"));
  // `start` has `--log json`, and `mcp` speaks JSON. The others print a script and a help text.
  expect(without.map((one) => one.name()).sort()).toEqual(["help", "mcp", "start"]);
});

test("the clock command prints the time, the waiting jobs and the results of an advance as sentences", () => {
  const at = (time: string) => `2026-03-${time}.000000Z`;
  expect(clockText({ now: at("02T09:00:00"), mode: "frozen", speed: 1, pending: 0, next: null })).toBe(
    "2026-03-02 09:00:00  frozen\nNo job waits.\n",
  );
  expect(
    clockText({
      ...{ now: at("02T09:00:00"), mode: "auto", speed: 1, pending: 2 },
      ...{ next: at("04T09:00:00"), stop_at: at("05T09:00:00") },
    }),
  ).toBe(
    "2026-03-02 09:00:00  auto, stops at 2026-03-05 09:00:00\n2 jobs wait. The next is due in 2 d, at 2026-03-04 09:00:00.\n",
  );
  expect(clockText({ now: at("02T09:00:00"), mode: "real", speed: 60, pending: 1, next: at("02T09:00:00") })).toBe(
    "2026-03-02 09:00:00  real, 60 times as fast\n1 job waits. The next is due now, at 2026-03-02 09:00:00.\n",
  );
  const moved = { from: at("02T09:00:00"), to: at("02T11:00:00") };
  expect(advancedText({ ...moved, fired: [], deliveries: [] })).toBe(
    "The clock moved 2 h, to 2026-03-02 11:00:00.\nNothing fell due.\n",
  );
  const fired = [
    { at: at("02T09:00:05"), kind: "convert_document", document: "abc" },
    { at: at("02T10:00:00"), kind: "scenario_step", actor: "Pat", refused: "not yet" },
  ];
  const deliveries = [{ event: "document_state_changed", url: "http://127.0.0.1:1/hook", state: "delivered" }];
  expect(advancedText({ ...moved, fired, deliveries }).split("\n")).toEqual([
    "The clock moved 2 h, to 2026-03-02 11:00:00.",
    "at                   what              about",
    "2026-03-02 09:00:05  convert document  abc",
    "2026-03-02 10:00:00  scenario step     Pat refused: not yet",
    "                     webhook           document_state_changed → http://127.0.0.1:1/hook: delivered",
    "",
  ]);
});

test("an invalid choice of an option gets the nearest choice as a suggestion", () => {
  const message = "error: option '--clock <mode>' argument 'forzen' is invalid. Allowed choices are real, frozen, auto.\n";
  expect(withNearestChoice(message)).toBe(`${message.trimEnd()} Did you mean frozen?\n`);
  expect(withNearestChoice("error: too many arguments.\n")).toBe("error: too many arguments.\n");
});

test("an invalid argument gets a short message with the nearest choice as a suggestion", () => {
  const message =
    "error: command-argument value 'advanse' is invalid for argument 'action'. Allowed choices are show, freeze, run, auto, advance.\n";
  expect(withNearestChoice(message)).toBe(
    "error: unknown action 'advanse'. Allowed choices are show, freeze, run, auto, advance. Did you mean advance?\n",
  );
});

test("names of files and scenarios cannot control the terminal", () => {
  const written: string[] = [];
  const spy = vi.spyOn(process.stderr, "write").mockImplementation((text) => written.push(String(text)) > 0);
  const unmet = [{ part: "requests" as const, text: "\u001b[31mred", expected: "1", found: "0" }];
  const outcome = {
    code: 0,
    checked: [],
    findings: [],
    events: [],
    seed: "1",
    isEmptied: false,
    otherCalls: 0,
    isIntercepted: false,
  };
  report({ ...outcome, unmet, scenario: "\u001b]0;title\u0007" });
  report({ ...outcome, unmet: [], scenario: "\u202eevil" });
  spy.mockRestore();
  written.push(usageMessage(new SettingsError("cannot read \u001b[2J.yaml:\nENOENT")));
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the test is about them
  expect(written.join("")).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/);
  expect(written.join("")).toContain("cannot read \\u001b[2J.yaml:\nENOENT");
});
