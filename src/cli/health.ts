import { httpCall, reasonOf, withoutSlash } from "../tools/remote/http-call.ts";

const TIMEOUT_MS = 3000;

interface Health {
  url: string;
  ready: boolean;
  status: number | null;
  problem: string | null;
}

/** Returns the exit code: 0 when the server is ready. */
export async function health(url: string, isJson: boolean): Promise<0 | 1> {
  const found = await healthOf(url);
  const text = `${url}: ${found.problem ?? "ready"}`;
  process.stdout.write(`${isJson ? JSON.stringify(found, null, 2) : text}\n`);
  return found.ready ? 0 : 1;
}

async function healthOf(url: string): Promise<Health> {
  try {
    const { ok, status } = await httpCall(`${withoutSlash(url)}/__admin/ready`, { timeout_ms: TIMEOUT_MS });
    return { url, ready: ok, status, problem: ok ? null : `answered ${status}` };
  } catch (error) {
    return { url, ready: false, status: null, problem: `not reachable (${reasonOf(error)})` };
  }
}
