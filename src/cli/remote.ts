import { systemClock } from "../core/clock.ts";

const TIMEOUT_MS = 60_000;

export interface RemoteFlags {
  key?: string;
  adminToken?: string;
}

/** Prints the answer as JSON. Returns the exit code: 0 for an answer below 400. */
async function ask(url: string, method: string, path: string, flags: RemoteFlags, body?: unknown): Promise<0 | 1> {
  const headers: Record<string, string> = {
    ...(body === undefined ? {} : { "content-type": "application/json" }),
    ...(flags.key === undefined ? {} : { authorization: `API-Key ${flags.key}` }),
    ...(flags.adminToken === undefined ? {} : { "x-docdouble-admin-token": flags.adminToken }),
  };
  try {
    const init = {
      method,
      headers,
      signal: systemClock.timeout(TIMEOUT_MS),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    };
    const response = await fetch(new URL(path, url), init);
    const text = await response.text();
    process.stdout.write(`${JSON.stringify(JSON.parse(text), null, 2)}\n`);
    return response.ok ? 0 : 1;
  } catch (error) {
    const reason =
      error instanceof Error ? ((error.cause as { code?: string } | undefined)?.code ?? error.message) : String(error);
    process.stderr.write(
      `Cannot reach ${url}: ${reason}. Start docdouble there, or pass another address, or set DOCDOUBLE_URL.\n`,
    );
    return 1;
  }
}

/** `by` is a duration, an instant, `next` or `idle`. */
export function advance(by: string, url: string, flags: RemoteFlags): Promise<0 | 1> {
  const goal = by === "next" || by === "idle" ? { until: by } : /^\d{4}-/.test(by) ? { to: by } : { by };
  return ask(url, "POST", "/__admin/clock/advance", flags, goal);
}

export function trigger(event: string, url: string, flags: RemoteFlags & { document?: string }): Promise<0 | 1> {
  return ask(url, "POST", "/__admin/webhooks/trigger", flags, {
    event,
    ...(flags.document === undefined ? {} : { document_id: flags.document }),
  });
}

export function coverage(url: string, flags: RemoteFlags): Promise<0 | 1> {
  return ask(url, "GET", "/__admin/coverage", flags);
}
