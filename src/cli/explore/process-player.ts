/** Plays a client that is a command. Each run has a new server and a new process. */
import type { ChildProcess } from "node:child_process";
import spawn from "cross-spawn";
import { systemClock } from "../../engine/core/clock.ts";
import { withoutControls } from "../../engine/core/text.ts";
import type { Played, Player, RunPlan } from "../../tools/explore/player.ts";
import { type End, Recorder } from "../../tools/explore/recording.ts";
import { LAST_OUTPUT_MAX, lastOutputOf } from "../../tools/explore/last-output.ts";
import { IN_GROUP, killGroup } from "../process-group.ts";
import { OFFICIAL_HOSTS } from "../../library/kit/hosts.ts";
import type { Sleeps } from "../sleep/virtual-sleep.ts";
import { filled, ONE_WORLD, type Surroundings } from "../command-variables.ts";
import { OtherKeys } from "../other-keys.ts";
import { createSandbox, hostOf } from "../../library/sandbox.ts";
import { service, type Tenant } from "../../service/service.ts";
import type { Sandbox, SandboxOptions, ScenarioSource } from "../../library/types.ts";

export interface ProcessOptions {
  command: readonly string[];
  scenario?: string | undefined;
  sandbox?: Pick<SandboxOptions, "fixtures" | "assume" | "profile" | "now">;
  cleanLimit_ms: number;
  surroundings?: Surroundings;
  /** Variables of the command, with {url}, {key} and {admin} in their values. */
  env?: Record<string, string> | undefined;
  isIntercepted?: boolean;
  /** Whether sleeps of the command take real time. Default: real. */
  sleeps?: Sleeps;
}

/** A run with faults may take this many times longer than the clean run, because the client repeats calls and waits. */
const SLOWER_MAX = 10;
const LIMIT_MS_MIN = 15_000;
/** A client whose sleeps take no time shows by the number of its calls that it does not end. */
const VIRTUAL_LIMIT_MS_MIN = 60_000;
const OUTPUT_MAX = 2000;
/** After `waitLonger`, a silence must last this many times as long before the clock moves. */
const PATIENCE = 4;

export class ProcessPlayer implements Player {
  readonly service = service;
  readonly time = "wall";
  readonly sleeps: Sleeps;
  readonly #options: ProcessOptions;
  readonly #running = new Set<ChildProcess>();
  #cleanTook = 0;
  #otherCalls = 0;
  #isPatient = false;

  constructor(options: ProcessOptions) {
    this.#options = options;
    this.sleeps = options.sleeps ?? "real";
  }

  async play(plan: RunPlan): Promise<Played> {
    const publicUrl = this.#options.isIntercepted ? { publicUrl: `https://${OFFICIAL_HOSTS[0]}` } : {};
    const sandbox = await createSandbox({
      ...this.#options.sandbox,
      ...publicUrl,
      port: 0,
      seed: plan.seed,
      scenario: this.#scenarios(plan),
    });
    const tenant = hostOf(sandbox).defaultTenant;
    const others = new OtherKeys(sandbox);
    if (this.#isPatient) tenant.auto.silence *= PATIENCE;
    const recorder = new Recorder(tenant);
    recorder.callsMax = plan.callsMax;
    const held = holdAnswers(tenant);
    const began = systemClock.elapsed();
    const own = filled(this.#options.env ?? {}, sandbox);
    const around = await this.#options.surroundings?.of(sandbox, own);
    const end = await this.#execute(sandbox, recorder, plan, around?.env ?? own);
    await around?.close();
    recorder.clientEnds();
    await held.release();
    if (isClean(plan)) this.#otherCalls = others.calls;
    if (isClean(plan) && end.kind === "returned") this.#cleanTook = Math.max(this.#cleanTook, systemClock.elapsed() - began);
    return { end, sandbox, recorder, close: () => sandbox.close() };
  }

  /** Calls of the latest run without a fault that had another key, so no fault hits them. */
  get otherCalls(): number {
    return this.#otherCalls;
  }

  waitLonger(): void {
    this.#isPatient = true;
  }

  kill(): void {
    for (const child of this.#running) killGroup(child);
  }

  /** The first clock counts. Time is automatic unless a scenario sets its own clock. */
  #scenarios({ scenario, file }: RunPlan): ScenarioSource[] {
    const automatic: ScenarioSource = { version: 1, name: "automatic time", clock: { mode: "auto" } };
    if (file !== undefined) return [file, automatic];
    const own = this.#options.scenario;
    return [...(scenario === undefined ? [] : [scenario]), ...(own === undefined ? [] : [own]), automatic];
  }

  limit_ms(held_ms: number): number {
    return Math.max(this.sleeps === "virtual" ? VIRTUAL_LIMIT_MS_MIN : LIMIT_MS_MIN, SLOWER_MAX * this.#cleanTook) + held_ms;
  }

  #execute(sandbox: Sandbox, recorder: Recorder, plan: RunPlan, env: NodeJS.ProcessEnv): Promise<End> {
    const [program = "", ...args] = this.#options.command;
    const child = spawn(program, args, {
      stdio: ["ignore", "pipe", "pipe"],
      ...IN_GROUP,
      env: {
        ...process.env,
        DOCDOUBLE_URL: sandbox.url,
        DOCDOUBLE_API_KEY: sandbox.apiKey,
        ...ONE_WORLD,
        ...env,
        DOCDOUBLE_RANDOM: plan.seed,
        DOCDOUBLE_RUN: String(isClean(plan) ? 0 : plan.run),
      },
    });
    this.#running.add(child);
    let hasEnded = false;
    const output = lastOutput(child, new URL(sandbox.url));
    const outputValue = lastOutputValue(child);
    return new Promise<End>((resolve) => {
      const limit = isClean(plan) ? this.#options.cleanLimit_ms : this.limit_ms(plan.held_ms) * plan.patience;
      const deadline = systemClock.elapsed() + limit;
      let stuckSince: number | undefined;
      const watch = () => {
        const { auto } = hostOf(sandbox).defaultTenant;
        stuckSince = auto.isStuck ? (stuckSince ?? systemClock.elapsed()) : undefined;
        if (stuckSince !== undefined && systemClock.elapsed() - stuckSince > STUCK_MS)
          finish({ kind: "hung", time: "virtual", message: "it waits, and nothing more will happen" });
        else if (recorder.calls > plan.callsMax)
          finish({ kind: "hung", time: "virtual", message: `it made more than ${plan.callsMax} calls and did not end` });
        else if (systemClock.elapsed() >= deadline)
          finish({
            kind: "hung",
            time: "real",
            message: withOutput(`it still ran after ${Math.round(limit / 100) / 10} s`, output()),
          });
        else cancel = systemClock.after(WATCH_MS, watch);
      };
      let cancel = systemClock.after(WATCH_MS, watch);
      const interrupt = () => finish({ kind: "interrupted" });
      const finish = (end: End) => {
        // After an interrupt or a limit the process exits too. Its group may belong to somebody else by then.
        if (hasEnded) return;
        hasEnded = true;
        cancel();
        plan.signal.removeEventListener("abort", interrupt);
        // Child processes would call a server that has closed.
        killGroup(child);
        this.#running.delete(child);
        resolve(end);
      };
      plan.signal.addEventListener("abort", interrupt);
      if (plan.signal.aborted) return interrupt();
      child.on("error", (error) => finish({ kind: "failed", message: `cannot run ${program}: ${error.message}` }));
      // Output is complete at `close`, which waits for child processes that keep the pipes open. `exit` comes earlier.
      child.on("exit", (code, signal) => {
        const late = systemClock.after(LATE_OUTPUT_MS, () => end());
        const end = () => {
          late();
          if (code === 0) finish({ kind: "returned", ...outputValue() });
          else finish({ kind: "failed", message: withOutput(signal ? `ended by ${signal}` : `exited with ${code}`, output()) });
        };
        child.on("close", end);
      });
    });
  }
}

/** Delays answers as rules ask. `release` ends all delays, so the recording includes calls whose client stopped waiting. */
function holdAnswers(tenant: Tenant): { release(): Promise<void> } {
  const held = new Map<() => void, () => void>();
  tenant.delayAnswer = (ms) =>
    new Promise((resolve) => {
      const end = () => {
        held.delete(end);
        resolve();
      };
      held.set(end, systemClock.after(ms, end));
    });
  return {
    async release() {
      if (held.size === 0) return;
      const due = tenant.journal.total + held.size;
      for (const [end, cancel] of held) {
        cancel();
        end();
      }
      for (let turns = 0; turns < RELEASE_TURNS && tenant.journal.total < due; turns++) await systemClock.soon();
    },
  };
}

/** Released answers reach the journal within this many turns of the event loop. */
const RELEASE_TURNS = 100;

const WATCH_MS = 50;
/** A client that waits for events only, while nothing is due, is stuck after these real milliseconds. */
const STUCK_MS = 3000;
const LATE_OUTPUT_MS = 500;

function isClean({ run }: RunPlan): boolean {
  return run <= 1;
}

/** The end of the output, and the last error that it names. A library may print thousands of characters after its error. */
interface Output {
  text: string;
  error: string | undefined;
}

/** Each run has another port, so a name replaces the address. */
function lastOutput({ stdout, stderr }: ChildProcess, { origin, host, port }: URL): () => Output {
  let text = "";
  let error: string | undefined;
  for (const stream of [stdout, stderr])
    stream?.setEncoding("utf8").on("data", (more: string) => {
      text += more;
      if (text.length <= OUTPUT_MAX) return;
      error = namedError(text) ?? error;
      const from = text.indexOf("\n", text.length - OUTPUT_MAX);
      text = from < 0 ? text.slice(-OUTPUT_MAX) : text.slice(from + 1);
    });
  const known: [string, string][] = [
    [origin, "DOCDOUBLE_URL"],
    [host, "DOCDOUBLE_URL"],
    [`port: ${port}`, "port: DOCDOUBLE_URL"],
  ];
  const named = (one: string) => known.reduce((all, [found, name]) => all.replaceAll(found, () => name), one);
  return () => ({ text: named(text.trim()), error: error === undefined ? undefined : named(error) });
}

function lastOutputValue({ stdout }: ChildProcess): () => { value?: object } {
  let text = "";
  stdout?.on("data", (more: string) => {
    text = (text + more).slice(-LAST_OUTPUT_MAX);
  });
  return () => {
    const value = lastOutputOf(text);
    return value === undefined ? {} : { value };
  };
}

function withOutput(message: string, { text, error: earlier }: Output): string {
  const lines = text.split("\n").map(withoutControls);
  const error = namedError(text) ?? earlier ?? messagesIn(text).at(-1);
  if (error === undefined) return message;
  const first = `${message}: ${withoutControls(error)}`;
  return lines.length === 1 && lines[0] === withoutControls(error) ? first : `${first}\n${lines.join("\n")}`;
}

/** Parts of a stack trace, of a printed object, and tests that passed. */
const NO_MESSAGE = /^(\s|at |#\d+ |Node\.js v\d|[\])}^]+$|$|(ok \d|✓|✔) )/;
/** An error with its name in front, as languages print one that nobody caught, and a test that failed. Other lines may quote an answer. */
const THROWN =
  /^(?:(?:PHP )?Fatal error: +|Uncaught |Exception in thread "[^"]*" |Caused by: )*(?:[\w$]+[.\\:]+)*[\w$]*(?:Error|Exception)\b|^panic: |\(\w+(?:Error|Exception)\)$|^(?:not ok|✖|✗|×|(?:--- )?FAIL(?:ED)?:?) +\S/;
const ERROR = /\b\w*(Error|Exception|error|fatal|panic)\b|^(not ok|✖|✗|×|(--- )?FAIL(ED)?:?) +\S/;

/** Without a line that names an error, the last message says the most. */
const messagesIn = (text: string) => text.split("\n").filter((line) => !NO_MESSAGE.test(line));

function namedError(text: string): string | undefined {
  const messages = messagesIn(text);
  const named = messages.findLast((line) => THROWN.test(line)) ?? messages.findLast((line) => ERROR.test(line));
  // PHP prints the line to both streams, with other words in front.
  return named?.replace(/^(?:PHP )?Fatal error: +(?:Uncaught )?/, "");
}
