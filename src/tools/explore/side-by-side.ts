/** At most this many planned results per job wait for the search, because each holds a recording. */
const AHEAD_PER_JOB = 4;

/** A task that may have begun already. `take` begins it if necessary. `drop` lets a task that has begun end by itself. */
export interface Planned<T> {
  take(): Promise<T>;
  drop(): void;
}

interface Waiting<T> {
  run: () => Promise<T>;
  begun?: Promise<T>;
}

/** Plays planned tasks ahead of the search, at most `jobs` at once. A task that the search itself waits for begins at once. */
export class SideBySide<T> {
  readonly #jobs: number;
  readonly #mayBegin: (ahead: number) => boolean;
  readonly #underWay = new Set<Promise<unknown>>();
  #planned: Waiting<T>[] = [];

  /** @param mayBegin whether a further planned task may begin while `ahead` results wait for the search */
  constructor(jobs: number, mayBegin: (ahead: number) => boolean) {
    this.#jobs = jobs;
    this.#mayBegin = mayBegin;
  }

  now(run: () => Promise<T>): Promise<T> {
    const result = run();
    this.#underWay.add(result);
    const release = () => {
      this.#underWay.delete(result);
      this.#playAhead();
    };
    // The search handles an error when it takes the result.
    result.then(release, release);
    return result;
  }

  /** Begins in the order of the calls. One job plays nothing ahead. */
  plan(run: () => Promise<T>): Planned<T> {
    const task: Waiting<T> = { run };
    this.#planned.push(task);
    const leave = () => {
      this.#planned = this.#planned.filter((one) => one !== task);
    };
    return {
      take: () => {
        leave();
        const result = task.begun ?? this.now(run);
        this.#playAhead();
        return result;
      },
      drop: () => {
        leave();
        this.#playAhead();
      },
    };
  }

  async end(): Promise<void> {
    this.#planned = [];
    await Promise.allSettled(this.#underWay);
  }

  #playAhead(): void {
    if (this.#jobs < 2) return;
    for (const [i, task] of this.#planned.slice(0, this.#jobs * AHEAD_PER_JOB).entries()) {
      if (task.begun) continue;
      if (this.#underWay.size >= this.#jobs || !this.#mayBegin(i)) return;
      task.begun = this.now(task.run);
    }
  }
}
