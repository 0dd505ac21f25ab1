import { createHash } from "node:crypto";
import { closeSync, openSync, writeSync } from "node:fs";
import { isoMillis, systemClock } from "../../engine/core/clock.ts";
import { SettingsError } from "../../library/errors.ts";
import { hostOf, VERSION } from "../../library/sandbox.ts";
import type { Sandbox } from "../../library/types.ts";
import { CASSETTE_VERSION, type CassetteBody, type CassetteEntry, type CassetteHeader, readableBody } from "./cassette.ts";
import { Anonymizer } from "./anonymizer.ts";
import { type CallAnswer, type CallRequest, type HeaderMap, mediaType, parseJson, partsOf } from "./exchange.ts";
import { operationOf } from "./operation-of.ts";

const KEPT_HEADER = /^(?:content-type|location|retry-after|(?:x-)?ratelimit-[\w-]+)$/;

export interface CassetteWriterOptions {
  file: string;
  realUrl: string;
  realKey: string;
  double: Sandbox;
}

export class CassetteWriter {
  readonly #fd: number;
  readonly #anonymizer: Anonymizer;
  readonly #apiKey: string;

  /** @throws SettingsError when the file cannot be written */
  constructor({ file, realUrl, realKey, double }: CassetteWriterOptions) {
    try {
      this.#fd = openSync(file, "w");
    } catch (error) {
      throw new SettingsError(`Cannot write the cassette ${file}: ${(error as NodeJS.ErrnoException).code}. Check the folder.`);
    }
    this.#apiKey = double.apiKey;
    this.#anonymizer = new Anonymizer(vocabularyOf(double), realUrl, [realKey]);
    this.#write({ cassette: CASSETTE_VERSION, by: `docdouble ${VERSION}`, at: isoMillis(systemClock.now()) });
  }

  call(request: CallRequest, answer: CallAnswer, at_ms: number): void {
    const { method, target, headers, body } = request;
    const place = answer.status >= 400 ? "refusal" : "answer";
    const type = mediaType(headers);
    const sent = this.#body(headers, body, "request");
    const got = this.#body(answer.headers, answer.body, place);
    this.#write({
      call: operationOf(request).id,
      at: Math.round(at_ms),
      request: {
        method,
        path: this.#anonymizer.target(target),
        credentials: this.#credentials(headers.authorization),
        ...(type !== "" && type !== "application/json" && !type.startsWith("multipart/") ? { type } : {}),
        ...(sent === undefined ? {} : { body: sent }),
      },
      answer: {
        status: answer.status,
        headers: this.#headers(answer.headers),
        ...(got === undefined ? {} : { body: got }),
      },
    });
  }

  event(body: Buffer, at_ms: number, id?: string): void {
    const json = parseJson(body.toString("utf8"));
    const [first] = [json].flat() as { event?: string }[];
    this.#write({
      event: String(first?.event ?? "unknown"),
      at: Math.round(at_ms),
      ...(id === undefined ? {} : { id }),
      body: this.#anonymizer.value(json, "answer"),
    });
  }

  close(): void {
    closeSync(this.#fd);
  }

  #write(line: CassetteHeader | CassetteEntry): void {
    writeSync(this.#fd, `${JSON.stringify(line)}\n`);
  }

  #credentials(authorization: string | undefined): string {
    if (authorization === undefined) return "none";
    if (authorization.endsWith(` ${this.#apiKey}`)) return "key";
    const [scheme = "", token = ""] = authorization.split(" ", 2);
    return `${scheme} ${this.#anonymizer.text(token, "request", "token")}`;
  }

  #headers(headers: HeaderMap): Record<string, string> {
    return Object.fromEntries(
      Object.entries(headers)
        .filter(([name]) => KEPT_HEADER.test(name))
        .map(([name, value]) => [name, name === "location" ? this.#anonymizer.text(value, "answer", name) : value]),
    );
  }

  #body(headers: HeaderMap, body: Buffer, place: "request" | "answer" | "refusal"): CassetteBody {
    if (body.length === 0) return undefined;
    const parts = partsOf(headers, body);
    if (parts)
      return {
        form: parts.map(({ name, filename, type, bytes }) => {
          if (filename !== undefined) return { name, filename: `file${extensionOf(filename)}`, file: fileOf(bytes, type) };
          const text = bytes.toString("utf8");
          const json = parseJson(text);
          return typeof json === "object" && json !== null
            ? { name, json: this.#anonymizer.value(json, "request") }
            : { name, text: this.#anonymizer.text(text, "request", name) };
        }),
      };
    const readable = readableBody(headers, body);
    if (readable === undefined) return { file: fileOf(body, mediaType(headers)) };
    if ("json" in readable) return { json: this.#anonymizer.value(readable.json, place) };
    if (mediaType(headers) === "application/x-www-form-urlencoded")
      return { text: this.#anonymizer.target(`?${readable.text}`).slice(1) };
    return { text: this.#anonymizer.text(readable.text, place, "text") };
  }
}

function extensionOf(filename: string): string {
  return /\.[a-z0-9]{1,5}$/i.exec(filename)?.[0].toLowerCase() ?? "";
}

function fileOf(bytes: Buffer, type: string): { bytes: number; sha256: string; type: string } {
  return { bytes: bytes.length, sha256: createHash("sha256").update(bytes).digest("hex"), type };
}

/** All texts of the double's world before the story are safe to write down. */
function vocabularyOf(double: Sandbox): Set<string> {
  // The service puts these words into metadata.
  const found = new Set<string>(["public api"]);
  const collect = (value: unknown): void => {
    if (typeof value === "string") found.add(value);
    else if (Array.isArray(value)) for (const one of value) collect(one);
    else if (typeof value === "object" && value !== null && !ArrayBuffer.isView(value))
      for (const [name, one] of Object.entries(value)) {
        found.add(name);
        collect(one);
      }
  };
  collect(hostOf(double).defaultTenant.snapshot());
  return found;
}
