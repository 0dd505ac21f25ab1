export interface Diagnostic {
  file: string;
  line: number;
  column: number;
  message: string;
}

/** The message lists all mistakes as `file:line:column message`. */
export class ScenarioError extends Error {
  readonly mistakes: Diagnostic[];
  /** Includes missing files, so that a watcher notices corrections. */
  readonly files: readonly string[];
  constructor(mistakes: Diagnostic[], files: readonly string[] = []) {
    super(mistakes.map((one) => `${one.file}:${one.line}:${one.column} ${one.message}`).join("\n"));
    this.name = "ScenarioError";
    this.mistakes = mistakes;
    this.files = files;
  }
}
