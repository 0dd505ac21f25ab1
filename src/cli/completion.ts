import type { Command, Option } from "commander";
import { words } from "../service/words.ts";

export const SHELLS = ["bash", "zsh", "fish"] as const;
export type Shell = (typeof SHELLS)[number];

/** @param verbs what `docdouble do` completes */
export function completionScript(shell: Shell, program: Command, verbs: readonly string[] = []): string {
  const commands = program
    .createHelp()
    .visibleCommands(program)
    .map((one) => toWords(one, verbs));
  return { bash, zsh, fish }[shell](commands);
}

/** Values that docdouble's own parsers check, so commander does not know them. */
const VALUES: Readonly<Record<string, readonly string[]>> = {
  event: words.events,
  "--events": words.events,
  "--webhook-events": words.events,
};

const DEFAULT = "start";

interface Words {
  name: string;
  description: string;
  flags: Flag[];
  choices: readonly string[];
  hasArguments: boolean;
}

interface Flag {
  flag: string;
  description: string;
  value: "none" | "choice" | "list" | "file" | "text";
  choices: readonly string[];
}

function toWords(command: Command, verbs: readonly string[]): Words {
  const [first] = command.registeredArguments;
  return {
    name: command.name(),
    description: command.summary() || command.description(),
    flags: [...command.options.filter((one) => !one.hidden).map(toFlag), HELP],
    choices: first?.argChoices ?? (first?.name() === "verb" ? verbs : VALUES[first?.name() ?? ""]) ?? [],
    hasArguments: first !== undefined,
  };
}

const HELP: Flag = { flag: "--help", description: "print help", value: "none", choices: [] };
const VERSION: Flag = { flag: "--version", description: "print the version", value: "none", choices: [] };

function toFlag(option: Option): Flag {
  const { long, short, description, argChoices, flags } = option;
  const listed = VALUES[long ?? ""];
  const takesFile = /<(?:file|folder)>/.test(flags);
  return {
    flag: long ?? short ?? "",
    description: description.replace(/:\s*$/, ""),
    value: argChoices ? "choice" : listed ? "list" : !option.required && !option.optional ? "none" : takesFile ? "file" : "text",
    choices: argChoices ?? listed ?? [],
  };
}

function bash(commands: readonly Words[]): string {
  const names = commands.map((one) => one.name).join(" ");
  const values = commands.flatMap(({ name, flags }) =>
    flags
      .filter((one) => one.value !== "none")
      .map(({ flag, value, choices }) => `    "${name} ${flag}") ${bashValue(value, choices.join(" "))} return ;;`),
  );
  const words = commands.map(
    ({ name, flags, choices }) => `    ${name}) words="${[...choices, ...flags.map((one) => one.flag)].join(" ")}" ;;`,
  );
  return `# bash completion of docdouble
_docdouble() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" command="\${COMP_WORDS[1]}" words list word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    [ "$word" = -- ] && return
  done
  if [ "$COMP_CWORD" -eq 1 ] && [[ "$current" != -* ]]; then
    COMPREPLY=($(compgen -W "${names} --help --version" -- "$current"))
    return
  fi
  [[ "$command" == -* ]] && command=${DEFAULT}
  # bash splits --flag=value into three words.
  [ "$current" = = ] && current=
  [ "$previous" = = ] && previous="\${COMP_WORDS[COMP_CWORD-2]}"
  list="\${current%"\${current##*,}"}"
  case "$command $previous" in
${values.join("\n")}
  esac
  case "$command" in
${words.join("\n")}
  esac
  [ "$COMP_CWORD" -eq 1 ] && words="$words --version"
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _docdouble docdouble
`;
}

/** An empty reply lets bash complete files. */
function bashValue(value: Flag["value"], choices: string): string {
  if (value === "choice") return `COMPREPLY=($(compgen -W "${choices}" -- "$current"));`;
  if (value === "list") return `COMPREPLY=($(compgen -P "$list" -W "${choices}" -- "\${current##*,}"));`;
  return value === "file" ? "" : "compopt +o default 2>/dev/null;";
}

/** Removes characters that `_arguments` would read. */
const quoted = (text: string) => text.replace(/'/g, "'\\''").replace(/[[\]]/g, "").replace(/:/g, "\\:");

function zsh(commands: readonly Words[]): string {
  const cases = commands.map(({ name, flags, choices, hasArguments }) => {
    const all = name === DEFAULT ? [...flags, VERSION] : flags;
    const specs = all.map(
      (one) => `'*${one.flag}${one.value === "none" ? "" : "="}[${quoted(one.description)}]${zshValue(one.value, one.choices)}'`,
    );
    const first = choices.length > 0 ? [`'1:value:(${choices.join(" ")})'`] : hasArguments ? ["'*:file:_files'"] : [];
    return `    ${name}) _arguments -S ${[...specs, ...first].join(" ")} ;;`;
  });
  return `#compdef docdouble
_docdouble() {
  local -a commands=(
${commands.map(({ name, description }) => `    '${name}:${quoted(description)}'`).join("\n")}
  )
  local command=$words[2]
  if [[ $command == -* ]]; then
    command=${DEFAULT}
  elif (( CURRENT == 2 )); then
    _describe command commands
    return
  else
    shift words
    (( CURRENT-- ))
  fi
  case $command in
${cases.join("\n")}
  esac
}
_docdouble "$@"
`;
}

function zshValue(value: Flag["value"], choices: readonly string[]): string {
  const all = choices.join(" ");
  return {
    none: "",
    choice: `:value:(${all})`,
    list: `:value:_values -s , value ${all}`,
    file: ":file:_files",
    text: ":value: ",
  }[value];
}

function fish(commands: readonly Words[]): string {
  const text = (one: string) => `'${one.replace(/\\/g, "\\\\").replace(/'/g, "\\'")}'`;
  const option = (condition: string, { flag, value, choices, description }: Flag) =>
    `complete -c docdouble -n ${text(condition)} -l ${flag.replace(/^--/, "")}${fishValue(value, choices.join(" "))} -d ${text(description)}`;
  const lines = commands.flatMap(({ name, description, flags, choices, hasArguments }) => {
    const condition = `__docdouble_is ${name}`;
    const argument = choices.length > 0 ? ` -a ${text(choices.join(" "))}` : "";
    return [
      `complete -c docdouble -n __docdouble_has_no_command -f -a ${name} -d ${text(description)}`,
      ...(choices.length > 0 || !hasArguments ? [`complete -c docdouble -n ${text(condition)} -f${argument}`] : []),
      ...flags.map((one) => option(condition, one)),
    ];
  });
  return `# fish completion of docdouble
function __docdouble_has_no_command
    test (count (commandline -opc)) -eq 1
end
function __docdouble_is
    set -l words (commandline -opc)
    contains -- -- $words; and return 1
    set -l command "$words[2]"
    string match -qr -- '^(-|$)' $command; and set command ${DEFAULT}
    test $command = $argv[1]
end
${option("__docdouble_has_no_command", VERSION)}
${lines.join("\n")}
`;
}

function fishValue(value: Flag["value"], choices: string): string {
  return {
    none: "",
    choice: ` -x -a '${choices}'`,
    list: ` -x -a '(__fish_append , ${choices})'`,
    file: " -r",
    text: " -x",
  }[value];
}
