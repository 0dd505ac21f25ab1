/** The options of an exploration. They import no implementation, so that the package's types need no other package. */
import type { FixturesFile } from "../../library/file-types.ts";
import type { AssumeSource, Sandbox, ScenarioSource } from "../../library/types.ts";
import type { ExploreProgress, ExploreReport } from "./report.ts";

/**
 * Matches faults: a fault, an operation, an event or a role, or `operation:fault`. `*` stands for any text; `,` or `|` separates
 * alternatives. Examples: `throttled`, `webhook_*`, `createDocument:reset_*`.
 */
export type FaultPattern = string;

/** What both forms take: `explore(fn, options)` and `docdouble explore`. */
export interface SearchOptions {
  /** How long to search: a duration such as `2m`, or real milliseconds. Default `1m`. */
  budget?: string | number | undefined;
  /** At most this many runs. */
  runs?: number | undefined;
  /** Determines ids, jitter and the order of equal faults. Default 1. */
  seed?: number | string | undefined;
  /**
   * Runs side by side, of clients in processes. The report does not depend on it. Runs of a function share one process, so they
   * never overlap: Node then warns that `jobs` has no effect. Default 1.
   */
  jobs?: number | undefined;
  /** Search only this part, such as `1/3`. Parts count from 1. All parts together find what one search finds. */
  shard?: string | undefined;
  /** Try only faults that one of these patterns matches. */
  only?: FaultPattern | readonly FaultPattern[] | undefined;
  /** Leave out faults that one of these patterns matches. */
  skip?: FaultPattern | readonly FaultPattern[] | undefined;
  /** Under these faults the client may fail cleanly: with an error or another exit code than 0. */
  allowFailure?: FaultPattern | readonly FaultPattern[] | undefined;
  /** Also try faults that cannot happen at their place. Default false. */
  impossible?: boolean | undefined;
  /** Where to write scenario files, and to read those of earlier explorations. Default `docdouble/found`. `false` does neither. */
  out?: string | false | undefined;
  /** Try pairs of faults after single faults. Default true. */
  pairs?: boolean | undefined;
  /** Leave out runs that cannot differ from earlier ones. Default true. */
  reduce?: boolean | undefined;
  /** Real milliseconds after which one run counts as hung. Default 30000. */
  runTimeout?: number | undefined;
  /** Stops the search. The report then holds what is known. */
  signal?: AbortSignal | undefined;
  /** Called before each run. */
  onProgress?: ((progress: ExploreProgress) => void) | undefined;
}

/** The options of `explore(fn, options)`. */
export interface ExploreOptions extends SearchOptions {
  /** Scenario files or their values, loaded into each run. Their `expect` counts in each run. */
  scenario?: ScenarioSource | readonly ScenarioSource[] | undefined;
  fixtures?: string | FixturesFile | undefined;
  assume?: AssumeSource | readonly AssumeSource[] | undefined;
  profile?: "default" | "strict" | undefined;
  /** The instant at which each run begins, ISO 8601. */
  now?: string | undefined;
  /** Must hold at the end of each run. It breaks by throwing, or by returning false. */
  // biome-ignore lint/suspicious/noConfusingVoidType: an invariant without a return statement is fine
  invariant?: ((sandbox: Sandbox) => void | boolean | Promise<void | boolean>) | undefined;
  /** Throw an `ExploreError` when something broke. Default true. */
  throwOnBreak?: boolean | undefined;
}

export type Explore = (client: (sandbox: Sandbox) => unknown, options?: ExploreOptions) => Promise<ExploreReport>;
