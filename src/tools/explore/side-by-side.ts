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

export class SideBySide<T> {
  readonly #jobs: number;
  readonly #mayBegin: (ahead: number) => boolean;
  readonly #underWay = new Set<Promise<unknown>>();
  readonly #urgent: (() => void)[] = [];
  #planned: Waiting<T>[] = [];
  #free: number;
  #ahead = 0;

  /** @param mayBegin whether a further planned task may begin while `ahead` results wait for the search */
  constructor(jobs: number, mayBegin: (ahead: number) => boolean) {
    this.#jobs = jobs;
    this.#free = jobs;
    this.#mayBegin = mayBegin;
  }

  /** Begins as soon as fewer than `jobs` tasks are under way. */
  async now(run: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free--;
    else await new Promise<void>((resolve) => this.#urgent.push(resolve));
    return this.#follow(run());
  }

  /** Begins in the order of the calls, when the search leaves a job free. One job plays nothing ahead. */
  plan(run: () => Promise<T>): Planned<T> {
    const task: Waiting<T> = { run };
    this.#planned.push(task);
    const leave = () => {
      this.#planned = this.#planned.filter((one) => one !== task);
      if (task.begun) this.#ahead--;
      this.#beginPlanned();
    };
    return {
      take: () => {
        const { begun } = task;
        // Takes its slot before `leave` begins other tasks.
        const result = begun ?? this.now(run);
        leave();
        return result;
      },
      drop: leave,
    };
  }

  async end(): Promise<void> {
    this.#planned = [];
    await Promise.allSettled(this.#underWay);
  }

  #follow(result: Promise<T>): Promise<T> {
    this.#underWay.add(result);
    const release = () => {
      this.#underWay.delete(result);
      const next = this.#urgent.shift();
      if (next) return next();
      this.#free++;
      this.#beginPlanned();
    };
    // The search handles an error when it takes the result.
    result.then(release, release);
    return result;
  }

  #beginPlanned(): void {
    while (this.#jobs > 1 && this.#free > 0 && this.#ahead < this.#jobs * AHEAD_PER_JOB && this.#mayBegin(this.#ahead)) {
      const task = this.#planned.shift();
      if (!task) return;
      this.#free--;
      this.#ahead++;
      task.begun = this.#follow(task.run());
    }
  }
}
