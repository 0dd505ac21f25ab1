/**
 * `npm run bench` measures the built package, beside servers that do less, and prints tables. `npm run bench -- rates starts` measures
 * only these parts. No test checks the figures, because they depend on the machine.
 */
import { cpus } from "node:os";
import { crash } from "./crash.ts";
import { table } from "./figures.ts";
import { growthTable } from "./growth.ts";
import { measureRates } from "./rates.ts";
import { measureStarts } from "./starts.ts";
import { measureSuite } from "./suite.ts";
import { measureWorlds } from "./worlds.ts";

const PARTS: Readonly<Record<string, () => Promise<string>>> = {
  suite: async () => table(await measureSuite()),
  rates: async () => table(await measureRates()),
  starts: async () => table(await measureStarts()),
  worlds: async () => table(await measureWorlds()),
  growth: growthTable,
  async crash() {
    const { kills, answered, open, compared } = await crash({ rounds: 100, seed: Date.now() % 1000 });
    return `${kills} kills, ${answered} answered changes, ${open} without an answer, ${compared} states compared, all as promised`;
  },
};

const asked = process.argv.slice(2);
const unknown = asked.find((name) => !Object.hasOwn(PARTS, name));
if (unknown !== undefined) throw new Error(`no such part: ${unknown}; there are ${Object.keys(PARTS).join(", ")}`);
console.log(`${cpus().length} × ${cpus()[0]?.model}, Node ${process.version}, ${process.platform}`);
for (const [name, measure] of Object.entries(PARTS))
  if (asked.length === 0 || asked.includes(name)) console.log(`\n## ${name}\n\n${await measure()}`);
process.exit(0);
