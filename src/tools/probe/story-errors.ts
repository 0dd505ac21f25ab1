/** The answers fit no reading. */
export class Undecided extends Error {
  override readonly name = "Undecided";
}

/** The service fails, or gives answers that the API never gives. */
export class ServiceFailure extends Error {
  override readonly name = "ServiceFailure";
  readonly isFinal: boolean;
  readonly place: string | undefined;

  constructor(message: string, { isFinal = false, place }: { isFinal?: boolean; place?: string } = {}) {
    super(message);
    this.isFinal = isFinal;
    this.place = place;
  }
}
