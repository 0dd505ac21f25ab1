import { Command, Help } from "commander";
import { noSuch } from "../engine/core/text.ts";
import { VERSION } from "../library/version.ts";
import type { McpFlags } from "../tools/mcp/mcp.ts";
import { printAssumptions } from "./assumptions.ts";
import { type CheckFlags, check } from "./check.ts";
import { addCommand, argument, type CommandRecord } from "./command-record.ts";
import type { CompareFlags, ImportFlags } from "./compare.ts";
import { runEveryReading } from "./every-reading.ts";
import type { ExploreFlags } from "./explore.ts";
import { init } from "./init.ts";
import { initRunner, isRunner, RUNNERS } from "./init-runner.ts";
import * as read from "./options.ts";
import { type OpenApiFlags, PRINTABLE, printOpenApi, printSchema } from "./print.ts";
import type { ProbeFlags } from "./probe.ts";
import type { ProxyFlags } from "./proxy.ts";
import { type RunFlags, run } from "./run.ts";
import { serverCommands, url } from "./server-commands.ts";
import { json, ofServer, SETTINGS } from "./settings.ts";
import { type StartFlags, start } from "./start.ts";
import { EXIT_USAGE } from "./usage-error.ts";

const { fixtures, seed, clock, assume, profile, journalMax, log, reports, real } = SETTINGS;
const { intercept, sleep, env, proxyPort, key, adminToken } = SETTINGS;
const ids = { ...seed, is: "makes ids repeatable; default random" };
const printed = { 0: "done" };

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

export const records: readonly CommandRecord[] = [
  {
    name: "start",
    inList: "start the server (the default command)",
    does: "start the server; environment variables such as DOCDOUBLE_PORT also set flags",
    flags: [
      ...[
        { flag: "--port <number>", is: "port to listen on; 0 picks a free one", shown: "4010", read: read.port },
        { flag: "--host <address>", is: "address to listen on", default: "127.0.0.1" },
        { flag: "--public-url <url>", is: "base URL of links in answers and mails" },
        { flag: "--scenario <file>", is: "scenario file, YAML or JSON; repeatable", read: read.collect },
        fixtures,
        seed,
        { ...clock, shown: "real" },
        { flag: "--clock-speed <factor>", is: "clock seconds per real second", read: read.speed },
        { flag: "--now <instant>", is: "start time of the clock, ISO 8601" },
        { flag: "--data <file>", is: "keep the state in this file; one server only" },
        { flag: "--world <file>", is: "begin with this saved world, and with its clock" },
        { flag: "--oauth <mode>", is: "authorize page: ", choices: ["auto", "interactive"], default: "auto" },
        assume,
        profile,
        { flag: "--rate-limit <profile>", is: "limits: ", choices: ["none", "sandbox", "production"], shown: "none" },
        { flag: "--webhook-retries <delays>", is: "delays before retries, such as 1m,5m,30m", read: read.delays },
        { flag: "--allow-private-targets", is: "with --host, allow calls to private addresses" },
        journalMax,
      ].map(ofServer),
      { flag: "--watch", is: "reload files when they change; keep the state" },
      { flag: "--stop-with-input", is: "stop when the standard input ends, as it does with a parent process" },
      { ...adminToken, is: "token that calls under /__admin must send" },
      ofServer({
        ...{ flag: "--webhook <url>", is: "subscribe this address; repeatable" },
        read: (text, before) => read.collect(read.webAddress(text), before),
      }),
      { flag: "--webhook-events <list>", is: "events for --webhook; default all", read: read.eventNames },
      ofServer(log),
      { flag: "--any-port <number>", is: "", env: "PORT", read: read.port, isHidden: true },
    ],
    examples: [
      ["start --webhook http://localhost:3000/hook", "serve, and send every event to your receiver"],
      ["start --scenario scenarios/bad-day.yaml --watch", "serve a scenario, and reload it when it changes"],
      ["start --clock frozen --now 2026-03-02T09:00:00Z --seed 7", "serve the same world each time"],
      ["start --log json", "print each event as a line of JSON"],
    ],
    exit: { 0: "an interrupt ended the server", 1: "the last changes could not be written to the data file" },
    // Many platforms set PORT. DOCDOUBLE_PORT and --port override it.
    run: ({ anyPort, ...flags }: StartFlags & { anyPort?: number }) => start({ ...flags, port: flags.port ?? anyPort }),
  },
  {
    name: "run",
    does: "run a command against a scenario and verify it",
    usage: "[scenario] [options] -- <command...>",
    takes: [
      argument("[scenario]", "scenario file; default the built-in workspace"),
      argument("[command...]", "command after --; it gets DOCDOUBLE_URL and DOCDOUBLE_API_KEY"),
    ],
    flags: [
      intercept,
      sleep,
      env,
      { flag: "--junit <file>", is: "write the result as JUnit XML" },
      { flag: "--save-world <file>", is: "write the world at the end, also when the command fails" },
      { flag: "--har <file>", is: "write the calls as HAR at the end, also when the command fails" },
      { flag: "--every-reading <ids>", is: "run once per reading of these assumptions, and compare", read: read.ids },
      json("print the result as JSON, and the command's output on standard error"),
      fixtures,
      seed,
      clock,
      journalMax,
      assume,
      profile,
    ],
    examples: [
      ["run scenarios/locked-twice.yaml -- node client.mjs", "run your client against a scenario, and verify it"],
      ["run --intercept -- node client.mjs", "send a client's calls to api.pandadoc.com to docdouble"],
      ["run story.yaml --env PANDADOC_URL={url} --junit report.xml -- npm test", "set your own variable, and write a report"],
      ["run --every-reading delete.second -- npm test", "find out whether your client depends on an assumption"],
    ],
    exit: {
      0: "the command passed and every expectation holds",
      1: "an expectation failed",
      127: "the command cannot start",
    },
    else: "the command's own code",
    run(scenario: string | undefined, rest: string[], flags: RunFlags & { everyReading?: string[] }, self: Command) {
      const { scenarioFile, command } = operandsOf(self, scenario, rest);
      const { everyReading, ...once } = flags;
      return everyReading ? runEveryReading(scenarioFile, command, { ...once, everyReading }) : run(scenarioFile, command, once);
    },
  },
  {
    name: "proxy",
    does: "answer api.pandadoc.com through HTTPS_PROXY",
    flags: [
      proxyPort,
      { flag: "--ca <file>", is: "write the certificate that clients must trust", default: "docdouble-ca.pem" },
      { flag: "--pass-through", is: "also connect to other hosts, except PandaDoc's" },
      { flag: "--scenario <file>", is: "scenario file; repeatable", read: read.collect },
      fixtures,
      seed,
      clock,
      assume,
      profile,
      json("print one line of JSON"),
    ],
    examples: [["proxy", "answer api.pandadoc.com for clients that use HTTPS_PROXY"]],
    exit: { 0: "an interrupt ended the proxy" },
    run: async (flags: ProxyFlags) => (await import("./proxy.ts")).proxy(flags),
  },
  {
    name: "explore",
    does: "find the faults that break a command's client",
    usage: "[scenario] [options] -- <command...>",
    takes: [
      argument("[scenario]", "scenario file for each run; its expect counts in each run"),
      argument("[command...]", "command after --; it gets DOCDOUBLE_URL, DOCDOUBLE_API_KEY and DOCDOUBLE_RUN"),
    ],
    flags: [
      { flag: "--budget <duration>", is: "time for the search, such as 2m (1m)" },
      { flag: "--runs <number>", is: "at most this many runs", read: read.wholeNumber },
      { ...seed, is: "makes the search repeatable (1)" },
      { flag: "--shard <part>", is: "search part I of N parts, such as 1/3" },
      { flag: "--merge <files...>", is: "join .json reports of the parts, without a search" },
      { flag: "--jobs <number>", is: "runs at the same time (1)", read: read.wholeNumber },
      intercept,
      sleep,
      env,
      {
        ...{ flag: "--only <pattern>", read: read.collect },
        is: "try only these faults, such as throttled or createDocument:reset_*; repeatable",
      },
      { flag: "--skip <pattern>", is: "leave out these faults; repeatable", read: read.collect },
      { flag: "--allow-failure <pattern>", is: "under these faults the command may fail; repeatable", read: read.collect },
      { flag: "--impossible", is: "also try faults that cannot happen at their place" },
      { flag: "--out <folder>", is: "folder for scenario files (docdouble/found)" },
      { ...reports, is: "write a report: .json, .html or .xml; repeatable" },
      { flag: "--compare <file>", is: "show what changed since this .json report" },
      fixtures,
      journalMax,
      assume,
      profile,
      json("print the report as JSON"),
    ],
    examples: [
      ["explore -- node client.mjs", "try every fault at every call of your client"],
      ["explore --budget 2m --report report.html -- npm test", "stop after two minutes, and write a page"],
      ["explore --shard 1/3 --report part-1.json -- npm test", "search the first of three parts"],
      ["explore --merge part-1.json part-2.json part-3.json", "join the reports of the parts"],
    ],
    exit: {
      0: "nothing broke",
      1: "something broke",
      3: "runs without faults fail or differ",
      130: "an interrupt ended the search",
    },
    async run(scenario: string | undefined, rest: string[], flags: ExploreFlags, self: Command) {
      const { scenarioFile, command } = flags.merge ? { scenarioFile: undefined, command: [] } : operandsOf(self, scenario, rest);
      return (await import("./explore.ts")).exploreCommand(scenarioFile, command, flags);
    },
  },
  {
    name: "compare",
    does: "compare the real service with a double",
    takes: [argument("<command...>", "command after --; it gets DOCDOUBLE_URL and DOCDOUBLE_API_KEY")],
    flags: [
      real,
      { flag: "--real-key <key>", is: "a key of the real service", env: "DOCDOUBLE_REAL_KEY" },
      reports,
      { flag: "--record <file>", is: "write a cassette of the calls, safe to commit" },
      { flag: "--webhook-url <url>", is: "an address at which the real service reaches the proxy" },
      proxyPort,
      fixtures,
      ids,
      assume,
      profile,
      json("print the report as JSON"),
    ],
    examples: [
      ["compare --real https://api.pandadoc.com --real-key KEY -- npm test", "compare the real service with docdouble"],
      ["compare --record calls.cassette --real https://api.pandadoc.com --real-key KEY -- npm test", "record a cassette too"],
    ],
    exit: { 0: "no difference", 1: "a difference; if the command fails, its own code" },
    run: async (command: string[], flags: CompareFlags) => (await import("./compare.ts")).compare(command, flags),
  },
  {
    name: "replay",
    does: "play cassettes against a new double, and compare",
    takes: [argument("<files...>", "cassettes")],
    flags: [reports, fixtures, ids, assume, profile, json("print the report as JSON")],
    examples: [["replay calls.cassette --report report.md", "play a cassette offline, and write a report"]],
    exit: { 0: "no difference", 1: "a difference" },
    run: async (files: string[], flags: CompareFlags) => (await import("./compare.ts")).replay(files, flags),
  },
  {
    name: "import",
    does: "turn a HAR of real calls into a cassette",
    takes: [argument("<file>", "HAR file, such as one of a browser or a proxy")],
    flags: [
      { flag: "--out <file>", is: "cassette to write, safe to commit", isNeeded: true },
      { flag: "--real <url>", is: "address of the real service in the HAR; default PandaDoc's hosts" },
      json("print the result as JSON"),
    ],
    examples: [["import traffic.har --out calls.cassette", "make a cassette without secrets, and replay it later"]],
    exit: { 0: "the cassette is written", 2: "the file is not a HAR, or holds no call to the service" },
    run: async (file: string, flags: ImportFlags) => (await import("./compare.ts")).importHar(file, flags),
  },
  {
    name: "probe",
    does: "find out which readings the real service has",
    flags: [
      real,
      { flag: "--key <key>", is: "a sandbox key of the real service", env: "DOCDOUBLE_REAL_KEY" },
      {
        ...{ flag: "--only <ids>", read: read.ids },
        is: "assumptions to probe, such as create.*, separated by commas; repeatable",
      },
      { flag: "--dry-run", is: "list the calls and send nothing" },
      { flag: "--write <file>", is: "write the readings seen as a file for --assume" },
      { flag: "--calls-per-minute <number>", is: "most calls in any minute", default: 9, read: read.wholeNumber },
      { flag: "--allow-production-key", is: "probe with a production key too" },
      json("print the report as JSON"),
    ],
    examples: [
      ["probe --dry-run", "list the calls and send nothing"],
      ["probe --real https://api.pandadoc.com --key KEY --write readings.yaml", "write what your account does to a file"],
    ],
    exit: { 0: "every reading is confirmed or undecided", 1: "a reading is contradicted, or something may be left" },
    run: async (flags: ProbeFlags) => (await import("./probe.ts")).probe(flags),
  },
  {
    name: "init",
    does: "write an example, or a helper for your test runner",
    takes: [argument("[what]", `a folder to write to, or a test runner: ${RUNNERS.join(", ")}`, "docdouble")],
    flags: [json("print the names of the files as JSON")],
    examples: [
      ["init", "write an example to the folder docdouble"],
      ["init pytest", "write a fixture and an example test for pytest"],
    ],
    exit: { 0: "the files are written" },
    run: (what: string, flags: { json?: boolean }) => (isRunner(what) ? initRunner(what, flags) : init(what, flags)),
  },
  {
    name: "check",
    does: "report mistakes in scenario or fixtures files",
    takes: [argument("<files...>", "scenario or fixtures files")],
    flags: [{ flag: "--fixtures", is: "read all files as fixtures" }, json("print the mistakes as JSON")],
    examples: [["check scenarios/bad-day.yaml", "report mistakes with line and column"]],
    exit: { 0: "no mistake, perhaps warnings", 1: "a mistake" },
    run: (files: string[], flags: CheckFlags) => check(files, flags),
  },
  ...serverCommands,
  {
    name: "mcp",
    does: "serve the Model Context Protocol to a coding agent",
    flags: [
      { flag: "--url <url>", is: "use the server at this address; default: a new server inside this process" },
      key,
      adminToken,
    ],
    examples: [
      ["mcp", "let a coding agent use a new double"],
      ["mcp --url http://127.0.0.1:4010", "let it use a running server"],
    ],
    exit: { 0: "standard input ended" },
    run: async (flags: McpFlags) => (await import("../tools/mcp/mcp.ts")).mcp(flags),
  },
  {
    name: "health",
    does: "exit 0 when the server is ready",
    takes: [url()],
    flags: [json("print the result as JSON")],
    examples: [["health", "check http://127.0.0.1:4010"]],
    exit: { 0: "ready", 1: "not ready, or not reachable" },
    run: async (url: string, flags: { json?: boolean }) => (await import("./health.ts")).health(url, flags.json ?? false),
  },
  {
    name: "assumptions",
    does: "list the assumptions and their readings",
    flags: [json("print the records as JSON")],
    examples: [["assumptions --json", "print every assumption with its readings"]],
    exit: printed,
    run: (flags: { json?: boolean }) => printAssumptions(flags.json ?? false),
  },
  {
    name: "openapi",
    does: "print the OpenAPI 3.1 document, with webhooks",
    flags: [{ flag: "--public-url <url>", is: "server URL in the document" }, json("print JSON; this is the default")],
    examples: [["openapi > openapi.json", "write the description of the served API"]],
    exit: printed,
    run: (flags: OpenApiFlags) => printOpenApi(flags),
  },
  {
    name: "schema",
    does: "print the JSON Schema of scenarios or fixtures",
    takes: [argument("<kind>").choices(Object.keys(PRINTABLE))],
    flags: [json("print JSON; this is the default")],
    examples: [["schema scenario > scenario.schema.json", "write the schema for your editor"]],
    exit: printed,
    run: (kind: keyof typeof PRINTABLE) => printSchema(kind),
  },
  {
    name: "help",
    does: "print the help of a command",
    takes: [argument("[command]")],
    flags: [],
    examples: [],
    exit: printed,
    run(name: string | undefined, _: object, self: Command) {
      const names = program.commands.map((one) => one.name());
      const command = name === undefined ? program : program.commands.find((one) => one.name() === name);
      if (command) command.outputHelp();
      else self.error(`error: ${noSuch("command", name ?? "", names)}`);
    },
  },
];

export const program = new Command("docdouble")
  .description("a test double for PandaDoc's document API")
  .version(VERSION, "-V, --version", "print the version")
  .helpOption("-h, --help", "print help")
  .helpCommand(false)
  .configureHelp({
    helpWidth: 80,
    subcommandTerm: (command) => [command.name(), ...command.registeredArguments.map(read.argumentTerm)].join(" "),
    // The help lists environment variables in a summary at its end.
    optionDescription: (option) => `${option.description}${read.choicesOf(option)}`,
    formatHelp: (command, helper) =>
      command.parent === null ? read.overview(command, helper) : Help.prototype.formatHelp.call(helper, command, helper),
  })
  .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : EXIT_USAGE));

for (const record of records) addCommand(program, record);
for (const command of [program, ...program.commands])
  command
    .showSuggestionAfterError()
    .showHelpAfterError(false)
    .configureOutput({ outputError: (text, write) => write(read.withNearestChoice(text)) });
