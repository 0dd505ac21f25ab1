/** Makes the list of all commands from their help. */
import type { Command } from "commander";
import { program } from "../../src/cli/commands.ts";

export function commandsList(): string {
  return [
    "# Commands",
    "`docdouble help` and `docdouble help COMMAND` print these texts.",
    ...program.commands
      .filter((one) => one.name() !== "help")
      .map((one) => `## ${one.name()}\n\n\`\`\`\n${helpOf(one).trim()}\n\`\`\``),
    "",
  ].join("\n\n");
}

function helpOf(command: Command): string {
  let printed = "";
  command.configureOutput({
    writeOut: (text) => {
      printed += text;
    },
    getOutHasColors: () => false,
    getOutHelpWidth: () => 100,
  });
  command.outputHelp();
  return printed;
}
