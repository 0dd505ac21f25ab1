/** One record for each command. The command itself, its help, its examples and its exit codes come from the record. */
import { Argument, type Command, Option } from "commander";
import { EXIT_USAGE } from "./usage-error.ts";

export interface Flag {
  /** Such as `--port <number>`. */
  flag: string;
  is: string;
  /** The environment variable that sets it too. */
  env?: string;
  choices?: readonly string[];
  default?: unknown;
  /** How the help shows the default. */
  shown?: string;
  read?: (text: string, before: never) => unknown;
  isNeeded?: true;
  isHidden?: true;
}

export interface CommandRecord {
  name: string;
  does: string;
  /** In the list of all commands. Default: as `does`. */
  inList?: string;
  usage?: string;
  takes?: readonly Argument[];
  flags: readonly Flag[];
  examples: readonly (readonly [line: string, does: string])[];
  exit: Readonly<Record<number, string>>;
  /** What every other code means. */
  else?: string;
  /** Gets the arguments, the flags and the command. A number is the exit code. */
  run(...given: never[]): unknown;
  /** What commander has beside. */
  change?(command: Command): void;
}

export function argument(term: string, is?: string, byDefault?: unknown): Argument {
  const made = new Argument(term, is);
  return byDefault === undefined ? made : made.default(byDefault);
}

export function addCommand(program: Command, record: CommandRecord): void {
  const { name, does, inList, usage, takes = [], flags, run, change } = record;
  const command = program.command(name, { isDefault: name === "start", hidden: name === "help" }).description(does);
  if (inList !== undefined) command.summary(inList);
  if (usage !== undefined) command.usage(usage);
  for (const one of takes) command.addArgument(one);
  for (const one of flags) command.addOption(optionOf(one));
  if (record.examples.length > 0) command.addHelpText("after", notesText(record));
  change?.(command);
  command.action(async (...given) => {
    const code = await run(...(given as never[]));
    if (typeof code === "number") process.exitCode = code;
  });
}

function optionOf({ flag, is, env, choices, default: byDefault, shown, read, isNeeded, isHidden }: Flag): Option {
  const option = new Option(flag, is).makeOptionMandatory(isNeeded ?? false).hideHelp(isHidden ?? false);
  if (env !== undefined) option.env(env);
  if (choices) option.choices(choices);
  if (byDefault !== undefined || shown !== undefined) option.default(byDefault, shown);
  return read ? option.argParser(read as (text: string, before: unknown) => unknown) : option;
}

export const USAGE_EXIT = "the arguments are wrong, or a file cannot be read";

export function notesText({ examples, exit, else: other }: CommandRecord): string {
  const lines = examples.flatMap(([line, does]) => [`  # ${does}`, `  docdouble ${line}`]);
  const codes = Object.entries({ ...exit, [EXIT_USAGE]: USAGE_EXIT }).map(([code, meaning]) => `  ${code.padEnd(4)}${meaning}`);
  if (other !== undefined) codes.push(`  any ${other}`);
  return ["", "Examples:", ...lines, "", "Exit codes:", ...codes].join("\n");
}
