/** What the answers of a server have promised. A change without an answer leaves two possible states: the one before and the one after. */

export interface Claim {
  read(): Promise<unknown>;
  /** Possible states, as JSON. */
  allowed: string[];
}

export class Claims {
  readonly #claims = new Map<string, Claim>();
  readonly #ids = new Set<string>();
  readonly kinds: Record<string, number> = {};
  readonly #broken: string[] = [];
  answered = 0;
  /** Changes that got no answer. */
  opened = 0;

  /** A new object has this id. Nothing else may have had it before. */
  issued(id: string, what: string): void {
    if (this.#ids.has(id)) this.#broken.push(`${what}: the id ${id} was given out twice`);
    this.#ids.add(id);
  }

  /** Notes the state that the server has just confirmed, or several that it may have. */
  note(place: string, read: () => Promise<unknown>, ...states: unknown[]): void {
    this.#claims.set(place, { read, allowed: states.map((state) => JSON.stringify(state)) });
  }

  /** The state of a place before a change, if only one is possible. */
  state(place: string): unknown {
    const allowed = this.#claims.get(place)?.allowed;
    return allowed?.length === 1 ? JSON.parse(allowed[0] as string) : undefined;
  }

  forget(place: string): void {
    this.#claims.delete(place);
  }

  /**
   * Makes a change of a place from the noted state to `state`. `call` answers false when the server gave no answer.
   * @returns whether the server answered
   */
  async change(kind: string, place: string, state: unknown, call: () => Promise<boolean>): Promise<boolean> {
    const claim = this.#claims.get(place);
    if (!claim) throw new Error(`${place} has no noted state`);
    const next = JSON.stringify(state);
    claim.allowed = [...new Set([...claim.allowed, next])];
    if (!(await this.counted(kind, call))) return false;
    claim.allowed = [next];
    return true;
  }

  async counted(kind: string, call: () => Promise<boolean>): Promise<boolean> {
    if (!(await call())) {
      this.opened++;
      return false;
    }
    this.answered++;
    this.kinds[kind] = (this.kinds[kind] ?? 0) + 1;
    return true;
  }

  /** Reads every place again. Afterwards each place has the state that was found. */
  async compare(): Promise<{ compared: number; broken: string[] }> {
    const broken = this.#broken.splice(0);
    for (const [place, claim] of this.#claims) {
      const found = JSON.stringify(await claim.read());
      if (!claim.allowed.includes(found))
        broken.push(`${place}: found ${found?.slice(0, 400)}, promised ${claim.allowed.join(" or ").slice(0, 400)}`);
      claim.allowed = [found];
    }
    return { compared: this.#claims.size, broken };
  }
}
