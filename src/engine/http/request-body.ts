/** Parses each JSON text of a request's body at most once, for rules, limits and validation together. */
import { ApiError, malformed } from "../core/errors.ts";
import type { Operation, UploadedFile } from "../core/operation.ts";
import { describeParts, partsByName } from "../journal/body-parts.ts";
import type { BodyPart, JournalEntry } from "../journal/journal.ts";
import { mediaType, NO_BYTES, textOf } from "./bodies.ts";
import { JsonText, requireText } from "./json-text.ts";
import { type Part, readMultipart } from "./multipart.ts";
import { getOrMake } from "../core/maps.ts";

const JSON_TYPE = "application/json";

export class RequestBody {
  /** Calls of the library give their text. */
  readonly #sent: Uint8Array | string;
  readonly #contentType: string | undefined;
  #json: JsonText | undefined;
  #parts: { sent: readonly Part[]; described: BodyPart[]; byName: unknown } | undefined;
  #partJson: Map<Part, JsonText> | undefined;

  constructor(sent: Uint8Array | string = NO_BYTES, contentType?: string) {
    this.#sent = sent;
    this.#contentType = contentType;
  }

  get #bytes(): Uint8Array {
    return typeof this.#sent === "string" ? Buffer.from(this.#sent) : this.#sent;
  }

  /** Rules match this: the JSON value, or the parts by name. Undefined for other bodies. */
  get value(): unknown {
    if (this.#parts) return this.#parts.byName;
    return this.#sent.length === 0 ? undefined : this.#jsonText.value;
  }

  record(entry: JournalEntry): void {
    if (this.#sent.length === 0) return;
    if (!isMultipart(this.#contentType)) {
      entry.body = this.#jsonText.text;
      return;
    }
    try {
      const { described, byName } = this.#readParts();
      entry.parts = described;
      entry.body = JSON.stringify(byName);
    } catch {
      entry.body = `[${this.#bytes.length} bytes of ${this.#contentType}]`;
    }
  }

  /**
   * The body as the operation declares it. As in Django REST framework, an empty body is an object without members.
   * assumed: http.empty_body.
   * @throws 400 for a wrong content type or a malformed body
   */
  parse(operation: Pick<Operation, "body" | "bodyKind">, membersMax?: number): unknown {
    if (!operation.body) return undefined;
    const kind = operation.bodyKind ?? "json";
    if (kind === "text") return textOf(this.#bytes);
    if (this.#sent.length === 0) return {};
    const media = mediaType(this.#contentType);
    if (kind === "json") {
      if (media !== JSON_TYPE) throw wrongType(media, JSON_TYPE);
      return this.#jsonText.require(membersMax);
    }
    const wanted = kind === "multipart" ? "multipart/form-data" : "application/x-www-form-urlencoded";
    if (media !== wanted) throw wrongType(media, wanted);
    if (kind === "urlencoded") return Object.fromEntries(new URLSearchParams(textOf(this.#bytes)));
    return this.#fields();
  }

  get #jsonText(): JsonText {
    this.#json ??= new JsonText(this.#sent);
    return this.#json;
  }

  #readParts() {
    if (!this.#parts) {
      const sent = readMultipart(this.#contentType as string, this.#bytes);
      const described = describeParts(sent);
      const byName = partsByName(described, (_, i) => this.#jsonOf(sent[i] as Part).value);
      this.#parts = { sent, described, byName };
    }
    return this.#parts;
  }

  #jsonOf(part: Part): JsonText {
    this.#partJson ??= new Map();
    return getOrMake(this.#partJson, part, () => new JsonText(part.bytes));
  }

  /** Parts by lower-case name, because clients also write `File` and `Data`. `data` is JSON. The last part of a name wins. @throws 400 */
  #fields(): Record<string, unknown> {
    const fields = Object.create(null) as Record<string, unknown>;
    for (const part of this.#readParts().sent) {
      const { name, filename, type, bytes } = part;
      const key = name.toLowerCase();
      if (key === "data") fields[key] = requireData(this.#jsonOf(part));
      else if (filename !== undefined) fields[key] = { name: filename, type, bytes } satisfies UploadedFile;
      else {
        const text = textOf(bytes);
        requireText(text, [key]);
        fields[key] = text;
      }
    }
    return fields;
  }
}

function requireData(json: JsonText): unknown {
  try {
    return json.require();
  } catch (error) {
    const { kind, options } = error as ApiError;
    if (kind !== "malformed") throw error;
    throw new ApiError(
      "invalid",
      { data: ["Value must be valid JSON."] },
      { why: `the part "data" of the form: ${options.why}` },
    );
  }
}

function wrongType(media: string, wanted: string): ApiError {
  // assumed: http.media_type.
  return malformed(`Unsupported media type "${media}" in request.`, `the body must be sent as ${wanted}`);
}

function isMultipart(contentType: string | undefined): boolean {
  return contentType !== undefined && /^multipart\//i.test(contentType);
}
