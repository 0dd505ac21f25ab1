/** Makes docs/commands.md: every command with its flags, examples and exit codes. */
import type { Command, Option } from "commander";
import { NOTES, USAGE_EXIT } from "../src/cli/command-notes.ts";
import { program } from "../src/cli/commands.ts";
import { verbRows } from "../src/cli/verbs.ts";

export function commandsPage(note: string): string {
  const commands = program.commands.filter((one) => one.name() !== "help");
  return [
    "# Commands",
    note,
    [
      "`docdouble help COMMAND` prints the same. Without a command, docdouble starts the server. Commands for a running server talk to",
      "`http://127.0.0.1:4010`, to the address that you pass, or to `DOCDOUBLE_URL`.",
    ].join("\n"),
    [
      "Colors appear on a terminal. `NO_COLOR` turns them off and `FORCE_COLOR` on. `--json` prints a result as JSON. Exit code 2 always",
      `means: ${USAGE_EXIT}.`,
    ].join("\n"),
    ...commands.map(section),
    "",
  ]
    .join("\n\n")
    .replace(/\n+$/, "\n");
}

function section(command: Command): string {
  const notes = NOTES[command.name()];
  if (!notes) throw new Error(`src/cli/command-notes.ts has no notes on ${command.name()}`);
  const flags = command.options.filter((one) => !one.hidden);
  const codes = Object.entries(notes.exit).map(([code, meaning]) => `${code}: ${meaning}`);
  if (notes.else !== undefined) codes.push(`any other: ${notes.else}`);
  const description = command.description();
  return [
    `## ${command.name()}`,
    `${description.replace(/^./, (first) => first.toUpperCase())}.`,
    `<!-- not run: the form of the command -->\n\n\`\`\`\ndocdouble ${command.name()} ${command.usage()}\n\`\`\``,
    ...(flags.length === 0 ? [] : [["| flag | meaning |", "|---|---|", ...flags.map(flagRow)].join("\n")]),
    `<!-- not run here: test/cli/commands.test.ts checks their flags -->\n\n\`\`\`\n${notes.examples.map(([line, does]) => `docdouble ${line}   # ${does}`).join("\n")}\n\`\`\``,
    `Exit codes: ${codes.join("; ")}.`,
    ...(command.name() === "do" ? [verbsPart()] : []),
  ].join("\n\n");
}

function verbsPart(): string {
  const rows = verbRows().map(({ usage, flags, does }) =>
    [`| \`do ${usage}\``, flags.map((flag) => `\`${flag}\``).join(" "), `${does} |`].join(" | "),
  );
  return [
    "Each verb is one call of the [admin API](admin-api.md), which explains it. A value `@FILE` is the content of that file.",
    ["| command | flags | what it does |", "|---|---|---|", ...rows].join("\n"),
  ].join("\n\n");
}

function flagRow({ flags, description, argChoices, defaultValue, defaultValueDescription, envVar }: Option): string {
  const shown = defaultValueDescription ?? defaultValue;
  const meaning = [
    `${description.trim()}${argChoices ? ` ${argChoices.map((one) => `\`${one}\``).join(", ")}` : ""}`,
    ...(shown === undefined || typeof shown === "boolean" ? [] : [`default \`${String(shown)}\``]),
    ...(envVar === undefined ? [] : [`environment \`${envVar}\``]),
  ].join("; ");
  return `| \`${flags}\` | ${meaning.replaceAll("|", "\\|")} |`;
}
