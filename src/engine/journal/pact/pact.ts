/**
 * The journal as a Pact of specification 4: what a client used, with matchers. A new server with the same seed and an automatic clock
 * verifies it in the order of the calls. With provider states, each interaction verifies alone.
 */
import { createHash } from "node:crypto";
import { parseLeniently } from "../../core/text.ts";
import { BYTES } from "../har.ts";
import type { JournalEntry } from "../journal.ts";
import { shownAnswer } from "../redacted-call.ts";
import { idIn } from "../same-calls.ts";
import { expectationOf } from "./expectation.ts";
import { escaped, type Json, type LeftOut, type Pact, type PactInteraction, type ProviderState, ruleOf } from "./pact-file.ts";
import { generatorOf, hasState, requestOf } from "./request.ts";

export interface PactSource {
  consumer: string;
  provider: string;
  version: string;
  seed: string;
  /** Calls that left a full journal. */
  dropped: number;
  /** What the verifier calls the subject, such as `parcel`. */
  noun: string;
  /** A key that every new server knows. */
  key: string;
  /** The operation that grants access. Its request is a secret. */
  grant: string | undefined;
  /** The operation that reads the status of a subject. */
  reader: string | undefined;
  isFirstStatus(status: string): boolean;
  standIn(type: string, filename: string): Uint8Array | undefined;
  /** The path of an operation and its parameter with the subject's id. Undefined for an unknown operation. */
  pathOf(operation: string): { path: string; subjectParam: string | undefined } | undefined;
}

/** A repeated read moves an automatic clock by one poll. The second repetition moves it to the next change. */
const READS_UNTIL_CHANGE = 3;

/** @param entries oldest first */
export function pactOf(entries: readonly JournalEntry[], source: PactSource): Pact {
  const made = new PactBuilder(source);
  for (const entry of entries) if (!entry.page) made.add(entry);
  return {
    consumer: { name: source.consumer },
    provider: { name: source.provider },
    interactions: made.interactions,
    metadata: {
      pactSpecification: { version: "4.0" },
      docdouble: { version: source.version, seed: source.seed, left_out: made.leftOut, dropped_calls: source.dropped },
    },
  };
}

class PactBuilder {
  readonly #source: PactSource;
  readonly interactions: PactInteraction[] = [];
  readonly #left = new Map<string, number>();
  readonly #names = new Map<string, number>();
  readonly #reads = new Set<string>();
  /** The names of subjects by id, as far as their creation tells them. */
  readonly #called = new Map<string, string>();
  /** Subjects that had their first status when a call last saw them. */
  readonly #isNew = new Set<string>();

  constructor(source: PactSource) {
    this.#source = source;
  }

  get leftOut(): LeftOut[] {
    return [...this.#left].map(([reason, calls]) => ({ reason, calls }));
  }

  add(entry: JournalEntry): void {
    const route = entry.operationId === undefined ? undefined : this.#source.pathOf(entry.operationId);
    const { noun, key, standIn } = this.#source;
    const request = route && requestOf(entry, { ...route, noun, key, standIn });
    const reason = this.#whyNot(entry) ?? (request ? undefined : "the journal does not keep the body");
    if (request && reason === undefined) this.#include(entry, request);
    else this.#leave(reason ?? "");
  }

  #include(entry: JournalEntry, request: PactInteraction["request"]): void {
    const response = responseOf(entry);
    const states = this.#statesOf(entry);
    const read = JSON.stringify([request, states, response.status, response.matchingRules]);
    if (entry.method === "GET" && this.#reads.has(read)) return;
    this.#reads.add(read);
    this.#waitFor(entry, request);
    this.#put(`${entry.operationId} answers ${response.status}`, request, response, states);
    this.#remember(entry);
  }

  #leave(reason: string): void {
    this.#left.set(reason, (this.#left.get(reason) ?? 0) + 1);
  }

  #whyNot(entry: JournalEntry): string | undefined {
    if (entry.operationId === undefined) return "no operation has the path";
    if (entry.tool !== undefined) return "a tool of an agent made the call";
    if (entry.own === undefined) return "a rule prevented the operation";
    if (entry.own === 429) return "the limit of calls refused it";
    if (entry.own === 501) return "docdouble does not serve the operation";
    if (entry.operationId === this.#source.grant) return "the request is a secret";
    return undefined;
  }

  #statesOf(entry: JournalEntry): ProviderState[] {
    return hasState(entry) ? [this.#state(entry.subject as string, `is ${entry.subjectStatus}`)] : [];
  }

  #state(subject: string, what: string): ProviderState {
    const { noun } = this.#source;
    const name = this.#called.get(subject);
    return { name: `the ${noun} ${what}`, params: { [noun]: subject, ...(name === undefined ? {} : { name }) } };
  }

  /** The client waited until the subject left its first status. On a new server only reads pass the time. */
  #waitFor({ subject, subjectStatus, caller }: JournalEntry, { headers, matchingRules }: PactInteraction["request"]): void {
    const { reader, noun, isFirstStatus, pathOf } = this.#source;
    if (subject === undefined || subjectStatus === undefined || isFirstStatus(subjectStatus)) return;
    const route = reader === undefined ? undefined : pathOf(reader);
    if (!this.#isNew.delete(subject) || !route || !caller) return;
    const rule = matchingRules?.header?.Authorization;
    const pathWith = (id: string) => route.path.replace(`{${route.subjectParam}}`, () => id);
    for (let i = 0; i < READS_UNTIL_CHANGE; i++)
      this.#put(
        `${reader} lets the ${noun} become ${subjectStatus}`,
        {
          method: "GET",
          path: pathWith(subject),
          headers: { Authorization: headers?.Authorization ?? [] },
          ...(rule ? { matchingRules: { header: { Authorization: rule } } } : {}),
          generators: generatorOf(pathWith(`\${${noun}}`)),
        },
        { status: 200 },
        [this.#state(subject, "exists")],
        ["The client did not make this call. It lets the time of a new server pass, as it passed for the client."],
      );
  }

  #remember(entry: JournalEntry): void {
    if (entry.method !== "POST" || entry.own !== 201 || hasState(entry)) return;
    const answer = shownAnswer(entry);
    const { status, name } = (parseLeniently(answer) ?? {}) as { status?: unknown; name?: unknown };
    const id = idIn(answer);
    if (id === undefined) return;
    if (typeof name === "string") this.#called.set(id, name);
    if (typeof status === "string" && this.#source.isFirstStatus(status)) this.#isNew.add(id);
  }

  #put(
    name: string,
    request: PactInteraction["request"],
    response: PactInteraction["response"],
    states: ProviderState[],
    text?: string[],
  ): void {
    const nth = (this.#names.get(name) ?? 0) + 1;
    this.#names.set(name, nth);
    const description = nth === 1 ? name : `${name}, ${nth}`;
    const key = createHash("sha256").update(description).digest("hex").slice(0, 16);
    this.interactions.push({
      type: "Synchronous/HTTP",
      key,
      description,
      pending: false,
      ...(states.length > 0 ? { providerStates: states } : {}),
      ...(text ? { comments: { text } } : {}),
      request,
      response,
    });
  }
}

/** A client whose answer a rule replaced or lost promises nothing about the body. */
function responseOf(entry: JournalEntry): PactInteraction["response"] {
  const status = entry.own as number;
  if (entry.injected || entry.status !== status) return { status };
  // Work in progress may be done sooner.
  if (entry.method === "GET" && status === 202)
    return { status, matchingRules: { status: ruleOf({ match: "statusCode", status: "success" }) } };
  const type = entry.responseHeaders["content-type"];
  if (type === undefined) return { status };
  const [media = ""] = type.split(";");
  const header = { "Content-Type": ruleOf({ match: "regex", regex: `^${escaped(media)}(;.*)?$` }) };
  const answer = { status, headers: { "Content-Type": [type] } };
  const text = shownAnswer(entry);
  const parsed = BYTES.test(text) || !/[/+]json\b/i.test(media) ? undefined : (parseLeniently(text) as Json | undefined);
  const expectation = parsed === undefined ? undefined : expectationOf(parsed);
  if (!expectation) return { ...answer, matchingRules: { header } };
  return {
    ...answer,
    body: { content: expectation.content, contentType: media, encoded: false },
    matchingRules: { header, body: expectation.rules },
  };
}
