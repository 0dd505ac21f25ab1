import { advancedText, clockText } from "./clock-text.ts";
import { writeSafely } from "./print.ts";
import { detailOf, type RemoteFlags, Server, ServerError } from "../tools/remote/server.ts";
import { tableText } from "./table.ts";

export type { RemoteFlags };

/** Returns the exit code: 1 when the server refuses. */
async function show<Body>(
  url: string,
  method: string,
  path: string,
  flags: RemoteFlags,
  body: unknown,
  text: (answer: Body) => string,
): Promise<0 | 1> {
  try {
    const reply = await new Server(url, flags).call(method, path, body);
    if (!reply.ok && !flags.json) throw new ServerError(detailOf(reply));
    writeSafely(flags.json ? `${JSON.stringify(reply.body, null, 2)}\n` : text(reply.body as Body));
    return reply.ok ? 0 : 1;
  } catch (error) {
    if (!(error instanceof ServerError)) throw error;
    process.stderr.write(`${error.message}\n`);
    return 1;
  }
}

export function advance(by: string, url: string, flags: RemoteFlags): Promise<0 | 1> {
  const goal = by === "next" || by === "idle" ? { until: by } : /^\d{4}-/.test(by) ? { to: by } : { by };
  return show(url, "POST", "/__admin/clock/advance", withPipedJson(flags), goal, advancedText);
}

export const CLOCK_ACTIONS = ["show", "freeze", "run", "auto", "advance"] as const;
export type ClockAction = (typeof CLOCK_ACTIONS)[number];

const MODES = { freeze: "frozen", run: "real", auto: "auto" } as const;

export function setClock(
  action: Exclude<ClockAction, "advance">,
  url: string,
  flags: RemoteFlags,
  stopAt: string | undefined,
): Promise<0 | 1> {
  const shown = withPipedJson(flags);
  if (action === "show") return show(url, "GET", "/__admin/clock", shown, undefined, clockText);
  const change = { mode: MODES[action], ...(action === "auto" ? { stopAt: stopAt ?? null } : {}) };
  return show(url, "PUT", "/__admin/clock", shown, change, clockText);
}

function withPipedJson(flags: RemoteFlags): RemoteFlags {
  return { ...flags, json: flags.json ?? !process.stdout.isTTY };
}

export function trigger(event: string, url: string, flags: RemoteFlags & { document?: string }): Promise<0 | 1> {
  const body = { event, ...(flags.document === undefined ? {} : { document_id: flags.document }) };
  return show(url, "POST", "/__admin/webhooks/trigger", flags, body, ({ deliveries }: { deliveries: Sent[] }) =>
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
  return show(url, "GET", "/__admin/coverage", flags, undefined, ({ hit, served, operations }: Coverage) => {
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
