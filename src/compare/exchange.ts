export type HeaderMap = Readonly<Record<string, string>>;

export interface CallRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: HeaderMap;
  readonly body: Buffer;
}

export interface CallAnswer {
  /** 0 when the connection ends without an answer. */
  readonly status: number;
  readonly headers: HeaderMap;
  readonly body: Buffer;
  readonly failure?: string;
  /** Members that are absent here may be present in the service. */
  readonly isPartial?: boolean;
}

export const NO_BODY: Buffer = Buffer.alloc(0);

export function mediaType(headers: HeaderMap): string {
  return (headers["content-type"] ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";
}

export function isJson(headers: HeaderMap): boolean {
  return /[/+]json$/.test(mediaType(headers));
}

export function jsonOf({ headers, body }: { headers: HeaderMap; body: Buffer }): unknown {
  return isJson(headers) ? parseJson(body.toString("utf8")) : undefined;
}

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

/** True while the service still works on the thing. */
export function isInProgress(value: unknown): boolean {
  if (!isObject(value) || typeof value.status !== "string") return false;
  return /(?:^|\.)(?:uploaded|processing|pending|in_progress|created)$/i.test(value.status);
}
