/**
 * `npm run soak -- --kill --changes` kills a server that keeps a data file, and starts it again on the same file. Clients make every kind
 * of change, and note what each answer promised. After each start, the server must answer exactly that.
 */
import { existsSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Ids } from "../../src/engine/core/ids.ts";
import { changesOf, type Changes } from "./changes.ts";
import { Claims } from "./claims.ts";
import { type Command, startCommand } from "./command.ts";

export interface KillChangesOptions {
  rounds: number;
  seed: number;
  /** A new file starts after this many kills. */
  roundsPerFile?: number;
  onRound?: (round: number, summary: string) => void;
}

export interface KillChangesFigures {
  kills: number;
  answered: number;
  open: number;
  compared: number;
  /** Kills while the file was compacted, while a world was loaded, and while a snapshot was restored. */
  during: { compaction: number; world: number; restore: number };
  /** Number of answered changes, by kind. */
  kinds: Record<string, number>;
  bytesMax: number;
}

const CLIENTS = 4;
const ANSWERS_MAX = 250;
const HANGS_AFTER_MS = 120_000;
type Moment = "any" | "compaction" | "world" | "restore";
const MOMENTS: readonly Moment[] = ["any", "compaction", "any", "world", "restore"];
const startServer = (file: string) => startCommand(["--data", file, "--clock", "frozen"]);

/** @throws an error that names each promise that the server broke */
export async function killChanges({
  rounds,
  seed,
  roundsPerFile = 10,
  onRound,
}: KillChangesOptions): Promise<KillChangesFigures> {
  const chance = new Ids(`kill-changes/${seed}`);
  const figures: KillChangesFigures = {
    kills: 0,
    answered: 0,
    open: 0,
    compared: 0,
    during: { compaction: 0, world: 0, restore: 0 },
    kinds: {},
    bytesMax: 0,
  };
  const folder = mkdtempSync(join(tmpdir(), "docdouble-kill-"));
  let server: Command | undefined;
  try {
    let claims = new Claims();
    let clients: Changes[] = [];
    for (let round = 0; round < rounds; round++) {
      const file = join(folder, `data${Math.floor(round / roundsPerFile)}.json`);
      server = await startServer(file);
      if (round % roundsPerFile === 0) {
        claims = new Claims();
        clients = Array.from({ length: CLIENTS }, (_, i) =>
          changesOf(`${seed}-${Math.floor(round / roundsPerFile)}-${i}`, claims),
        );
      }
      for (const client of clients) client.server = server.url;
      if (round % roundsPerFile !== 0) await compare(claims, figures, round);
      const before = claims.answered;
      const moment = MOMENTS[round % MOMENTS.length] as Moment;
      await killAt(server, file, moment, clients, claims, chance, figures);
      figures.answered += claims.answered - before;
      figures.bytesMax = Math.max(figures.bytesMax, statSync(file).size);
      onRound?.(round, `${moment}: ${claims.answered - before} answers, ${claims.size} promises, ${statSync(file).size} bytes`);
      // The last kill of a file is compared too.
      if (round % roundsPerFile === roundsPerFile - 1 || round === rounds - 1) {
        server = await startServer(file);
        for (const client of clients) client.server = server.url;
        await compare(claims, figures, round + 1);
        server.process.kill("SIGKILL");
        await server.ended;
        for (const [kind, count] of Object.entries(claims.kinds)) figures.kinds[kind] = (figures.kinds[kind] ?? 0) + count;
        figures.open += claims.opened;
      }
    }
  } finally {
    server?.process.kill("SIGKILL");
    rmSync(folder, { recursive: true, force: true });
  }
  return figures;
}

async function compare(claims: Claims, figures: KillChangesFigures, round: number): Promise<void> {
  const { compared, broken } = await claims.compare();
  figures.compared += compared;
  if (broken.length > 0)
    throw new Error(
      `after kill ${round}, ${broken.length} of ${compared} promises are broken:\n${broken.slice(0, 20).join("\n")}`,
    );
}

async function killAt(
  server: Command,
  file: string,
  moment: Moment,
  clients: readonly Changes[],
  claims: Claims,
  chance: Ids,
  figures: KillChangesFigures,
): Promise<void> {
  let isAlive = true;
  const loads = Promise.all(clients.map((client) => client.run(() => isAlive)));
  let failure: unknown;
  loads.catch((error: unknown) => {
    failure = error;
  });
  const wanted = claims.answered + chance.between(1, ANSWERS_MAX);
  const later_ms = chance.between(0, 25);
  const limit = performance.now() + HANGS_AFTER_MS;
  const hasCome = () => {
    if (claims.answered < wanted) return false;
    if (moment === "compaction") return existsSync(`${file}.new`) || claims.answered > wanted + 10 * ANSWERS_MAX;
    return moment === "any" || clients.some((client) => client.doing === moment);
  };
  while (!hasCome() && !failure && performance.now() < limit) await sleep(1);
  await sleep(later_ms);
  if (moment === "compaction" && existsSync(`${file}.new`)) figures.during.compaction++;
  else if (moment !== "any" && clients.some((client) => client.doing === moment)) figures.during[moment]++;
  isAlive = false;
  server.process.kill("SIGKILL");
  figures.kills++;
  await server.ended;
  await loads;
}
