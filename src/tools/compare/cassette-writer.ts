import { createHmac } from "node:crypto";
import { closeSync, unlinkSync, writeSync } from "node:fs";
import { isoMillis, systemClock } from "../../engine/core/clock.ts";
import { unguessable } from "../../engine/core/ids.ts";
import { openToWrite } from "../../engine/core/regular-file.ts";
import { SettingsError } from "../../library/errors.ts";
import { hostOf, VERSION } from "../../library/sandbox.ts";
import type { Sandbox } from "../../library/types.ts";
import { CASSETTE_VERSION, type CassetteBody, type CassetteEntry, CassetteError, readableBody } from "./cassette.ts";
import { Cleaner } from "./cleaner.ts";
import type { DoubleOptions } from "./double-side.ts";
import { type CallAnswer, type CallRequest, type HeaderMap, jsonOf, mediaType, parseJson, partsOf } from "./exchange.ts";
import { type KnownOperation, operationOf } from "./operation-of.ts";
import { RealKey } from "./real-key.ts";
import { Replay } from "./replay.ts";
import { isSecretName } from "./words.ts";

const KEPT_HEADER = /^(?:content-type|location|retry-after|(?:x-)?ratelimit-(?:limit|remaining|reset|policy|used))$/;
const KEPT_TYPE =
  /^(?:application\/(?:json|problem\+json|pdf|octet-stream|zip|xml|msword|rtf|x-www-form-urlencoded|vnd\.openxmlformats-officedocument\.wordprocessingml\.document)|multipart\/form-data|image\/(?:png|jpeg|gif|webp)|text\/(?:plain|html|xml|csv|markdown))$/;
const KEPT_ENDING = /^\.(?:pdf|docx?|rtf|zip|txt|md|html|png|jpe?g|gif|webp)$/;
const SCHEMES = /^(?:api-key|bearer|basic|e-token)$/i;
/** All dates of the service move so that the recording begins here. */
const BEGIN_MS = 1_767_258_000_000;
const HEADER = { cassette: CASSETTE_VERSION, by: `docdouble ${VERSION}`, at: isoMillis(BEGIN_MS) };

export interface CassetteWriterOptions {
  file: string;
  realUrl: string;
  /** Valid keys of the account. */
  keys: readonly string[];
  /** Of the double that replays the cassette later. */
  double?: DoubleOptions;
}

/**
 * Writes what `replay` plays later, and plays it at once. The double of this replay hears cleaned requests only, so what it says is free
 * of the account by construction, and the cassette keeps the words that the real service and this double have in common.
 */
export class CassetteWriter {
  readonly #file: string;
  readonly #fd: number;
  readonly #replay: Replay;
  readonly #cleaner: Cleaner;
  readonly #keys: readonly RealKey[];
  readonly #said = new Set<string>();
  /** Without it, a hash would tell the content of a short file. */
  readonly #hashKey = unguessable();
  readonly #entries: (() => CassetteEntry)[] = [];
  #problem: string | undefined;

  private constructor(fd: number, replay: Replay, { file, realUrl, keys }: CassetteWriterOptions) {
    this.#file = file;
    this.#fd = fd;
    this.#replay = replay;
    this.#keys = keys.map((key) => new RealKey(key, ""));
    this.#cleaner = new Cleaner({
      fixtures: textsOfFixtures(replay.double.sandbox),
      realUrl,
      moved_ms: BEGIN_MS - systemClock.now(),
      says: (name, text) => this.#said.has(saying(name, text && replay.comparison.translateText(text))),
    });
    for (const key of keys) this.#cleaner.secret(key);
    hostOf(replay.double.sandbox).defaultTenant.eventStream.listen((event) => {
      if (event?.type === "delivery") this.#hear(parseJson(event.delivery.body));
    });
    this.#append(JSON.stringify(HEADER));
  }

  /** @throws SettingsError when the file cannot be written */
  static async start(options: CassetteWriterOptions): Promise<CassetteWriter> {
    const { file } = options;
    let fd: number;
    try {
      fd = openToWrite(file);
    } catch (error) {
      throw new SettingsError(`Cannot write the cassette ${file}: ${(error as NodeJS.ErrnoException).code}. Check the folder.`);
    }
    return new CassetteWriter(fd, await Replay.start(HEADER, options.double ?? {}, true), options);
  }

  /** @param apiKey the key in the request that counts as valid */
  async call(request: CallRequest, answer: CallAnswer, at_ms: number, apiKey: string): Promise<void> {
    const { method, target, headers, body } = request;
    const operation = operationOf(request);
    const type = typeOf(headers);
    const sent = this.#body(headers, body);
    const path = this.#cleaner.path(target);
    const entry = () => {
      const got = this.#body(answer.headers, answer.body);
      return {
        call: nameOf(operation, method, path),
        at: Math.round(at_ms),
        request: {
          method,
          path,
          credentials: this.#credentials(headers.authorization, apiKey),
          ...(type !== "" && type !== "application/json" && !type.startsWith("multipart/") ? { type } : {}),
          ...(sent === undefined ? {} : { body: sent }),
        },
        answer: {
          status: answer.status,
          headers: this.#headers(answer.headers),
          ...(got === undefined ? {} : { body: got }),
          ...(answer.isPartial ? { partial: true as const } : {}),
        },
      };
    };
    const said = await this.#replay.play(entry());
    if (said) this.#hear(jsonOf(said));
    this.#entries.push(entry);
  }

  async event(body: Buffer, at_ms: number, id?: string): Promise<void> {
    const json = parseJson(body.toString("utf8"));
    const [first] = [json].flat() as { event?: unknown }[];
    const entry = () => ({
      event: typeof first?.event === "string" ? this.#cleaner.text(first.event, "event") : "unknown",
      at: Math.round(at_ms),
      ...(id === undefined ? {} : { id: this.#cleaner.text(id) }),
      body: this.#cleaner.value(json),
    });
    await this.#replay.play(entry());
    this.#entries.push(entry);
  }

  /** @throws CassetteError, and removes the file, when it is not whole or would hold a key */
  async close(): Promise<void> {
    // The double may say only later what the real service said first.
    await this.#replay.comparison.finish(this.#entries.at(-1)?.().at ?? 0);
    for (const entry of this.#entries) this.#write(entry());
    closeSync(this.#fd);
    await this.#replay.double.close();
    if (this.#problem === undefined) return;
    unlinkSync(this.#file);
    throw new CassetteError(this.#problem);
  }

  #hear(value: unknown, name = ""): void {
    if (typeof value === "string" || typeof value === "number") this.#said.add(saying(name, String(value)));
    else if (Array.isArray(value)) for (const one of value) this.#hear(one, name);
    else if (typeof value === "object" && value !== null)
      for (const [inner, one] of Object.entries(value)) {
        this.#said.add(saying(inner));
        this.#hear(one, inner);
      }
  }

  #write(entry: CassetteEntry): void {
    const line = JSON.stringify(entry);
    if (this.#keys.some((key) => key.isIn(line)))
      this.#problem ??= `${this.#file}: docdouble did not keep the cassette, because it would contain a key. Report this as a fault.`;
    else this.#append(line);
  }

  /** A full disk must not end the client's call, so the end of the recording reports it. */
  #append(line: string): void {
    if (this.#problem !== undefined) return;
    try {
      writeSync(this.#fd, `${line}\n`);
    } catch (error) {
      this.#problem = `Cannot write the cassette ${this.#file}: ${(error as NodeJS.ErrnoException).code}. Check the disk.`;
    }
  }

  #credentials(authorization: string | undefined, apiKey: string): string {
    if (authorization === undefined) return "none";
    if (authorization.endsWith(` ${apiKey}`)) return "key";
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
    if (name === "location") return value.startsWith("/") ? this.#cleaner.path(value) : this.#cleaner.text(value);
    return /^\d{1,4}$/.test(value) ? value : this.#cleaner.text(value);
  }

  #body(headers: HeaderMap, body: Buffer): CassetteBody {
    if (body.length === 0) return undefined;
    const parts = partsOf(headers, body);
    if (parts) return { form: parts.map((part) => this.#part(part)) };
    const readable = readableBody(headers, body);
    if (readable === undefined) return { file: this.#fileOf(body, typeOf(headers)) };
    if ("json" in readable) return { json: this.#cleaner.value(readable.json) };
    const isForm = mediaType(headers) === "application/x-www-form-urlencoded";
    return { text: isForm ? this.#cleaner.pairs(readable.text) : this.#cleaner.text(readable.text) };
  }

  #part({ name, filename, type, bytes }: { name: string; filename?: string; type: string; bytes: Buffer }) {
    const shown = this.#cleaner.name(name);
    if (filename !== undefined)
      return {
        name: shown,
        filename: `file${endingOf(filename)}`,
        file: this.#fileOf(bytes, keptType(type.split(";")[0]?.trim().toLowerCase() ?? "")),
      };
    const text = bytes.toString("utf8");
    const json = parseJson(text);
    return typeof json === "object" && json !== null && !isSecretName(name)
      ? { name: shown, json: this.#cleaner.value(json) }
      : { name: shown, text: this.#cleaner.text(text, name) };
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

function saying(name: string, text = ""): string {
  return `${name}\0${text}`;
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
