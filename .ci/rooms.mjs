// Checks the structure of src/: the order of rooms, gates, packages, import cycles and lengths. rooms.json holds all of them. Type imports
// count too.
import { readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";

/** Reads every import of every TypeScript file below `root`: `{ "engine/store/store.ts": ["engine/core/ids.ts", "lowdb", …] }`. */
export function readImports(root) {
  return Object.fromEntries(
    filesIn(root).map((file) => {
      const text = readFileSync(join(root, file), "utf8");
      const found = text.matchAll(/(?:\bfrom|\bimport|\brequire)\s*\(?\s*["'`]([^"'`]+)["'`]/g);
      return [file, [...new Set([...found].map(([, path]) => (path.startsWith(".") ? posix.join(file, "..", path) : path)))]];
    }),
  );
}

function filesIn(root) {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(root.length + 1)
        .replaceAll("\\", "/"),
    )
    .sort();
}

/** The number of lines of every TypeScript file below `root`. */
export function countLines(root) {
  return Object.fromEntries(filesIn(root).map((file) => [file, readFileSync(join(root, file), "utf8").split("\n").length - 1]));
}

/** Returns one sentence for each file that is too long. */
export function findLongFiles(counts, { lines: { most, except } }) {
  return Object.entries(counts)
    .filter(([file, lines]) => lines > most && !except.includes(file))
    .map(([file, lines]) => `${file} has ${lines} lines. Split it: a file has at most ${most}.`);
}

/** Returns one sentence for each broken rule. The list is empty when the structure is right. */
export function findProblems(imports, { rooms, gates, packages }) {
  const names = rooms.map(([name]) => name);
  const problems = [];
  for (const [file, targets] of Object.entries(imports)) {
    const room = roomOf(file, names);
    if (room === undefined) {
      problems.push(`${file} is in no room. Add its folder to "rooms" in .ci/rooms.json.`);
      continue;
    }
    for (const target of targets) {
      const owners = packages[packageOf(target)];
      if (owners && !owners.some((owner) => isIn(file, owner)))
        problems.push(`${file} imports ${target}. Only ${owners.join(", ")} may.`);
      if (!(target in imports)) {
        if (/^[^@].*\.ts$/.test(target) && !target.startsWith(".."))
          problems.push(`${file} imports ${target}, which does not exist.`);
        continue;
      }
      const other = roomOf(target, names);
      if (other === undefined) continue;
      if (names.indexOf(other) > names.indexOf(room)) problems.push(`${file} imports ${target} from a higher room.`);
      for (const [building, gate] of Object.entries(gates))
        if (isIn(target, building) && !isIn(file, building) && !gate.includes(target))
          problems.push(`${file} imports ${target}. Only ${gate.join(" and ")} of ${building} can be seen from outside.`);
    }
  }
  return [...problems, ...findCycles(imports).map((cycle) => `Import cycle: ${cycle.join(" → ")}`)];
}

/** The room with the longest path around the file. */
function roomOf(file, names) {
  return names.filter((name) => isIn(file, name)).sort((a, b) => b.length - a.length)[0];
}

function isIn(file, place) {
  return place === "." ? !file.includes("/") : file === place || file.startsWith(`${place}/`);
}

function packageOf(target) {
  return target
    .split("/")
    .slice(0, target.startsWith("@") ? 2 : 1)
    .join("/");
}

function findCycles(imports) {
  const done = new Set();
  const cycles = [];
  const walk = (file, path) => {
    if (path.includes(file)) cycles.push([...path.slice(path.indexOf(file)), file]);
    if (path.includes(file) || done.has(file)) return;
    for (const target of imports[file] ?? []) walk(target, [...path, file]);
    done.add(file);
  };
  for (const file of Object.keys(imports)) walk(file, []);
  return cycles;
}

if (process.argv[1]?.endsWith("rooms.mjs")) {
  const layout = JSON.parse(readFileSync(new URL("./rooms.json", import.meta.url), "utf8"));
  const problems = [...findProblems(readImports("src"), layout), ...findLongFiles(countLines("src"), layout)];
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exit(1);
  console.log("src: rooms, gates and packages hold, no import cycle, no long file");
}
