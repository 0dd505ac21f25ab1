/** A call and its answer, as bytes: the form in which both sides and cassettes hand them over. */

/** Header names are in lower case. */
export type HeaderMap = Readonly<Record<string, string>>;

export interface CallRequest {
  readonly method: string;
  /** Path and query as they were sent. */
  readonly target: string;
  readonly headers: HeaderMap;
  readonly body: Buffer;
}

export interface CallAnswer {
  /** 0 when the connection ended without an answer. */
  readonly status: number;
  readonly headers: HeaderMap;
  readonly body: Buffer;
  /** Why the connection ended without an answer. */
  readonly failure?: string;
  /** Only parts of the answer are known: what is absent here may be present in the service. */
  readonly isPartial?: boolean;
}

export const NO_BODY: Buffer = Buffer.alloc(0);

/** The media type of a message, without parameters. */
export function mediaType(headers: HeaderMap): string {
  return (headers["content-type"] ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";
}

export function isJson(headers: HeaderMap): boolean {
  return /[/+]json$/.test(mediaType(headers));
}

/** The parsed JSON body; undefined for an empty, non-JSON or malformed body. */
export function jsonOf({ headers, body }: { headers: HeaderMap; body: Buffer }): unknown {
  return isJson(headers) ? parseJson(body.toString("utf8")) : undefined;
}

/** Undefined when the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether a body or an entry of a list says that the service still works on the thing. */
export function isInProgress(value: unknown): boolean {
  if (!isObject(value) || typeof value.status !== "string") return false;
  return /(?:^|\.)(?:uploaded|processing|pending|in_progress|created)$/i.test(value.status);
}
