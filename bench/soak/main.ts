/**
 * Endurance, measured: `npm run soak`. `-- --kill` kills servers under load instead; `--rounds N`, `--seed N`.
 */
import { killAgainAndAgain } from "./kill.ts";

const { argv } = process;
const option = (name: string, usual: number): number => {
  const at = argv.indexOf(`--${name}`);
  return at < 0 ? usual : Number(argv[at + 1]);
};

if (argv.includes("--kill")) {
  const seed = option("seed", 1);
  const figures = await killAgainAndAgain({
    rounds: option("rounds", 300),
    seed,
    onRound: (round, summary) => process.stdout.write(`kill ${round + 1}: ${summary}\n`),
  });
  process.stdout.write(`${JSON.stringify({ seed, ...figures })}\n`);
}
