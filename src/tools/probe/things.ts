/** Everything that a run creates. Deletes only what the service shows with a name or address of the run. */
import { iso, parseInstant } from "../../engine/core/clock.ts";
import { messageOf } from "../../engine/core/text.ts";
import { Finder } from "./finder.ts";
import type { Journal, JournaledRun, JournalLine } from "./journal.ts";
import { type CreatedKind, isId, KINDS, subjectOf } from "./kinds.ts";
import { type Marks, plain, sameName } from "./marks.ts";
import { type Answer, at, type Service } from "./service.ts";
import { ServiceFailure, Undecided } from "./story-errors.ts";

export interface Thing {
  readonly number: number;
  readonly kind: CreatedKind;
  /** The name or address that the probe gave it. Empty for a request that cannot hold one. */
  readonly name: string;
  /** The time just before its creation, as text. */
  readonly at: string;
  /** The service makes it of a recipient, so no answer holds its id. */
  readonly isImplied: boolean;
  /** Undefined until an answer or a list shows it. */
  id: string | undefined;
  /** An id that the service answered, although it belongs to a thing with another name. */
  wrongId: string | undefined;
  /** The service showed the id with a name of this run. */
  isProven: boolean;
  /** Stays until the last story has ended. */
  isShared: boolean;
  /** A call deletes it, so that it is deleted when the service does not show it any more. */
  isDeleting: boolean;
  /** The account keeps it, although the service answers. */
  isRefused: boolean;
}

export interface ThingsOptions {
  marks: Marks;
  /** The real address of the API, for the list of what is left. */
  url: string;
  now(): number;
  journal?: Journal | undefined;
}

/** A document that is still processed may refuse its deletion. */
const DELETE_TRIES = 3;
const DELETE_PAUSE_MS = 5000;
/** A new thing may appear late. */
const PROOF_AFTER_S = [0, 2, 5, 10];
/** A list may lag behind. After the last look, the thing counts as perhaps left. */
const LOOK_AGAIN_AFTER_S = [10, 20, 40, 80, 160];
const PAGES_BEFORE_MAX = 5;
const UNSEEN = { id: undefined, wrongId: undefined, isProven: false, isShared: false, isDeleting: false, isRefused: false };
/** No list lags behind for an hour. A complete list then proves that the thing was never created. */
const LATE_MAX_MS = 3_600_000;

export class Things {
  readonly #service: Service;
  readonly #options: ThingsOptions;
  readonly #finder: Finder;
  readonly #known = new Set<CreatedKind>();
  #all: Thing[] = [];
  /** What the probe deleted. A story may try to delete it again. */
  readonly #gone = new Set<string>();
  #count = 0;

  constructor(service: Service, options: ThingsOptions) {
    this.#service = service;
    this.#options = options;
    this.#finder = new Finder(service, options.marks);
  }

  /** Takes over what a crashed run left. */
  restore({ before, things }: JournaledRun): void {
    for (const { kind, ids } of before) this.#finder.addForeign(kind, ids);
    for (const one of things) {
      this.#all.push({ ...one, ...UNSEEN, id: one.id, isDeleting: one.isDeleting });
      this.#count = Math.max(this.#count, one.number);
      this.#known.add(one.kind);
    }
  }

  /** Reads which things of the kind exist, once, before the first is created. @throws ServiceFailure */
  async readBefore(kind: CreatedKind): Promise<void> {
    if (this.#known.has(kind)) return;
    const { entries } = await this.#finder.list(kind, { pagesMax: PAGES_BEFORE_MAX });
    const ids = entries.map((one) => one.id);
    this.#finder.addForeign(kind, ids);
    this.#note({ line: "before", kind, ids });
    this.#known.add(kind);
  }

  /** Call it before the call that may create the thing. */
  intend(kind: CreatedKind, name: string, isImplied = false): Thing {
    this.#count++;
    const at = iso(this.#options.now());
    const thing: Thing = { number: this.#count, kind, name, at, isImplied, ...UNSEEN };
    this.#note({ line: "creates", thing: thing.number, kind, name, implied: isImplied, at });
    this.#all.push(thing);
    return thing;
  }

  /** The contacts that the service will make of addresses in a request, if they are new. */
  intendContacts(addresses: readonly string[], isShared: (email: string) => boolean): Thing[] {
    const isNew = (email: string) => !this.#all.some((one) => one.kind === "contact" && plain(one.name) === email);
    return addresses.filter(isNew).map((email) => {
      const thing = this.intend("contact", email, true);
      thing.isShared = isShared(email);
      return thing;
    });
  }

  /** @throws ServiceFailure for the id of a thing that is not the run's own */
  created(thing: Thing, id: string, place: string): void {
    if (!isId(id))
      throw new ServiceFailure(`${place} answered with the id ${JSON.stringify(id)}, not with letters and digits.`, { place });
    if (this.#finder.isForeign(thing.kind, id)) {
      thing.wrongId = id;
      throw new ServiceFailure(`${place} answered with the id ${id} of a ${thing.kind} that the probe did not create.`, {
        place,
      });
    }
    // The service answered with a thing of this run, which it changed instead.
    if (this.#byId(thing.kind, id) !== undefined) this.#drop(thing, "refused");
    else {
      this.#note({ line: "created", thing: thing.number, id });
      thing.id = id;
    }
  }

  refused(thing: Thing): void {
    this.#drop(thing, "refused");
  }

  /** Call it before a call that deletes the thing. */
  deletes(kind: CreatedKind, id: string): void {
    const thing = this.#byId(kind, id);
    if (thing !== undefined) this.#deletes(thing);
  }

  #deletes(thing: Thing): void {
    this.#note({ line: "deletes", thing: thing.number });
    thing.isDeleting = true;
  }

  share(id: string): void {
    for (const one of this.#all) if (one.id === id) one.isShared = true;
  }

  /** Learns from the answer to any call of a story. */
  saw(method: string, target: string, answer: Answer): void {
    const subject = subjectOf(target);
    if (subject === undefined) return;
    const { kind, id, rest } = subject;
    if (id === undefined) {
      if (method === "GET") this.#finder.notice(subject, answer, (one) => this.#byId(kind, one)?.isProven === true);
      return;
    }
    const thing = this.#byId(kind, id);
    if (thing === undefined) return;
    if (method === "DELETE" && rest === "" && answer.status < 300) this.#drop(thing, "deleted");
    if (method === "GET" && (rest === "" || rest === "/details") && !thing.isProven)
      this.#learn(thing, this.#finder.sightOf(kind, id, answer));
  }

  /** Proves that the run created the thing, before a call changes it. @throws Undecided, ServiceFailure */
  async prove(kind: CreatedKind, id: string, what: string): Promise<void> {
    if (this.#gone.has(`${kind} ${id}`)) return;
    const thing = this.#byId(kind, id);
    if (thing === undefined)
      throw new Undecided(`The probe did not create the ${kind} of ${what}, so it does not make this call.`);
    for (const seconds of PROOF_AFTER_S) {
      if (thing.isProven) return;
      if (seconds > 0) await this.#service.pacing.wait(seconds * 1000);
      this.#learn(thing, await this.#finder.look(kind, id));
      if (thing.id === undefined) break;
    }
    if (!thing.isProven)
      throw new ServiceFailure(`The service does not show ${id} as the ${kind} "${thing.name}". The probe does not change it.`, {
        place: `${kind} with a wrong id`,
      });
  }

  /** Before a request: proves that the probe created each thing whose id the text of the request contains. @throws ServiceFailure */
  async proveIn(text: string): Promise<void> {
    for (const { kind, id, isProven } of [...this.#all])
      if (id !== undefined && !isProven && text.includes(id)) await this.prove(kind, id, "a request");
  }

  /** Finds the contact of an address of this run. @throws Undecided */
  async contactOf(email: string): Promise<string> {
    const thing = this.#all.find((one) => one.kind === "contact" && plain(one.name) === plain(email));
    const [id] = thing === undefined ? [] : (await this.#find(thing)).ids;
    if (thing === undefined || id === undefined) throw new Undecided(`The account shows no contact of the recipient ${email}.`);
    if (thing.id === undefined) this.created(thing, id, "GET /public/v1/contacts");
    await this.prove("contact", id, "the recipient");
    return id;
  }

  /** After a story: deletes all but the shared things. Never throws ServiceFailure. */
  async deleteAfterStory(): Promise<void> {
    await this.#deleting(() => this.#deleteEach((one) => !one.isShared && !one.isRefused));
  }

  /** How many things with a known id the probe tried to delete in vain. */
  get undeleted(): number {
    return this.#all.filter((one) => one.id !== undefined && !one.isShared).length;
  }

  /** At the end: deletes everything, and looks again for what may appear late. Never throws ServiceFailure. */
  async deleteAll(onWait?: (line: string) => void): Promise<void> {
    await this.#deleting(async () => {
      await this.#deleteEach(() => true);
      await this.#sweep();
      for (const seconds of LOOK_AGAIN_AFTER_S) {
        const pending = this.#all.filter((one) => !one.isRefused && one.name !== "").length;
        if (pending === 0) break;
        const what = pending === 1 ? "one thing that it" : `${pending} things that it`;
        onWait?.(`The probe looks again for ${what} may have created: waiting ${seconds} s.`);
        await this.#service.pacing.wait(seconds * 1000);
        await this.#deleteEach((one) => !one.isRefused);
        await this.#sweep();
      }
    });
    if (this.#all.length === 0) this.#note({ line: "end" });
  }

  /** What may still be in the account, with enough to find it by hand. */
  left(): string[] {
    return this.#all.map((one) => {
      const article = one.name === "" ? `${one.kind} without a name` : `${one.kind} "${one.name}"`;
      const origin = one.isImplied ? ", made of a recipient" : "";
      const url = `${this.#options.url}${KINDS[one.kind].path}`;
      if (one.id !== undefined) return `${article}, id ${one.id}${origin}, created at ${one.at}, at ${url}/${one.id}`;
      const wrong = one.wrongId === undefined ? "its id is unknown" : `the service named the id ${one.wrongId} of another thing`;
      return `${article} (${wrong})${origin}, perhaps created at ${one.at}, in ${url}`;
    });
  }

  async #deleting(work: () => Promise<void>): Promise<void> {
    this.#service.isDeleting = true;
    try {
      await work();
    } finally {
      this.#service.isDeleting = false;
    }
  }

  /** The latest first, because it may hold earlier things. */
  async #deleteEach(isChosen: (one: Thing) => boolean): Promise<void> {
    for (const one of this.#all.filter(isChosen).toReversed()) {
      try {
        if (await this.#isGone(one)) this.#drop(one, "deleted");
      } catch (error) {
        if (!(error instanceof ServiceFailure)) throw error;
      }
    }
  }

  async #isGone(thing: Thing): Promise<boolean> {
    if (thing.id !== undefined && !thing.isProven) {
      const sight = await this.#finder.look(thing.kind, thing.id);
      if (sight === "absent" && thing.isDeleting) return true;
      this.#learn(thing, sight);
    }
    if (thing.id !== undefined && thing.isProven) return this.#delete(thing, thing.id);
    // The answer was lost, or its id belongs to another thing.
    const { ids, isComplete } = await this.#find(thing);
    if (ids.length === 0) return isComplete && this.#isOld(thing);
    for (const id of ids) {
      if ((await this.#finder.look(thing.kind, id)) !== "own") return false;
      thing.id = id;
      thing.isProven = true;
      this.#note({ line: "created", thing: thing.number, id });
      if (!(await this.#delete(thing, id))) return false;
    }
    return true;
  }

  #isOld({ at }: Thing): boolean {
    return this.#options.now() - (parseInstant(at) ?? Number.POSITIVE_INFINITY) > LATE_MAX_MS;
  }

  async #delete(thing: Thing, id: string): Promise<boolean> {
    const { kind } = thing;
    this.#deletes(thing);
    for (let attempt = 1; ; attempt++) {
      try {
        const { status } = await this.#service.call("DELETE", `${KINDS[kind].path}/${encodeURIComponent(id)}`);
        if (status < 300 || status === 404) return true;
        thing.isRefused = status < 500;
      } catch (error) {
        // The service may have deleted it all the same.
        if (!(error instanceof ServiceFailure)) throw error;
        thing.isRefused = false;
      }
      if ((await this.#finder.look(kind, id)) === "absent") return true;
      if (attempt === DELETE_TRIES) return false;
      await this.#service.pacing.wait(DELETE_PAUSE_MS);
    }
  }

  /** Every entry must itself have the name or address. With a filter that hides it, the whole list shows it. */
  async #find({ kind, name, id: known }: Thing): Promise<{ ids: string[]; isComplete: boolean }> {
    if (name === "") return { ids: [], isComplete: false };
    const fits = (mark: string | undefined) => mark !== undefined && sameName(mark, name);
    const isEnough = (entries: readonly { mark: string | undefined }[]) => entries.some((one) => fits(one.mark));
    for (const filter of [name, undefined]) {
      const { entries, isComplete } = await this.#finder.list(kind, { ...(filter === undefined ? {} : { filter }), isEnough });
      const ids = entries.flatMap(({ id, mark }) =>
        fits(mark) && id !== known && isId(id) && !this.#finder.isForeign(kind, id) ? [id] : [],
      );
      if (ids.length > 0 || filter === undefined) return { ids, isComplete };
    }
    return { ids: [], isComplete: false };
  }

  /** Finds what carries a name of the run and is not known: a second thing of one call, or a thing that a refusal created. */
  async #sweep(): Promise<void> {
    for (const kind of this.#known) {
      try {
        const filter = kind === "contact" ? {} : { filter: this.#options.marks.search };
        const { entries } = await this.#finder.list(kind, filter);
        for (const { id, mark } of entries) {
          const isOpen = this.#all.some(
            (one) => one.kind === kind && (one.id === id || (one.id === undefined && sameName(mark, one.name))),
          );
          if (mark === undefined || !isId(id) || isOpen || (await this.#finder.look(kind, id)) !== "own") continue;
          const thing = this.intend(kind, mark);
          thing.id = id;
          thing.isProven = true;
          this.#note({ line: "created", thing: thing.number, id });
          const wasGone = this.#gone.has(`${kind} ${id}`);
          const isGone = (await this.#delete(thing, id)) && !(wasGone && (await this.#finder.look(kind, id)) === "own");
          if (isGone) this.#drop(thing, "deleted");
          else thing.isRefused ||= wasGone;
        }
      } catch (error) {
        if (!(error instanceof ServiceFailure)) throw error;
      }
    }
  }

  #learn(thing: Thing, sight: string): void {
    if (sight === "own") thing.isProven = true;
    if (sight !== "foreign") return;
    thing.wrongId = thing.id;
    thing.id = undefined;
  }

  /** Without a journal of it, nothing may be created. A deletion is right all the same. */
  #note(line: JournalLine): void {
    try {
      this.#options.journal?.(line);
    } catch (error) {
      if (line.line !== "creates" || this.#service.isDeleting) return;
      throw new ServiceFailure(messageOf(error), { isFinal: true });
    }
  }

  #byId(kind: CreatedKind, id: string): Thing | undefined {
    return this.#all.find((one) => one.kind === kind && one.id === id);
  }

  #drop(thing: Thing, line: "refused" | "deleted"): void {
    this.#note({ line, thing: thing.number });
    if (line === "deleted" && thing.id !== undefined) this.#gone.add(`${thing.kind} ${thing.id}`);
    this.#all = this.#all.filter((one) => one !== thing);
  }
}

/** The id in the answer to a creation. */
export function createdId(kind: CreatedKind, answer: Answer): unknown {
  return at(answer.json, KINDS[kind].idMember);
}
