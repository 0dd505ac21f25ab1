/** Planting documents, in a process of its own, because other work of a process counts as its time. */
import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";

const PROGRAM = `
import { createSandbox } from "./dist/index.js";
async function plant(count) {
  const documents = Array.from({ length: count }, (_, i) => ({ name: "Offer " + i, template: "One signer", status: "document.sent" }));
  const before = process.cpuUsage();
  const sandbox = await createSandbox({ clock: "frozen", scenario: { version: 1, name: "many", world: { documents } } });
  const { user, system } = process.cpuUsage(before);
  await sandbox.close();
  return user + system;
}
const shortest = async (count) => Math.min(await plant(count), await plant(count), await plant(count));
const few = await shortest(1500);
console.log((await shortest(6000)) / few);
`;

test("four times as many documents take at most five times as long", () => {
  const ratio = execFileSync(process.execPath, ["--input-type=module", "--eval", PROGRAM], { encoding: "utf8" });
  expect(Number(ratio)).toBeLessThan(5);
});
