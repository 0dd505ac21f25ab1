/** What belongs to the service and may stay in a cassette. Everything else belongs to an account. */
import { service } from "../../service/service.ts";
import { parseRoute } from "../../engine/core/operation.ts";
import { schemaWords } from "./place.ts";
import SERVICE from "./service-words.json" with { type: "json" };

const MEMBERS: ReadonlySet<string> = new Set(SERVICE.members);
const WORDS: ReadonlySet<string> = new Set([...SERVICE.words, ...SERVICE.texts.filter((text) => !text.includes("…"))]);
const TEMPLATES: readonly (readonly string[])[] = SERVICE.texts
  .filter((text) => text.includes("…"))
  .map((text) => text.split("…"))
  .sort((a, b) => b.join("").length - a.join("").length);
/** A longer text is not a message of the service. */
const TEXT_LENGTH_MAX = 4000;

/** Also the markers of routes, such as `upload`. */
export function isServiceMember(name: string): boolean {
  return MEMBERS.has(name) || schemaWords().members.has(name) || routeWords().has(name);
}

/** Also the values that the service lists for some member. */
export function isServiceWord(text: string): boolean {
  return WORDS.has(text) || schemaWords().values.has(text);
}

let singleWords: ReadonlySet<string> | undefined;

/** A lower-case word of a list that the service knows, such as the kinds of things in another system. */
export function isListedWord(text: string): boolean {
  singleWords ??= new Set(SERVICE.texts.filter((one) => /^[a-z_ ]+$/.test(one)).flatMap((one) => one.split(" ")));
  return singleWords.has(text) || MEMBERS.has(text);
}

/** The fixed and the variable parts of a text of the service, in turn. Undefined for any other text. */
export function serviceText(text: string): string[] | undefined {
  if (isServiceWord(text)) return [text];
  if (text.length > TEXT_LENGTH_MAX) return undefined;
  for (const pieces of TEMPLATES) {
    const parts = partsBy(text, pieces);
    if (parts !== undefined) return parts;
  }
  return undefined;
}

function partsBy(text: string, pieces: readonly string[]): string[] | undefined {
  const [first = "", last = ""] = [pieces[0], pieces.at(-1)];
  if (!text.startsWith(first) || !text.endsWith(last) || text.length < first.length + last.length) return undefined;
  const end = text.length - last.length;
  const parts = [first];
  let at = first.length;
  for (const piece of pieces.slice(1, -1)) {
    const found = text.indexOf(piece, at);
    if (found < 0 || found + piece.length > end) return undefined;
    parts.push(text.slice(at, found), piece);
    at = found + piece.length;
  }
  return [...parts, text.slice(at, end), last];
}

let routes: ReadonlySet<string> | undefined;

function routeWords(): ReadonlySet<string> {
  routes ??= new Set(
    [...service.operations, ...service.unserved].flatMap(({ route }) => {
      const { path, variant } = parseRoute(route);
      return [...path.split("/").filter((one) => !one.startsWith("{")), ...(variant === undefined ? [] : [variant])];
    }),
  );
  return routes;
}

/** Fixed segments of the service's paths. */
export function isRouteWord(segment: string): boolean {
  return routeWords().has(segment);
}

/** Returns true if the service's own names and texts contain the word. `token`: letters and digits, in lower case. */
export function isServiceToken(token: string): boolean {
  tokens ??= serviceTokens();
  return tokens.has(token);
}

let tokens: ReadonlySet<string> | undefined;

function serviceTokens(): Set<string> {
  const { members, values } = schemaWords();
  const texts = [...MEMBERS, ...WORDS, ...TEMPLATES.flat(), ...routeWords(), ...members, ...values];
  return new Set(texts.flatMap((text) => tokensOf(text)));
}

/** Runs of letters and digits, in lower case. */
export function tokensOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
}
