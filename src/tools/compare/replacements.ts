/** Makes replacements for the texts and numbers of an account. A replacement has the type and the form of the original. */
import { isoMillis, parseInstant } from "../../engine/core/clock.ts";
import { dateForm, idKind } from "./text-kind.ts";

const LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ";
const DAY_MS = 86_400_000;
/** Day one of the replacements of dates that are not dates of the service. */
const FIRST_DAY_MS = 946_684_800_000;

export class Replacements {
  readonly #counts = new Map<string, number>();

  /** `Text 1`, `person1` and so on. */
  word(word: string): string {
    return /^[a-z]/.test(word) ? `${word}${this.#next(word)}` : `${word} ${this.#next(word)}`;
  }

  secret(): string {
    return `secret-${String(this.#next("secret")).padStart(10, "0")}`;
  }

  email(domain: string): string {
    return `person${this.#next("person")}@${domain}`;
  }

  /** Undefined for a text that is not an id. */
  id(text: string): string | undefined {
    const kind = idKind(text);
    if (kind === undefined) return undefined;
    const count = this.#next("id");
    if (kind === "uuid") return `00000000-0000-4000-8000-${String(count).padStart(12, "0")}`;
    if (kind === "short") return `Id${String(count).padStart(20, "0")}`;
    if (kind === "log") return `log-${String(count).padStart(16, "0")}`;
    if (kind === "reference") return `AAAAA-AAAAA-AAAAA-${letters(count).padStart(5, "A")}`;
    return this.secret();
  }

  /** The same signs and as many digits, but other digits. */
  digits(text: string): string {
    const length = text.replace(/\D/g, "").length;
    for (let attempt = 0; attempt < 12; attempt++) {
      const count = this.#next(`digits ${length}`);
      const chosen =
        length === 1
          ? String(count % 10)
          : `9${String(count)
              .padStart(length - 1, "0")
              .slice(1 - length)}`;
      let i = 0;
      const shown = text.replace(/\d/g, () => chosen[i++] ?? "0");
      if (shown !== text) return shown;
    }
    return text.replace(/\d/g, "0");
  }

  number(value: number): number {
    const shown = String(value);
    // Very large and very small numbers have an exponent.
    const plain = /^-?\d+(?:\.\d+)?$/.test(shown) ? shown : "100000";
    const [whole = "", fraction] = this.digits(plain).split(".");
    return Number(fraction === undefined ? whole : `${whole}.${fraction.replace(/0$/, "5")}`);
  }

  /** A date of the service moves by the same time as all others, so that their order stays. */
  movedDate(text: string, by_ms: number): string {
    const at = instantOf(text);
    return at === undefined
      ? this.otherDate(text)
      : inFormOf(text, at + (text.length === 10 ? Math.floor(by_ms / DAY_MS) * DAY_MS : by_ms));
  }

  /** A date in a text of the account, such as a birthday. */
  otherDate(text: string): string {
    return inFormOf(text, FIRST_DAY_MS + this.#next("date") * DAY_MS);
  }

  /** Letters become `x` and digits `1`. */
  formOf(text: string): string {
    return text.replace(/\p{L}/gu, "x").replace(/\d/g, "1");
  }

  #next(word: string): number {
    const count = (this.#counts.get(word) ?? 0) + 1;
    this.#counts.set(word, count);
    return count;
  }
}

function letters(count: number): string {
  let rest = count;
  let text = "";
  while (rest > 0) {
    text = LETTERS.charAt(rest % LETTERS.length) + text;
    rest = Math.floor(rest / LETTERS.length);
  }
  return text;
}

/** The zone stays as it is, so it does not matter here. */
function instantOf(text: string): number | undefined {
  return parseInstant(text.replace(/(?<=.{10})(?:Z|[+-]\d{2}:?\d{2})$/, "").replace(/(?<=\.\d{3})\d+$/, ""));
}

/** Writes an instant with the precision, separator and zone of another date. */
function inFormOf(text: string, at_ms: number): string {
  const moved = isoMillis(at_ms);
  if (dateForm(text) === "date") return moved.slice(0, 10);
  const [, separator = "T", clock = "", fraction = "", zone = ""] =
    /^.{10}([T ])(\d{2}:\d{2}(?::\d{2})?)(\.\d+)?(.*)$/.exec(text) ?? [];
  const shownFraction =
    fraction === ""
      ? ""
      : `.${moved
          .slice(20, 23)
          .padEnd(fraction.length - 1, "0")
          .slice(0, fraction.length - 1)}`;
  return `${moved.slice(0, 10)}${separator}${moved.slice(11, 11 + clock.length)}${shownFraction}${zone}`;
}
