import { spawn } from "node:child_process";
import { httpCall } from "../tools/remote/http-call.ts";

const TIMEOUT_MS = 3000;

export interface DocsFlags {
  json?: boolean;
  open?: boolean;
}

/** Returns the exit code: 1 without a server. */
export async function docs(server: string, flags: DocsFlags): Promise<0 | 1> {
  const url = URL.canParse("/docs/", server) ? new URL("/docs/", server).href : undefined;
  const answer = url === undefined ? undefined : await httpCall(url, { timeout_ms: TIMEOUT_MS }).catch(() => undefined);
  if (url === undefined || !answer?.ok) {
    process.stderr.write(
      `No docdouble answers at ${server}. Start one with "npx docdouble start", or pass its address, such as http://127.0.0.1:4010.\n`,
    );
    return 1;
  }
  process.stdout.write(`${flags.json ? JSON.stringify({ url }) : url}\n`);
  if (process.stdout.isTTY && !flags.json && flags.open !== false && !process.env.CI) openInBrowser(url);
  return 0;
}

/** On a machine without a browser, the printed address is enough. */
export function openInBrowser(url: string): void {
  const [program, ...args] =
    process.platform === "darwin" ? ["open"] : process.platform === "win32" ? ["cmd", "/c", "start", '""'] : ["xdg-open"];
  const child = spawn(program as string, [...args, url], { detached: true, stdio: "ignore" });
  child.on("error", () => {});
  child.unref();
}
