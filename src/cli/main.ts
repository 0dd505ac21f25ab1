/** The command line. No other file reads arguments and environment variables. */
import { Argument, Command, InvalidArgumentError, Option } from "commander";
import { readDuration, speedProblem } from "../core/time-limits.ts";
import { nearest } from "../core/text.ts";
import { VERSION } from "../sandbox.ts";
import { PROFILES } from "../assumptions/profiles.ts";
import { printAssumptions } from "./assumptions.ts";
import { check } from "./check.ts";
import type { CompareFlags } from "./compare.ts";
import { runEveryReading } from "./every-reading.ts";
import { health } from "./health.ts";
import { init } from "./init.ts";
import { PRINTABLE, printOpenApi, printSchema } from "./print.ts";
import type { ProbeFlags } from "./probe.ts";
import { advance, coverage, type RemoteFlags, trigger } from "./remote.ts";
import { type RunFlags, run } from "./run.ts";
import { start, type StartFlags } from "./start.ts";

const EXIT_USAGE = 2;

function port(text: string): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 0 || number > 65_535)
    throw new InvalidArgumentError("a port is a number from 0 to 65535.");
  return number;
}

function speed(text: string): number {
  const number = Number(text);
  const problem = speedProblem(number);
  if (problem !== undefined) throw new InvalidArgumentError(problem);
  return number;
}

function delays(text: string): number[] {
  return text.split(",").map((part) => {
    const delay = readDuration(part);
    if (delay.problem !== undefined) throw new InvalidArgumentError(delay.problem);
    return delay.value;
  });
}

function argumentTerm(argument: Argument): string {
  const word = `${argument.name().toUpperCase()}${argument.variadic ? "..." : ""}`;
  return argument.required ? word : `[${word}]`;
}

function choicesOf({ argChoices, defaultValue, defaultValueDescription }: Option): string {
  const shown = defaultValueDescription ?? defaultValue;
  return `${argChoices ? argChoices.join(" | ") : ""}${shown === undefined ? "" : ` (${String(shown)})`}`;
}

const collect = (file: string, before: string[] | undefined): string[] => [...(before ?? []), file];

const ids = (list: string, before: string[] | undefined): string[] => [
  ...(before ?? []),
  ...list
    .split(",")
    .map((one) => one.trim())
    .filter(Boolean),
];

function wholeNumber(text: string): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 1) throw new InvalidArgumentError("write a whole number from 1.");
  return number;
}

const assumeOption = () => new Option("--assume <reading>", "ID=VALUE or a file of them; repeatable").argParser(collect);
const profileOption = () => new Option("--profile <name>", "readings: ").choices(PROFILES);

const program = new Command("docdouble")
  .description("A test double for PandaDoc's document API. COMMAND --help lists its flags.")
  .version(VERSION, "-V, --version", "print the version")
  .helpOption("-h, --help", "print help")
  .helpCommand(false)
  .configureHelp({
    helpWidth: 80,
    subcommandTerm: (command) => [command.name(), ...command.registeredArguments.map(argumentTerm)].join(" "),
    // A summary below covers the environment variables.
    optionDescription: (option) => `${option.description}${choicesOf(option)}`,
  })
  .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : EXIT_USAGE));

program
  .command("start", { isDefault: true })
  .summary("start the server (the default command)")
  .description("start the server; environment variables such as DOCDOUBLE_PORT also set flags")
  .addOption(
    new Option("--port <number>", "port to listen on; 0 picks a free one")
      .env("DOCDOUBLE_PORT")
      .default(undefined, "4010")
      .argParser(port),
  )
  .addOption(new Option("--host <address>", "address to listen on").env("DOCDOUBLE_HOST").default("127.0.0.1"))
  .addOption(new Option("--public-url <url>", "base URL of links in answers and mails").env("DOCDOUBLE_PUBLIC_URL"))
  .addOption(
    new Option("--scenario <file>", "scenario file, YAML or JSON; repeatable").env("DOCDOUBLE_SCENARIO").argParser(collect),
  )
  .addOption(new Option("--fixtures <file>", "fixtures file, replaces the built-in workspace").env("DOCDOUBLE_FIXTURES"))
  .addOption(new Option("--seed <text>", "makes ids and jitter repeatable; default random").env("DOCDOUBLE_SEED"))
  .addOption(
    new Option("--clock <mode>", "clock: ").choices(["real", "frozen"]).default(undefined, "real").env("DOCDOUBLE_CLOCK"),
  )
  .addOption(new Option("--clock-speed <factor>", "clock seconds per real second").env("DOCDOUBLE_CLOCK_SPEED").argParser(speed))
  .addOption(new Option("--now <instant>", "start time of the clock, ISO 8601").env("DOCDOUBLE_NOW"))
  .addOption(new Option("--data <file>", "keep the state in this file; one server only").env("DOCDOUBLE_DATA"))
  .addOption(
    new Option("--oauth <mode>", "authorize page: ").choices(["auto", "interactive"]).env("DOCDOUBLE_OAUTH").default("auto"),
  )
  .addOption(assumeOption().env("DOCDOUBLE_ASSUME"))
  .addOption(profileOption().env("DOCDOUBLE_PROFILE"))
  .addOption(
    new Option("--rate-limit <profile>", "limits: ")
      .choices(["none", "sandbox", "production"])
      .env("DOCDOUBLE_RATE_LIMIT")
      .default(undefined, "none"),
  )
  .addOption(
    new Option("--webhook-retries <delays>", "delays before retries, such as 1m,5m,30m")
      .env("DOCDOUBLE_WEBHOOK_RETRIES")
      .argParser(delays),
  )
  // The same as --assume webhook.https_only=on, so the help leaves it out.
  .addOption(new Option("--https-webhooks").env("DOCDOUBLE_HTTPS_WEBHOOKS").hideHelp())
  .addOption(
    new Option("--allow-private-targets", "with --host, allow calls to private addresses").env("DOCDOUBLE_ALLOW_PRIVATE_TARGETS"),
  )
  .option("--watch", "reload files when they change; keep the state")
  .addOption(new Option("--admin-token <token>", "token that calls under /__admin must send").env("DOCDOUBLE_ADMIN_TOKEN"))
  .addOption(new Option("--log <format>", "format: ").choices(["text", "json", "silent"]).env("DOCDOUBLE_LOG"))
  .addOption(new Option("--any-port <number>").env("PORT").argParser(port).hideHelp())
  .action(async ({ anyPort, ...flags }: StartFlags & { anyPort?: number }) => {
    // Many platforms set PORT; DOCDOUBLE_PORT and --port override it.
    await start({ ...flags, port: flags.port ?? anyPort });
  });

const DEFAULT_URL = process.env.DOCDOUBLE_URL ?? "http://127.0.0.1:4010";

program
  .command("run")
  .description("run a command against a scenario and verify it")
  .usage("[scenario] [options] -- <command...>")
  .argument("[scenario]", "scenario file; without it the built-in workspace answers")
  .argument("[command...]", "command after --; it gets DOCDOUBLE_URL and DOCDOUBLE_API_KEY")
  .option("--intercept", "send the command's calls to api.pandadoc.com to the server (Node processes)")
  .option("--junit <file>", "write the result as JUnit XML")
  .option("--every-reading <ids>", "run once per reading of these assumptions, and compare", ids)
  .option("--json", "with --every-reading, print the report as JSON")
  .option("--fixtures <file>", "fixtures file, replaces the built-in workspace")
  .option("--seed <text>", "makes ids and jitter repeatable; default random")
  .addOption(new Option("--clock <mode>", "clock: ").choices(["real", "frozen"]))
  .addOption(assumeOption())
  .addOption(profileOption())
  .action(async (scenario: string | undefined, rest: string[], flags: RunFlags & { everyReading?: string[] }, self: Command) => {
    const operands = [...(scenario === undefined ? [] : [scenario]), ...rest];
    const dashes = process.argv.indexOf("--");
    // Without operands before the dashes there is no scenario.
    const hasScenario = dashes < 0 || operands.length > process.argv.length - dashes - 1;
    const command = hasScenario ? operands.slice(1) : operands;
    if (command.length === 0) self.error("error: the command is missing: docdouble run [scenario] -- <command...>");
    const { everyReading, ...once } = flags;
    const scenarioFile = hasScenario ? operands[0] : undefined;
    process.exitCode = everyReading
      ? await runEveryReading(scenarioFile, command, { ...once, everyReading })
      : await run(scenarioFile, command, once);
  });

program
  .command("compare")
  .description("compare the real service with a double")
  .argument("<command...>", "command after --; it gets DOCDOUBLE_URL and DOCDOUBLE_API_KEY")
  .addOption(new Option("--real <url>", "the real service, such as https://api.pandadoc.com").env("DOCDOUBLE_REAL_URL"))
  .addOption(new Option("--real-key <key>", "a key of the real service").env("DOCDOUBLE_REAL_KEY"))
  .option("--report <file>", "write a report: .json, .md or .xml; repeatable", collect)
  .option("--record <file>", "write a cassette of the calls, safe to commit")
  .option("--webhook-url <url>", "an address at which the real service reaches the proxy")
  .addOption(new Option("--port <number>", "of the proxy; a free one without it").argParser(port))
  .option("--fixtures <file>", "fixtures file, replaces the built-in workspace")
  .option("--seed <text>", "of the double's ids; random without it")
  .addOption(assumeOption())
  .addOption(profileOption())
  .option("--json", "print the report as JSON")
  .action(async (command: string[], flags: CompareFlags) => {
    const { compare } = await import("./compare.ts");
    process.exitCode = await compare(command, flags);
  });

program
  .command("replay")
  .description("play cassettes against a new double, and compare")
  .argument("<files...>", "scenario or fixtures files")
  .option("--report <file>", "write a report: .json, .md or .xml; repeatable", collect)
  .option("--fixtures <file>", "fixtures file, replaces the built-in workspace")
  .option("--seed <text>", "of the double's ids; random without it")
  .addOption(assumeOption())
  .addOption(profileOption())
  .option("--json", "print the report as JSON")
  .action(async (files: string[], flags: CompareFlags) => {
    const { replay } = await import("./compare.ts");
    process.exitCode = await replay(files, flags);
  });

program
  .command("probe")
  .description("find out which readings the real service has")
  .addOption(new Option("--real <url>", "the real service, such as https://api.pandadoc.com").env("DOCDOUBLE_REAL_URL"))
  .addOption(new Option("--key <key>", "a sandbox key of the real service").env("DOCDOUBLE_REAL_KEY"))
  .option("--only <ids>", "assumptions to probe, separated by commas; repeatable", ids)
  .option("--dry-run", "list the calls and send nothing")
  .option("--write <file>", "write the readings seen as a file for --assume")
  .addOption(new Option("--calls-per-minute <number>", "most calls in any minute").default(9).argParser(wholeNumber))
  .option("--allow-production-key", "probe with a production key too")
  .option("--json", "print the report as JSON")
  .action(async (flags: ProbeFlags) => {
    const { probe } = await import("./probe.ts");
    process.exitCode = await probe(flags);
  });

program
  .command("init")
  .description("write an example scenario, fixtures and test")
  .argument("[folder]", "folder to write to", "docdouble")
  .action((folder: string) => {
    process.exitCode = init(folder);
  });

program
  .command("check")
  .description("report mistakes in scenario or fixtures files")
  .argument("<files...>", "scenario or fixtures files")
  .option("--fixtures", "read all files as fixtures")
  .action(async (files: string[], flags: { fixtures?: boolean }) => {
    process.exitCode = await check(files, flags.fixtures ?? false);
  });

const remote = (command: Command): Command =>
  command
    .argument("[url]", "address of the server", DEFAULT_URL)
    .option("--key <key>", "API key that selects the tenant")
    .addOption(new Option("--admin-token <token>", "token of the admin API").env("DOCDOUBLE_ADMIN_TOKEN"));

remote(
  program
    .command("clock")
    .description("move the clock, such as clock advance 3d")
    .argument("<action>", "advance")
    .argument("<by>", "a duration, an instant, next or idle"),
).action(async (action: string, by: string, url: string, flags: RemoteFlags) => {
  if (action !== "advance") program.error(`error: unknown action '${action}'; use advance`, { exitCode: EXIT_USAGE });
  process.exitCode = await advance(by, url, flags);
});

remote(program.command("trigger").description("send a webhook event").argument("<event>", "such as document_state_changed"))
  .option("--document <id>", "document of the event")
  .action(async (event: string, url: string, flags: RemoteFlags & { document?: string }) => {
    process.exitCode = await trigger(event, url, flags);
  });

remote(program.command("coverage").description("print which operations were called")).action(
  async (url: string, flags: RemoteFlags) => {
    process.exitCode = await coverage(url, flags);
  },
);

program
  .command("health")
  .description("exit 0 when the server is ready")
  .argument("[url]", "address of the server", DEFAULT_URL)
  .action(async (url: string) => {
    process.exitCode = await health(url);
  });

program
  .command("assumptions")
  .description("list the assumptions and their readings")
  .option("--json", "print the records as JSON")
  .action(async (flags: { json?: boolean }) => {
    await printAssumptions(flags.json ?? false);
  });

program
  .command("openapi")
  .description("print the OpenAPI document")
  .option("--public-url <url>", "server URL in the document")
  .action((flags: { publicUrl?: string }) => printOpenApi(flags.publicUrl));

program
  .command("schema")
  .description("print the JSON Schema of scenarios or fixtures")
  .addArgument(new Argument("<kind>").choices(Object.keys(PRINTABLE)))
  .action(printSchema);

for (const command of [program, ...program.commands]) command.showSuggestionAfterError().showHelpAfterError(false);
// The help of start must fit 24 lines, and its reader knows --help.
program.commands[0]?.addHelpOption(new Option("-h, --help").hideHelp());

refuseUnknownWord(process.argv[2]);
void program.parseAsync();

/** `start` takes no words, so an unknown first word is a misspelt command or a scenario. */
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
