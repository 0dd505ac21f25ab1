import { Argument, Command, Help, Option } from "commander";
import { CLOCK_MODES } from "../engine/core/time-limits.ts";
import { noSuch } from "../engine/core/text.ts";
import { VERSION } from "../library/version.ts";
import { printAssumptions } from "./assumptions.ts";
import { type CheckFlags, check } from "./check.ts";
import type { CompareFlags, ImportFlags } from "./compare.ts";
import type { ExploreFlags } from "./explore.ts";
import { runEveryReading } from "./every-reading.ts";
import { init } from "./init.ts";
import { initRunner, isRunner, RUNNERS } from "./init-runner.ts";
import { type OpenApiFlags, PRINTABLE, printOpenApi, printSchema } from "./print.ts";
import { notesText } from "./command-notes.ts";
import type { McpFlags } from "../tools/mcp/mcp.ts";
import type { ProbeFlags } from "./probe.ts";
import {
  port,
  speed,
  delays,
  argumentTerm,
  choicesOf,
  collect,
  ids,
  wholeNumber,
  withNearestChoice,
  assumeOption,
  journalOption,
  profileOption,
  logOption,
  variable,
  webAddress,
  eventNames,
  overview,
} from "./options.ts";
import type { ProxyFlags } from "./proxy.ts";
import { type RunFlags, run } from "./run.ts";
import { addServerCommands, DEFAULT_URL } from "./server-commands.ts";
import { start, type StartFlags } from "./start.ts";
import { EXIT_USAGE } from "./usage-error.ts";

export const program = new Command("docdouble")
  .description("a test double for PandaDoc's document API")
  .version(VERSION, "-V, --version", "print the version")
  .helpOption("-h, --help", "print help")
  .helpCommand(false)
  .configureHelp({
    helpWidth: 80,
    subcommandTerm: (command) => [command.name(), ...command.registeredArguments.map(argumentTerm)].join(" "),
    // The help lists environment variables in a summary at its end.
    optionDescription: (option) => `${option.description}${choicesOf(option)}`,
    formatHelp: (command, helper) =>
      command.parent === null ? overview(command, helper) : Help.prototype.formatHelp.call(helper, command, helper),
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
  .addOption(new Option("--clock <mode>", "clock: ").choices(CLOCK_MODES).default(undefined, "real").env("DOCDOUBLE_CLOCK"))
  .addOption(new Option("--clock-speed <factor>", "clock seconds per real second").env("DOCDOUBLE_CLOCK_SPEED").argParser(speed))
  .addOption(new Option("--now <instant>", "start time of the clock, ISO 8601").env("DOCDOUBLE_NOW"))
  .addOption(new Option("--data <file>", "keep the state in this file; one server only").env("DOCDOUBLE_DATA"))
  .addOption(new Option("--world <file>", "begin with this saved world, and with its clock").env("DOCDOUBLE_WORLD"))
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
  .addOption(
    new Option("--allow-private-targets", "with --host, allow calls to private addresses").env("DOCDOUBLE_ALLOW_PRIVATE_TARGETS"),
  )
  .addOption(journalOption().env("DOCDOUBLE_JOURNAL_MAX"))
  .option("--watch", "reload files when they change; keep the state")
  .option("--stop-with-input", "stop when the standard input ends, as it does with a parent process")
  .addOption(new Option("--admin-token <token>", "token that calls under /__admin must send").env("DOCDOUBLE_ADMIN_TOKEN"))
  .addOption(
    new Option("--webhook <url>", "subscribe this address; repeatable")
      .env("DOCDOUBLE_WEBHOOK")
      .argParser((text: string, before: string[] | undefined) => collect(webAddress(text), before)),
  )
  .addOption(new Option("--webhook-events <list>", "events for --webhook; default all").argParser(eventNames))
  .addOption(logOption().env("DOCDOUBLE_LOG"))
  .addOption(new Option("--any-port <number>").env("PORT").argParser(port).hideHelp())
  .action(async ({ anyPort, ...flags }: StartFlags & { anyPort?: number }) => {
    // Many platforms set PORT. DOCDOUBLE_PORT and --port override it.
    await start({ ...flags, port: flags.port ?? anyPort });
  });

/** Commander drops the `--` of `[scenario] -- <command...>`. Without operands before it, there is no scenario. */
function operandsOf(self: Command, scenario: string | undefined, rest: readonly string[]) {
  const operands = [...(scenario === undefined ? [] : [scenario]), ...rest];
  const dashes = process.argv.indexOf("--");
  const hasScenario = dashes < 0 || operands.length > process.argv.length - dashes - 1;
  const command = hasScenario ? operands.slice(1) : operands;
  // A shell makes an empty word of an unset variable in quotes.
  if (!command[0]) self.error(`error: the command is missing: docdouble ${self.name()} [scenario] -- <command...>`);
  return { scenarioFile: hasScenario ? operands[0] : undefined, command };
}

const sleepOption = () =>
  new Option("--sleep <kind>", "sleeps of the command; virtual with an automatic clock: ").choices(["virtual", "real"]);

const envOption = () =>
  new Option("--env <name=text>", "set a variable of the command; {url}, {key}, {admin}").argParser(variable);

program
  .command("run")
  .description("run a command against a scenario and verify it")
  .usage("[scenario] [options] -- <command...>")
  .argument("[scenario]", "scenario file; default the built-in workspace")
  .argument("[command...]", "command after --; it gets DOCDOUBLE_URL and DOCDOUBLE_API_KEY")
  .option("--intercept", "send the command's calls to api.pandadoc.com to the server")
  .addOption(sleepOption())
  .addOption(envOption())
  .option("--junit <file>", "write the result as JUnit XML")
  .option("--save-world <file>", "write the world at the end, also when the command fails")
  .option("--har <file>", "write the calls as HAR at the end, also when the command fails")
  .option("--every-reading <ids>", "run once per reading of these assumptions, and compare", ids)
  .option("--json", "print the result as JSON, and the command's output on standard error")
  .option("--fixtures <file>", "fixtures file, replaces the built-in workspace")
  .option("--seed <text>", "makes ids and jitter repeatable; default random")
  .addOption(new Option("--clock <mode>", "clock: ").choices(CLOCK_MODES))
  .addOption(journalOption())
  .addOption(assumeOption())
  .addOption(profileOption())
  .action(async (scenario: string | undefined, rest: string[], flags: RunFlags & { everyReading?: string[] }, self: Command) => {
    const { scenarioFile, command } = operandsOf(self, scenario, rest);
    const { everyReading, ...once } = flags;
    process.exitCode = everyReading
      ? await runEveryReading(scenarioFile, command, { ...once, everyReading })
      : await run(scenarioFile, command, once);
  });

program
  .command("proxy")
  .description("answer api.pandadoc.com through HTTPS_PROXY")
  .addOption(new Option("--port <number>", "port of the proxy; default a free one").argParser(port))
  .option("--ca <file>", "write the certificate that clients must trust", "docdouble-ca.pem")
  .option("--pass-through", "also connect to other hosts, except PandaDoc's")
  .option("--scenario <file>", "scenario file; repeatable", collect)
  .option("--fixtures <file>", "fixtures file, replaces the built-in workspace")
  .option("--seed <text>", "makes ids and jitter repeatable; default random")
  .addOption(new Option("--clock <mode>", "clock: ").choices(CLOCK_MODES))
  .addOption(assumeOption())
  .addOption(profileOption())
  .option("--json", "print one line of JSON")
  .action(async (flags: ProxyFlags) => {
    const { proxy } = await import("./proxy.ts");
    process.exitCode = await proxy(flags);
  });

program
  .command("explore")
  .description("find the faults that break a command's client")
  .usage("[scenario] [options] -- <command...>")
  .argument("[scenario]", "scenario file for each run; its expect counts in each run")
  .argument("[command...]", "command after --; it gets DOCDOUBLE_URL, DOCDOUBLE_API_KEY and DOCDOUBLE_RUN")
  .option("--budget <duration>", "time for the search, such as 2m (1m)")
  .addOption(new Option("--runs <number>", "at most this many runs").argParser(wholeNumber))
  .option("--seed <text>", "makes the search repeatable (1)")
  .option("--shard <part>", "search part I of N parts, such as 1/3")
  .option("--merge <files...>", "join .json reports of the parts, without a search")
  .addOption(new Option("--jobs <number>", "runs at the same time (1)").argParser(wholeNumber))
  .option("--intercept", "send the command's calls to api.pandadoc.com to the server")
  .addOption(sleepOption())
  .addOption(envOption())
  .option("--only <pattern>", "try only these faults, such as throttled or createDocument:reset_*; repeatable", collect)
  .option("--skip <pattern>", "leave out these faults; repeatable", collect)
  .option("--allow-failure <pattern>", "under these faults the command may fail; repeatable", collect)
  .option("--impossible", "also try faults that cannot happen at their place")
  .option("--out <folder>", "folder for scenario files (docdouble/found)")
  .option("--report <file>", "write a report: .json, .html or .xml; repeatable", collect)
  .option("--compare <file>", "show what changed since this .json report")
  .option("--fixtures <file>", "fixtures file, replaces the built-in workspace")
  .addOption(journalOption())
  .addOption(assumeOption())
  .addOption(profileOption())
  .option("--json", "print the report as JSON")
  .action(async (scenario: string | undefined, rest: string[], flags: ExploreFlags, self: Command) => {
    const { scenarioFile, command } = flags.merge ? { scenarioFile: undefined, command: [] } : operandsOf(self, scenario, rest);
    const { exploreCommand } = await import("./explore.ts");
    process.exitCode = await exploreCommand(scenarioFile, command, flags);
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
  .addOption(new Option("--port <number>", "port of the proxy; default a free one").argParser(port))
  .option("--fixtures <file>", "fixtures file, replaces the built-in workspace")
  .option("--seed <text>", "makes ids repeatable; default random")
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
  .argument("<files...>", "cassettes")
  .option("--report <file>", "write a report: .json, .md or .xml; repeatable", collect)
  .option("--fixtures <file>", "fixtures file, replaces the built-in workspace")
  .option("--seed <text>", "makes ids repeatable; default random")
  .addOption(assumeOption())
  .addOption(profileOption())
  .option("--json", "print the report as JSON")
  .action(async (files: string[], flags: CompareFlags) => {
    const { replay } = await import("./compare.ts");
    process.exitCode = await replay(files, flags);
  });

program
  .command("import")
  .description("turn a HAR of real calls into a cassette")
  .argument("<file>", "HAR file, such as one of a browser or a proxy")
  .requiredOption("--out <file>", "cassette to write, safe to commit")
  .option("--real <url>", "address of the real service in the HAR; default PandaDoc's hosts")
  .option("--json", "print the result as JSON")
  .action(async (file: string, flags: ImportFlags) => {
    const { importHar } = await import("./compare.ts");
    process.exitCode = await importHar(file, flags);
  });

program
  .command("probe")
  .description("find out which readings the real service has")
  .addOption(new Option("--real <url>", "the real service, such as https://api.pandadoc.com").env("DOCDOUBLE_REAL_URL"))
  .addOption(new Option("--key <key>", "a sandbox key of the real service").env("DOCDOUBLE_REAL_KEY"))
  .option("--only <ids>", "assumptions to probe, such as create.*, separated by commas; repeatable", ids)
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
  .description("write an example, or a helper for your test runner")
  .argument("[what]", `a folder to write to, or a test runner: ${RUNNERS.join(", ")}`, "docdouble")
  .option("--json", "print the names of the files as JSON")
  .action((what: string, flags: { json?: boolean }) => {
    process.exitCode = isRunner(what) ? initRunner(what, flags) : init(what, flags);
  });

program
  .command("check")
  .description("report mistakes in scenario or fixtures files")
  .argument("<files...>", "scenario or fixtures files")
  .option("--fixtures", "read all files as fixtures")
  .option("--json", "print the mistakes as JSON")
  .action(async (files: string[], flags: CheckFlags) => {
    process.exitCode = await check(files, flags);
  });

addServerCommands(program);

program
  .command("mcp")
  .description("serve the Model Context Protocol to a coding agent")
  .option("--url <url>", "use the server at this address; default: a new server inside this process")
  .option("--key <key>", "API key that selects the tenant")
  .addOption(new Option("--admin-token <token>", "token of the admin API").env("DOCDOUBLE_ADMIN_TOKEN"))
  .action(async (flags: McpFlags) => {
    const { mcp } = await import("../tools/mcp/mcp.ts");
    await mcp(flags);
  });

program
  .command("health")
  .description("exit 0 when the server is ready")
  .argument("[url]", "address of the server", DEFAULT_URL)
  .option("--json", "print the result as JSON")
  .action(async (url: string, flags: { json?: boolean }) => {
    const { health } = await import("./health.ts");
    process.exitCode = await health(url, flags.json ?? false);
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
  .description("print the OpenAPI 3.1 document, with webhooks")
  .option("--public-url <url>", "server URL in the document")
  .option("--json", "print JSON; this is the default")
  .action((flags: OpenApiFlags) => printOpenApi(flags));

program
  .command("schema")
  .description("print the JSON Schema of scenarios or fixtures")
  .addArgument(new Argument("<kind>").choices(Object.keys(PRINTABLE)))
  .option("--json", "print JSON; this is the default")
  .action((kind: keyof typeof PRINTABLE) => printSchema(kind));

program
  .command("help", { hidden: true })
  .description("print the help of a command")
  .argument("[command]")
  .action((name: string | undefined, _: object, self: Command) => {
    const command = name === undefined ? program : program.commands.find((one) => one.name() === name);
    if (command) command.outputHelp();
    else
      self.error(
        `error: ${noSuch(
          "command",
          name ?? "",
          program.commands.map((one) => one.name()),
        )}`,
      );
  });

for (const command of [program, ...program.commands])
  command
    .showSuggestionAfterError()
    .showHelpAfterError(false)
    .configureOutput({ outputError: (text, write) => write(withNearestChoice(text)) });
for (const command of program.commands) command.addHelpText("after", notesText(command.name()));
