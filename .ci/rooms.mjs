// Checks the structure of src/: floors, rooms, leaf files and import cycles. rooms.json holds the order. Type imports count too.
import { readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";

/** Reads every import of every TypeScript file below `root`: `{ "domain/world.ts": ["core/ids.ts", …] }`. */
export function readImports(root) {
  const files = readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(root.length + 1)
        .replaceAll("\\", "/"),
    )
    .sort();
  return Object.fromEntries(
    files.map((file) => {
      const text = readFileSync(join(root, file), "utf8");
      const found = text.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*"(\.[^"]+)"/g);
      return [file, [...new Set([...found].map(([, path]) => posix.join(file, "..", path)))]];
    }),
  );
}

/** Returns one sentence for each broken rule. The list is empty when the structure is right. */
export function findProblems(imports, { floors, rooms, leaves }) {
  const floorOf = (file) => floors.findIndex((names) => names.includes(file.split("/")[0]));
  const isLeaf = (file) => leaves.some((pattern) => matches(file, pattern));
  const problems = [];
  for (const [file, targets] of Object.entries(imports)) {
    if (floorOf(file) < 0) problems.push(`${file} belongs to no floor. Add its folder to "floors" in .ci/rooms.json.`);
    const [floor, room, rest] = file.split("/");
    const order = rooms[floor];
    if (order && rest !== undefined && !order.includes(room))
      problems.push(`${file} is in a room without an order. Add "${room}" to "rooms" in .ci/rooms.json.`);
    for (const target of targets) {
      if (!(target in imports)) {
        if (target.endsWith(".ts")) problems.push(`${file} imports ${target}, which does not exist.`);
        continue;
      }
      if (floorOf(target) > floorOf(file)) problems.push(`${file} imports ${target} from a higher floor.`);
      const [targetFloor, targetRoom, targetRest] = target.split("/");
      if (!order || targetFloor !== floor || isLeaf(target)) continue;
      if (isLeaf(file)) problems.push(`${file} is a leaf and imports ${target}, which is not a leaf.`);
      else if (rest !== undefined && targetRest === undefined)
        problems.push(`${file} imports ${target}, which composes the rooms.`);
      else if (rest !== undefined && order.indexOf(targetRoom) > order.indexOf(room))
        problems.push(`${file} imports ${target} from a higher room.`);
    }
  }
  return [...problems, ...findCycles(imports).map((cycle) => `Import cycle: ${cycle.join(" → ")}`)];
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

function matches(file, pattern) {
  const expression = pattern
    .split("*")
    .map((part) => part.replace(/[.\\/]/g, "\\$&"))
    .join("[^/]*");
  return new RegExp(`^${expression}$`).test(file);
}

if (process.argv[1]?.endsWith("rooms.mjs")) {
  const layout = JSON.parse(readFileSync(new URL("./rooms.json", import.meta.url), "utf8"));
  const problems = findProblems(readImports("src"), layout);
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exit(1);
  console.log("src: floors and rooms hold, no import cycle");
}
