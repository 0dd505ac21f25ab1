import { Argument, type Command, Option } from "commander";
import type { ListenFlags, LogsFlags } from "./listen.ts";
import { eventName, eventNames, logOption, port, webAddress } from "./options.ts";
import { ownVariable } from "./own-variables.ts";
import type { RemoteFlags } from "../tools/remote/server.ts";
import { EXIT_USAGE } from "./usage-error.ts";

const CLOCK_ACTIONS = ["show", "freeze", "run", "auto", "advance"] as const;
export type ClockAction = (typeof CLOCK_ACTIONS)[number];

const WORLD_ACTIONS = ["save", "load", "show"] as const;
export type WorldAction = (typeof WORLD_ACTIONS)[number];

export interface WorldFlags extends RemoteFlags {
  port?: number;
  open?: boolean;
}

export const DEFAULT_URL = ownVariable("DOCDOUBLE_URL") ?? "http://127.0.0.1:4010";

const remote = (command: Command): Command =>
  command
    .argument("[url]", "address of the server", DEFAULT_URL)
    .option("--key <key>", "API key that selects the tenant")
    .addOption(new Option("--admin-token <token>", "token of the admin API").env("DOCDOUBLE_ADMIN_TOKEN"));

export function addServerCommands(program: Command): void {
  program
    .command("clock")
    .description("show or move the clock, such as clock advance 3d")
    .usage("show|freeze|run|auto [url] | advance <by> [url]")
    .addArgument(new Argument("<action>", "what to do").choices(CLOCK_ACTIONS))
    .argument("[by]", "for advance: a duration, an instant, next or idle")
    .argument("[url]", "address of the server", DEFAULT_URL)
    .option("--stop-at <moment>", "for auto: an instant or duration that time does not pass")
    .option("--key <key>", "API key that selects the tenant")
    .addOption(new Option("--admin-token <token>", "token of the admin API").env("DOCDOUBLE_ADMIN_TOKEN"))
    .option("--json", "print the answer as JSON")
    .action(
      async (
        action: ClockAction,
        by: string | undefined,
        url: string,
        flags: RemoteFlags & { stopAt?: string },
        self: Command,
      ) => {
        if (action === "advance" && by === undefined)
          self.error("error: how far to advance is missing: npx docdouble clock advance 3d [url]", { exitCode: EXIT_USAGE });
        if (flags.stopAt !== undefined && action !== "auto")
          self.error(`error: --stop-at belongs to clock auto, not to clock ${action}`, { exitCode: EXIT_USAGE });
        const { advance, setClock } = await import("./run-verb.ts");
        process.exitCode =
          action === "advance" ? await advance(by ?? "", url, flags) : await setClock(action, by ?? url, flags, flags.stopAt);
      },
    );

  program
    .command("do")
    .description("use any control verb, such as do rules.list")
    .usage("[verb] [arguments...] [options]")
    .argument("[verb]", "such as webhooks.redeliver; without it, lists all verbs")
    .argument("[words...]", "arguments and flags of the verb; do VERB --help lists them")
    .option("--url <url>", "address of the server", DEFAULT_URL)
    .option("--key <key>", "API key that selects the tenant")
    .addOption(new Option("--admin-token <token>", "token of the admin API").env("DOCDOUBLE_ADMIN_TOKEN"))
    .option("--json", "print a refusal as JSON too")
    .helpOption(false)
    .allowUnknownOption()
    .action(
      async (_verb: string | undefined, _words: string[], { url, ...flags }: RemoteFlags & { url: string }, self: Command) => {
        const { doVerb } = await import("./run-verb.ts");
        process.exitCode = await doVerb(self, self.args, url, flags);
      },
    );

  program
    .command("world")
    .description("save, load or show the world of a server")
    .usage("save|load <file> [url] | show <file>")
    .addArgument(new Argument("<action>", "what to do").choices(WORLD_ACTIONS))
    .argument("<file>", "the file; a name that ends in .gz is packed")
    .argument("[url]", "address of the server", DEFAULT_URL)
    .option("--key <key>", "API key that selects the tenant")
    .addOption(new Option("--admin-token <token>", "token of the admin API").env("DOCDOUBLE_ADMIN_TOKEN"))
    .addOption(new Option("--port <number>", "for show: port to listen on; default a free one").argParser(port))
    .option("--no-open", "for show: print the address only")
    .option("--json", "print the result as JSON")
    .action(async (action: WorldAction, file: string, url: string, flags: WorldFlags) => {
      const { world } = await import("./world.ts");
      process.exitCode = await world(action, file, url, flags);
    });

  remote(
    program.command("trigger").description("send a webhook event").argument("<event>", "such as document_completed", eventName),
  )
    .option("--document <id>", "document of the event; default the newest")
    .option("--json", "print the answer as JSON")
    .action(async (event: string, url: string, flags: RemoteFlags & { document?: string }) => {
      const { trigger } = await import("./run-verb.ts");
      process.exitCode = await trigger(event, url, flags);
    });

  remote(program.command("logs").description("show what happens on a running server"))
    .addOption(logOption())
    .option("--json", "the same as --log json")
    .action(async (url: string, flags: LogsFlags) => {
      const { logs } = await import("./listen.ts");
      process.exitCode = await logs(url, flags);
    });

  remote(program.command("listen").description("show the webhook deliveries of a running server"))
    .addOption(new Option("--forward <url>", "subscribe this address until the interrupt").argParser(webAddress))
    .addOption(new Option("--events <list>", "events to show and to subscribe; default all").argParser(eventNames))
    .addOption(logOption())
    .option("--json", "the same as --log json")
    .action(async (url: string, flags: ListenFlags) => {
      const { listen } = await import("./listen.ts");
      process.exitCode = await listen(url, flags);
    });

  remote(program.command("coverage").description("print which operations were called"))
    .option("--all", "list operations without a call too")
    .option("--json", "print the answer as JSON")
    .action(async (url: string, flags: RemoteFlags & { all?: boolean }) => {
      const { coverage } = await import("./run-verb.ts");
      process.exitCode = await coverage(url, flags);
    });
}
