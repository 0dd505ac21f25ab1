/** Tests the environment variables that docdouble itself reads. */
import { expect, test } from "vitest";
import { program } from "../../src/cli/commands.ts";
import { readVariables, ownVariable } from "../../src/cli/own-variables.ts";

const command = (name: string) => {
  const found = program.commands.find((one) => one.name() === name);
  if (!found) throw new Error(`no command ${name}`);
  return found;
};
const start = command("start");
const variablesOf = (name: string) => command(name).options.flatMap(({ envVar }) => envVar ?? []);

test("every variable of every command counts as unset when it is empty or blank", () => {
  const names = new Set(program.commands.flatMap((one) => variablesOf(one.name())));
  expect([...names]).toEqual(expect.arrayContaining(["PORT", "DOCDOUBLE_PORT", "DOCDOUBLE_ADMIN_TOKEN", "DOCDOUBLE_REAL_KEY"]));
  for (const one of program.commands) {
    for (const blank of ["", " ", "\t\n"]) {
      const env = Object.fromEntries(variablesOf(one.name()).map((name) => [name, blank]));
      expect(readVariables(one, env)).toBeUndefined();
      expect(env).toEqual({});
    }
  }
});

test("a variable with a value, and one of another command, stay as they are", () => {
  const env = { DOCDOUBLE_SEED: " 7", DOCDOUBLE_PORT: "", PORT: "", HOME: "" };
  expect(readVariables(command("health"), env)).toBeUndefined();
  expect(env).toEqual({ DOCDOUBLE_SEED: " 7", DOCDOUBLE_PORT: "", PORT: "", HOME: "" });
  expect(readVariables(start, env)).toBeUndefined();
  expect(env).toEqual({ DOCDOUBLE_SEED: " 7", HOME: "" });
});

test("a variable of a flag without a value is true or false, and another text is refused", () => {
  const switches = start.options.filter(({ envVar, required, optional }) => envVar && !required && !optional);
  expect(switches.map(({ envVar }) => envVar)).toEqual(["DOCDOUBLE_ALLOW_PRIVATE_TARGETS"]);
  for (const { envVar = "" } of switches) {
    for (const no of ["false", "0", "No", " off "]) {
      const env = { [envVar]: no };
      expect(readVariables(start, env)).toBeUndefined();
      expect(env).toEqual({});
    }
    for (const yes of ["true", "1", "YES", "on"]) {
      const env = { [envVar]: yes };
      expect(readVariables(start, env)).toBeUndefined();
      expect(env).toEqual({ [envVar]: yes });
    }
    expect(readVariables(start, { [envVar]: "maybe" })).toBe(`${envVar} is true or false, not "maybe"`);
  }
});

test("an empty variable without a flag counts as unset too", () => {
  expect(ownVariable("DOCDOUBLE_URL", { DOCDOUBLE_URL: "" })).toBeUndefined();
  expect(ownVariable("DOCDOUBLE_URL", { DOCDOUBLE_URL: "  " })).toBeUndefined();
  expect(ownVariable("DOCDOUBLE_URL", {})).toBeUndefined();
  expect(ownVariable("DOCDOUBLE_URL", { DOCDOUBLE_URL: "http://a.example" })).toBe("http://a.example");
});

test.each(["", " ", "0x10", "1e3", "4010.5", "-1", "65536", "4010 4011"])("the port %j is refused", (text) => {
  const option = start.options.find(({ long }) => long === "--port");
  expect(() => option?.parseArg?.(text, undefined)).toThrow("A port is a number from 0 to 65535.");
  expect(option?.parseArg?.("65535", undefined)).toBe(65_535);
});

test.each(["", "0", "1e2", "0x10"])("the number %j of calls is refused", (text) => {
  const option = start.options.find(({ long }) => long === "--journal-max");
  expect(() => option?.parseArg?.(text, undefined)).toThrow("Write a whole number from 1.");
});
