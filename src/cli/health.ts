import { systemClock } from "../core/clock.ts";

const TIMEOUT_MS = 3000;

/** Returns the exit code: 0 when the server is ready. */
export async function health(url: string): Promise<0 | 1> {
  try {
    const response = await fetch(new URL("/__admin/ready", url), { signal: systemClock.timeout(TIMEOUT_MS) });
    process.stdout.write(`${url}: ${response.ok ? "ready" : `answered ${response.status}`}\n`);
    return response.ok ? 0 : 1;
  } catch (error) {
    process.stdout.write(
      `${url}: not reachable (${error instanceof Error ? ((error.cause as { code?: string } | undefined)?.code ?? error.message) : String(error)})\n`,
    );
    return 1;
  }
}
