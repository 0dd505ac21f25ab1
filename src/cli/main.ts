import { nearest } from "../core/text.ts";
import { program } from "./program.ts";
import { EXIT_USAGE } from "./usage-error.ts";

refuseUnknownWord(process.argv[2]);
void program.parseAsync();

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
