/** What a run creates. The probe changes and deletes only ids that its own creates answered, and that the service shows with a name of the run. */
import type { Marks } from "./marks.ts";
import { type Answer, at, type Service } from "./service.ts";
import { ServiceFailure, Undecided } from "./story-errors.ts";

export const KINDS = {
  document: { path: "/public/v1/documents", idMember: "id", nameMember: "name" },
  contact: { path: "/public/v1/contacts", idMember: "id", nameMember: "email" },
  template: { path: "/public/v1/templates", idMember: "id", nameMember: "name" },
  "webhook subscription": { path: "/public/v1/webhook-subscriptions", idMember: "uuid", nameMember: "name" },
} as const;

export type CreatedKind = keyof typeof KINDS;

interface Thing {
  readonly kind: CreatedKind;
  readonly name: string;
  /** Undefined until the answer to its creation names it. */
  id?: string;
  /** The service showed the id with a name of this run. */
  isProven: boolean;
  /** A call may have deleted it. */
  isDeleting: boolean;
  /** Stays until the last story has ended. */
  isShared: boolean;
}

/** A document that is still processed may refuse its deletion. */
const DELETE_TRIES = 3;
const DELETE_PAUSE_MS = 5000;
/** An id in a path. Another text, such as `..`, could lead a call to another thing. */
const ID = /^[\w-]{1,100}$/;

export class Things {
  readonly #service: Service;
  readonly #marks: Marks;
  #all: Thing[] = [];
  /** What the probe deleted. A story may try to delete it again. */
  readonly #gone = new Set<string>();

  constructor(service: Service, marks: Marks) {
    this.#service = service;
    this.#marks = marks;
  }

  /** Call it before the call that may create the thing. */
  intend(kind: CreatedKind, name: string): Thing {
    const thing = { kind, name, isProven: false, isDeleting: false, isShared: false };
    this.#all.push(thing);
    return thing;
  }

  /** @throws ServiceFailure for an answer without an id */
  created(thing: Thing, { status, json }: Answer, place: string): void {
    const id = at(json, KINDS[thing.kind].idMember);
    if (typeof id !== "string" || !ID.test(id))
      throw new ServiceFailure(`${place} answered ${status} with the id ${JSON.stringify(id)}.`, { place });
    const known = this.#byId(thing.kind, id);
    // The service answered with this very thing, which it changed instead.
    if (known?.name === thing.name) this.dropped(thing);
    // The id of another thing is wrong, so this one may be left under an unknown id.
    else if (!known) thing.id = id;
  }

  /** The service refused to create the thing, or deleted it. */
  dropped(thing: Thing): void {
    if (thing.id !== undefined) this.#gone.add(`${thing.kind} ${thing.id}`);
    this.#all = this.#all.filter((one) => one !== thing);
  }

  has(kind: CreatedKind, name: string): boolean {
    return this.#all.some((one) => one.kind === kind && one.name === name);
  }

  share(id: string): void {
    for (const one of this.#all) if (one.id === id) one.isShared = true;
  }

  /** Before a call of a story that changes a thing. @throws Undecided, ServiceFailure for a thing that the run did not create */
  async prove(kind: CreatedKind, id: string, place: string): Promise<void> {
    if (this.#gone.has(`${kind} ${id}`)) return;
    const thing = this.#byId(kind, id);
    if (!thing) throw new Undecided(`The probe did not create the ${kind} of ${place}, so it does not make this call.`);
    if ((await this.#look(thing)) === "own") return;
    throw new ServiceFailure(`The service does not show ${id} as the ${kind} "${thing.name}". The probe does not change it.`, {
      place: `${kind} with a wrong id`,
    });
  }

  /** Before and after a call of a story that deletes a thing. */
  deletes(kind: CreatedKind, id: string): { isDone(): void } {
    const thing = this.#byId(kind, id);
    if (thing) thing.isDeleting = true;
    return { isDone: () => thing && this.dropped(thing) };
  }

  /** After a story: deletes all but the shared things. Never throws ServiceFailure. */
  async deleteAfterStory(): Promise<void> {
    await this.#deleteEach((one) => !one.isShared);
  }

  /** Never throws ServiceFailure. */
  async deleteAll(): Promise<void> {
    await this.#deleteEach(() => true);
  }

  /** How many things with a known id the probe tried to delete in vain. */
  get undeleted(): number {
    return this.#all.filter((one) => one.id !== undefined && !one.isShared).length;
  }

  /** What may still be in the account. */
  left(): string[] {
    return this.#all.map(({ kind, name, id }) => `${kind} "${name}"${id === undefined ? "" : `, id ${id}`}`);
  }

  #byId(kind: CreatedKind, id: string): Thing | undefined {
    return this.#all.find((one) => one.kind === kind && one.id === id);
  }

  /** The latest first, because it may hold earlier things. */
  async #deleteEach(isChosen: (one: Thing) => boolean): Promise<void> {
    this.#service.isDeleting = true;
    try {
      for (const one of this.#all.filter(isChosen).toReversed()) {
        try {
          if (await this.#delete(one)) this.dropped(one);
        } catch (error) {
          if (!(error instanceof ServiceFailure)) throw error;
        }
      }
    } finally {
      this.#service.isDeleting = false;
    }
  }

  async #delete(thing: Thing): Promise<boolean> {
    if (thing.id === undefined) return false;
    for (let attempt = 1; ; attempt++) {
      const sight = await this.#look(thing);
      if (sight === "absent" && thing.isDeleting) return true;
      if (sight !== "own") return false;
      thing.isDeleting = true;
      try {
        const { status } = await this.#service.call("DELETE", pathOf(thing));
        if (status < 300 || status === 404) return true;
      } catch (error) {
        // The service may have deleted it all the same.
        if (!(error instanceof ServiceFailure)) throw error;
      }
      thing.isProven = false;
      if (attempt === DELETE_TRIES) return (await this.#look(thing)) === "absent";
      await this.#service.pacing.wait(DELETE_PAUSE_MS);
    }
  }

  /** @throws ServiceFailure */
  async #look(thing: Thing): Promise<"own" | "absent" | "unclear"> {
    if (thing.isProven) return "own";
    const { idMember, nameMember } = KINDS[thing.kind];
    const { status, json } = await this.#service.call("GET", pathOf(thing));
    if (status === 404) return "absent";
    thing.isProven = status === 200 && at(json, idMember) === thing.id && this.#marks.isOwn(at(json, nameMember));
    return thing.isProven ? "own" : "unclear";
  }
}

function pathOf({ kind, id }: Thing): string {
  return `${KINDS[kind].path}/${id}`;
}
