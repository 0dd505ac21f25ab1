/** Random conversations with secrets of an account in every position, for the tests of cassettes. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { operations } from "../../src/service/nouns/index.ts";
import { CassetteWriter } from "../../src/tools/compare/cassette-writer.ts";
import type { CallAnswer, CallRequest } from "../../src/tools/compare/exchange.ts";
import { isMember } from "../../src/tools/compare/words.ts";
import { parseRoute } from "../../src/engine/core/operation.ts";

const LETTERS = "abcdefghijklmnopqrstuvwxyz";
/** Begins with letters that begin no word of the service. */
const word = (min: number, max: number) =>
  fc.array(fc.constantFrom(...LETTERS), { minLength: min - 2, maxLength: max - 2 }).map((all) => `zq${all.join("")}`);
const name = word(6, 11).map((text) => text.replace(/^./, (first) => first.toUpperCase()));
const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length }).map((all) => Buffer.from(all));
const uuid = bytes(16).map((all) => all.toString("hex").replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, "$1-$2-4$3-a$4-$5"));
const digits = (min: number, max: number) =>
  fc.array(fc.constantFrom(..."12345678"), { minLength: min, maxLength: max }).map((all) => all.join(""));

/** Texts that only the account can know. Each holds a word of at least six characters. */
const SECRET_TEXT = fc.oneof(
  name,
  fc.tuple(name, name).map((both) => both.join(" ")),
  fc.tuple(name, fc.constantFrom("é", "ß", "漢字", "🦊", "Ω")).map((both) => both.join("")),
  fc.tuple(word(6, 10), fc.constantFrom("", "!", "#9", ".", "_x", "-Z", "&=")).map((both) => both.join("")),
  fc.tuple(word(6, 9), word(6, 9), fc.constantFrom("io", "example", "test", "co.uk")).map(([a, b, end]) => `${a}@${b}.${end}`),
  bytes(20).map((all) => all.toString("hex")),
  bytes(20).map((all) => all.toString("hex").toUpperCase()),
  bytes(24).map((all) => all.toString("base64")),
  bytes(24).map((all) => all.toString("base64url")),
  fc.tuple(word(8, 12), bytes(16)).map(([who, sign]) => {
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
    return `${part({ alg: "HS256" })}.${part({ sub: who })}.${sign.toString("base64url")}`;
  }),
  uuid,
  word(22, 22),
  fc.tuple(word(7, 9), word(7, 9)).map(([host, path]) => `https://${host}.example/${path}?${path}=${host}#${host}`),
  fc.tuple(digits(9, 9)).map(([all]) => `+49 ${all}`),
  digits(9, 12),
  fc.tuple(word(6, 9), word(6, 9), word(6, 9)).map((all) => `${all.join(" ")}: "${all[0]}"\n<${all[1]}>`),
  word(6, 9).map((text) => encodeURIComponent(`${text} & ${text}é`)),
  word(6, 9).map((text) => JSON.stringify({ [text]: { password: text, note: [`client_secret=${text}`] } })),
  word(6, 9).map((text) => JSON.stringify(JSON.stringify([text]))),
  word(6, 9).map((text) => `<p>Dear ${text}, your key &#${text.charCodeAt(0)};${text} is wrong</p>`),
);
const SECRET_NUMBER = digits(7, 13).map(Number);

const MEMBER = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      ...["first_name", "last_name", "email", "phone", "phone_number", "passcode", "password", "name", "value", "role", "detail"],
      ...[
        "recipient_type",
        "status",
        "type",
        "metadata",
        "fields",
        "tokens",
        "info_message",
        "message",
        "shared_key",
        "url",
        "id",
      ],
      ...["version", "amount", "currency", "code", "error", "rel", "href", "date_created", "expires_at", "tags", "price", "qty"],
    ),
  },
  { weight: 1, arbitrary: SECRET_TEXT },
);

export interface Conversation {
  calls: { request: CallRequest; answer: CallAnswer; id?: string }[];
  events: { body: unknown; id: string }[];
  planted: (string | number)[];
}

/** Values with secrets, below members of the service and below unknown members. */
const VALUES = fc.letrec((tie) => ({
  value: fc.oneof({ maxDepth: 4 }, SECRET_TEXT, SECRET_NUMBER, tie("object"), tie("list"), tie("nested")),
  list: fc.array(tie("value"), { minLength: 1, maxLength: 3 }),
  object: fc
    .array(fc.tuple(MEMBER, tie("value")), { minLength: 1, maxLength: 5 })
    .map((all): unknown => Object.fromEntries(all as [string, unknown][])),
  nested: tie("object").map((value) => JSON.stringify(value)),
}));

export function conversations(): fc.Arbitrary<Conversation> {
  const bag = fc.array(SECRET_TEXT, { minLength: 24, maxLength: 24 });
  const exchange = fc.record({
    operation: fc.constantFrom(...operations),
    secrets: bag,
    sent: fc.oneof(VALUES.object, VALUES.value),
    got: VALUES.object,
    status: fc.constantFrom(200, 201, 202, 400, 401, 403, 404, 409, 422, 500),
    form: fc.constantFrom("json", "json", "json", "multipart", "urlencoded", "text", "broken", "none"),
    shown: fc.constantFrom("json", "json", "json", "html", "text", "xml", "broken", "pdf", "none"),
    isKnown: fc.boolean(),
  });
  return fc
    .record({
      exchanges: fc.array(exchange, { minLength: 1, maxLength: 3 }),
      events: fc.array(fc.record({ body: VALUES.object, event: SECRET_TEXT, id: uuid }), { maxLength: 2 }),
    })
    .map(({ exchanges, events }) => ({
      calls: exchanges.map(toExchange),
      events: events.map(({ body, event, id }, i) => ({
        id,
        body: i === 0 ? [{ event: "document_state_changed", data: body }] : { event, data: body },
      })),
      planted: [
        ...exchanges.flatMap(({ secrets, sent, got }) => [...secrets, ...leaves(sent), ...leaves(got)]),
        ...events.flatMap(({ body, event, id }) => [...leaves(body), event, id]),
      ],
    }));
}

type Exchange = {
  operation: (typeof operations)[number];
  secrets: string[];
  sent: unknown;
  got: unknown;
  status: number;
  form: string;
  shown: string;
  isKnown: boolean;
};

function toExchange({ operation, secrets: all, sent, got, status, form, shown, isKnown }: Exchange): {
  request: CallRequest;
  answer: CallAnswer;
} {
  const secrets = [...all];
  const next = () => secrets.pop() ?? "";
  const header = (text: string) => text.replace(/[^\x20-\x7e]/g, "");
  const { method, path, variant } = parseRoute(operation.route);
  const filled = isKnown
    ? path.replace(/\{\w+\}/g, () => encodeURIComponent(next()))
    : `/public/v1/${encodeURIComponent(next())}`;
  const query = [
    ...(variant === undefined ? [] : [variant]),
    `q=${encodeURIComponent(next())}`,
    `metadata_${encodeURIComponent(next())}=${encodeURIComponent(next())}`,
    `${encodeURIComponent(next())}=${encodeURIComponent(next())}`,
    `status=${encodeURIComponent(next())}`,
    encodeURIComponent(next()),
  ];
  const boundary = "planted-boundary";
  const bodies: Record<string, [string, string]> = {
    json: ["application/json", JSON.stringify(sent)],
    multipart: [
      `multipart/form-data; boundary=${boundary}`,
      [
        `--${boundary}\r\nContent-Disposition: form-data; name="data"\r\n\r\n${JSON.stringify(sent)}\r\n`,
        `--${boundary}\r\nContent-Disposition: form-data; name="${partName(next())}"\r\n\r\n${next()}\r\n`,
        `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${partName(next())}.pdf"\r\nContent-Type: application/pdf\r\n\r\n%PDF ${next()}\r\n`,
        `--${boundary}\r\nContent-Disposition: form-data; name="${partName(next())}"; filename="x.${partName(next())}"\r\nContent-Type: application/${header(next())}\r\n\r\n${next()}\r\n`,
        `--${boundary}--\r\n`,
      ].join(""),
    ],
    urlencoded: [
      "application/x-www-form-urlencoded",
      `grant_type=refresh_token&client_secret=${encodeURIComponent(next())}&${encodeURIComponent(next())}=${encodeURIComponent(next())}`,
    ],
    text: [`text/${header(next()).replace(/[^\w]/g, "") || "plain"}`, next()],
    broken: ["application/json", `{"password": "${next()}`],
    none: ["", ""],
  };
  const answers: Record<string, [string, string]> = {
    json: ["application/json; charset=utf-8", JSON.stringify(got)],
    html: ["text/html", `<h1>${next()}</h1>`],
    text: ["text/plain", `Not found: ${next()}`],
    xml: ["application/xml", `<error>${next()}</error>`],
    broken: ["application/problem+json", `{"detail": "${next()}`],
    pdf: ["application/pdf", `%PDF-1.4 ${next()}`],
    none: ["", ""],
  };
  const [type, body] = bodies[form] ?? ["", ""];
  const [answerType, answerBody] = answers[shown] ?? ["", ""];
  const location = next();
  return {
    request: {
      method,
      target: `${filled}?${query.join("&")}`,
      headers: {
        authorization: `${isKnown ? "Bearer" : partName(next()).replaceAll(" ", "")} ${header(next())}`,
        "x-note": header(next()),
        ...(type === "" ? {} : { "content-type": type }),
      },
      body: Buffer.from(body),
    },
    answer: {
      status,
      headers: {
        ...(answerType === "" ? {} : { "content-type": answerType }),
        location: isKnown ? `/sign/${encodeURIComponent(location)}?to=${encodeURIComponent(location)}` : header(location),
        "retry-after": header(next()),
        "x-ratelimit-limit": header(next()),
        "x-note": header(next()),
      },
      body: Buffer.from(answerBody),
    },
  };
}

function partName(text: string): string {
  return text.replace(/[^\w @.-]/g, "") || "part";
}

function leaves(value: unknown): (string | number)[] {
  if (typeof value === "string" || typeof value === "number") return [value];
  if (Array.isArray(value)) return value.flatMap(leaves);
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, one]) => [...(isMember(name) ? [] : [name]), ...leaves(one)]);
}

/** Runs of at least five letters and digits, in lower case. */
function wordsOf(text: string): string[] {
  return (text.toLowerCase().match(/[\p{L}\p{N}]{5,}/gu) ?? []) as string[];
}

/** The words of the planted secrets that a cassette still contains, as they are or encoded. */
export function survivorsIn(cassette: string, planted: readonly (string | number)[]): string[] {
  const lower = cassette.replace(/"sha256":"\w+"/g, "").toLowerCase();
  const decoded = lower.replace(/(?:%[0-9a-f]{2})+/g, (all) => Buffer.from(all.replaceAll("%", ""), "hex").toString("utf8"));
  const plain = (secret: string) => {
    try {
      return `${secret} ${decodeURIComponent(secret)}`;
    } catch {
      return secret;
    }
  };
  const words = new Set(
    planted.flatMap((secret) => wordsOf(plain(String(secret)))).filter((one) => one.includes("zq") || /[\d\P{ASCII}]/u.test(one)),
  );
  const isThere = (text: string) => lower.includes(text) || decoded.includes(text);
  return [...words].filter(
    (one) =>
      isThere(one) ||
      isThere(Buffer.from(one).toString("hex")) ||
      (one.length > 6 && isThere(Buffer.from(one).toString("base64").slice(0, -4).toLowerCase())),
  );
}

/** Records the conversation and returns the cassette's text. */
export async function recorded({ calls, events }: Conversation, folder: string): Promise<string> {
  const file = join(folder, "planted.cassette");
  const writer = await CassetteWriter.start({ file, realUrl: "https://api.service.test", keys: ["b3c1".repeat(10)] });
  for (const { request, answer } of calls) await writer.call(request, answer, 0, "a valid key");
  for (const { body, id } of events) await writer.event(Buffer.from(JSON.stringify(body)), 0, id);
  await writer.close();
  return readFileSync(file, "utf8");
}
