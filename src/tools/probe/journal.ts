/**
 * The journal of a probe: what it is about to create, and what it created. A line is on the disk before the call that it is about.
 * After a crash, `probe --clean` finishes the cleanup with it.
 */
import { isObject, parseJson } from "../compare/exchange.ts";
import { SettingsError } from "../../library/errors.ts";
import { CREATED_KINDS, type CreatedKind } from "./kinds.ts";

/** `thing` is a number within the run. Times are texts in UTC. */
export type JournalLine =
  | { line: "run"; version: 1; run: string; real: string; account: string; at: string }
  /** Ids that existed before the run created its first thing of the kind. */
  | { line: "before"; kind: CreatedKind; ids: readonly string[] }
  /** `implied`: the service makes it of a recipient. */
  | { line: "creates"; thing: number; kind: CreatedKind; name: string; implied: boolean; at: string }
  | { line: "created"; thing: number; id: string }
  /** The service refused to create it. */
  | { line: "refused"; thing: number }
  /** The service showed it. If it is absent from now on, it is deleted. */
  | { line: "deletes"; thing: number }
  | { line: "deleted"; thing: number }
  | { line: "end" }
  /** A later cleanup writes about an earlier run from here. */
  | { line: "again"; run: string };

/** Writes the line to the disk before it returns. @throws SettingsError when it cannot */
export type Journal = (line: JournalLine) => void;

export interface JournaledThing {
  number: number;
  kind: CreatedKind;
  name: string;
  isImplied: boolean;
  at: string;
  id: string | undefined;
  isDeleting: boolean;
}

export interface JournaledRun {
  run: string;
  real: string;
  account: string;
  before: { kind: CreatedKind; ids: readonly string[] }[];
  /** What the run created, or perhaps created, and did not delete. */
  things: JournaledThing[];
  isEnded: boolean;
}

/** @throws SettingsError for another file */
export function readJournal(text: string, file: string): JournaledRun[] {
  const runs: JournaledRun[] = [];
  let current: JournaledRun | undefined;
  for (const one of text.split("\n")) {
    const line = parseJson(one);
    // The last line before a crash may be incomplete. Its call was never made.
    if (!isObject(line)) continue;
    if (line.line === "run") {
      current = startOf(line, file);
      runs.push(current);
    } else if (line.line === "again") current = runs.find((run) => run.run === line.run);
    else if (current !== undefined) apply(current, line);
  }
  if (runs.length === 0)
    throw new SettingsError(`Cannot clean with ${file}: no line of it starts a run. Name the file of probe --journal.`);
  return runs;
}

function startOf(line: Record<string, unknown>, file: string): JournaledRun {
  const { version, run, real, account } = line;
  if (version !== 1)
    throw new SettingsError(`Cannot clean with ${file}: a newer docdouble wrote it. Use that version of docdouble.`);
  if (typeof run !== "string" || !/^[a-z0-9]+$/.test(run) || typeof real !== "string" || typeof account !== "string")
    throw new SettingsError(`Cannot clean with ${file}: the line of a run is damaged. Delete what the probe created by hand.`);
  return { run, real, account, before: [], things: [], isEnded: false };
}

function apply(run: JournaledRun, line: Record<string, unknown>): void {
  const thing = run.things.find((one) => one.number === line.thing);
  if (line.line === "end") run.isEnded = true;
  else if (line.line === "before" && isKind(line.kind) && Array.isArray(line.ids))
    run.before.push({ kind: line.kind, ids: line.ids.filter((id) => typeof id === "string") });
  else if (line.line === "creates" && isKind(line.kind) && typeof line.thing === "number")
    run.things.push({
      number: line.thing,
      kind: line.kind,
      name: String(line.name ?? ""),
      isImplied: line.implied === true,
      at: String(line.at ?? ""),
      id: undefined,
      isDeleting: false,
    });
  else if (line.line === "created" && thing !== undefined && typeof line.id === "string") thing.id = line.id;
  else if (line.line === "deletes" && thing !== undefined) thing.isDeleting = true;
  else if (line.line === "refused" || line.line === "deleted") run.things = run.things.filter((one) => one !== thing);
}

function isKind(kind: unknown): kind is CreatedKind {
  return CREATED_KINDS.includes(kind as CreatedKind);
}
