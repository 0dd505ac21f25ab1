/**
 * `npm run soak` measures endurance. Its options are `-- --rounds N --connections N --tenants N`. `-- --kill` kills servers under load
 * instead, and with `--changes` it starts them again and compares every kind of change. `-- --keyless` plays the worst calls without a
 * key, `--rounds` times or for `--minutes N`. `-- --worst` lets the worst caller use the built command for `--minutes N`, with
 * `--with-data` on a data file. `--write` writes the figures to docs/reliability.md. The command fails on server errors, unanswered requests, lost changes and a growing heap.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { cpus, tmpdir, totalmem } from "node:os";
import { join } from "node:path";
import { keylessSoak } from "./keyless.ts";
import { type KillFigures, killAgainAndAgain } from "./kill.ts";
import { type KillChangesFigures, killChanges } from "./kill-changes.ts";
import { type SoakFigures, soak } from "./load.ts";
import { type WorstFigures, worstCaller } from "./worst.ts";

const { argv } = process;
/** Allowed growth of a warm server per round: this many MiB or this share of its live objects, which measurements vary by. */
const GROWTH_MIB_MAX = 1;
const GROWTH_SHARE_MAX = 0.02;
/** What a server may keep after all tenants are gone: compiled schemas, pages and caches with limits. */
const LEFT_MIB_MAX = 100;
const option = (name: string, usual: number): number => {
  const at = argv.indexOf(`--${name}`);
  return at < 0 ? usual : Number(argv[at + 1]);
};

const say = (text: string) => process.stdout.write(`${text}\n`);
const machine = `${cpus().length} × ${cpus()[0]?.model ?? "unknown processor"}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}, ${process.platform}`;
const measured = `Measured on ${new Date().toISOString().slice(0, 10)}: ${machine}.`;

if (argv.includes("--keyless")) {
  const began = performance.now();
  const { rounds, answered } = await keylessSoak({
    rounds: option("rounds", 20),
    minutes: argv.includes("--minutes") ? option("minutes", 60) : undefined,
    calls: option("calls", 400),
    open: option("open", 100),
    onRound: say,
  });
  const minutes = (performance.now() - began) / 60_000;
  const [middle, last] = [rounds[Math.floor(rounds.length / 2)]?.heap ?? 0, rounds.at(-1)?.heap ?? 0];
  const most = (part: "heap" | "rss") => Math.max(...rounds.map((round) => round[part]));
  const mib = (bytes: number) => (bytes / 2 ** 20).toFixed(1);
  const text = `${rounds.length} rounds in ${minutes.toFixed(0)} minutes: ${answered.toLocaleString("en")} answers. Live objects after a round: at most ${mib(most("heap"))} MiB. All memory of the process: at most ${mib(most("rss"))} MiB. From the middle round to the last one the heap grew by ${mib(last - middle)} MiB. ${measured}`;
  say(text);
  write("keyless", text);
  if (last > middle * 1.2) process.exitCode = 1;
} else if (argv.includes("--worst")) {
  const folder = mkdtempSync(join(tmpdir(), "docdouble-worst-"));
  const data = argv.includes("--with-data") ? join(folder, "data.json") : undefined;
  const minutes = option("minutes", 60);
  const figures = await worstCaller({ minutes, pause_ms: option("pause", 100), data, onSample: say });
  rmSync(folder, { recursive: true, force: true });
  say(worstText(figures));
  write(data === undefined ? "worst" : "worst with data", worstText(figures));
  const problems = [...figures.after, ...figures.tally.wrong];
  if (figures.live.cleared > figures.live.first + LEFT_MIB_MAX * 2 ** 20)
    problems.push("memory stays after all tenants are gone");
  if (problems.length > 0 || figures.stop.code !== 0) {
    say(problems.slice(0, 50).join("\n"));
    process.exitCode = 1;
  }
} else if (argv.includes("--kill") && argv.includes("--changes")) {
  const seed = option("seed", 1);
  const onRound = (round: number, summary: string) => say(`kill ${round + 1}, ${summary}`);
  const figures = await killChanges({ rounds: option("rounds", 50), seed, onRound });
  say(changesText(figures, seed));
  write("kill changes", changesText(figures, seed));
} else if (argv.includes("--kill")) {
  const seed = option("seed", 1);
  const figures = await killAgainAndAgain({
    rounds: option("rounds", 300),
    seed,
    onRound: (round, summary) => say(`kill ${round + 1}: ${summary}`),
  });
  say(killText(figures, seed));
  write("kill", killText(figures, seed));
} else {
  const figures = await soak({
    rounds: option("rounds", 10),
    connections: option("connections", 2000),
    tenants: option("tenants", 1000),
    onRound: say,
  });
  say(soakText(figures));
  write("soak", soakText(figures));
  const { tally, growth_mib, rounds } = figures;
  const growth_max = Math.max(GROWTH_MIB_MAX, ((rounds.at(-1)?.heap ?? 0) / 2 ** 20) * GROWTH_SHARE_MAX);
  const failed = Object.keys(tally.statuses).some((status) => Number(status) >= 500);
  if (failed || tally.unanswered > 0 || tally.answered !== tally.asked || growth_mib > growth_max) {
    say(`something is wrong: ${JSON.stringify({ ...tally, growth_mib })}`);
    process.exitCode = 1;
  }
}

function killText({ kills, answered, open, torn, bytesMax }: KillFigures, seed: number): string {
  return `${kills} kills (seed ${seed}): ${answered.toLocaleString("en")} changes were answered before a kill, and all were in the file after it; ${open.toLocaleString("en")} changes got no answer; ${torn} files ended in an unfinished change, which was cut off; files of up to ${(bytesMax / 2 ** 20).toFixed(1)} MiB. ${measured}`;
}

function changesText({ kills, answered, open, compared, during, kinds, bytesMax }: KillChangesFigures, seed: number): string {
  return `${kills} kills (seed ${seed}): ${answered.toLocaleString("en")} changes of ${Object.keys(kinds).length} kinds were answered, and ${open.toLocaleString("en")} got no answer. After the restarts, ${compared.toLocaleString("en")} promises were compared, and all were kept. ${during.compaction} kills hit a compaction, ${during.world} the load of a world, and ${during.restore} a restored snapshot. Files of up to ${(bytesMax / 2 ** 20).toFixed(1)} MiB. ${measured}`;
}

function worstText({ minutes, tally, samples, stop, after, live, tenants }: WorstFigures): string {
  const mib = (bytes: number) => (bytes / 2 ** 20).toFixed(0);
  const most = (part: "rss" | "live", from: number, to: number) =>
    mib(Math.max(0, ...samples.slice(Math.floor(samples.length * from), Math.ceil(samples.length * to)).map((one) => one[part])));
  const thirds = (part: "rss" | "live") => [most(part, 0, 1 / 3), most(part, 1 / 3, 2 / 3), most(part, 2 / 3, 1)].join(", ");
  const answers = after.length === 0 ? "all answers were right" : `${after.length} answers were wrong`;
  return `${minutes} minutes: ${tally.answered.toLocaleString("en")} answers, ${tally.dropped.toLocaleString("en")} dropped calls, ${tally.wrong.length} calls without an answer in time. Most memory of the process in each third of the time: ${thirds("rss")} MiB. Most live objects: ${thirds("live")} MiB. At the end, the caller had left ${tenants} tenants. Live objects: ${mib(live.first)} MiB before the first call, ${mib(live.last)} MiB after the last, and ${mib(live.cleared)} MiB without these tenants. Afterwards, ${answers}, and the server stopped in ${(stop.ms / 1000).toFixed(1)} s with code ${stop.code}. ${measured}`;
}

function soakText({ options, seconds, tally, rounds, growth_mib, late_ms, lateP99_ms }: SoakFigures): string {
  const mib = (bytes: number) => (bytes / 2 ** 20).toFixed(0);
  return `${options.rounds} rounds of ${options.connections.toLocaleString("en")} connections and ${options.tenants.toLocaleString("en")} fresh tenants in ${Math.round(seconds)} s: ${tally.asked.toLocaleString("en")} requests, ${tally.unanswered} unanswered. Live objects after each round: ${rounds.map((one) => mib(one.heap)).join(", ")} MiB; once warm ${growth_mib.toFixed(2)} MiB a round. The event loop was late by ${late_ms.toFixed(0)} ms at most, by ${lateP99_ms.toFixed(0)} ms in one case of a hundred. ${measured}`;
}

/** With `--write`, replaces the text between the page's markers of this name. */
function write(name: string, text: string): void {
  if (!argv.includes("--write")) return;
  const page = readFileSync("docs/reliability.md", "utf8");
  const [begin, end] = [`<!-- measured: ${name} -->`, `<!-- end: ${name} -->`];
  const [before, rest] = page.split(begin);
  writeFileSync("docs/reliability.md", `${before}${begin}\n\n${text}\n\n${end}${rest?.split(end)[1] ?? ""}`);
}
