/** The names and addresses of one run. Only what carries one of them counts as the probe's own. */

/** Names and addresses are the same without case, outer spaces and different forms of one character. */
export function plain(text: unknown): string {
  return typeof text === "string" ? text.normalize("NFKC").trim().toLowerCase() : "";
}

export function sameText(a: unknown, b: unknown): boolean {
  return plain(a) !== "" && plain(a) === plain(b);
}

/** All names begin with it. */
export const NAME = "docdouble probe";
/** A sandbox key puts it before the name of a document. */
const SANDBOX_PREFIX = "[dev] ";
/** Nobody receives mail there. Source: RFC 2606. */
const NOWHERE = "@example.com";
const RUN = /^[a-z0-9]+$/;

export class Marks {
  readonly run: string;
  readonly #name: RegExp;
  readonly #address: RegExp;
  readonly #addresses: RegExp;

  /** `run` consists of small letters and digits. It differs from run to run. */
  constructor(run: string) {
    if (!RUN.test(run)) throw new RangeError(`"${run}" names no run of a probe.`);
    this.run = run;
    this.#name = new RegExp(`^${NAME} ${run}-\\d+(?!\\d)`);
    this.#address = new RegExp(`^(?:.+\\+)?docdouble-probe-${run}(?:-\\d+)?(?:@[^@]*)?$`);
    this.#addresses = new RegExp(`[^\\s"<>,;:=&]*docdouble-probe-${run}(?:-\\d+)?(?:@[\\w.-]+)?`, "gi");
  }

  name(n: number): string {
    return `${NAME} ${this.run}-${n}`;
  }

  email(n: number): string {
    return `${this.#word(n)}${NOWHERE}`;
  }

  /** An address that the service must refuse. */
  brokenEmail(n: number): string {
    return this.#word(n);
  }

  /** An address of the owner's own domain, to which a sandbox key may send. No contact of the owner has it. */
  signer(owner: string): string {
    const split = owner.lastIndexOf("@");
    return `${owner.slice(0, split)}+docdouble-probe-${this.run}${owner.slice(split)}`;
  }

  /** What finds all names of the run by a search. */
  get search(): string {
    return `${NAME} ${this.run}`;
  }

  hasName(text: unknown): boolean {
    const given = plain(text);
    return this.#name.test(given.startsWith(SANDBOX_PREFIX) ? given.slice(SANDBOX_PREFIX.length) : given);
  }

  hasAddress(text: unknown): boolean {
    return this.#address.test(plain(text));
  }

  addressesIn(text: string): string[] {
    return [...new Set([...text.matchAll(this.#addresses)].map(([one]) => plain(one)))];
  }

  #word(n: number): string {
    return `docdouble-probe-${this.run}-${n}`;
  }
}

/** Compares names, one of which may have the prefix of a sandbox key. */
export function sameName(listed: unknown, name: string): boolean {
  return sameText(listed, name) || plain(listed) === `${SANDBOX_PREFIX}${plain(name)}`;
}
