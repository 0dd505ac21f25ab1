import type { Command } from "commander";
import { advancedText, clockText } from "./clock-text.ts";
import { detailOf, type RemoteFlags, Server, ServerError } from "../tools/remote/server.ts";
import type { ClockAction } from "./server-commands.ts";
import { tableText } from "./table.ts";

/** Runs a verb, and prints its answer. */
async function show<Body>(
  url: string,
  verb: string,
  flags: RemoteFlags,
  input: Readonly<Record<string, unknown>>,
  text: (answer: Body) => string,
): Promise<0 | 1> {
  const { callOf } = await import("./verbs.ts");
  const { method, path, body } = callOf(verb, input);
  return reported(async () => {
    const reply = await new Server(url, flags).send(method, path, body?.toString());
    if (!reply.ok && !flags.json) throw new ServerError(detailOf(reply));
    process.stdout.write(flags.json ? `${JSON.stringify(reply.body, null, 2)}\n` : text(reply.body as Body));
    return reply.ok;
  });
}

/** Returns the exit code: 1 when the server refuses, or cannot be reached. */
async function reported(run: () => Promise<boolean>): Promise<0 | 1> {
  try {
    return (await run()) ? 0 : 1;
  } catch (error) {
    if (!(error instanceof ServerError)) throw error;
    process.stderr.write(`${error.message}\n`);
    return 1;
  }
}

/** Runs the verb that the words name. Prints its answer as it comes, and JSON with line breaks. */
export async function doVerb(self: Command, words: readonly string[], url: string, flags: RemoteFlags): Promise<0 | 1> {
  const { readCall } = await import("./verbs.ts");
  const call = readCall(self, words);
  if (!call) return 0;
  return reported(async () => {
    const { ok, status, headers, bytes } = await new Server(url, flags).bytes(call.method, call.path, bytesOf(call.body));
    const isJson = headers["content-type"]?.startsWith("application/json") ?? false;
    const body: unknown = isJson ? JSON.parse(bytes.toString("utf8")) : bytes.toString("utf8");
    if (!ok && !flags.json) throw new ServerError(detailOf({ status, body, why: (body as { why?: string }).why }));
    if (isJson) process.stdout.write(`${JSON.stringify(body, null, 2)}\n`);
    else process.stdout.write(bytes);
    return ok;
  });
}

function bytesOf(body: string | Uint8Array | undefined): Uint8Array | undefined {
  return typeof body === "string" ? Buffer.from(body) : body;
}

export function advance(by: string, url: string, flags: RemoteFlags): Promise<0 | 1> {
  const goal = by === "next" || by === "idle" ? { until: by } : /^\d{4}-/.test(by) ? { to: by } : { by };
  return show(url, "clock.advance", flags, goal, advancedText);
}

const MODES = { freeze: "frozen", run: "real", auto: "auto" } as const;

export function setClock(
  action: Exclude<ClockAction, "advance">,
  url: string,
  flags: RemoteFlags,
  stopAt: string | undefined,
): Promise<0 | 1> {
  if (action === "show") return show(url, "clock.show", flags, {}, clockText);
  const change = { mode: MODES[action], ...(action === "auto" ? { stopAt: stopAt ?? null } : {}) };
  return show(url, "clock.set", flags, change, clockText);
}

export function trigger(event: string, url: string, flags: RemoteFlags & { document?: string }): Promise<0 | 1> {
  const input = { event, document_id: flags.document };
  return show(url, "webhooks.trigger", flags, input, ({ deliveries }: { deliveries: Sent[] }) =>
    deliveries.map((one) => `${one.event} about ${one.document_id ?? "your data"} → ${one.url}\n`).join(""),
  );
}

interface Sent {
  event: string;
  document_id: string | null;
  url: string;
}

interface Coverage {
  hit: number;
  served: number;
  operations: { operationId: string; calls: number; statuses: Record<string, number> }[];
}

export function coverage(url: string, flags: RemoteFlags & { all?: boolean }): Promise<0 | 1> {
  return show(url, "coverage", flags, {}, ({ hit, served, operations }: Coverage) => {
    const shown = operations.filter((one) => flags.all || one.calls > 0).sort((a, b) => b.calls - a.calls);
    const rows = shown.map(({ operationId, calls, statuses }) => [
      operationId,
      String(calls),
      Object.entries(statuses)
        .map(([status, count]) => `${status} ×${count}`)
        .join(", "),
    ]);
    const more = flags.all || hit === served ? "" : " --all lists the others too.";
    const table = rows.length === 0 ? "" : `${tableText([["operation", "calls", "statuses"], ...rows])}\n`;
    return `${table}${hit} of ${served} operations were called.${more}\n`;
  });
}
