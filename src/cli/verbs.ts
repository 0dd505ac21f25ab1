/** `docdouble do`: every control verb as a command, from the records of the verbs. */
import type { Command } from "commander";
import { messageOf, noSuch } from "../engine/core/text.ts";
import { readRegularBytes } from "../engine/core/regular-file.ts";
import { namesInPath, toRequest } from "../engine/core/verb-request.ts";
import { toJSONSchema } from "../engine/core/json-schemas.ts";
import type { Verb } from "../engine/core/verb.ts";
import { verbGroups } from "../library/surfaces.ts";

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

/** The reason of a verb against a command, or undefined. */
export function reasonAgainst(verb: Verb<never>, group: { readonly without: Verb["without"] }): string | undefined {
  return verb.without?.command ?? group.without?.command;
}

const RECORDS: ReadonlyMap<string, Verb<never>> = new Map(
  verbGroups.flatMap((group) =>
    (group.verbs as readonly Verb<never>[])
      .filter((verb) => verb.admin && reasonAgainst(verb, group) === undefined)
      .map((verb): [string, Verb<never>] => [verb.name, verb]),
  ),
);
export const VERB_NAMES: readonly string[] = [...RECORDS.keys()];

/** @throws for an unknown verb */
export function commandVerb(name: string): CommandVerb {
  const { does, input, admin } = RECORDS.get(name) as Verb<never>;
  if (!admin) throw new Error(`${name} has no path in the admin API`);
  const { properties = {}, required = [] } = input
    ? (toJSONSchema(input(), { target: "draft-2020-12", io: "input", unrepresentable: "any" }) as Json)
    : {};
  const inPath = namesInPath(admin.route);
  const members = Object.entries(properties as Record<string, Json>).map(([member, schema]): Member => {
    const choices = choicesOf(schema);
    return {
      name: member,
      takes: admin.body === member && admin.bodyKind !== undefined ? admin.bodyKind : kindOf(schema),
      ...((required as readonly string[]).includes(member) || inPath.includes(member) ? { required: true } : {}),
      ...(choices.length === 0 ? {} : { choices }),
      ...(schema.description === undefined ? {} : { is: schema.description as string }),
    };
  });
  return { does, route: admin.route, ...(admin.body === undefined ? {} : { whole: admin.body }), members };
}

type Json = Record<string, unknown>;

/** The command passes `text` on unchanged, `json` is read as JSON, and `either` is read as JSON where it is JSON. */
function kindOf(schema: Json): Member["takes"] {
  const kinds = new Set(
    alternatives(schema).flatMap(({ type, enum: values = [] }) => type ?? (values as unknown[]).map((one) => typeof one)),
  );
  if (!kinds.has("string")) return "json";
  return kinds.size === 1 ? "text" : "either";
}

function choicesOf(schema: Json): string[] {
  const all = alternatives(schema);
  const values = all.flatMap((one) => (one.enum as unknown[] | undefined) ?? (one.const === undefined ? [] : [one.const]));
  const isClosed = all.every((one) => one.enum !== undefined || one.const !== undefined);
  return isClosed && values.every((one) => typeof one === "string") ? values : [];
}

function alternatives(schema: Json): Json[] {
  const inner = (schema.anyOf ?? schema.oneOf) as Json[] | undefined;
  return inner ? inner.flatMap(alternatives) : [schema];
}

export interface VerbCall {
  method: string;
  path: string;
  body: string | Uint8Array | undefined;
}

/** The call of the admin API for a verb. */
export function callOf(name: string, input: Readonly<Record<string, unknown>>): VerbCall {
  return wired(commandVerb(name), input);
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
  if (!RECORDS.has(name)) return self.error(`error: ${noSuch("verb", name, VERB_NAMES)}`);
  const verb = commandVerb(name);
  const command = commandOf(self, name, verb);
  if (rest.some(isHelp)) {
    command.outputHelp();
    return undefined;
  }
  command.parse(withFlags(verb, rest), { from: "user" });
  return wired(verb, inputOf(command, verb));
}

/** `status=x` means the same as `--status x`. */
function withFlags(verb: CommandVerb, words: readonly string[]): string[] {
  return words.flatMap((word) => {
    const [, name, text = ""] = /^(\w[\w-]*)=(.*)$/s.exec(word) ?? [];
    const member = name === undefined ? undefined : flagsOf(verb).find((one) => kebab(one.name) === kebab(name));
    return member ? [flagOf(member), text] : [word];
  });
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
  return VERB_NAMES.map((name) => {
    const verb = commandVerb(name);
    return { name, usage: usageOf(name, verb), flags: flagsOf(verb).map(flagOf), does: firstSentence(verb.does) };
  });
}

const firstSentence = (text: string) => /^.*?\.(?= |$)/.exec(text)?.[0] ?? text;
