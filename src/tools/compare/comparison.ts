/**
 * Makes each call of a story to the double too, compares the answers, and keeps the two worlds in step. Calls must come one after
 * the other.
 */
import { compareText } from "../../engine/core/text.ts";
import type { Comparing } from "./compare-values.ts";
import { compareAnswers } from "./compare-answers.ts";
import { DifferenceGroups, type Report } from "./difference-groups.ts";
import type { Difference } from "./difference.ts";
import { type DoubleSide, isProcessing } from "./double-side.ts";
import { type CallAnswer, type CallRequest, isObject, jsonOf, parseJson } from "./exchange.ts";
import { type KnownOperation, operationOf } from "./operation-of.ts";
import { idKind } from "./text-kind.ts";
import { explain, type Told } from "./explain.ts";
import { Ties } from "./id-map.ts";
import { Incomparable, wordsOf } from "./incomparable.ts";
import { Interrupted } from "./interrupted.ts";
import { textsOf, translateRequest } from "./translate-request.ts";
import { EventPairing } from "./event-pairing.ts";

/** A longer lag of the real service counts as a difference. */
const LAG_MAX_MS = 300_000;
const PAGE_SIZE = 50;
const SENT_MAX = 200_000;
const LOOSE: Readonly<Record<string, ReadonlySet<string>>> = {
  listWebhookEvent: new Set(["http_status_code", "error"]),
  detailsWebhookEvent: new Set(["http_status_code", "error", "response_body", "response_headers"]),
};
/** What a cassette has in place of a text. */
const REPLACED_TEXT = /^(?:text|name) ?\d+$/i;
const IS_LOG = /^(?:list|details)Logs?(?:V2)?$/;

export interface ComparisonOptions {
  double: DoubleSide;
  realUrl: string;
  seesWebhooks?: boolean;
  /** The answers come from a cassette that docdouble cleaned. */
  isCleaned?: boolean;
}

interface ComparedCall {
  request: CallRequest;
  translated: CallRequest;
  operation: KnownOperation;
  real: CallAnswer;
  at_ms: number;
}

interface Attempt {
  answer: CallAnswer;
  found: Difference[];
  remarks: string[];
}

export class Comparison {
  readonly #double: DoubleSide;
  readonly #ties = new Ties();
  readonly #sent = new Set<string>();
  readonly #log = new DifferenceGroups();
  readonly #notes = new Map<string, number>();
  readonly #incomparable = new Incomparable(this.#ties);
  readonly #interrupted = new Interrupted();
  /** Something happened outside the API, at an instant that the double does not know. */
  #isOutOfOrder = false;
  readonly #lagging = new Map<string, number>();
  readonly #events: EventPairing;
  readonly #origins: Comparing["origins"];
  readonly #isCleaned: boolean;
  readonly #options: ComparisonOptions;
  readonly #story: Told[] = [];
  isSteered = false;
  #calls = 0;

  constructor(options: ComparisonOptions) {
    const { double, realUrl, seesWebhooks = false, isCleaned = false } = options;
    this.#options = options;
    this.#isCleaned = isCleaned;
    this.#double = double;
    this.#origins = { real: realUrl.replace(/\/+$/, ""), double: double.sandbox.url };
    this.#events = new EventPairing({
      double,
      ties: this.#ties,
      log: this.#log,
      seesWebhooks,
      comparing: () => ({ ...this.#comparing(false), isCleaned }),
      isOrphan: (id) => this.#incomparable.isOrphan(id),
      isInterrupted: (id) => this.#interrupted.has(id),
      isSteered: () => this.isSteered,
      onFollow: (event) => {
        this.#isOutOfOrder = true;
        this.#note(`${event}: the double followed what happened outside the API`);
      },
      onForeign: (event) => this.#note(`${event}: not compared, because only the real account has the thing it names`),
    });
  }

  /**
   * Returns the double's answer, if the double could make the call.
   * @param at_ms milliseconds since the first call
   */
  async call(request: CallRequest, real: CallAnswer, at_ms: number): Promise<CallAnswer | undefined> {
    this.#story.push({ request, real, at_ms });
    const operation = operationOf(request);
    for (const text of textsOf(request)) if (this.#sent.size < SENT_MAX) this.#sent.add(text);
    const obstacle = this.#incomparable.reasonFor(request);
    if (obstacle !== undefined) {
      this.#note(`${operation.id}: not compared, because ${obstacle}`);
      if (real.status < 300) this.#incomparable.addForeign(jsonOf(real));
      return undefined;
    }
    this.#calls++;
    this.#noteFault(real);
    const isRead = request.method === "GET" || request.method === "HEAD";
    if (!isRead) await this.#double.tick(at_ms);
    const translated = translateRequest(request, this.#ties);
    const refused = real.status === 0 || real.status >= 400;
    let answer: CallAnswer | undefined;
    if (isRead || !refused) answer = await this.#compareCall({ request, translated, operation, real, at_ms });
    // The double must not do what the real service refused.
    else
      await this.#double.attempt(async () => {
        answer = await this.#compareCall({ request, translated, operation, real, at_ms });
        return answer.status === 0 ? real.status === 0 : answer.status >= 400;
      });
    if (real.status < 300 && real.status > 0 && (answer?.status ?? 0) >= 300) this.#incomparable.addOrphan(jsonOf(real));
    if (!isRead && (real.status === 0 || real.status >= 500) && this.#interrupted.lose(request.target))
      this.#note(`${operation.id}: the real service may have carried it out, so what it names is not compared any more`);
    if (!refused && this.#interrupted.end(operation.id, wordsOf(request)))
      this.#note(`${operation.id}: the document was perhaps still processed, so its history is not compared`);
    if (!refused) this.#interrupted.see(jsonOf(real));
    await this.#events.match();
    return answer;
  }

  async event(body: Buffer, at_ms: number, eventId?: string): Promise<void> {
    this.#story.push({ event: body, at_ms, id: eventId });
    this.#interrupted.see(parseJson(body.toString("utf8")));
    await this.#events.add(body, at_ms, eventId);
  }

  /** Webhooks without a counterpart become differences. Then each difference gets the assumption behind it. */
  async finish(at_ms: number): Promise<void> {
    await this.#events.finish(at_ms);
    await explain(this.#log, this.#story, this.#double, (double) => new Comparison({ ...this.#options, double }));
  }

  /** Hears a story as a whole, and returns the differences. */
  async tell(story: readonly Told[]): Promise<DifferenceGroups> {
    for (const one of story) {
      if ("event" in one) await this.event(one.event, one.at_ms, one.id);
      else if (one.isSteering) await this.steer(one.request, one.real, one.at_ms);
      else await this.call(one.request, one.real, one.at_ms);
    }
    await this.#events.finish(story.at(-1)?.at_ms ?? 0);
    return this.#log;
  }

  get isWaitingForEvents(): boolean {
    return this.#events.isOpen;
  }

  report(): Report {
    return { version: 1, calls: this.#calls, differences: this.#log.all() };
  }

  notes(): string[] {
    return [...this.#notes].map(([text, count]) => `${text}${count === 1 ? "" : ` (${count} times)`}`);
  }

  /** Both sides are doubles that the client steers, so both clocks move together. */
  async steer(request: CallRequest, real: CallAnswer, at_ms: number): Promise<void> {
    this.#story.push({ request, real, at_ms, isSteering: true });
    if (real.status === 0 || real.status >= 300) return;
    const [a, b] = [jsonOf(real), jsonOf(await this.#double.send(this.translate(request)))];
    if (!isObject(a) || !isObject(b)) return;
    for (const [name, value] of Object.entries(a)) {
      const other = b[name];
      if (typeof value === "string" && typeof other === "string" && idKind(value) !== undefined) this.#ties.tie(value, other);
    }
  }

  translate(request: CallRequest): CallRequest {
    return translateRequest(request, this.#ties);
  }

  /** The text with the double's ids. */
  translateText(text: string): string {
    return this.#ties.translateWhole(text);
  }

  #note(text: string): void {
    this.#notes.set(text, (this.#notes.get(text) ?? 0) + 1);
  }

  #noteFault({ status, failure }: CallAnswer): void {
    if (status === 0) this.#note(`the real service gave no answer (${failure ?? "the connection ended"})`);
    else if (status === 401) this.#note("the real service answered 401; check --real-key");
    else if (status === 429) this.#note("the real service answered 429: its rate limit was reached");
    else if (status >= 500) this.#note(`the real service answered ${status}`);
  }

  #comparing(isAccountList: boolean, operation = "", target = ""): Comparing {
    const loose = LOOSE[operation];
    return {
      ties: this.#ties,
      sent: this.#sent,
      origins: this.#origins,
      isAccountList,
      uncertain: this.#incomparable.uncertain,
      foreign: this.#incomparable.foreign,
      isOutOfOrder: this.#isOutOfOrder,
      ...(isAccountList ? { pageSize: pageSizeOf(target) } : {}),
      ...(loose ? { loose } : {}),
      ...(IS_LOG.test(operation) && !isAccountList ? { shapeOnly: true } : {}),
    };
  }

  async #compareCall(call: ComparedCall): Promise<CallAnswer> {
    const { answer, remarks } = await this.#makeAndCompare(call);
    for (const one of remarks) this.#note(`${call.operation.id}: ${one}`);
    return answer;
  }

  /** Repeats the call while waiting helps, then logs the differences. */
  async #makeAndCompare(call: ComparedCall): Promise<Attempt> {
    const { request, translated, operation, real, at_ms } = call;
    const isRead = request.method === "GET" || request.method === "HEAD";
    const isAccountList = isRead && operation.path !== undefined && !operation.path.includes("{");
    const compare = (attempt: Attempt): boolean => {
      // A text of a refusal is always a message, so another text is a difference.
      const comparing = {
        ...this.#comparing(isAccountList, operation.id, request.target),
        isCleaned: this.#isCleaned && real.status < 400,
      };
      const found = compareAnswers(real, attempt.answer, comparing);
      // A partial recording says nothing about absent members.
      attempt.found = real.isPartial ? found.filter((one) => one.kind !== "added" && one.real !== undefined) : found;
      attempt.remarks = remarksOn(comparing);
      return attempt.found.length === 0;
    };
    const attempt = async (sent: CallRequest): Promise<Attempt> => ({
      answer: await this.#double.send(sent),
      found: [],
      remarks: [],
    });
    let last = await attempt(translated);
    const tryCompare = () => {
      this.#ties.attempt(() => compare(last));
      return last.found.length === 0;
    };
    if (tryCompare()) {
      // A page that is cut at another place may show a document that the double's page lacks.
      if (isAccountList) await this.#follow(jsonOf(real));
      return last;
    }
    const again = async () => {
      if (!isRead && last.answer.status < 400) return false;
      last = await attempt(translateRequest(request, this.#ties));
      return tryCompare();
    };
    const waited = await this.#wait({ real, translated, isAccountList, at_ms, last: () => last.answer, again });
    if (waited !== undefined) {
      this.#note(`${operation.id}: ${waited}`);
      return last;
    }
    // The last attempt may have been undone.
    await again();
    if (this.#realLags(real, last.answer, translated, at_ms)) {
      this.#note(`${operation.id}: the real service is still processing; the next call compares`);
      return last;
    }
    // Compare once more, to keep the ties.
    compare(last);
    const known = this.#interrupted.without(last.found, wordsOf(request), real, (id) => this.#ties.realOf(id));
    const found = this.#isCleaned ? known.filter((one) => !isOfPartSearch(one, request.target)) : known;
    if (found.length < known.length)
      this.#note(
        `${operation.id}: entries not compared, because a cassette has other texts, so a search for a part finds others`,
      );
    this.#log.add(found, { operation: operation.id, request, why: last.answer.headers["x-docdouble-why"] });
    // The double must do what the real service did, even when it asks to come back later.
    if (last.answer.status === 429 && real.status < 300 && real.status > 0) {
      await this.#double.advance(1000 * Number(last.answer.headers["retry-after"] ?? 60));
      last = await attempt(translateRequest(request, this.#ties));
      compare(last);
    }
    return last;
  }

  /** Lets the double catch up. Returns what helped, or undefined. */
  async #wait(call: {
    real: CallAnswer;
    translated: CallRequest;
    isAccountList: boolean;
    at_ms: number;
    last: () => CallAnswer;
    again: () => Promise<boolean>;
  }): Promise<string | undefined> {
    const { real, translated, isAccountList, at_ms, last, again } = call;
    if (real.status === 0) return undefined;
    const wasProcessing = isProcessing(last());
    if ((await this.#follow(jsonOf(real))) && (await again()))
      return wasProcessing ? "waited for the double to finish processing" : "the double followed what happened outside the API";
    if ((await this.#double.catchUp(at_ms)) && (await again())) return "waited for the double: its clock caught up";
    const isBehind = () =>
      isProcessing(last()) || last().status === 423 || this.#double.isConverting(isAccountList ? undefined : translated.target);
    if (real.status >= 300 || isProcessing(real) || !isBehind()) return undefined;
    // A difference that stays has another cause, so the double must not run ahead.
    let isFinished = false;
    await this.#double.attempt(async () => {
      isFinished = await this.#double.finish(again);
      return isFinished;
    });
    return isFinished ? "waited for the double to finish processing" : undefined;
  }

  async #follow(body: unknown): Promise<boolean> {
    if (!isObject(body)) return false;
    const documents = (Array.isArray(body.results) ? body.results : [body]).filter(isObject);
    // Follow in the order of the changes, so that the double's lists get the same order.
    documents.sort((a, b) => compareText(String(a.date_modified ?? ""), String(b.date_modified ?? "")));
    let moved = false;
    for (const one of documents) {
      if (typeof one.id !== "string" || typeof one.status !== "string") continue;
      const id = this.#ties.doubleOf(one.id);
      if (id !== undefined && (await this.#double.follow(id, one))) moved = true;
    }
    this.#isOutOfOrder ||= moved;
    return moved;
  }

  #realLags(real: CallAnswer, double: CallAnswer, { method, target }: CallRequest, at_ms: number): boolean {
    // A write that the real service accepts shows the same on both sides.
    if ((method !== "GET" && real.status < 400) || !isProcessing(real) || isProcessing(double) || double.status >= 300)
      return false;
    const since = this.#lagging.get(target) ?? at_ms;
    this.#lagging.set(target, since);
    return at_ms - since < LAG_MAX_MS;
  }
}

function pageSizeOf(target: string): number {
  const query = new URLSearchParams(target.split("?")[1]);
  return Number(query.get("page") ?? 1) > 1 ? 0 : Number(query.get("count") ?? PAGE_SIZE);
}

/** An entry that a search for a part of its text found, or did not find. A cassette replaces whole texts. */
function isOfPartSearch({ kind, pointer, real, double }: Difference, target: string): boolean {
  const entry = real ?? double;
  if (!["missing", "added"].includes(kind) || !/^\/(?:results|items)\/\d+$/.test(pointer) || !isObject(entry)) return false;
  const query = new URLSearchParams(target.split("?")[1]);
  const searched = ["q", "query", "search"].map((name) => query.get(name) ?? "").find((one) => REPLACED_TEXT.test(one));
  return searched !== undefined && !Object.values(entry).includes(searched);
}

function remarksOn({ isBehind, isCutElsewhere }: Comparing): string[] {
  return [
    ...(isBehind ? ["the real service is still processing an entry; the next call compares"] : []),
    ...(isCutElsewhere ? ["the page ends at another entry, because the two lists differ in order or length"] : []),
  ];
}
