/** The report of an exploration: the faults that it tried, and the story of each break. `version: 1` is a fixed format. */

import type { FaultName } from "./fault-records.ts";
import type { Symptom } from "./symptoms.ts";

export type { FaultName, Symptom };

export const OUTCOMES = ["survived", "warned", "broke", "impossible", "left_out", "not_tried"] as const;
export type CellOutcome = (typeof OUTCOMES)[number];

/** Where a fault hits. */
export interface FaultPlace {
  fault: FaultName;
  /** An operation id; for webhook faults the event, for recipient faults the recipient's role. */
  operation: string;
  /** Counts the calls of the operation, the deliveries of the event or the documents of the role, from 1. */
  nth: number;
  /** The reading, such as `delete.second=404`; only for `other_reading`. */
  reading?: string;
}

/** One fault at one place, and what became of it. */
export interface Cell extends FaultPlace {
  outcome: CellOutcome;
  /** A sentence: the symptom, why the fault is impossible there, or which run makes this one needless. */
  why: string;
  /** The number of the run that tried it. */
  run?: number;
}

/** A call of the clean run. */
export interface CleanCall {
  operation: string;
  /** Counts the calls of this operation, from 1. */
  nth: number;
  /** The status of the answer. */
  status: number | null;
  /** The status of the document when the call arrived, such as `document.draft`. */
  document: string | null;
  /** The event whose delivery caused the call, such as `document_state_changed`. */
  caused_by: string | null;
}

/** The columns of a sequence diagram. */
export type Party = "client" | "service" | "recipient" | "receiver";

/** One line of the story of a run, in order. */
export interface Step {
  /** Milliseconds since the run began, on the sandbox's clock. */
  at: number;
  /** `call`: client to service. `webhook`: service to receiver. `act`: recipient to service. `end`: how the client ended. */
  kind: "call" | "webhook" | "act" | "end";
  from: Party;
  to: Party;
  /** The operation, the event, the act, or the client's end. */
  what: string;
  /** Counts the calls of the operation or the deliveries of the event, from 1. 0 for other kinds. */
  nth: number;
  /** The answer: a status such as `201`, `connection lost`, `no answer`; for acts and ends empty. */
  answer: string;
  /** Which document and in which status, who acts, what the client returned or threw. */
  detail: string;
  /** The fault that hit this step. */
  fault?: FaultName;
  /** This step shows the symptom. */
  failing?: true;
}

export interface Break {
  /** Unique in the report; also the name of the file and of the scenario in it. */
  name: string;
  /** Empty when the clean run itself shows the symptom. */
  faults: FaultPlace[];
  symptom: Symptom;
  /** Sentences: what happens, and why the client breaks. */
  message: string;
  /** The scenario file, relative to the working directory; null when files are not written. */
  scenario: string | null;
  /** The world at the end of a run of that file, for `docdouble world show`. Relative to the folder of the scenario file; null without it. */
  world: string | null;
  /** The run that showed it, after shrinking. */
  run: number;
  /** The index in `steps` of the step that shows the symptom; null when none does. */
  failing_step: number | null;
  steps: Step[];
  /** Further symptoms of the same run. */
  also: Symptom[];
  /** Whether a file of an earlier exploration already described it. */
  known: boolean;
}

/** A mistake of the client. Several breaks show it. */
export interface Cause {
  /** What the client does wrong, such as `does not retry after 429, 502 or a lost connection`. */
  cause: string;
  /** How many calls, deliveries or recipients show it. */
  calls: number;
  /** The names of the breaks. */
  breaks: string[];
  /** The name of the break that shows it best. */
  example: string;
  /** What helps, in sentences. */
  advice: string;
}

/** A file of an earlier exploration, played first. */
export interface PlayedFile {
  scenario: string;
  outcome: "broke" | "survived";
}

export interface ExploreReport {
  version: 1;
  /** The command that was explored, with known secrets hidden. A function has none. */
  command?: string;
  seed: string;
  /** The part of a search on several machines, such as `1/3`. The report then has only the cells and breaks of this part. */
  shard?: string;
  /** Runs of the client, the two clean ones and those of shrinking included. */
  runs: number;
  /** Combinations of faults that reduction left out. */
  left_out: number;
  /** Combinations that the budget did not allow. */
  not_tried: number;
  /** Names of breaks that the budget did not allow to shrink. Their stories may be longer than needed. */
  not_shrunk?: string[];
  /** Why the search ended. */
  ended: "complete" | "budget" | "runs" | "interrupted" | "clean";
  clean: {
    calls: CleanCall[];
    /** `failed`: the clean run did not pass. `differs`: two clean runs parted. */
    problem: "failed" | "differs" | null;
    /** What failed, or where the two runs parted. */
    message: string;
    /** The story of the clean run. */
    steps: Step[];
  };
  cells: Cell[];
  /** The breaks by their causes, the most harmful first. */
  causes: Cause[];
  breaks: Break[];
  /** Why combinations were left out, and how many for each reason. */
  reductions: { why: string; count: number }[];
  played: PlayedFile[];
}

/** For a progress line. */
export interface ExploreProgress {
  runs: number;
  breaks: number;
  /** Runs that are planned now. More may follow. */
  left: number;
  /** What runs now, such as `createDocument 1 reset_after`. */
  current: string;
  /** The budget is over. What runs now confirms a break. */
  isOver: boolean;
}
