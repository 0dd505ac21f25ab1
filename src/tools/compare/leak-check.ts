/** Checks a finished cassette against the recorded traffic: no word of the account may be left. It knows nothing of the cleaning. */
import { readableBody } from "./cassette.ts";
import type { CallAnswer, CallRequest } from "./exchange.ts";
import { partsOf } from "./exchange.ts";
import { isServiceToken, tokensOf } from "./vocabulary.ts";

/** A shorter word may be part of any text. */
const TOKEN_LENGTH_MIN = 5;
/** Members that docdouble writes itself. */
const OWN_MEMBERS = new Set(["at", "bytes", "sha256", "status", "cassette", "by"]);
const RECORDED_HEADERS = ["authorization", "content-type", "location", "retry-after"];

export class Survivors {
  readonly #allowed = new Set<string>();
  readonly #ofAccount = new Set<string>();

  /** @param fixtures texts of the double's fixtures, which may stay */
  constructor(fixtures: Iterable<string>) {
    for (const text of fixtures) this.allow(text);
    for (const text of OWN_TEXTS) this.allow(text);
  }

  allow(text: string): void {
    for (const token of tokensOf(text)) this.#allowed.add(token);
  }

  see(request: CallRequest, answer?: CallAnswer): void {
    this.#collect(request.target);
    for (const one of answer ? [request, answer] : [request]) {
      for (const name of RECORDED_HEADERS) this.#collect(one.headers[name] ?? "");
      const parts = partsOf(one.headers, one.body);
      // A cassette has only the size and a hash of a file.
      if (parts === undefined && readableBody(one.headers, one.body) !== undefined) this.#collect(one.body.toString("utf8"));
      for (const { name, filename, type, bytes } of parts ?? [])
        for (const text of [name, filename ?? bytes.toString("utf8"), type]) this.#collect(text);
    }
  }

  /** The first word of the account in a line of a cassette. */
  in(line: string): string | undefined {
    return textsIn(JSON.parse(line))
      .flatMap((text) => tokensOf(text))
      .find((token) => this.#ofAccount.has(token) && !this.#allowed.has(token) && !isServiceToken(token));
  }

  #collect(text: string): void {
    for (const token of tokensOf(plain(text))) if (token.length >= TOKEN_LENGTH_MIN) this.#ofAccount.add(token);
  }
}

/** The text without the escapes of URLs and JSON, which would stick to a word. */
function plain(text: string): string {
  return text
    .replace(/(?:%[0-9a-f]{2})+/gi, (bytes) => Buffer.from(bytes.replaceAll("%", ""), "hex").toString("utf8"))
    .replace(/\\+u([0-9a-f]{4})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replace(/\\+[bfnrt]/g, " ");
}

/** Texts, numbers and names of members at any depth. */
function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [plain(value)];
  if (typeof value === "number") return [String(value)];
  if (typeof value !== "object" || value === null) return [];
  if (Array.isArray(value)) return value.flatMap((one) => textsIn(one));
  return Object.entries(value).flatMap(([name, one]) =>
    OWN_MEMBERS.has(name) && typeof one === "number" ? [] : name === "sha256" ? [] : [name, ...textsIn(one)],
  );
}

/** What every cassette contains: names of members, credentials, and the host of the real service. */
const OWN_TEXTS = [
  "call request answer headers body partial event credentials method path form filename",
  "none key unknown API-Key Bearer Basic E-Token",
  "real example https http",
  "GET POST PUT PATCH DELETE HEAD OPTIONS",
];
