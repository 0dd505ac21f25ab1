/**
 * Passes an interception on to worker threads and child processes that get separate variables. `docdouble run --intercept`
 * uses it, because a program may start them without the variables that it got.
 */
import child_process from "node:child_process";
import { syncBuiltinESMExports } from "node:module";
import worker_threads, { type WorkerOptions } from "node:worker_threads";
import { defined } from "../../engine/core/defined.ts";

export interface Inherited {
  /** Goes into `NODE_OPTIONS`, beside other options. */
  nodeOption: string;
  /** Variables that a process must have. */
  always: Readonly<Record<string, string>>;
  /** Variables that a process gets unless it has its own. */
  missing: Readonly<Record<string, string>>;
}

type Any = (...args: unknown[]) => unknown;
type Env = Record<string, string | undefined>;

export function passOn(inherited: Inherited): void {
  const complete = (env: Env): Env => completed(env, inherited);
  const { Worker } = worker_threads;
  worker_threads.Worker = class extends Worker {
    constructor(file: string | URL, options: WorkerOptions = {}) {
      super(file, workerOptions(options, inherited));
    }
  };
  const children = child_process as unknown as Record<string, Any>;
  // All asynchronous calls end here.
  const prototype = child_process.ChildProcess.prototype as unknown as { spawn: Any };
  const { spawn } = prototype;
  prototype.spawn = function (this: unknown, options: unknown) {
    const { envPairs, ...more } = options as { envPairs?: string[] };
    const pairs = (envPairs ?? []).map((pair): [string, string] => {
      // On Windows, names of variables may begin with an equals sign.
      const at = pair.indexOf("=", 1);
      return [pair.slice(0, at), pair.slice(at + 1)];
    });
    const env = Object.entries(complete(Object.fromEntries(pairs)));
    return Reflect.apply(spawn, this, [{ ...more, envPairs: env.map(([name, value]) => `${name}=${value}`) }]);
  };
  for (const name of ["spawnSync", "execFileSync", "execSync"]) {
    const original = children[name] as Any;
    children[name] = (file: unknown, ...more: unknown[]) => {
      const options = more.find((one) => typeof one === "object" && one !== null && !Array.isArray(one)) as
        | { env?: Env }
        | undefined;
      return original(file, ...more.filter(Array.isArray), { ...options, env: complete(options?.env ?? process.env) });
    };
  }
  syncBuiltinESMExports();
}

function completed(env: Env, { nodeOption, always, missing }: Inherited): Env {
  const options = env.NODE_OPTIONS ?? "";
  const NODE_OPTIONS = options.includes(nodeOption) ? options : `${options} ${nodeOption}`.trim();
  return { ...missing, ...defined(env), ...always, NODE_OPTIONS };
}

/** A worker inherits the variables and options of its thread. Node checks the options of an own environment, so others stay as they are. */
function workerOptions(options: WorkerOptions, inherited: Inherited): WorkerOptions {
  if (options.env === worker_threads.SHARE_ENV) return options;
  const own = options.env as Env | undefined;
  const env = own ?? process.env;
  const isComplete =
    (env.NODE_OPTIONS ?? "").includes(inherited.nodeOption) &&
    Object.entries(inherited.always).every(([name, value]) => env[name] === value);
  return isComplete ? options : { ...options, env: completed(env, inherited) as NodeJS.ProcessEnv };
}
