import { systemClock } from "../../engine/core/clock.ts";
import type { ExploreProgress } from "../../tools/explore/report.ts";

interface Output {
  isTTY?: boolean;
  columns?: number;
  write(text: string): unknown;
}

const LINE_MS = 10_000;
const COLUMNS = 80;

export class ProgressLine {
  readonly #output: Output;
  #lastLine = systemClock.elapsed();
  #breaks = 0;

  constructor(output: Output = process.stderr) {
    this.#output = output;
  }

  show(progress: ExploreProgress): void {
    const text = progressText(progress);
    if (this.#output.isTTY) {
      this.#output.write(`\r\u001b[K${text.slice(0, (this.#output.columns ?? COLUMNS) - 1)}`);
      return;
    }
    const now = systemClock.elapsed();
    if (!progress.isOver && progress.breaks === this.#breaks && now - this.#lastLine < LINE_MS) return;
    this.#breaks = progress.breaks;
    this.#lastLine = now;
    this.#output.write(`${text}\n`);
  }

  end(): void {
    if (this.#output.isTTY) this.#output.write("\r\u001b[K");
  }
}

function progressText({ runs, breaks, left, current, isOver }: ExploreProgress): string {
  if (isOver) return `explore: the budget is over, and docdouble still plays ${current}`;
  return `explore: ${runs} runs, ${breaks} broke, ${left} left: ${current}`;
}
