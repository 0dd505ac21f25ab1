/**
 * `npm run faults` leads the official client through random faults, one seed after another. `npm run faults -- 200` plays 200 seeds,
 * and `--from 300` chooses the first one. `--seed 17` plays one seed again and prints everything that happened.
 */
import { startReceiver } from "./receiver.ts";
import { run } from "./run.ts";

const args = process.argv.slice(2);
const one = args.includes("--seed") ? Number(args[args.indexOf("--seed") + 1]) : undefined;
const first = args.includes("--from") ? Number(args[args.indexOf("--from") + 1]) : 1;
const many = one === undefined ? Number(args.find((arg, i) => /^\d+$/.test(arg) && args[i - 1] !== "--from") ?? 1000) : 1;

const receiver = await startReceiver();
const failed: number[] = [];
let faults = 0;
let doubled = 0;
for (let i = 0; i < many; i++) {
  const seed = one ?? first + i;
  const outcome = await run(seed, receiver);
  faults += outcome.faults;
  doubled += outcome.doubled;
  if (outcome.disagreements.length > 0) {
    failed.push(seed);
    process.stdout.write(`seed ${seed}:\n${outcome.disagreements.map((line) => `  ${line}\n`).join("")}`);
  }
  if (one !== undefined)
    process.stdout.write(`${JSON.stringify(outcome.plan, null, 2)}\n${outcome.log.map((line) => `  ${line}\n`).join("")}`);
  else if ((i + 1) % 100 === 0) process.stdout.write(`${i + 1} of ${many}, ${failed.length} failed\n`);
}
await receiver.close();
process.stdout.write(
  `${many} runs, ${faults} calls met a fault, ${doubled} documents made twice by hasty clients and named as such; ${
    failed.length === 0
      ? "client and server agree in each"
      : `they disagree in ${failed.length}: again with npm run faults -- --seed ${failed[0]}`
  }\n`,
);
process.exitCode = failed.length === 0 ? 0 : 1;
