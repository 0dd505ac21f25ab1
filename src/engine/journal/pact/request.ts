/** The request of an interaction. It holds no secret: a key that everybody knows takes the place of the client's. */
import { parseLeniently } from "../../core/text.ts";
import { BYTES } from "../har.ts";
import type { BodyPart, JournalEntry } from "../journal.ts";
import { shownBody, shownHeaders, shownQuery, shownRequestParts, shownUrl } from "../redacted-call.ts";
import { escaped, type Json, type PactBody, type PactInteraction, ruleOf } from "./pact-file.ts";

export interface RequestParts {
  /** The path of the operation, with the names of its parameters. */
  path: string;
  /** The parameter with the subject's id. */
  subjectParam: string | undefined;
  /** What the verifier calls the subject. */
  noun: string;
  /** A key that every new server knows. */
  key: string;
  /** An empty file, because the journal keeps no files. Undefined for an unknown kind. */
  standIn(type: string, filename: string): Uint8Array | undefined;
}

/** Undefined when the journal does not hold the body. */
export function requestOf(entry: JournalEntry, parts: RequestParts): PactInteraction["request"] | undefined {
  const body = bodyOf(entry, parts.standIn);
  if (body === undefined) return undefined;
  const [path = ""] = shownUrl(entry).split("?");
  const pattern = escaped(parts.path).replace(/\\\{\w+\\\}/g, "[^/]+");
  const hasParameters = parts.path.includes("{");
  const query = Object.fromEntries(shownQuery(entry));
  const credentials = credentialsOf(entry, parts.key);
  const headers = {
    ...(credentials === undefined ? {} : { Authorization: [credentials] }),
    ...(body ? { "Content-Type": [body.contentType] } : {}),
  };
  const isForm = body?.encoded === "base64";
  const rules = {
    ...(hasParameters ? { path: ruleOf({ match: "regex", regex: `^${pattern}$` }) } : {}),
    ...headerRules(entry, isForm),
    ...(body?.encoded === false && typeof body.content === "object" ? { body: { $: ruleOf({ match: "type" }) } } : {}),
  };
  return {
    method: entry.method,
    path,
    ...(Object.keys(query).length > 0 ? { query } : {}),
    ...(Object.keys(headers).length > 0 ? { headers } : {}),
    ...(body ? { body } : {}),
    ...(Object.keys(rules).length > 0 ? { matchingRules: rules } : {}),
    ...generatorsOf(entry, parts, path),
  };
}

function headerRules({ caller }: JournalEntry, isForm: boolean) {
  const rules = {
    ...(caller ? { Authorization: ruleOf({ match: "regex", regex: "^(API-Key|Bearer) \\S+$" }) } : {}),
    ...(isForm ? { "Content-Type": ruleOf({ match: "regex", regex: "^multipart\\/form-data;.*$" }) } : {}),
  };
  return Object.keys(rules).length > 0 ? { header: rules } : {};
}

/** The verifier asks for the id of a subject that is in the right state. */
function generatorsOf(entry: JournalEntry, { path: route, subjectParam, noun }: RequestParts, path: string) {
  if (!hasState(entry) || subjectParam === undefined) return {};
  const at = route.split("/").indexOf(`{${subjectParam}}`);
  const segments = path.split("/");
  if (at < 0 || segments[at] !== entry.subject) return {};
  return { generators: generatorOf(segments.with(at, `\${${noun}}`).join("/")) };
}

export function generatorOf(expression: string) {
  return { path: { type: "ProviderState" as const, expression } };
}

/** Whether the call found its subject. A deleted one also has a status. */
export function hasState({ subject, subjectStatus, own }: JournalEntry): boolean {
  return subject !== undefined && subjectStatus !== undefined && own !== 404;
}

function credentialsOf({ caller, headers }: JournalEntry, key: string): string | undefined {
  if (caller) return `API-Key ${key}`;
  return headers.authorization === undefined ? undefined : "API-Key unknown-key";
}

/** Null without a body, undefined when the journal does not hold it. */
function bodyOf(entry: JournalEntry, standIn: RequestParts["standIn"]): PactBody | null | undefined {
  if (entry.parts) return formOf(shownRequestParts(entry), standIn);
  const text = shownBody(entry);
  if (text === "") return null;
  if (BYTES.test(text)) return undefined;
  const contentType = shownHeaders(entry)["content-type"] ?? "application/octet-stream";
  const isJson = /[/+]json\b/i.test(contentType);
  const content = isJson ? (parseLeniently(text) as Json | undefined) : text;
  // A text that is not JSON must reach the service as it was.
  if (content === undefined || (isJson && typeof content !== "object"))
    return { content: Buffer.from(text).toString("base64"), contentType, encoded: "base64" };
  return { content, contentType, encoded: false };
}

const BOUNDARY = "docdouble-pact";

function formOf(parts: readonly BodyPart[], standIn: RequestParts["standIn"]): PactBody | undefined {
  const pieces: Uint8Array[] = [];
  for (const { name, filename, type, text } of parts) {
    const content = filename !== undefined ? standIn(type, filename) : text === undefined ? undefined : Buffer.from(text);
    if (content === undefined || Buffer.from(content).includes(BOUNDARY)) return undefined;
    const quoted = (label: string) => label.replace(/["\r\n]/g, (one) => encodeURIComponent(one));
    const file = filename === undefined ? "" : `; filename="${quoted(filename)}"\r\nContent-Type: ${type}`;
    const head = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${quoted(name)}"${file}\r\n\r\n`;
    pieces.push(Buffer.from(head), content, Buffer.from("\r\n"));
  }
  const body = Buffer.concat([...pieces, Buffer.from(`--${BOUNDARY}--\r\n`)]);
  const contentType = `multipart/form-data; boundary=${BOUNDARY}`;
  return { content: body.toString("base64"), contentType, encoded: "base64" };
}
