/**
 * Kills a server that keeps a data file, and starts it again on the same file. Clients make changes, and note what each answer promised.
 * After each start the server must answer exactly that.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Claims } from "./claims.ts";
import { CrashClient } from "./crash-client.ts";
import { chanceOf, DOCDOUBLE_ARGS, start } from "./servers.ts";

export interface CrashFigures {
  kills: number;
  answered: number;
  open: number;
  compared: number;
}

const CLIENTS = 4;
const ANSWERS_MAX = 250;

/** @throws an error that names each promise that the server broke */
export async function crash({ rounds, seed }: { rounds: number; seed: number }): Promise<CrashFigures> {
  const chance = chanceOf(seed);
  const claims = new Claims();
  const clients = Array.from({ length: CLIENTS }, (_, i) => new CrashClient(`${seed}-${i}`, claims, chanceOf(seed + i)));
  const folder = mkdtempSync(join(tmpdir(), "docdouble-crash-"));
  const args = [...DOCDOUBLE_ARGS, "--data", join(folder, "state.jsonl")];
  let compared = 0;
  try {
    for (let round = 0; round <= rounds; round++) {
      const server = await start(args, "/__admin/health");
      const ended = new Promise((done) => server.process.once("exit", done));
      try {
        for (const client of clients) client.url = server.url;
        const found = await claims.compare();
        compared += found.compared;
        if (found.broken.length > 0)
          throw new Error(`after kill ${round}, promises are broken (seed ${seed}):\n${found.broken.slice(0, 20).join("\n")}`);
        if (round === rounds) break;
        const wanted = claims.answered + chance(ANSWERS_MAX) + 1;
        const isOver = () => {
          // The clients share this thread, so the kill comes while the other calls are under way.
          if (claims.answered >= wanted) server.process.kill("SIGKILL");
          return claims.answered >= wanted;
        };
        await Promise.all(clients.map((client) => client.run(isOver)));
      } finally {
        server.process.kill("SIGKILL");
        await ended;
      }
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return { kills: rounds, answered: claims.answered, open: claims.opened, compared };
}
