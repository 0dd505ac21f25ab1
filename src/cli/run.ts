/** `docdouble run SCENARIO -- CMD…`: starts a server, runs the command, checks the expectations. */
import { writeFileSync } from "node:fs";
import spawn from "cross-spawn";
import type { Profile } from "../assumptions/profiles.ts";
import { reportUnmet, type Unmet, unmetExpectations } from "../admin/scenario-runs/expectations.ts";
import { SettingsError } from "../errors.ts";
import { OFFICIAL_HOSTS } from "../kit/hosts.ts";
import { createSandbox, hostOf } from "../sandbox.ts";
import { ScenarioError } from "../scenario/error.ts";
import type { Sandbox } from "../types.ts";

const EXIT_USAGE = 2;
const EXIT_UNMET = 1;
/** The exit code of shells for a command that cannot be started. */
const EXIT_NOT_FOUND = 127;

export interface RunFlags {
  junit?: string;
  fixtures?: string;
  seed?: string;
  clock?: "real" | "frozen";
  assume?: string[];
  profile?: Profile;
  intercept?: boolean;
}

/** What one run of the command showed. */
export interface Outcome {
  /** The command's exit code. */
  code: number;
  unmet: Unmet[];
  /** Undefined without a scenario. */
  scenario: string | undefined;
  seed: string;
}

/** Without a scenario the built-in workspace answers. Returns the exit code: the command's, or 1 when the command passed and an expectation failed. */
export async function run(file: string | undefined, command: readonly string[], flags: RunFlags): Promise<number> {
  try {
    // Fail before the command starts if the report cannot be written.
    if (flags.junit !== undefined) writeReport(flags.junit, "");
    const outcome = await runOnce(file, command, flags);
    const { code, unmet, scenario } = outcome;
    if (flags.junit !== undefined) writeReport(flags.junit, junit(scenario ?? file ?? "docdouble run", code, unmet));
    return exitCodeOf(outcome);
  } catch (error) {
    return usageCode(error);
  }
}

export function exitCodeOf({ code, unmet }: Outcome): number {
  return Math.max(code, unmet.length > 0 ? EXIT_UNMET : 0);
}

/** Reports a mistake of the user. Throws every other error. */
export function usageCode(error: unknown): number {
  if (!(error instanceof SettingsError) && !(error instanceof ScenarioError)) throw error;
  process.stderr.write(`${error.message}\n`);
  return EXIT_USAGE;
}

/** Runs the command against a new server, and reports the expectations. @throws SettingsError, ScenarioError */
export async function runOnce(file: string | undefined, command: readonly string[], flags: RunFlags): Promise<Outcome> {
  const seed = flags.seed === undefined ? {} : { seed: flags.seed };
  const fixtures = flags.fixtures === undefined ? {} : { fixtures: flags.fixtures };
  const clock = flags.clock === undefined ? {} : { clock: flags.clock };
  const assume = flags.assume === undefined ? {} : { assume: flags.assume };
  const profile = flags.profile === undefined ? {} : { profile: flags.profile };
  const source = file === undefined ? {} : { scenario: file };
  const publicUrl = flags.intercept ? { publicUrl: `https://${OFFICIAL_HOSTS[0]}` } : {};
  const sandbox = await createSandbox({
    ...{ port: 0, ...source, ...publicUrl, ...seed, ...fixtures, ...clock, ...assume, ...profile },
  });
  const code = await execute(command, sandbox, flags.intercept ? interceptingEnv(sandbox.url) : {});
  const tenant = hostOf(sandbox).defaultTenant;
  // Deliveries that the command caused must arrive before the expectations are checked.
  await tenant.clock.settle();
  const [scenario] = [...tenant.scenarios.values()];
  const unmet = scenario?.expect ? unmetExpectations(tenant, scenario.expect) : [];
  await sandbox.close();
  const seedNote = ` (seed ${sandbox.seed})`;
  if (unmet.length > 0) process.stderr.write(`${reportUnmet(unmet)}\n${scenario?.name}: ${unmet.length} unmet${seedNote}\n`);
  else if (scenario)
    process.stderr.write(
      `${scenario.name}: ${scenario.expect ? "every expectation holds" : "the scenario expects nothing"}${seedNote}\n`,
    );
  return { code, unmet, scenario: scenario?.name, seed: String(sandbox.seed) };
}

function writeReport(file: string, text: string): void {
  try {
    writeFileSync(file, text);
  } catch (error) {
    throw new SettingsError(`cannot write ${file}: ${(error as NodeJS.ErrnoException).code ?? String(error)}`);
  }
}

/** Signals of terminals and CI jobs. The command ends first; then docdouble checks the expectations. */
const FORWARDED = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Makes the Node processes of a command send their calls to PandaDoc's hosts to this server. */
function interceptingEnv(url: string): NodeJS.ProcessEnv {
  const { hostname, port } = new URL(url);
  const preload = `--import ${new URL("./intercept-child.js", import.meta.url)}`;
  return {
    NODE_OPTIONS: [process.env.NODE_OPTIONS, preload].filter(Boolean).join(" "),
    DOCDOUBLE_INTERCEPT: JSON.stringify({ hosts: OFFICIAL_HOSTS, target: { host: hostname, port: Number(port) } }),
  };
}

/** Returns the exit code of the command. */
export function execute(
  command: readonly string[],
  sandbox: Pick<Sandbox, "url" | "apiKey">,
  env: NodeJS.ProcessEnv = {},
): Promise<number> {
  const [program = "", ...args] = command;
  // On Windows, cross-spawn finds npm.cmd and quotes for cmd.exe.
  const child = spawn(program, args, {
    stdio: "inherit",
    env: { ...process.env, DOCDOUBLE_URL: sandbox.url, DOCDOUBLE_API_KEY: sandbox.apiKey, ...env },
  });
  const forward = (signal: NodeJS.Signals) => child.kill(signal);
  for (const signal of FORWARDED) process.on(signal, forward);
  return new Promise((resolve) => {
    const finish = (code: number) => {
      for (const signal of FORWARDED) process.off(signal, forward);
      resolve(code);
    };
    child.on("error", (error) => {
      process.stderr.write(`cannot run ${program}: ${error.message}\n`);
      finish(EXIT_NOT_FOUND);
    });
    child.on("exit", (code, signal) => finish(code ?? (signal ? 128 : 0)));
  });
}

const PARTS: readonly Unmet["part"][] = ["requests", "documents", "deliveries", "emails", "rules_used", "unmatched", "contract"];

/** JUnit XML with a test case for the command, and one for each group of expectations. */
function junit(name: string, code: number, unmet: readonly Unmet[]): string {
  const cases: [string, string[]][] = [
    ["command", code === 0 ? [] : [`exited ${code}`]],
    ...PARTS.map((part): [string, string[]] => [
      part,
      unmet.filter((one) => one.part === part).map((one) => `${one.text}: expected ${one.expected}, found ${one.found}`),
    ]),
  ];
  const failures = cases.filter(([, failed]) => failed.length > 0).length;
  const body = cases.map(([title, failed]) => {
    const open = `    <testcase classname="${escapeXml(name)}" name="${title}"`;
    return failed.length === 0
      ? `${open}/>`
      : `${open}><failure message="${escapeXml(failed[0] as string)}">${escapeXml(failed.join("\n"))}</failure></testcase>`;
  });
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites tests="${cases.length}" failures="${failures}">`,
    `  <testsuite name="${escapeXml(name)}" tests="${cases.length}" failures="${failures}">`,
    ...body,
    "  </testsuite>",
    "</testsuites>",
    "",
  ].join("\n");
}

function escapeXml(text: string): string {
  const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
  // biome-ignore lint/suspicious/noControlCharactersInRegex: XML 1.0 has no place for them
  return text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g, "?").replace(/[&<>"]/g, (one) => entities[one] ?? one);
}
