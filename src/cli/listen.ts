import type { DeliveryEvent, LogEvent } from "../inspector/log/log-event.ts";
import type { EventName } from "../library/file-types.ts";
import { ownVariable } from "./own-variables.ts";
import { Console, type LogFormat } from "./console.ts";
import { detailOf, type RemoteFlags, Server, ServerError } from "../tools/remote/server.ts";
import { words } from "../service/words.ts";

const NAME = "docdouble listen";
const SUBSCRIPTIONS = "/public/v1/webhook-subscriptions";

export interface LogsFlags extends RemoteFlags {
  log?: LogFormat;
}

export interface ListenFlags extends LogsFlags {
  forward?: string;
  events?: EventName[];
}

/** Returns the exit code: 0 after an interrupt or the server's end, 1 when the server cannot be reached. */
export function logs(url: string, flags: LogsFlags): Promise<0 | 1> {
  return follow(new Server(url, flags), flags, async () => () => true);
}

/** With `forward`, subscribes that address until the interrupt. Returns the same exit codes as `logs`. */
export function listen(url: string, flags: ListenFlags): Promise<0 | 1> {
  const key = flags.key ?? ownVariable("DOCDOUBLE_API_KEY") ?? words.defaultKey;
  const server = new Server(url, { ...flags, key });
  const wanted = flags.events ?? [...words.events];
  const isWanted = (event: LogEvent | "end"): event is DeliveryEvent =>
    event !== "end" && event.type === "delivery" && wanted.some((name) => name === event.event);
  const { forward } = flags;
  if (forward === undefined) return follow(server, flags, async () => isWanted);
  return follow(server, flags, async (shown) => {
    let id = await subscribe(server, forward, wanted, shown);
    return async (event) => {
      if (event === "end") await server.call("DELETE", `${SUBSCRIPTIONS}/${id}`);
      else if (event.type === "reset") id = await subscribe(server, forward, wanted, shown);
      else return isWanted(event) && event.subscription === id;
      return false;
    };
  });
}

/** An interrupted run may leave its subscription behind. This replaces it. */
async function subscribe(server: Server, url: string, triggers: readonly EventName[], shown: Console): Promise<string> {
  const reply = await server.call("GET", SUBSCRIPTIONS);
  if (reply.status === 401)
    throw new ServerError(`${server.url} does not know this API key. Pass the key of its workspace with --key.`);
  const known = (reply.body?.items ?? []) as { uuid: string; name: string; url: string }[];
  for (const one of known) if (one.name === NAME && one.url === url) await server.call("DELETE", `${SUBSCRIPTIONS}/${one.uuid}`);
  const made = await server.call("POST", SUBSCRIPTIONS, { name: NAME, url, triggers, active: true });
  if (!made.ok) throw new ServerError(`${server.url} refused to subscribe ${url}: ${detailOf(made)}`);
  shown.say(
    `forwarding ${triggers.length === words.events.length ? "all events" : triggers.join(", ")} to ${url}  shared key ${made.body.shared_key}`,
  );
  return made.body.uuid as string;
}

type Filter = (event: LogEvent | "end") => boolean | Promise<boolean>;

async function follow(server: Server, flags: LogsFlags, begin: (shown: Console) => Promise<Filter>): Promise<0 | 1> {
  const format = flags.log ?? (flags.json ? "json" : process.stdout.isTTY ? "pretty" : "plain");
  const shown = new Console(format, process.stdout);
  const interrupt = new AbortController();
  const stop = () => interrupt.abort();
  process.on("SIGINT", stop);
  process.on("SIGTERM", stop);
  // A reader such as `head` may close the pipe early.
  process.stdout.on("error", stop);
  try {
    // A delivery may follow the subscription at once.
    const events = await server.openEvents(interrupt.signal);
    const filter = await begin(shown);
    for await (const event of events) if (await filter(event)) shown.hear(event);
    shown.flush();
    if (interrupt.signal.aborted) await filter("end");
    else process.stderr.write(`${server.url} ended.\n`);
    return 0;
  } catch (error) {
    shown.flush();
    // The interrupt came before the server answered.
    if (interrupt.signal.aborted && (error as Error).name === "AbortError") return 0;
    if (!(error instanceof ServerError)) throw error;
    process.stderr.write(`${error.message}\n`);
    return 1;
  } finally {
    stop();
    process.off("SIGINT", stop);
    process.off("SIGTERM", stop);
  }
}
