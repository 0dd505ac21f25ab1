/** The answers fit no reading. */
export class Undecided extends Error {
  override readonly name = "Undecided";
}

/** The service fails, or gives answers that the API never gives. */
export class Trouble extends Error {
  override readonly name = "Trouble";
  /** Further calls fail in the same way. */
  readonly isFinal: boolean;

  constructor(message: string, isFinal = false) {
    super(message);
    this.isFinal = isFinal;
  }
}
