/**
 * `docdouble do`: every control verb as a command. `npm run docs` writes verbs.json from the records of the verbs, so that a command
 * starts without the library.
 */
import type { Command } from "commander";
import { own } from "../engine/core/maps.ts";
import { messageOf, noSuch } from "../engine/core/text.ts";
import { readRegularBytes } from "../engine/core/regular-file.ts";
import { namesInPath, toRequest } from "../engine/core/verb-request.ts";
import TABLE from "./verbs.json" with { type: "json" };

/** A member of a verb's input. A member of the path is an argument, and every other one is a flag. */
export interface Member {
  readonly name: string;
  /** How the command reads its text. `either`: as JSON if it is JSON. `bytes`: it names a file. */
  readonly takes: "text" | "json" | "either" | "bytes";
  readonly required?: boolean;
  readonly choices?: readonly string[];
  /** What it is, in a few words. */
  readonly is?: string;
}

export interface CommandVerb {
  readonly does: string;
  readonly route: string;
  /** The member that is the whole body. */
  readonly whole?: string;
  readonly members: readonly Member[];
}

export type VerbName = keyof typeof TABLE;
const VERBS: Readonly<Record<string, CommandVerb>> = TABLE as Record<VerbName, CommandVerb>;
export const VERB_NAMES: readonly string[] = Object.keys(VERBS);

export interface VerbCall {
  method: string;
  path: string;
  body: string | Uint8Array | undefined;
}

/** The call of the admin API for a verb. */
export function callOf(name: VerbName, input: Readonly<Record<string, unknown>>): VerbCall {
  return wired(VERBS[name] as CommandVerb, input);
}

function wired(verb: CommandVerb, input: Readonly<Record<string, unknown>>): VerbCall {
  const { body, ...call } = toRequest(verb, input);
  const isRaw = verb.members.some(({ name, takes }) => name === verb.whole && (takes === "text" || takes === "bytes"));
  return { ...call, body: body === undefined || isRaw ? (body as VerbCall["body"]) : JSON.stringify(body) };
}

/** The call that these words ask for. Prints the help instead where they ask for it, and returns undefined. Wrong words end the program. */
export function readCall(self: Command, words: readonly string[]): VerbCall | undefined {
  const [name, ...rest] = words;
  if (name === undefined || isHelp(name)) {
    process.stdout.write(listText());
    return undefined;
  }
  const verb = own(VERBS, name);
  if (!verb) return self.error(`error: ${noSuch("verb", name, VERB_NAMES)}`);
  const command = commandOf(self, name, verb);
  if (rest.some(isHelp)) {
    command.outputHelp();
    return undefined;
  }
  command.parse(rest, { from: "user" });
  return wired(verb, inputOf(command, verb));
}

const isHelp = (word: string) => word === "--help" || word === "-h";

function commandOf(self: Command, name: string, { does, route, members }: CommandVerb): Command {
  const command = self.createCommand(name).copyInheritedSettings(self).description(does).helpOption("-h, --help", "print help");
  command.parent = self;
  for (const member of argumentsOf({ route, members }))
    command.addArgument(withChoices(command.createArgument(`<${member.name}>`, member.is ?? ""), member));
  for (const member of flagsOf({ route, members })) {
    const option = command.createOption(`${flagOf(member)} ${PLACEHOLDERS[member.takes]}`, meaningOf(member));
    command.addOption(withChoices(option, member).makeOptionMandatory(member.required ?? false));
  }
  return command.addHelpText("after", `\n${NOTE}`);
}

const NOTE =
  "--url, --key and --admin-token choose the server, as `docdouble help do` shows.\nA value @FILE is the content of that file.";
const PLACEHOLDERS = { text: "<text>", json: "<json>", either: "<value>", bytes: "<file>" } as const;

function withChoices<T extends { choices(values: readonly string[]): T }>(part: T, { choices }: Member): T {
  return choices ? part.choices(choices) : part;
}

const meaningOf = ({ is, required, choices }: Member) =>
  [is, required ? "needed" : undefined].filter((one) => one !== undefined).join("; ") + (is && choices ? ": " : "");
const kebab = (name: string) => name.replaceAll("_", "-").replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
const camel = (name: string) => kebab(name).replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());

function inputOf(command: Command, verb: CommandVerb): Record<string, unknown> {
  const flags = command.opts() as Readonly<Record<string, string | undefined>>;
  const given = [
    ...argumentsOf(verb).map((member, i) => [member, command.args[i]] as const),
    ...flagsOf(verb).map((member) => [member, flags[camel(member.name)]] as const),
  ];
  return Object.fromEntries(
    given.flatMap(([member, text]) => (text === undefined ? [] : [[member.name, readValue(command, member, text)]])),
  );
}

function readValue(command: Command, { name, takes }: Member, given: string): unknown {
  if (takes === "bytes") return contentOf(command, given.replace(/^@/, ""));
  const text = given.startsWith("@") ? contentOf(command, given.slice(1)).toString("utf8") : given;
  if (takes === "text") return text;
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    if (takes === "either") return text;
    return command.error(`error: ${name} is JSON, and this text is not: ${messageOf(error)}`);
  }
}

function contentOf(command: Command, file: string): Buffer {
  try {
    return readRegularBytes(file);
  } catch (error) {
    return command.error(`error: cannot read ${file}: ${messageOf(error)}`);
  }
}

/** Every verb with its arguments and its first sentence. */
function listText(): string {
  const rows = verbRows();
  const width = Math.max(...rows.map(({ usage }) => usage.length));
  const lines = rows.map(({ usage, does }) => `  ${usage.padEnd(width)}  ${does}`);
  return ["Usage: docdouble do VERB [ARGUMENTS] [FLAGS]   (docdouble do VERB --help lists them)", ...lines, ""].join("\n");
}

/** In the order of the path. */
function argumentsOf({ route, members }: Pick<CommandVerb, "route" | "members">): Member[] {
  return namesInPath(route).map((name) => members.find((one) => one.name === name) ?? { name, takes: "text" });
}

function flagsOf({ route, members }: Pick<CommandVerb, "route" | "members">): Member[] {
  const inPath = namesInPath(route);
  return members.filter(({ name }) => !inPath.includes(name));
}

function flagOf({ name }: Member): string {
  return `--${kebab(name)}`;
}

function usageOf(name: string, verb: CommandVerb): string {
  return [name, ...argumentsOf(verb).map((one) => one.name.toUpperCase())].join(" ");
}

/** Each verb as the pages show it: how to call it, its flags, and its first sentence. */
export function verbRows(): { name: string; usage: string; flags: string[]; does: string }[] {
  return Object.entries(VERBS).map(([name, verb]) => ({
    name,
    usage: usageOf(name, verb),
    flags: flagsOf(verb).map(flagOf),
    does: firstSentence(verb.does),
  }));
}

const firstSentence = (text: string) => /^.*?\.(?= |$)/.exec(text)?.[0] ?? text;
