import { type Candidate, deriveFaults, reduce } from "./derive.ts";
import { causesOf } from "./causes.ts";
import { playCleanRuns } from "./clean-runs.ts";
import { breakName } from "./break-name.ts";
import { type Fault, placeOf, placeText } from "./faults.ts";
import type { Finding } from "./finding.ts";
import { judge, type Judgment, type JudgeOptions } from "./judge.ts";
import { hasActed, isUnheeded, takenForgery, takesForTrue } from "./forgery.ts";
import { NOT_ASKED } from "./matrix.ts";
import { callsOf, type Recording } from "./recording.ts";
import type { Break, Cell, ExploreReport, FaultPlace, PlayedFile, Symptom } from "./report.ts";
import { foundFiles } from "./scenario-file.ts";
import { owns, shardText } from "./shard.ts";
import type { Planned } from "./side-by-side.ts";
import { type Broken, isTried, shrink } from "./shrink.ts";
import { type IsSteady, steadyTexts } from "./steady.ts";
import { cleanCallsOf, stepsOf } from "./story.ts";
import { kindOf, mayGiveUp, pairsOf } from "./pairs.ts";
import { inOrder } from "./cell-order.ts";
import type { SearchSettings } from "./search-settings.ts";

/** Whoever starts the client makes these calls, mostly before its own ones. */
const SETS_UP = /^(create|update|delete|list|details)WebhookSubscription/;

/** More than any weight. */
const LATER = 1000;

export class Search {
  readonly #settings: SearchSettings;
  readonly #cells: Cell[] = [];
  readonly #breaks: Break[] = [];
  readonly #reductions = new Map<string, number>();
  readonly #played: PlayedFile[] = [];
  readonly #survived: { candidate: Candidate; recording: Recording }[] = [];
  readonly #possible: Candidate[] = [];
  readonly #cleanSymptoms = new Set<Symptom>();
  #isSteady: IsSteady = () => true;
  /** Waits that were proven to have no end. */
  readonly #endless = new Set<string>();
  #notTried = 0;
  readonly #notShrunk: string[] = [];
  #ended: ExploreReport["ended"] = "complete";

  constructor(settings: SearchSettings) {
    this.#settings = settings;
  }

  async run(): Promise<ExploreReport> {
    const { runs } = this.#settings;
    const { first, second, problem } = await playCleanRuns(runs);
    if (problem) return this.#report(first, "clean", problem.kind, problem.text);
    if (second === undefined) return this.#report(first, "interrupted");
    this.#isSteady = steadyTexts(first, second);
    const { findings } = judge(first, first, [], this.#judgeOptions());
    for (const { symptom } of findings) this.#cleanSymptoms.add(symptom);
    await this.#playFiles(first);
    await this.#cleanFindings(first, findings);
    await this.#singles(first);
    if (this.#settings.triesPairs) await this.#pairs(first);
    return this.#report(first, this.#ended);
  }

  #judgeOptions(): JudgeOptions {
    return { ...this.#settings.judge, isSteady: this.#isSteady };
  }

  async #cleanFindings(clean: Recording, findings: readonly Finding[]): Promise<void> {
    const [finding] = findings;
    if (finding && owns(this.#settings.shard, undefined))
      await this.#addBreak(clean, { faults: [], recording: clean, finding }, findings);
  }

  async #playFiles(clean: Recording): Promise<void> {
    const { out, runs } = this.#settings;
    if (out === undefined) return;
    for (const { file, found } of foundFiles(out)) {
      if (this.#isOver()) return;
      const faults = found?.faults ?? [];
      if (!owns(this.#settings.shard, faults[0]) || !this.#isAsked(faults)) continue;
      const recording = await runs.playFile(file, faults);
      if (recording.end.kind === "interrupted") continue;
      const proof = found?.symptom === "forged_webhook_accepted" ? "proven" : "alone";
      const { findings } = await this.#judged(clean, recording, faults, proof);
      const finding = findings.find((one) => one.symptom === found?.symptom) ?? findings[0];
      this.#played.push({ scenario: file, outcome: finding ? "broke" : "survived" });
      const { breakWriter } = this.#settings;
      if (finding) this.#breaks.push(breakWriter.ofFoundFile({ file, faults, recording, finding, findings }));
      else breakWriter.forget(file);
      runs.breaks = this.#breaks.length;
    }
  }

  async #singles(clean: Recording): Promise<void> {
    const { runs, reduces } = this.#settings;
    const wanted = this.#wanted(deriveFaults(clean, this.#isSteady));
    const { kept, leftOut } = reduces ? reduce(wanted) : { kept: wanted, leftOut: [] };
    for (const { candidate, why } of leftOut) if (this.#isMine(candidate)) this.#leaveOut(candidate, why);
    this.#possible.push(...kept);
    // What takes long comes last, so that a short budget finds what matters.
    const weightOf = ({ fault, weight }: Candidate) => weight - runs.slownessOf(fault) * LATER;
    const sorted = kept.filter((one) => this.#isMine(one)).sort((a, b) => weightOf(b) - weightOf(a));
    const planned = runs.plan(sorted.map(({ fault }) => [fault]));
    for (const [i, candidate] of sorted.entries()) {
      runs.left = sorted.length - i;
      if (this.#isOver()) this.#cell(candidate, "not_tried", "The search ended before.");
      else await this.#single(clean, candidate, planned[i] as Planned<Recording>);
    }
    runs.left = 0;
  }

  /** The patterns of the user choose a break by one of its faults. */
  #isAsked(faults: readonly FaultPlace[]): boolean {
    const { only, skip } = this.#settings;
    return faults.length === 0 || ((!only || faults.some(only)) && !(skip && faults.some(skip)));
  }

  #isMine({ fault }: Candidate): boolean {
    return owns(this.#settings.shard, fault);
  }

  async #single(clean: Recording, candidate: Candidate, planned: Planned<Recording>): Promise<void> {
    const { fault } = candidate;
    const known = this.#breaks.find(({ faults: [only, more] }) => only && !more && placeText(only) === placeText(fault));
    if (known) {
      planned.drop();
      this.#cell(candidate, "broke", known.message, known.run);
      return;
    }
    const recording = await planned.take();
    if (recording.end.kind === "interrupted") {
      this.#cell(candidate, "not_tried", "The search was interrupted.");
      return;
    }
    const { findings, warnings } = await this.#judged(clean, recording, [fault], fault);
    const [finding] = findings;
    const problem = finding && (await this.#addBreak(clean, { faults: [fault], recording, finding }, findings));
    if (finding && problem === undefined) {
      this.#cell(candidate, "broke", finding.message, recording.run);
      return;
    }
    if (!finding) this.#survived.push({ candidate, recording });
    const [warning] = [
      ...(problem === undefined ? [] : [problem]),
      ...warnings,
      ...(isUnheeded(recording)
        ? ["The receiver answers success to a wrong signature. No call of the client shows that it acts on the event."]
        : []),
    ];
    if (warning === undefined) this.#cell(candidate, "survived", "The client ends well.", recording.run);
    else this.#cell(candidate, "warned", warning, recording.run);
  }

  async #pairs(clean: Recording): Promise<void> {
    const { runs, reduces } = this.#settings;
    const usual = new Set(deriveFaults(clean, this.#isSteady).map((one) => one.key));
    const broken = new Set(this.#breaks.flatMap(({ faults }) => faults.map(kindOf)));
    const pairs = pairsOf({
      survived: this.#survived,
      secondsOf: (recording) => this.#wanted(deriveFaults(recording, this.#isSteady), false),
      usual,
      broken,
      leavesOut: (why) => {
        if (reduces) this.#count(why);
        return reduces;
      },
    });
    const planned = runs.plan(pairs.map(({ first, second }) => [first.fault, second.fault]));
    for (const [i, { first, second }] of pairs.entries()) {
      runs.left = pairs.length - i;
      const kind = kindOf(second.fault);
      const run = planned[i] as Planned<Recording>;
      if (this.#isOver()) this.#notTried++;
      else if (reduces && broken.has(kind)) {
        run.drop();
        this.#count("another pair with the same second fault breaks the client already");
      } else if (await this.#breaksAsPair(clean, [first.fault, second.fault], run)) broken.add(kind);
    }
    runs.left = 0;
  }

  async #breaksAsPair(clean: Recording, faults: [Fault, Fault], planned: Planned<Recording>): Promise<boolean> {
    const recording = await planned.take();
    if (recording.end.kind === "interrupted") return false;
    const { findings } = await this.#judged(clean, recording, faults, "alone");
    const finding = findings.find((one) => !mayGiveUp(recording, faults, one));
    return finding !== undefined && (await this.#addBreak(clean, { faults, recording, finding }, findings)) === undefined;
  }

  /**
   * Judges a run. For a forgery that was answered with success, it also plays the true event and compares. `proven`: an earlier run has
   * shown what the receiver does. `alone`: only the run with this fault alone shows it.
   */
  async #judged(
    clean: Recording,
    recording: Recording,
    faults: readonly FaultPlace[],
    fault: Fault | "proven" | "alone",
  ): Promise<Judgment> {
    const all = judge(clean, recording, faults, this.#judgeOptions());
    // A mistake that needs no fault is one break, not one for each fault.
    const isNew = ({ symptom }: Finding) => faults.length === 0 || !this.#cleanSymptoms.has(symptom);
    const judgment = { ...all, findings: all.findings.filter(isNew) };
    const forged = takenForgery(recording);
    if (!forged) return judgment;
    const message = `The receiver answers ${forged.result?.status} to an event with a wrong signature, and acts on it.`;
    const finding: Finding = { symptom: "forged_webhook_accepted", message, item: forged };
    const { runs } = this.#settings;
    const isTaken =
      hasActed(recording, forged) ||
      fault === "proven" ||
      (fault !== "alone" && (await takesForTrue(runs, recording, forged, fault)));
    return isTaken ? { ...judgment, findings: [finding, ...judgment.findings] } : judgment;
  }

  /** Returns why the break does not count, in a sentence. Undefined when the report has it. */
  async #addBreak(clean: Recording, broken: Broken, findings: readonly Finding[]): Promise<string | undefined> {
    const { runs, breakWriter } = this.#settings;
    const isKnown = (one: Broken) =>
      this.#breaks.some((other) => breakName(other.faults, other.symptom) === breakName(one.faults, one.finding.symptom));
    if (isKnown(broken)) return undefined;
    let isCut = false;
    // Shrinking counts for the budget. The break then stays as large as it is.
    const isTime = () => {
      isCut ||= runs.stop !== undefined;
      return !isCut;
    };
    const attempt = async (faults: readonly Fault[]): Promise<Broken | undefined> => {
      if (!isTime()) return undefined;
      const recording = await runs.play(faults);
      if (recording.end.kind === "interrupted") return undefined;
      const found = (await this.#judged(clean, recording, faults, faults[0] ?? "alone")).findings;
      const finding = found.find((one) => one.symptom === broken.finding.symptom && !mayGiveUp(recording, faults, one));
      return finding && { faults: [...faults], recording, finding };
    };
    const smallest =
      broken.faults.length === 0 ? broken : await shrink(broken, attempt, (one, fault) => this.#earlier(one, fault));
    if (!smallest)
      return isCut
        ? "Not proved: the client gave up within one look of the end of processing, and the search ended before a longer try."
        : "Not proved: the client gave up within one look of the end of processing, and not when processing took longer.";
    if (smallest !== broken && isKnown(smallest)) return undefined;
    const { finding } = smallest;
    const isShown = async (recording: Recording) => {
      if (recording.end.kind === "interrupted") return false;
      if (finding.symptom === "hung" && recording.end.kind !== "hung") runs.isPatient = true;
      const { findings: again } = await this.#judged(clean, recording, smallest.faults, "proven");
      return again.some(({ symptom }) => symptom === finding.symptom);
    };
    const isPatient = finding.symptom === "hung" && !this.#endless.has(placeOfWait(smallest.recording));
    const written = await breakWriter.write({ clean, broken: smallest }, findings, {
      isSteady: this.#isSteady,
      isShown,
      isPatient,
    });
    if (!written)
      return runs.isPatient && isPatient
        ? "The client waits long: it ended by itself after very many calls."
        : `The client broke once, but not when docdouble played it again: ${finding.message}`;
    if (isPatient) this.#endless.add(placeOfWait(smallest.recording));
    this.#breaks.push(written);
    if (isCut) this.#notShrunk.push(written.name);
    runs.breaks = this.#breaks.length;
    return undefined;
  }

  /** Candidates at earlier calls. A single fault that was tried there did not break the client. */
  #earlier({ faults, recording }: Broken, { fault, operation, nth }: Fault): Candidate[] {
    const isEarlier = ({ fault: one }: Candidate) => one.fault === fault && one.operation === operation && one.nth < nth;
    if (faults.length === 1) return this.#possible.filter((one) => isEarlier(one) && !isTried(this.#cells, one.fault));
    // The second fault of a pair may hit a call that the clean run does not make.
    const wanted = this.#wanted(deriveFaults(recording, this.#isSteady), false);
    return (this.#settings.reduces ? reduce(wanted).kept : wanted).filter(isEarlier);
  }

  /** `notes` adds cells for the candidates that it leaves out. */
  #wanted(candidates: readonly Candidate[], notes = true): Candidate[] {
    const { only, skip, triesImpossible, chosenReadings } = this.#settings;
    return candidates.filter((candidate) => {
      const place = candidate.fault;
      if ((only && !only(place)) || skip?.(place)) {
        if (notes && this.#isMine(candidate)) this.#cell(candidate, "not_tried", NOT_ASKED);
        return false;
      }
      if (!only && this.#settings.reduces && SETS_UP.test(place.operation)) {
        if (notes && this.#isMine(candidate))
          this.#leaveOut(candidate, "the call only sets up webhooks; name it with --only to try it");
        return false;
      }
      const [id = ""] = place.reading?.split("=") ?? [];
      const isChosen = chosenReadings.has(id);
      const impossible = isChosen ? `you chose the reading of ${id}` : candidate.impossible;
      if (impossible === undefined || (triesImpossible && !isChosen)) return true;
      if (notes && this.#isMine(candidate)) this.#cell(candidate, "impossible", sentence(impossible));
      return false;
    });
  }

  #leaveOut(candidate: Candidate, why: string): void {
    this.#count(why.replace(/ at \w+ \d+$/, " at an earlier call"));
    this.#cell(candidate, "left_out", sentence(why));
  }

  #count(why: string): void {
    this.#reductions.set(why, (this.#reductions.get(why) ?? 0) + 1);
  }

  #cell({ fault }: Candidate, outcome: Cell["outcome"], why: string, run?: number): void {
    this.#cells.push({ ...placeOf(fault), outcome, why, ...(run === undefined ? {} : { run }) });
  }

  #isOver(): boolean {
    const { stop } = this.#settings.runs;
    if (stop !== undefined) this.#ended = stop;
    return stop !== undefined;
  }

  #report(
    clean: Recording,
    ended: ExploreReport["ended"],
    problem: ExploreReport["clean"]["problem"] = null,
    message = "",
  ): ExploreReport {
    const reductions = [...this.#reductions].map(([why, count]) => ({ why, count }));
    return {
      version: 1,
      seed: this.#settings.seed,
      ...(this.#settings.shard ? { shard: shardText(this.#settings.shard) } : {}),
      runs: this.#settings.runs.count,
      left_out: reductions.reduce((sum, one) => sum + one.count, 0),
      not_tried: this.#notTried + this.#cells.filter((one) => one.outcome === "not_tried" && one.why !== NOT_ASKED).length,
      ended,
      ...(this.#notShrunk.length === 0 ? {} : { not_shrunk: this.#notShrunk }),
      clean: { calls: cleanCallsOf(clean), problem, message, steps: stepsOf(clean, []) },
      cells: inOrder(this.#cells, deriveFaults(clean, this.#isSteady)),
      causes: causesOf(this.#breaks),
      breaks: this.#breaks,
      reductions,
      played: this.#played,
    };
  }
}

function placeOfWait(recording: Recording): string {
  const last = callsOf(recording).at(-1);
  return last ? `${last.operation} ${last.entry.subjectStatus}` : "";
}

const sentence = (text: string) => `${text[0]?.toUpperCase()}${text.slice(1)}.`;
