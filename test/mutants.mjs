// Plants faults in the sources and tells which ones the tests of a folder notice: `node test/mutants.mjs test/service/openapi test/mutants.json`.
// The list has entries { file, text, replacement }. An entry whose text is not in its file counts as moved. It needs a clean checkout of src.
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";

const [folder, list] = process.argv.slice(2);
const counts = { died: 0, lived: 0, moved: 0 };

/** Whether the tests of the folder pass. */
function passes() {
  const { status } = spawnSync("npx", ["vitest", "run", folder, "--bail=1", "--reporter=dot"], { stdio: "ignore" });
  return status === 0;
}

if (!passes()) throw new Error(`the tests of ${folder} fail without a planted fault`);
for (const { file, text, replacement } of JSON.parse(readFileSync(list, "utf8"))) {
  const source = readFileSync(file, "utf8");
  let outcome = "moved";
  if (source.includes(text)) {
    writeFileSync(
      file,
      source.replace(text, () => replacement),
    );
    try {
      outcome = passes() ? "lived" : "died";
    } finally {
      writeFileSync(file, source);
    }
  }
  counts[outcome]++;
  console.log(`${outcome.padEnd(6)} ${file}: ${text.trim().split("\n")[0]} -> ${replacement.trim().split("\n")[0]}`);
}
console.log(`${counts.died} died, ${counts.lived} lived, ${counts.moved} moved`);
if (counts.lived > 0) process.exitCode = 1;
