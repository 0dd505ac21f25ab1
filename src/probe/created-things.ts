import { isObject } from "../compare/exchange.ts";
import { listAt, type Service } from "./service.ts";
import { ServiceFailure } from "./story-errors.ts";

interface Kind {
  path: string;
  search(name: string): string;
  nameMember: string;
  idMember: string;
}

const KINDS = {
  document: {
    path: "/public/v1/documents",
    search: (name) => `?q=${encodeURIComponent(name)}`,
    nameMember: "name",
    idMember: "id",
  },
  contact: {
    path: "/public/v1/contacts",
    search: (name) => `?email=${encodeURIComponent(name)}`,
    nameMember: "email",
    idMember: "id",
  },
  "catalog item": {
    path: "/public/v2/product-catalog/items",
    search: (name) => `/search?query=${encodeURIComponent(name)}`,
    nameMember: "title",
    idMember: "uuid",
  },
  template: {
    path: "/public/v1/templates",
    search: (name) => `?q=${encodeURIComponent(name)}`,
    nameMember: "name",
    idMember: "id",
  },
  "webhook subscription": { path: "/public/v1/webhook-subscriptions", search: () => "", nameMember: "name", idMember: "uuid" },
} as const satisfies Record<string, Kind>;

export type CreatedKind = keyof typeof KINDS;

interface CreatedThing {
  kind: CreatedKind;
  name: string;
  /** Undefined until an answer confirms the creation. */
  id: string | undefined;
}

/** A document that is still processed may refuse its deletion. */
const DELETE_TRIES = 3;
const DELETE_PAUSE_MS = 5000;

export class CreatedThings {
  readonly #service: Service;
  #all: CreatedThing[] = [];

  constructor(service: Service) {
    this.#service = service;
  }

  /** Names a thing before its creation, so that it is found even when the answer is lost. */
  announce(kind: CreatedKind, name: string): (id: string | undefined) => void {
    const one: CreatedThing = { kind, name, id: undefined };
    this.#all.push(one);
    return (id) => {
      if (id === undefined || this.#all.some((other) => other !== one && other.kind === kind && other.id === id))
        this.#all = this.#all.filter((other) => other !== one);
      else one.id = id;
    };
  }

  expect(kind: CreatedKind, name: string): void {
    if (!this.#all.some((one) => one.kind === kind && one.name === name)) this.announce(kind, name);
  }

  forget(id: string): void {
    this.#all = this.#all.filter((one) => one.id !== id);
  }

  handOver(id: string, other: CreatedThings): void {
    other.#all.push(...this.#all.filter((one) => one.id === id));
    this.forget(id);
  }

  /** Deletes the latest first, because it may hold earlier things. Keeps what it cannot delete. Never throws ServiceFailure. */
  async deleteAll(): Promise<void> {
    this.#service.isDeleting = true;
    try {
      for (const one of this.#all.toReversed())
        if (await this.#isDeleted(one)) this.#all = this.#all.filter((other) => other !== one);
    } finally {
      this.#service.isDeleting = false;
    }
  }

  left(): string[] {
    return this.#all.map(({ kind, name, id }) =>
      id === undefined ? `${kind} "${name}" (its id is unknown)` : `${kind} "${name}", id ${id}`,
    );
  }

  async #isDeleted(one: CreatedThing): Promise<boolean> {
    try {
      const ids = one.id === undefined ? await this.#find(one) : [one.id];
      for (const id of ids) if (!(await this.#delete(one.kind, id))) return false;
      return true;
    } catch (error) {
      if (error instanceof ServiceFailure) return false;
      throw error;
    }
  }

  async #delete(kind: CreatedKind, id: string): Promise<boolean> {
    for (let attempt = 1; ; attempt++) {
      const { status } = await this.#service.call("DELETE", `${KINDS[kind].path}/${encodeURIComponent(id)}`);
      if (status < 300 || status === 404) return true;
      if (attempt === DELETE_TRIES) return false;
      await this.#service.pacing.wait(DELETE_PAUSE_MS);
    }
  }

  async #find({ kind, name }: CreatedThing): Promise<string[]> {
    if (name === "") throw new ServiceFailure(`a ${kind} without a name cannot be found`);
    const { path, search, nameMember, idMember } = KINDS[kind];
    const { json, status } = await this.#service.call("GET", `${path}${search(name)}`);
    if (status !== 200) throw new ServiceFailure(`the list of ${kind}s answered ${status}`);
    // A sandbox key puts [DEV] before the name of a document.
    const names = [name, `[DEV] ${name}`];
    return [...listAt(json, "results"), ...listAt(json, "items")].flatMap((entry) =>
      isObject(entry) && names.includes(String(entry[nameMember])) ? [String(entry[idMember])] : [],
    );
  }
}
