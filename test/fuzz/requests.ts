/** Damages a valid request in several places at once. */
import fc from "fast-check";
import type { operations } from "../../src/service/nouns/index.ts";
import { parseRoute } from "../../src/engine/core/operation.ts";
import { fieldsOf, partsOf, withValue } from "../support/request-fields.ts";
import type { Json } from "../support/sample.ts";
import { type CallOptions, KEY, toForm } from "../support/world.ts";
import { name, text, value } from "./values.ts";

type Operation = (typeof operations)[number];

export type Damage =
  | { at: "field"; which: number; value: unknown }
  | { at: "member"; name: string; value: unknown }
  | { at: "query"; which: number; name: string; value: string; twice: boolean }
  | { at: "path"; value: string }
  | { at: "header"; name: string; value: string }
  | { at: "text"; how: "cut" | "nest" | "double" | "mark" | "bytes" | "comma"; where: number };

const HEADERS = [
  "content-type",
  "accept",
  "x-http-method-override",
  "content-encoding",
  "if-none-match",
  "range",
  "expect",
  "cookie",
];
const MEDIA = [
  "text/plain",
  "application/json; charset=utf-16",
  "application/xml",
  "multipart/form-data",
  "multipart/form-data; boundary=",
  "",
  "a/b;c",
];

const latin = () => fc.string({ maxLength: 30, unit: "grapheme-ascii" });

export const damage = (): fc.Arbitrary<Damage> =>
  fc.oneof(
    { weight: 6, arbitrary: fc.record({ at: fc.constant("field" as const), which: fc.nat(), value: value() }) },
    { weight: 1, arbitrary: fc.record({ at: fc.constant("member" as const), name: name(), value: value() }) },
    {
      weight: 3,
      arbitrary: fc.record({
        at: fc.constant("query" as const),
        which: fc.nat(),
        name: name(),
        value: text(),
        twice: fc.boolean(),
      }),
    },
    { weight: 1, arbitrary: fc.record({ at: fc.constant("path" as const), value: text() }) },
    {
      weight: 1,
      arbitrary: fc.record({
        at: fc.constant("header" as const),
        name: fc.constantFrom(...HEADERS),
        value: fc.oneof(latin(), fc.constantFrom(...MEDIA)),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        at: fc.constant("text" as const),
        how: fc.constantFrom("cut", "nest", "double", "mark", "bytes", "comma"),
        where: fc.nat(100_000),
      }),
    },
  );

export interface Built {
  path: string;
  init: RequestInit;
  /** Whether the damaged path can lead to another operation or object. */
  isElsewhere: boolean;
}

/** Applies the damages to a valid request. */
export function build(one: Operation, base: CallOptions, damages: readonly Damage[]): Built {
  const { method, path, variant } = parseRoute(one.route);
  const headers: Record<string, string> = { ...(base.key === null ? {} : { authorization: `API-Key ${KEY}` }), ...base.headers };
  let { body } = base;
  let parts = base.parts;
  let isElsewhere = false;
  const query = new URLSearchParams();
  for (const [key, given] of Object.entries(base.query ?? {})) for (const item of [given].flat()) query.append(key, String(item));
  const params = { ...base.params };
  const texts: Extract<Damage, { at: "text" }>[] = [];
  const schemas = Object.fromEntries(partsOf(one)) as Partial<Record<"body" | "query", Json>>;
  for (const item of damages) {
    if (item.at === "field") [body, parts] = setField(one, schemas.body, { body, parts }, item);
    else if (item.at === "member") {
      if (parts) parts = { ...parts, data: withMember(parts.data, item.name, item.value) };
      else if (typeof body === "object") body = withMember(body, item.name, item.value);
    } else if (item.at === "query") {
      const known = Object.keys(schemas.query?.properties ?? {});
      const key = known.length > 0 && item.which % 4 !== 0 ? (known[item.which % known.length] as string) : item.name;
      if (["upload", "upload-markdown"].includes(key)) continue;
      query.set(key, item.value);
      if (item.twice) query.append(key, item.value);
    } else if (item.at === "path") {
      const key = Object.keys(params)[0];
      if (key === undefined) continue;
      params[key] = item.value;
      isElsewhere = true;
    } else if (item.at === "header") headers[item.name] = item.value;
    else texts.push(item);
  }
  const target = path.replace(/\{(\w+)\}/g, (_, key: string) => encode(params[key] ?? "none"));
  const search = [variant, query.toString()].filter(Boolean).join("&");
  const init: RequestInit = { method, headers };
  if (parts) init.body = toForm(Object.fromEntries(Object.entries(parts).map(([key, part]) => [key, part])));
  else if (body !== undefined) {
    headers["content-type"] ??= "application/json";
    const written = typeof body === "string" ? body : (JSON.stringify(body) ?? "");
    init.body = texts.reduce<Uint8Array>(
      (bytes, item) => damageText(bytes, item),
      Buffer.from(written),
    ) as Uint8Array<ArrayBuffer>;
  }
  return { path: target + (search ? `?${search}` : ""), init, isElsewhere };
}

function setField(
  one: Operation,
  schema: Json | undefined,
  given: Pick<CallOptions, "body" | "parts">,
  item: Extract<Damage, { at: "field" }>,
): [unknown, CallOptions["parts"]] {
  if (!schema || one.bodyKind === "urlencoded") return [given.body, given.parts];
  const fields = fieldsOf(schema).filter((field) => one.bodyKind !== "multipart" || field.path[0] === "data");
  const field = fields[item.which % Math.max(1, fields.length)];
  if (!field) return [given.body, given.parts];
  if (!given.parts) return [withValue(given.body, schema, field.path, item.value), undefined];
  const data = withValue(given.parts.data, schema.properties?.data as Json, field.path.slice(1), item.value);
  return [given.body, { ...given.parts, data: JSON.stringify(data) ?? "" }];
}

function withMember(target: unknown, key: string, given: unknown): unknown {
  if (typeof target !== "object" || target === null) return target;
  return Object.fromEntries([...Object.entries(target), [key, given]]);
}

/** `encodeURIComponent` throws on a lone surrogate, so `?` replaces it. */
function encode(part: string): string {
  return encodeURIComponent(part.replace(/\p{Surrogate}/gu, "?"));
}

function damageText(bytes: Uint8Array, { how, where }: Extract<Damage, { at: "text" }>): Uint8Array {
  const at = where % (bytes.length + 1);
  const [before, after] = [bytes.subarray(0, at), bytes.subarray(at)];
  switch (how) {
    case "cut":
      return before;
    case "nest":
      return Buffer.concat([Buffer.from("[".repeat(where)), bytes, Buffer.from("]".repeat(where))]);
    case "double":
      return Buffer.from(
        Buffer.from(bytes)
          .toString()
          .replace(/^\{(.*)\}$/s, "{$1,$1,$1}"),
      );
    case "mark":
      return Buffer.concat([Buffer.from("\ufeff"), bytes]);
    case "comma":
      return Buffer.concat([before, Buffer.from(","), after]);
    default:
      return Buffer.concat([before, Buffer.from([0xff, 0xc0, 0x80, 0xed, 0xa0, 0x80]), after]);
  }
}
