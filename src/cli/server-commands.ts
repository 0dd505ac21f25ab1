/** The commands that call a running server. */
import type { Command } from "commander";
import type { RemoteFlags } from "../tools/remote/server.ts";
import { argument, type CommandRecord } from "./command-record.ts";
import type { ListenFlags, LogsFlags } from "./listen.ts";
import { eventName, eventNames, port, webAddress } from "./options.ts";
import { DEFAULT_URL, json, SETTINGS } from "./settings.ts";
import { EXIT_USAGE } from "./usage-error.ts";

const CLOCK_ACTIONS = ["show", "freeze", "run", "auto", "advance"] as const;
export type ClockAction = (typeof CLOCK_ACTIONS)[number];

const WORLD_ACTIONS = ["save", "load", "show"] as const;
export type WorldAction = (typeof WORLD_ACTIONS)[number];

export interface WorldFlags extends RemoteFlags {
  port?: number;
  open?: boolean;
}

export const url = () => argument("[url]", "address of the server", DEFAULT_URL);
const { key, adminToken, log } = SETTINGS;
const remote = [key, adminToken];
const exit = { 0: "done", 1: "the server cannot be reached, or refused" };
const untilInterrupt = { 0: "an interrupt, or the server ended", 1: exit[1] };

export const serverCommands: readonly CommandRecord[] = [
  {
    name: "clock",
    does: "show or move the clock, such as clock advance 3d",
    usage: "show|freeze|run|auto [url] | advance <by> [url]",
    takes: [
      argument("<action>", "what to do").choices(CLOCK_ACTIONS),
      argument("[by]", "for advance: a duration, an instant, next or idle"),
      url(),
    ],
    flags: [
      { flag: "--stop-at <moment>", is: "for auto: an instant or duration that time does not pass" },
      ...remote,
      json("print the answer as JSON"),
    ],
    examples: [
      ["clock show", "print the time, the mode and the next job"],
      ["clock advance 3d", "run everything that falls due in three days"],
      ["clock advance next", "move to the next job"],
    ],
    exit,
    async run(action: ClockAction, by: string | undefined, url: string, flags: RemoteFlags & { stopAt?: string }, self: Command) {
      if (action === "advance" && by === undefined)
        self.error("error: how far to advance is missing: npx docdouble clock advance 3d [url]", { exitCode: EXIT_USAGE });
      if (flags.stopAt !== undefined && action !== "auto")
        self.error(`error: --stop-at belongs to clock auto, not to clock ${action}`, { exitCode: EXIT_USAGE });
      const { advance, setClock } = await import("./run-verb.ts");
      return action === "advance" ? advance(by ?? "", url, flags) : setClock(action, by ?? url, flags, flags.stopAt);
    },
  },
  {
    name: "do",
    does: "use any control verb, such as do rules.list",
    usage: "[verb] [arguments...] [options]",
    takes: [
      argument("[verb]", "such as webhooks.redeliver; without it, lists all verbs"),
      argument("[words...]", "arguments and flags of the verb; do VERB --help lists them"),
    ],
    flags: [
      { flag: "--url <url>", is: "address of the server", default: DEFAULT_URL },
      ...remote,
      json("print a refusal as JSON too"),
    ],
    examples: [
      ["do", "list all verbs"],
      ["do webhooks.deliveries --state delivered", "list the deliveries that arrived"],
      ["do rules.add --rule @busy.json", "add the rule of a file"],
    ],
    exit,
    change: (command) => command.helpOption(false).allowUnknownOption(),
    async run(_verb: string | undefined, _words: string[], { url, ...flags }: RemoteFlags & { url: string }, self: Command) {
      return (await import("./run-verb.ts")).doVerb(self, self.args, url, flags);
    },
  },
  {
    name: "world",
    does: "save, load or show the world of a server",
    usage: "save|load <file> [url] | show <file>",
    takes: [
      argument("<action>", "what to do").choices(WORLD_ACTIONS),
      argument("<file>", "the file; a name that ends in .gz is packed"),
      url(),
    ],
    flags: [
      ...remote,
      { flag: "--port <number>", is: "for show: port to listen on; default a free one", read: port },
      { flag: "--no-open", is: "for show: print the address only" },
      json("print the result as JSON"),
    ],
    examples: [
      ["world save shop.world", "save everything that the server knows"],
      ["world load shop.world http://127.0.0.1:4020", "go on with it in another server"],
      ["world show shop.world", "look at a saved world, such as one of a failed CI job"],
    ],
    exit,
    async run(action: WorldAction, file: string, url: string, flags: WorldFlags) {
      return (await import("./world.ts")).world(action, file, url, flags);
    },
  },
  {
    name: "trigger",
    does: "send a webhook event",
    takes: [argument("<event>", "such as document_completed").argParser(eventName), url()],
    flags: [
      ...remote,
      { flag: "--document <id>", is: "document of the event; default the newest" },
      json("print the answer as JSON"),
    ],
    examples: [["trigger document_completed", "send the event about the newest completed document; create one if there is none"]],
    exit,
    async run(event: string, url: string, flags: RemoteFlags & { document?: string }) {
      return (await import("./run-verb.ts")).trigger(event, url, flags);
    },
  },
  {
    name: "logs",
    does: "show what happens on a running server",
    takes: [url()],
    flags: [...remote, log, json("the same as --log json")],
    examples: [
      ["logs", "show calls, webhooks, acts and the clock of http://127.0.0.1:4010"],
      ["logs http://127.0.0.1:4020 --json", "print each event as a line of JSON"],
    ],
    exit: untilInterrupt,
    async run(url: string, flags: LogsFlags) {
      return (await import("./listen.ts")).logs(url, flags);
    },
  },
  {
    name: "listen",
    does: "show the webhook deliveries of a running server",
    takes: [url()],
    flags: [
      ...remote,
      { flag: "--forward <url>", is: "subscribe this address until the interrupt", read: webAddress },
      { flag: "--events <list>", is: "events to show and to subscribe; default all", read: eventNames },
      log,
      json("the same as --log json"),
    ],
    examples: [
      ["listen --forward http://localhost:3000/hook", "subscribe your receiver until the interrupt"],
      ["listen --events document_state_changed", "show deliveries of one event"],
    ],
    exit: untilInterrupt,
    async run(url: string, flags: ListenFlags) {
      return (await import("./listen.ts")).listen(url, flags);
    },
  },
  {
    name: "coverage",
    does: "print which operations were called",
    takes: [url()],
    flags: [...remote, { flag: "--all", is: "list operations without a call too" }, json("print the answer as JSON")],
    examples: [["coverage --all --json", "print all operations as JSON"]],
    exit,
    async run(url: string, flags: RemoteFlags & { all?: boolean }) {
      return (await import("./run-verb.ts")).coverage(url, flags);
    },
  },
];
