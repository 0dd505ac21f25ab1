/** Runs the completion scripts of bash, zsh and fish in these shells. A shell that is not installed has no test. */
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { completionScript, type Shell } from "../../../src/cli/completion.ts";
import { program } from "../../../src/cli/commands.ts";
import { EVENTS } from "../../../src/service/nouns/documents/status-machine.ts";
import { within } from "../../support/patience.ts";
import { files } from "../../support/process.ts";

const names = program
  .createHelp()
  .visibleCommands(program)
  .map((one) => one.name());

function print(shell: Shell, args: readonly string[], cwd = files()): string[] {
  return execFileSync(shell, args, { cwd, timeout: within(30_000) })
    .toString()
    .replace(/\n$/, "")
    .split("\n");
}

/** Completes the lines in bash, and splits each line as bash does, also at `=`. */
function bash(lines: readonly string[]): string[][] {
  const script = `${completionScript("bash", program)}
for line in "$@"; do
  IFS=' ' read -ra COMP_WORDS <<<"\${line//=/ = }"; [[ "$line" == *' ' ]] && COMP_WORDS+=("")
  COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); COMPREPLY=(); _docdouble; echo "\${COMPREPLY[@]}"
done`;
  return print("bash", ["--norc", "-c", script, "bash", ...lines]).map(toWords);
}

function fish(lines: readonly string[]): string[][] {
  const script = `${completionScript("fish", program)}
for line in $argv; echo (complete -C $line | string split -f 1 \\t); end`;
  return print("fish", ["--no-config", "-c", script, ...lines]).map(toWords);
}

/** The setup of an interactive zsh. Its replacement for `compadd` records the words that fit. */
const ZSH_SETUP = `
PROMPT= PROMPT2=
autoload -Uz compinit
compinit -u -D
typeset -ga found
compadd() {
  if [[ \${@[1,(i)(-|--)]} == *-(O|A|D)\\ * ]]; then builtin compadd "$@"; return; fi
  local -a fitting
  builtin compadd -A fitting "$@"
  found+=($fitting)
  builtin compadd "$@"
}
tell() { print -rn -- "<<\${found}>>"; found=(); zle kill-whole-line; }
zle -N tell
bindkey '^X' tell
print -n '<<ready>>'
`;
const ZSH_DRIVER = `
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell "fpath=($PWD \\$fpath); source $PWD/setup.zsh"
zpty -r shell out '*<<ready>>*'
for line in "$@"; do
  zpty -w -n shell "$line"$'\\t\\x18'
  zpty -r shell out '*<<*>>*'
  print -r -- "\${\${out##*<<}%%>>*}"
done
zpty -d shell
`;

function zsh(lines: readonly string[]): string[][] {
  const driver = files({ "drive.zsh": ZSH_DRIVER, "setup.zsh": ZSH_SETUP, _docdouble: completionScript("zsh", program) });
  return print("zsh", ["-f", driver, ...lines], dirname(driver)).map(toWords);
}

function toWords(line: string): string[] {
  return line
    .split(" ")
    .filter((one) => one !== "")
    .sort();
}

const flagsOf = (name: string, prefix: string) =>
  program.commands
    .find((one) => one.name() === name)
    ?.options.filter((one) => !one.hidden)
    .map((one) => one.long ?? "")
    .concat("--help")
    .filter((one) => one.startsWith(prefix))
    .sort();

const COMPLETED = EVENTS.filter((one) => one.startsWith("document_completed")).sort();

const LINES: readonly (readonly [line: string, expected: unknown])[] = [
  ["docdouble ", expect.arrayContaining(names)],
  ["docdouble compl", []],
  ["docdouble rep", ["replay"]],
  ["docdouble start --web", flagsOf("start", "--web")],
  ["docdouble --po", ["--port"]],
  ["docdouble --port 0 --any", []],
  ["docdouble --vers", ["--version"]],
  ["docdouble start --clock fr", ["frozen"]],
  ["docdouble start --clock=fr", ["frozen"]],
  ["docdouble schema sc", ["scenario"]],
  ["docdouble trigger document_completed", COMPLETED],
  ["docdouble listen --events document_completed", COMPLETED],
  ["docdouble listen --events document_created,quote_", EVENTS.filter((one) => one.startsWith("quote_"))],
  ["docdouble clock run --", flagsOf("clock", "--")],
  ["docdouble run -- docdouble --po", []],
];

const SHELLS = { bash, zsh, fish };
const isThere = (shell: string) => (process.env.PATH ?? "").split(delimiter).some((folder) => existsSync(join(folder, shell)));

describe.each(Object.entries(SHELLS).filter(([shell]) => isThere(shell)))("the completion of %s", (_shell, complete) => {
  test("completes commands, flags, values and lists, and ignores the words after --", () => {
    const found = complete(LINES.map(([line]) => line));
    for (const [i, [line, expected]] of LINES.entries()) {
      // fish and bash return the whole word, with the flag or the earlier values in front.
      const values = found[i]?.map((one) => one.replace(/^--\w+=|^.*,/, ""));
      expect.soft(values, line).toEqual(expected);
    }
  });
});

test("the completions of zsh and fish contain every command, the choices, and the help of flags", () => {
  for (const shell of ["zsh", "fish"] as const) {
    const script = completionScript(shell, program);
    for (const name of names) expect.soft(script, shell).toMatch(new RegExp(`\\b${name}\\b`));
    expect.soft(script, shell).toContain("real frozen auto");
    expect.soft(script, shell).toContain("webhook-events");
    // `trigger` and three flags take events.
    expect.soft(script.match(/\bdocument_completed\b/g)?.length, shell).toBeGreaterThanOrEqual(3);
  }
  expect(completionScript("zsh", program)).toContain("'*--port=[port to listen on; 0 picks a free one]:value: '");
  expect(completionScript("fish", program)).toContain("-l watch -d 'reload files when they change; keep the state'");
});
