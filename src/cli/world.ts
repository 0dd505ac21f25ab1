/** `docdouble world`: a tenant as a file. */
import { spawn } from "node:child_process";
import { statSync } from "node:fs";
import { readRegularBytes } from "../engine/core/regular-file.ts";
import { messageOf } from "../engine/core/text.ts";
import { writeWorld } from "../engine/store/write-world.ts";
import { SettingsError } from "../library/errors.ts";
import { hostOf } from "../library/sandbox.ts";
import { openSavedWorld } from "../library/saved-world.ts";
import { detailOf, replyOfBytes, Server, ServerError } from "../tools/remote/server.ts";
import { EXIT_USAGE, usageMessage } from "./usage-error.ts";
import { callOf } from "./verbs.ts";
import type { WorldAction, WorldFlags } from "./server-commands.ts";

/** Returns the exit code: 1 when the server refuses, 2 when the file cannot be used. `show` runs until an interrupt. */
export async function world(action: WorldAction, file: string, url: string, flags: WorldFlags): Promise<number> {
  try {
    if (action === "show") return await show(file, flags);
    return await (action === "save" ? save(file, url, flags) : load(file, url, flags));
  } catch (error) {
    if (!(error instanceof ServerError)) throw error;
    process.stderr.write(`${error.message}\n`);
    return 1;
  }
}

async function save(file: string, url: string, flags: WorldFlags): Promise<number> {
  const { method, path } = callOf("world.save", {});
  const answer = await new Server(url, flags).bytes(method, path);
  if (!answer.ok) throw new ServerError(detailOf(replyOfBytes(answer)));
  try {
    writeWorld(file, answer.bytes);
  } catch (error) {
    return unusable(error, `cannot write ${file}`);
  }
  process.stdout.write(flags.json ? `${JSON.stringify({ file, bytes: statSync(file).size })}\n` : `saved the world to ${file}\n`);
  return 0;
}

async function load(file: string, url: string, flags: WorldFlags): Promise<number> {
  let content: Buffer;
  try {
    content = readRegularBytes(file);
  } catch (error) {
    return unusable(error, `cannot read ${file}`);
  }
  const { method, path } = callOf("world.load", {});
  const answer = await new Server(url, flags).bytes(method, path, content);
  if (!answer.ok) throw new ServerError(detailOf(replyOfBytes(answer)));
  process.stdout.write(flags.json ? `${answer.bytes.toString()}\n` : `loaded the world of ${file}\n`);
  return 0;
}

async function show(file: string, flags: WorldFlags): Promise<number> {
  let url: string;
  let close: () => Promise<void>;
  try {
    const sandbox = await openSavedWorld(file);
    await hostOf(sandbox).listen(flags.port ?? 0, "127.0.0.1");
    url = `${sandbox.url}/__admin/`;
    close = () => sandbox.close();
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    process.stderr.write(`${usageMessage(error)}\n`);
    return EXIT_USAGE;
  }
  process.stdout.write(`${flags.json ? JSON.stringify({ url }) : `The world of ${file}, with a clock that stands: ${url}`}\n`);
  if (process.stdout.isTTY && !flags.json && flags.open !== false && !process.env.CI) openInBrowser(url);
  await new Promise<void>((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => resolve());
  });
  await close();
  return 0;
}

/** On a machine without a browser, the printed address is enough. */
function openInBrowser(url: string): void {
  const [program, ...args] =
    process.platform === "darwin" ? ["open"] : process.platform === "win32" ? ["cmd", "/c", "start", '""'] : ["xdg-open"];
  const child = spawn(program as string, [...args, url], { detached: true, stdio: "ignore" });
  child.on("error", () => {});
  child.unref();
}

function unusable(error: unknown, what: string): number {
  process.stderr.write(`${what}: ${(error as NodeJS.ErrnoException).code ?? messageOf(error)}\n`);
  return EXIT_USAGE;
}
