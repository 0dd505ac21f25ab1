/** The names and addresses of one run. The service shows them again, so the probe knows its own things. */

/** Nobody receives mail there. Source: RFC 2606. */
const NOWHERE = "@example.com";
const RUN = /^[a-z0-9]+$/;

export class Marks {
  readonly run: string;
  readonly #own: RegExp;
  readonly #addresses: RegExp;

  /** `run` consists of small letters and digits. It differs from run to run. */
  constructor(run: string) {
    if (!RUN.test(run)) throw new RangeError(`"${run}" names no run of a probe.`);
    this.run = run;
    this.#own = new RegExp(`docdouble(?: probe |-probe-)${run}[-@]`, "i");
    this.#addresses = new RegExp(`[\\w.+-]*docdouble-probe-${run}(?:-\\d+)?@[\\w.-]+`, "gi");
  }

  name(n: number): string {
    return `docdouble probe ${this.run}-${n}`;
  }

  email(n: number): string {
    return `${this.brokenEmail(n)}${NOWHERE}`;
  }

  /** An address that the service must refuse. */
  brokenEmail(n: number): string {
    return `docdouble-probe-${this.run}-${n}`;
  }

  /** An address of the owner's own domain, to which a sandbox key may send. No contact of the owner has it. */
  signer(owner: string): string {
    const split = owner.lastIndexOf("@");
    return `${owner.slice(0, split)}+docdouble-probe-${this.run}${owner.slice(split)}`;
  }

  /** Whether a name or an address is of this run. A sandbox key puts “[DEV]” before the name of a document. */
  isOwn(text: unknown): boolean {
    return typeof text === "string" && this.#own.test(text);
  }

  addressesIn(text: string): string[] {
    return [...new Set([...text.matchAll(this.#addresses)].map(([one]) => one.toLowerCase()))];
  }
}
