import { createHmac } from "node:crypto";
import { closeSync, readFileSync, unlinkSync, writeSync } from "node:fs";
import { isoMillis, systemClock } from "../../engine/core/clock.ts";
import { unguessable } from "../../engine/core/ids.ts";
import { openToWrite } from "../../engine/core/regular-file.ts";
import { SettingsError } from "../../library/errors.ts";
import { hostOf, VERSION } from "../../library/sandbox.ts";
import type { Sandbox } from "../../library/types.ts";
import { CASSETTE_VERSION, type CassetteBody, type CassetteEntry, type CassetteHeader, readableBody } from "./cassette.ts";
import { CassetteError } from "./cassette-reader.ts";
import { Cleaner, isSecretName } from "./cleaner.ts";
import { type CallAnswer, type CallRequest, type HeaderMap, mediaType, parseJson, partsOf } from "./exchange.ts";
import { type KnownOperation, operationOf } from "./operation-of.ts";
import { memberOf, type Place, placeOf, WEBHOOK } from "./place.ts";
import { Survivors } from "./leak-check.ts";

const KEPT_HEADER = /^(?:content-type|location|retry-after|(?:x-)?ratelimit-(?:limit|remaining|reset|policy|used))$/;
const KEPT_TYPE =
  /^(?:application\/(?:json|problem\+json|pdf|octet-stream|zip|xml|msword|rtf|x-www-form-urlencoded|vnd\.openxmlformats-officedocument\.wordprocessingml\.document)|multipart\/form-data|image\/(?:png|jpeg|gif|webp)|text\/(?:plain|html|xml|csv|markdown))$/;
const KEPT_ENDING = /^\.(?:pdf|docx?|rtf|zip|txt|md|html|png|jpe?g|gif|webp)$/;
const SCHEMES = /^(?:api-key|bearer|basic|e-token)$/i;
/** All dates of the service move so that the recording begins here. */
const BEGIN_MS = 1_767_258_000_000;

export interface CassetteWriterOptions {
  file: string;
  realUrl: string;
  realKey: string;
  /** Other valid keys of the account. */
  otherKeys?: readonly string[];
  double: Sandbox;
}

export class CassetteWriter {
  readonly #file: string;
  readonly #fd: number;
  readonly #cleaner: Cleaner;
  readonly #survivors: Survivors;
  readonly #apiKey: string;
  /** Without it, a hash would tell the content of a short file. */
  readonly #hashKey = unguessable();
  #allowed = 0;
  #problem: string | undefined;

  /** @throws SettingsError when the file cannot be written */
  constructor({ file, realUrl, realKey, otherKeys = [], double }: CassetteWriterOptions) {
    this.#file = file;
    try {
      this.#fd = openToWrite(file);
    } catch (error) {
      throw new SettingsError(`Cannot write the cassette ${file}: ${(error as NodeJS.ErrnoException).code}. Check the folder.`);
    }
    this.#apiKey = double.apiKey;
    const fixtures = textsOfFixtures(double);
    for (const key of [realKey, ...otherKeys]) fixtures.delete(key);
    this.#cleaner = new Cleaner({ fixtures, realUrl, secrets: [realKey, ...otherKeys], moved_ms: BEGIN_MS - systemClock.now() });
    this.#survivors = new Survivors(fixtures);
    const header: CassetteHeader = { cassette: CASSETTE_VERSION, by: `docdouble ${VERSION}`, at: isoMillis(BEGIN_MS) };
    this.#survivors.allow(JSON.stringify(header));
    this.#append(JSON.stringify(header));
  }

  call(request: CallRequest, answer: CallAnswer, at_ms: number): void {
    const { method, target, headers, body } = request;
    const operation = operationOf(request);
    const cleaner = this.#cleaner;
    const type = typeOf(headers);
    const sent = this.#body(headers, body, placeOf(operation.id, "body"));
    const path = cleaner.path(target, operation.path, placeOf(operation.id, "query"));
    const got = this.#body(
      answer.headers,
      answer.body,
      answer.status >= 400 ? "refusal" : placeOf(operation.id, "answer", answer.status),
    );
    this.#survivors.see({ ...request, headers: { ...headers, authorization: this.#tokenOf(headers) } }, answer);
    this.#write({
      call: nameOf(operation, method, path),
      at: Math.round(at_ms),
      request: {
        method,
        path,
        credentials: this.#credentials(headers.authorization),
        ...(type !== "" && type !== "application/json" && !type.startsWith("multipart/") ? { type } : {}),
        ...(sent === undefined ? {} : { body: sent }),
      },
      answer: {
        status: answer.status,
        headers: this.#headers(answer.headers),
        ...(got === undefined ? {} : { body: got }),
        ...(answer.isPartial ? { partial: true as const } : {}),
      },
    });
  }

  event(body: Buffer, at_ms: number, id?: string): void {
    const json = parseJson(body.toString("utf8"));
    const [first] = [json].flat() as { event?: unknown }[];
    const event = memberOf(WEBHOOK, "event");
    this.#survivors.see({
      method: "POST",
      target: "/",
      headers: { "content-type": "application/json", location: id ?? "" },
      body,
    });
    this.#write({
      event: typeof first?.event === "string" ? this.#cleaner.text(first.event, event) : "unknown",
      at: Math.round(at_ms),
      ...(id === undefined ? {} : { id: this.#cleaner.free(id) }),
      body: this.#cleaner.value(json, WEBHOOK),
    });
  }

  /**
   * Reads the finished cassette against everything that was recorded.
   * @throws CassetteError, and removes the file, when it holds a word of the account
   */
  close(): void {
    closeSync(this.#fd);
    if (this.#problem === undefined)
      for (const [i, line] of readFileSync(this.#file, "utf8").split("\n").entries()) if (line !== "") this.#check(line, i + 1);
    if (this.#problem === undefined) return;
    unlinkSync(this.#file);
    throw new CassetteError(this.#problem);
  }

  #write(entry: CassetteEntry): void {
    const line = JSON.stringify(entry);
    const { replacements } = this.#cleaner;
    for (const text of replacements.slice(this.#allowed)) this.#survivors.allow(text);
    this.#allowed = replacements.length;
    this.#check(line, undefined);
    if (this.#problem === undefined) this.#append(line);
  }

  #check(line: string, number: number | undefined): void {
    const left = this.#survivors.in(line);
    if (left === undefined) return;
    const place = number === undefined ? "an entry" : `line ${number}`;
    this.#problem ??= `${this.#file}: docdouble did not keep the cassette, because ${place} would contain a word of the account (${left.slice(0, 2)}…, ${left.length} characters). This is a bug of docdouble: report it, and record without --record until then.`;
  }

  /** A full disk must not end the client's call, so the end of the recording reports it. */
  #append(line: string): void {
    try {
      writeSync(this.#fd, `${line}\n`);
    } catch (error) {
      this.#problem ??= `Cannot write the cassette ${this.#file}: ${(error as NodeJS.ErrnoException).code}. Check the disk.`;
    }
  }

  /** Returns the credentials that a cassette must not contain. The double's own API key is public, so it gives an empty text. */
  #tokenOf({ authorization = "" }: HeaderMap): string {
    return authorization.endsWith(` ${this.#apiKey}`) ? "" : authorization;
  }

  #credentials(authorization: string | undefined): string {
    if (authorization === undefined) return "none";
    if (authorization.endsWith(` ${this.#apiKey}`)) return "key";
    const [, scheme = "", token = ""] = /^(\S+)\s+(.*)$/s.exec(authorization) ?? ["", authorization, ""];
    const shown = SCHEMES.test(scheme) ? scheme : "Other";
    const secret = token === "" && shown === "Other" ? authorization : token;
    return secret === "" || secret === "unknown" ? `${shown} ${secret}`.trim() : `${shown} ${this.#cleaner.secret(secret)}`;
  }

  #headers(headers: HeaderMap): Record<string, string> {
    return Object.fromEntries(
      Object.entries(headers)
        .filter(([name]) => KEPT_HEADER.test(name))
        .map(([name, value]) => [name, this.#header(name, value, headers)]),
    );
  }

  #header(name: string, value: string, headers: HeaderMap): string {
    if (name === "content-type") return typeOf(headers) + (/;\s*charset=utf-8\s*$/i.test(value) ? "; charset=utf-8" : "");
    if (name === "location") return value.startsWith("/") ? this.#cleaner.path(value) : this.#cleaner.free(value);
    return /^\d{1,4}$/.test(value) ? value : this.#cleaner.free(value);
  }

  #body(headers: HeaderMap, body: Buffer, place: Place | "refusal"): CassetteBody {
    if (body.length === 0) return undefined;
    const parts = partsOf(headers, body);
    const whole = place === "refusal" ? WEBHOOK : place;
    if (parts) return { form: parts.map((part) => this.#part(part, whole)) };
    const readable = readableBody(headers, body);
    if (readable === undefined) return { file: this.#fileOf(body, typeOf(headers)) };
    if ("json" in readable)
      return { json: place === "refusal" ? this.#cleaner.refusal(readable.json) : this.#cleaner.value(readable.json, place) };
    if (mediaType(headers) === "application/x-www-form-urlencoded") return { text: this.#cleaner.pairs(readable.text, whole) };
    return { text: this.#cleaner.free(readable.text) };
  }

  #part({ name, filename, type, bytes }: { name: string; filename?: string; type: string; bytes: Buffer }, body: Place) {
    const shown = this.#cleaner.name(name);
    if (filename !== undefined)
      return {
        name: shown,
        filename: `file${endingOf(filename)}`,
        file: this.#fileOf(bytes, keptType(type.split(";")[0]?.trim().toLowerCase() ?? "")),
      };
    const text = bytes.toString("utf8");
    const json = parseJson(text);
    const inner = memberOf(body, name);
    // The part `data` holds the members of the body as JSON.
    const place = { ...inner, schemas: [...inner.schemas, ...body.schemas] };
    return typeof json === "object" && json !== null && !isSecretName(name)
      ? { name: shown, json: this.#cleaner.value(json, place) }
      : { name: shown, text: this.#cleaner.text(text, inner) };
  }

  #fileOf(bytes: Buffer, type: string): { bytes: number; sha256: string; type: string } {
    return { bytes: bytes.length, sha256: createHmac("sha256", this.#hashKey).update(bytes).digest("hex"), type };
  }
}

function nameOf({ id, path }: KnownOperation, method: string, shownPath: string): string {
  return path === undefined ? `${method} ${shownPath.split("?", 1)[0]}` : id;
}

function typeOf(headers: HeaderMap): string {
  const type = mediaType(headers);
  return type === "" ? "" : keptType(type);
}

function keptType(type: string): string {
  if (KEPT_TYPE.test(type)) return type;
  return /[/+]json$/.test(type) ? "application/json" : "application/octet-stream";
}

function endingOf(filename: string): string {
  const ending = /\.[a-z0-9]{1,5}$/i.exec(filename)?.[0].toLowerCase() ?? "";
  return KEPT_ENDING.test(ending) ? ending : "";
}

/** All texts of the double's world before the story, except its secrets. */
function textsOfFixtures(double: Sandbox): Set<string> {
  // The service puts these words into metadata.
  const found = new Set<string>(["public api"]);
  const collect = (value: unknown, name: string): void => {
    if (typeof value === "string") {
      if (!isSecretName(name)) found.add(value);
    } else if (Array.isArray(value)) for (const one of value) collect(one, name);
    else if (typeof value === "object" && value !== null && !ArrayBuffer.isView(value))
      for (const [inner, one] of Object.entries(value)) {
        found.add(inner);
        collect(one, inner);
      }
  };
  collect(hostOf(double).defaultTenant.snapshot(), "");
  return found;
}
