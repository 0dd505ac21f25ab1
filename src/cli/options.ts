import { type Argument, type Command, type Help, InvalidArgumentError, type Option } from "commander";
import { readDuration, speedProblem } from "../engine/core/time-limits.ts";
import { nearest, noSuch } from "../engine/core/text.ts";
import type { EventName } from "../library/file-types.ts";
import { words } from "../service/words.ts";

export function port(text: string): number {
  const number = digits(text);
  if (!(number <= 65_535)) throw new InvalidArgumentError("A port is a number from 0 to 65535.");
  return number;
}

/** NaN for a text with other signs than digits. `Number` would read an empty text as 0, and `0x10` as 16. */
function digits(text: string): number {
  return /^\d{1,15}$/.test(text.trim()) ? Number(text) : Number.NaN;
}

export function speed(text: string): number {
  const number = Number(text);
  const problem = speedProblem(number);
  if (problem !== undefined) throw new InvalidArgumentError(problem);
  return number;
}

export function delays(text: string): string[] {
  const parts = text.split(",").map((part) => part.trim());
  for (const part of parts) {
    const { problem } = readDuration(part);
    if (problem !== undefined) throw new InvalidArgumentError(problem);
  }
  return parts;
}

export function argumentTerm(argument: Argument): string {
  if (argument.name() === "command") return "-- CMD";
  const word = `${argument.name().toUpperCase()}${argument.variadic ? "..." : ""}`;
  return argument.required ? word : `[${word}]`;
}

export function choicesOf({ argChoices, defaultValue, defaultValueDescription }: Option): string {
  const shown = defaultValueDescription ?? defaultValue;
  return `${argChoices ? argChoices.join(" | ") : ""}${shown === undefined ? "" : ` (${String(shown)})`}`;
}

export const collect = (file: string, before: string[] | undefined): string[] => [...(before ?? []), file];

export const ids = (list: string, before: string[] | undefined): string[] => [
  ...(before ?? []),
  ...list
    .split(",")
    .map((one) => one.trim())
    .filter(Boolean),
];

export function wholeNumber(text: string): number {
  const number = digits(text);
  if (!(number >= 1)) throw new InvalidArgumentError("Write a whole number from 1.");
  return number;
}

export function variable(text: string, before: Record<string, string> | undefined): Record<string, string> {
  const [, name, value] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
  if (name === undefined || value === undefined)
    throw new InvalidArgumentError("A variable is NAME=TEXT, such as PANDADOC_URL={url}.");
  return { ...before, [name]: value };
}

export function webAddress(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol))
    throw new InvalidArgumentError("An address is a URL such as http://localhost:3000/hook.");
  return text;
}

export function eventName(text: string): EventName {
  const name = text.trim();
  const known = words.events.find((event) => event === name);
  if (known === undefined) throw new InvalidArgumentError(noSuch("event", name, words.events));
  return known;
}

export function eventNames(list: string): EventName[] {
  return list.split(",").map(eventName);
}

export function overview(command: Command, helper: Help): string {
  const commands = helper.visibleCommands(command);
  const width = Math.max(...commands.map((one) => helper.subcommandTerm(one).length));
  const rows = commands.map((one) => `  ${helper.subcommandTerm(one).padEnd(width)}  ${helper.subcommandDescription(one)}`);
  return [`Usage: ${command.name()} [COMMAND] [FLAGS], ${command.description()}`, ...rows, ""].join("\n");
}

export function withNearestChoice(message: string): string {
  const plain = message
    .replace(/command-argument value ('[^']*') is invalid for argument '(\w+)'/, "unknown $2 $1")
    .replace(/(?:unknown \w+ '[^']*'|option '[^']*' argument '[^']*' is invalid)\. (there is no .*)/, "$1");
  const [, word, choices] = /(?:argument|unknown \w+) '([^']+)'.*Allowed choices are (.+)\./.exec(plain) ?? [];
  const near = word === undefined || choices === undefined ? undefined : nearest(word, choices.split(", "));
  return near === undefined ? plain : `${plain.trimEnd()} Did you mean ${near}?\n`;
}
