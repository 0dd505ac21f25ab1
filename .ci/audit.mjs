// Finds known vulnerabilities of the shipped code. The package bundles its dependencies, so this compares the packages that the sources
// import, and the dependencies of these, with the registry's advisories. It prints a note when the registry answers no audits.
import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const GRAVE = new Set(["high", "critical"]);
const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8"));

/** Names of the installed packages that a text imports. */
function importsOf(text) {
  const sources = [...text.matchAll(/(?:from|import)\s*\(?\s*"([^"./][^"]*)"/g)].map((match) => match[1]);
  const names = sources
    .filter((one) => !one.startsWith("node:"))
    .map((one) =>
      one
        .split("/")
        .slice(0, one.startsWith("@") ? 2 : 1)
        .join("/"),
    );
  return names.filter((name) => packages[`node_modules/${name}`] !== undefined);
}

const { peerDependencies } = JSON.parse(readFileSync("package.json", "utf8"));
const shipped = new Set();
const waiting = readdirSync("src", { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
  .flatMap((entry) => importsOf(readFileSync(join(entry.parentPath, entry.name), "utf8")));
for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
  if (shipped.has(name) || peerDependencies[name] !== undefined) continue;
  shipped.add(name);
  waiting.push(...Object.keys(packages[`node_modules/${name}`]?.dependencies ?? {}));
}

const answer = await new Promise((resolve) => {
  execFile("npm", ["audit", "--json"], { maxBuffer: 1e8, timeout: 120_000 }, (_, stdout) => {
    try {
      resolve(JSON.parse(stdout));
    } catch {
      resolve(undefined);
    }
  });
});

if (answer?.vulnerabilities === undefined) {
  const why = answer?.error?.summary || answer?.error?.code || answer?.message || "no answer";
  process.stdout.write(`audit: the registry answers no audits (${String(why).split("\n")[0]}), so no package was checked\n`);
} else {
  const found = Object.values(answer.vulnerabilities).filter(({ name, severity }) => shipped.has(name) && GRAVE.has(severity));
  for (const { name, severity } of found) process.stdout.write(`audit: ${name} has a ${severity} weakness\n`);
  process.stdout.write(`audit: ${shipped.size} packages are shipped, ${found.length} with a weakness that is high or critical\n`);
  process.exitCode = found.length > 0 ? 1 : 0;
}
