export interface Mistake {
  file: string;
  line: number;
  column: number;
  message: string;
}

/** One or more mistakes in a file; the message lists them as `file:line:column message`. */
export class ScenarioError extends Error {
  readonly mistakes: Mistake[];
  constructor(mistakes: Mistake[]) {
    super(mistakes.map((one) => `${one.file}:${one.line}:${one.column} ${one.message}`).join("\n"));
    this.mistakes = mistakes;
  }
}
