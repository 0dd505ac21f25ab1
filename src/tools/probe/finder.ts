/** Looks for things in the account. Nothing here changes it, and nothing here trusts a filter. */
import { type CreatedKind, entriesOf, type Entry, entryOf, KINDS, PAGE_MIN, PAGES_MAX, type Subject } from "./kinds.ts";
import type { Marks } from "./marks.ts";
import { type Answer, listAt, type Service } from "./service.ts";
import { ServiceFailure } from "./story-errors.ts";

/**
 * - `own`: the service shows the thing with a name or address of this run.
 * - `foreign`: it existed before the run, or the service shows it with another name.
 * - `absent`: the service answers 404.
 * - `unclear`: the answer shows no thing.
 */
export type Sight = "own" | "foreign" | "absent" | "unclear";

export interface Listed {
  entries: Entry[];
  /** The pages reach the end of the list. */
  isComplete: boolean;
}

export class Finder {
  readonly #service: Service;
  readonly #marks: Marks;
  /** Ids of somebody else's things, as `kind id`. */
  readonly #foreign = new Set<string>();

  constructor(service: Service, marks: Marks) {
    this.#service = service;
    this.#marks = marks;
  }

  isForeign(kind: CreatedKind, id: string): boolean {
    return this.#foreign.has(`${kind} ${id}`);
  }

  addForeign(kind: CreatedKind, ids: Iterable<string>): void {
    for (const id of ids) this.#foreign.add(`${kind} ${id}`);
  }

  /** @throws ServiceFailure */
  async look(kind: CreatedKind, id: string): Promise<Sight> {
    if (this.isForeign(kind, id)) return "foreign";
    const answer = await this.#service.call("GET", `${KINDS[kind].path}/${encodeURIComponent(id)}`);
    if (answer.status === 404) return "absent";
    return this.sightOf(kind, id, answer);
  }

  sightOf(kind: CreatedKind, id: string, { status, json }: Answer): Sight {
    const entry = status === 200 ? entryOf(kind, json, this.#marks) : undefined;
    if (entry?.id !== id) return "unclear";
    if (this.isForeign(kind, id)) return "foreign";
    if (entry.mark !== undefined) return "own";
    // Without a name, the answer says nothing.
    const hasName = KINDS[kind].nameMembers.some((member) => member in (json as object)) || kind === "contact";
    if (!hasName) return "unclear";
    this.addForeign(kind, [id]);
    return "foreign";
  }

  /** Notes the things of others in the answer to a list. */
  notice({ kind }: Subject, answer: Answer, isOurs: (id: string) => boolean): void {
    if (answer.status !== 200) return;
    const others = entriesOf(kind, answer.json, this.#marks).filter((one) => one.mark === undefined && !isOurs(one.id));
    this.addForeign(
      kind,
      others.map((one) => one.id),
    );
  }

  /** Reads pages until `isEnough`, or to the end of the list. @throws ServiceFailure */
  async list(kind: CreatedKind, { filter, pagesMax = PAGES_MAX, isEnough = () => false }: ListOptions = {}): Promise<Listed> {
    const entries = new Map<string, Entry>();
    for (let page = 1; page <= pagesMax; page++) {
      const target = KINDS[kind].list(page, filter);
      if (target === undefined) return { entries: [...entries.values()], isComplete: page <= PAGES_MAX };
      const answer = await this.#service.call("GET", target);
      if (answer.status !== 200)
        throw new ServiceFailure(`The list of ${kind}s answered ${answer.status}.`, { place: `GET ${target}` });
      const before = entries.size;
      for (const one of entriesOf(kind, answer.json, this.#marks)) entries.set(one.id, one);
      const found = [...entries.values()];
      if (isEnough(found)) return { entries: found, isComplete: false };
      const isLast = listAt(answer.json, KINDS[kind].listMember).length < PAGE_MIN || entries.size === before;
      if (isLast) return { entries: found, isComplete: true };
    }
    return { entries: [...entries.values()], isComplete: false };
  }
}

interface ListOptions {
  filter?: string;
  pagesMax?: number;
  isEnough?(entries: readonly Entry[]): boolean;
}
