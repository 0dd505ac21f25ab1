import { nearest } from "../engine/core/text.ts";
import { unlessClosed } from "./closed-stream.ts";
import { program } from "./commands.ts";
import { readVariables } from "./own-variables.ts";
import { EXIT_USAGE } from "./usage-error.ts";

// A command must still clean up when nobody reads its output or its messages.
for (const stream of [process.stdout, process.stderr]) stream.on("error", unlessClosed);
refuseUnknownWord(process.argv[2]);
refuseFlagAsValue(process.argv.slice(2));
readOwnVariables(process.argv[2]);
void program.parseAsync();

function commandOf(word: string | undefined) {
  return program.commands.find((one) => one.name() === word) ?? program.commands.find((one) => one.name() === "start");
}

function readOwnVariables(word: string | undefined): void {
  const command = commandOf(word);
  const problem = command && readVariables(command);
  if (problem !== undefined) program.error(`error: ${problem}`, { exitCode: EXIT_USAGE });
}

/** `start` takes no words, so an unknown first word is a misspelled command or a scenario. */
function refuseUnknownWord(word: string | undefined): void {
  const names = program.commands.map((command) => command.name());
  if (word === undefined || word.startsWith("-") || word === "help" || names.includes(word)) return;
  const near = nearest(word, names);
  const suggestion = /\.(ya?ml|json)$/i.test(word)
    ? `; to serve a scenario: docdouble --scenario ${word}`
    : near === undefined
      ? `; use one of ${names.join(", ")}`
      : `; did you mean ${near}?`;
  program.error(`error: unknown command '${word}'${suggestion}`, { exitCode: EXIT_USAGE });
}

/** For `--allow-failure --out found`, Commander reads `--out` as a value. Users mean two options. */
function refuseFlagAsValue(words: readonly string[]): void {
  const command = commandOf(words[0]);
  const dashes = words.indexOf("--");
  const flags = dashes < 0 ? words : words.slice(0, dashes);
  const optionOf = (word: string | undefined) =>
    command?.options.find((one) => word !== undefined && [one.long, one.short].includes(word));
  for (const [i, word] of flags.entries()) {
    const option = optionOf(word);
    const next = flags[i + 1];
    if (!option?.required || !optionOf(next)) continue;
    program.error(`error: option '${option.flags}' needs a value, and '${next}' is an option`, { exitCode: EXIT_USAGE });
  }
}
