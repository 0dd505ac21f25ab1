/** Another run has other ids. So a generated test takes ids from earlier answers. */
import { parseLeniently } from "../../engine/core/text.ts";

export function toCode(value: unknown, leaf: (text: string) => string | undefined = () => undefined): string {
  const short = oneLineCode(value, leaf);
  if (short.length <= 100 || typeof value !== "object" || value === null) return short;
  const parts = Array.isArray(value)
    ? value.map((one) => toCode(one, leaf))
    : Object.entries(value)
        .filter(([, one]) => one !== undefined)
        .map(([name, one]) => `${nameCode(name)}: ${toCode(one, leaf)}`);
  const [begin, end] = Array.isArray(value) ? ["[", "]"] : ["{", "}"];
  return `${begin}\n${parts.map((part) => `  ${part.replaceAll("\n", "\n  ")},`).join("\n")}\n${end}`;
}

function oneLineCode(value: unknown, leaf: (text: string) => string | undefined): string {
  if (typeof value === "string") return leaf(value) ?? JSON.stringify(value);
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "undefined";
  if (Array.isArray(value)) return `[${value.map((one) => oneLineCode(one, leaf)).join(", ")}]`;
  const members = Object.entries(value).filter(([, one]) => one !== undefined);
  return members.length === 0
    ? "{}"
    : `{ ${members.map(([name, one]) => `${nameCode(name)}: ${oneLineCode(one, leaf)}`).join(", ")} }`;
}

function nameCode(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
}

const ID_LENGTH_MIN = 8;
const ID_NAME = /^(?:id|uuid)$|_(?:id|uuid)$/;

export class AnswerIds {
  readonly #expressions = new Map<string, string>();
  readonly #names = new Map<string, number>();
  readonly #fallback: (id: string) => string | undefined;

  constructor(fallback: (id: string) => string | undefined) {
    this.#fallback = fallback;
  }

  variable(name: string): string {
    const n = (this.#names.get(name) ?? 0) + 1;
    this.#names.set(name, n);
    return n === 1 ? name : `${name}${n}`;
  }

  remember(variable: string, answer: string, member = ".body"): void {
    this.#collect(parseLeniently(answer), `${variable}${member}`);
  }

  #collect(value: unknown, path: string): void {
    if (typeof value !== "object" || value === null) return;
    for (const [name, one] of Object.entries(value)) {
      const at = Array.isArray(value)
        ? `${path}[${name}]`
        : `${path}${/^[A-Za-z_$][\w$]*$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`}`;
      if (typeof one === "string" && ID_NAME.test(name) && one.length >= ID_LENGTH_MIN && !this.#expressions.has(one))
        this.#expressions.set(one, at);
      this.#collect(one, at);
    }
  }

  expression(id: string): string | undefined {
    return this.#expressions.get(id) ?? this.#fallback(id);
  }

  code(value: unknown): string {
    return toCode(value, (text) => this.expression(text));
  }

  template(url: string): string {
    let isPlain = true;
    const text = url.replace(/[^/?&=]+/g, (part) => {
      const found = this.expression(decoded(part));
      if (found === undefined) return part.replace(/[\\`]|\$\{/g, "\\$&");
      isPlain = false;
      return `\${${found}}`;
    });
    return isPlain ? JSON.stringify(url) : `\`${text}\``;
  }
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
