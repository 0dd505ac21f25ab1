import type { Command, Option } from "commander";
import { EVENTS } from "../domain/document-model/status-machine.ts";

export const SHELLS = ["bash", "zsh", "fish"] as const;
export type Shell = (typeof SHELLS)[number];

export function completionScript(shell: Shell, program: Command): string {
  const commands = program.commands.map(toWords);
  return { bash, zsh, fish }[shell](commands);
}

/** Values of arguments and flags that a parser of ours checks, so commander does not know them. */
const VALUES: Readonly<Record<string, readonly string[]>> = { event: EVENTS, "--events": EVENTS, "--webhook-events": EVENTS };

interface Words {
  name: string;
  description: string;
  options: { flag: string; description: string; takesValue: boolean; choices: readonly string[] }[];
  choices: readonly string[];
}

function toWords(command: Command): Words {
  const [first] = command.registeredArguments;
  return {
    name: command.name(),
    description: command.summary() || command.description(),
    options: command.options.filter((one) => !one.hidden).map(toOption),
    choices: first?.argChoices ?? VALUES[first?.name() ?? ""] ?? [],
  };
}

function toOption(option: Option): Words["options"][number] {
  const { long, short, description, argChoices = VALUES[long ?? ""] ?? [] } = option;
  return {
    flag: long ?? short ?? "",
    description: description.replace(/:\s*$/, ""),
    takesValue: option.required || option.optional,
    choices: argChoices,
  };
}

function bash(commands: readonly Words[]): string {
  const names = commands.map((one) => one.name).join(" ");
  const values = commands.flatMap(({ name, options }) =>
    options
      .filter((one) => one.choices.length > 0)
      .map(
        ({ flag, choices }) => `    "${name} ${flag}") COMPREPLY=($(compgen -W "${choices.join(" ")}" -- "$current")); return ;;`,
      ),
  );
  const words = commands.map(
    ({ name, options, choices }) =>
      `    ${name}) words="${[...choices, ...options.map((one) => one.flag), "--help"].join(" ")}" ;;`,
  );
  return `# bash completion of docdouble
_docdouble() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" command="\${COMP_WORDS[1]}" words
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${names} --help --version" -- "$current"))
    return
  fi
  case "$command $previous" in
${values.join("\n")}
  esac
  case "$command" in
${words.join("\n")}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _docdouble docdouble
`;
}

/** Text between single quotes, without the characters that _arguments reads. */
const quoted = (text: string) => text.replace(/'/g, "'\\''").replace(/[[\]]/g, "").replace(/:/g, "\\:");

function zsh(commands: readonly Words[]): string {
  const cases = commands.map(({ name, options, choices }) => {
    const specs = options.map((one) => {
      const value = one.choices.length > 0 ? `:value:(${one.choices.join(" ")})` : one.takesValue ? ":value:_files" : "";
      return `'*${one.flag}[${quoted(one.description)}]${value}'`;
    });
    const first = choices.length > 0 ? `'1:value:(${choices.join(" ")})'` : "'*:file:_files'";
    return `    ${name}) _arguments ${[...specs, first].join(" ")} ;;`;
  });
  return `#compdef docdouble
_docdouble() {
  local -a commands=(
${commands.map(({ name, description }) => `    '${name}:${quoted(description)}'`).join("\n")}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  local command=$words[2]
  shift words
  (( CURRENT-- ))
  case $command in
${cases.join("\n")}
  esac
}
_docdouble "$@"
`;
}

function fish(commands: readonly Words[]): string {
  const text = (one: string) => `'${one.replace(/\\/g, "\\\\").replace(/'/g, "\\'")}'`;
  const lines = commands.flatMap(({ name, description, options, choices }) => {
    const within = `complete -c docdouble -n '__fish_seen_subcommand_from ${name}'`;
    return [
      `complete -c docdouble -n __fish_use_subcommand -f -a ${name} -d ${text(description)}`,
      ...(choices.length > 0 ? [`${within} -f -a ${text(choices.join(" "))}`] : []),
      ...options.map((one) => {
        const value = one.choices.length > 0 ? ` -x -a ${text(one.choices.join(" "))}` : one.takesValue ? " -r" : "";
        return `${within} -l ${one.flag.replace(/^--/, "")}${value} -d ${text(one.description)}`;
      }),
    ];
  });
  return `# fish completion of docdouble\n${lines.join("\n")}\n`;
}
