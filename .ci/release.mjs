// `npm run release -- 0.2.0` makes a release, except for the upload: it checks the project, writes the version and the changelog, packs,
// tries the packed command, commits and tags. Then it prints the commands that upload. `--dry-run` changes nothing; `--skip-checks`
// leaves out `npm run check`.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const PLACEHOLDER = "OWNER";
const args = process.argv.slice(2);
const version = args.find((one) => !one.startsWith("--"));
const isDry = args.includes("--dry-run");

const run = (program, ...rest) => execFileSync(program, rest, { encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] }).trim();
const say = (text) => process.stdout.write(`${text}\n`);

function stop(problem) {
  process.stderr.write(`release: ${problem}\n`);
  process.exit(1);
}

if (!/^\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(version ?? "")) stop("Name a version, such as npm run release -- 0.2.0");
const manifest = readFileSync("package.json", "utf8");
const changelog = readFileSync("CHANGELOG.md", "utf8");
const unreleased = /^## \[Unreleased\]\n([\s\S]*?)(?=^## \[|^\[Unreleased\]:)/m.exec(changelog)?.[1]?.trim();
if (!unreleased) stop("CHANGELOG.md has nothing under [Unreleased]. Describe the release there.");
if (!isDry && run("git", "status", "--porcelain") !== "") stop("The working tree has changes. Commit or stash them first.");
if (run("git", "tag", "--list", `v${version}`) !== "") stop(`The tag v${version} exists. Choose another version.`);
const open = manifest.includes(`/${PLACEHOLDER}/`);
if (open && !isDry) stop("package.json still names OWNER. Fill in the list of docs/publishing.md first.");

if (!args.includes("--skip-checks")) {
  say("release: checking");
  execFileSync("npm", ["run", "check"], { stdio: "inherit" });
}

/** The changelog with the unreleased part under its version and today's date. */
function released(text) {
  const today = new Date().toISOString().slice(0, 10);
  const base = /^\[Unreleased\]: (.*\/docdouble)\//m.exec(text)?.[1];
  return text
    .replace("## [Unreleased]\n", `## [Unreleased]\n\n## [${version}] - ${today}\n`)
    .replace(
      /^\[Unreleased\]: .*$/m,
      `[Unreleased]: ${base}/compare/v${version}...HEAD\n[${version}]: ${base}/releases/tag/v${version}`,
    );
}

const folder = mkdtempSync(join(tmpdir(), "docdouble-release-"));
try {
  if (!isDry) {
    run("npm", "version", "--no-git-tag-version", version);
    writeFileSync("CHANGELOG.md", released(changelog));
  }
  say("release: packing");
  // `prepack` builds the package and the documentation. Its output comes before the name of the tarball.
  const tarball = run("npm", "pack", "--pack-destination", folder).split("\n").at(-1);
  writeFileSync(join(folder, "package.json"), '{"private": true}\n');
  run("npm", "install", "--prefix", folder, "--no-audit", "--no-fund", join(folder, tarball));
  const printed = run(process.execPath, join(folder, "node_modules/docdouble/dist/cli.cjs"), "--version");
  if (!isDry && printed !== version) stop(`The packed command prints the version ${printed}.`);
  say(`release: ${tarball} installs, and prints ${printed}`);
  if (isDry) {
    if (open) say("release: package.json still names OWNER, see docs/publishing.md");
    say("release: dry run, nothing changed");
  } else {
    run("git", "commit", "--all", "--message", `Release ${version}`);
    run("git", "tag", "--annotate", `v${version}`, "--message", `docdouble ${version}`);
    say(
      `release: committed and tagged. Upload with:\n\n  git push origin main v${version}\n\nThe tag starts .github/workflows/release.yml, which publishes with provenance.`,
    );
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
