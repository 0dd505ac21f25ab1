// Checks the structure of src/: the order of rooms, gates, packages, lengths of files, and who may use time and chance. rooms.json holds all of them. Biome finds circles of
// value imports. A type import may point to any room of its own building, because nothing of it is left when the program runs.
import { readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";

const {
  rooms,
  gates,
  lines,
  packages,
  texts: refused,
} = JSON.parse(readFileSync(new URL("./rooms.json", import.meta.url), "utf8"));
const names = rooms.map(([name]) => name);
const problems = [];

const texts = Object.fromEntries(
  readdirSync("src", { recursive: true })
    .filter((file) => file.endsWith(".ts"))
    .map((file) => [file.replaceAll("\\", "/"), readFileSync(join("src", file), "utf8")])
    .sort(([a], [b]) => (a < b ? -1 : 1)),
);

for (const [file, text] of Object.entries(texts)) {
  const room = roomOf(file);
  if (room === undefined) problems.push(`${file} is in no room. Add its folder to "rooms" in .ci/rooms.json.`);
  else for (const one of importsOf(file, text)) checkImport(file, room, one);
  for (const { pattern, only, instead } of refused) {
    const found = new RegExp(pattern).exec(codeOf(text))?.[0];
    if (found !== undefined && !only.includes(file)) problems.push(`${file} has ${found}. ${instead}`);
  }
  const count = text.split("\n").length - 1;
  if (count > lines.most) problems.push(`${file} has ${count} lines. Split it: a file has at most ${lines.most}.`);
}

/** The code of a file without comments, and without the contents of quotation marks. */
function codeOf(text) {
  return text
    .replace(/\/\*[\s\S]*?\*\//g, "")
    .replace(/(^|\s)\/\/.*$/gm, "")
    .replace(/"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/g, '""');
}

/** Every import of a file, static or dynamic, and whether it imports types only. */
function importsOf(file, text) {
  const found = text.matchAll(
    /(?:\b(?:import|export) (type) [^;"'`]*?from|\bfrom|\bimport|\brequire)\s*\(?\s*["'`]([^"'`]+)["'`]/g,
  );
  return [...found].map(([, type, path]) => ({
    target: path.startsWith(".") ? posix.join(file, "..", path) : path,
    isType: type !== undefined,
  }));
}

function checkImport(file, room, { target, isType }) {
  const owners = packages[packageOf(target)];
  if (owners && !owners.some((owner) => isIn(file, owner)))
    problems.push(`${file} imports ${target}. Only ${owners.join(", ")} may.`);
  const other = target in texts ? roomOf(target) : undefined;
  if (other === undefined) return;
  const isFree = isType && buildingOf(target) === buildingOf(file);
  if (!isFree && names.indexOf(other) > names.indexOf(room)) problems.push(`${file} imports ${target} from a higher room.`);
  for (const [building, gate] of Object.entries(gates))
    if (isIn(target, building) && !isIn(file, building) && !gate.includes(target))
      problems.push(`${file} imports ${target}. Only ${gate.join(" and ")} of ${building} can be seen from outside.`);
}

/** The room with the longest path around the file. */
function roomOf(file) {
  return names.filter((name) => isIn(file, name)).sort((a, b) => b.length - a.length)[0];
}

function buildingOf(file) {
  return file.split("/")[0];
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

for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exit(1);
console.log("src: rooms, gates, packages and lengths hold");
