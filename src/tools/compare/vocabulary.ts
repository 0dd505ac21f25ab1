/** What belongs to the service and may stay in a cassette. Everything else belongs to an account. */
import { operations, UNSERVED } from "../../service/api/index.ts";
import { parseRoute } from "../../engine/core/operation.ts";
import SERVICE from "./service-words.json" with { type: "json" };

const MEMBERS: ReadonlySet<string> = new Set(SERVICE.members);
const WORDS: ReadonlySet<string> = new Set([...SERVICE.words, ...SERVICE.texts.filter((text) => !text.includes("…"))]);
const TEMPLATES: readonly (readonly string[])[] = SERVICE.texts
  .filter((text) => text.includes("…"))
  .map((text) => text.split("…"))
  .sort((a, b) => b.join("").length - a.join("").length);
/** A longer text is not a message of the service. */
const TEXT_LENGTH_MAX = 4000;

export function isServiceMember(name: string): boolean {
  return MEMBERS.has(name);
}

export function isServiceWord(text: string): boolean {
  return WORDS.has(text);
}

/** The fixed and the variable parts of a text of the service, in turn. Undefined for any other text. */
export function serviceText(text: string): string[] | undefined {
  if (WORDS.has(text)) return [text];
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

/** Fixed segments of the service's paths. */
export function isRouteWord(segment: string): boolean {
  routes ??= new Set(
    [...operations, ...UNSERVED].flatMap(({ route }) =>
      parseRoute(route)
        .path.split("/")
        .filter((one) => !one.startsWith("{")),
    ),
  );
  return routes.has(segment);
}

/** All words of the service, in lower case, for a search of words that are not from the service. */
export function serviceTokens(): Set<string> {
  isRouteWord("");
  const texts = [...MEMBERS, ...WORDS, ...TEMPLATES.flat(), ...(routes ?? [])];
  return new Set(texts.flatMap((text) => tokensOf(text)));
}

/** Runs of letters and digits, in lower case. */
export function tokensOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
}
