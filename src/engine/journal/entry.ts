/** A finished call as the journal keeps it. */

export interface BodyPart {
  /** The name of the part. */
  name: string;
  /** Present for files only. */
  filename?: string;
  /** The content type. */
  type: string;
  /** The size in bytes. */
  bytes: number;
  /** The SHA-256 of the content, in hex. */
  sha256: string;
  /** The text of a field. Missing when the field is binary or too long. */
  text?: string;
}

/** What an operation says about input that it accepts and ignores. */
export interface Remark {
  /** The kind of client lint finding that the remark becomes. */
  kind: string;
  /** A sentence that names the ignored input. */
  message: string;
  /** A sentence that tells the user what to change. */
  fix: string;
  /** The JSON pointer of the ignored input in the request body. */
  pointer?: string;
}

/** What the journal keeps of a caller. The service names the other members. */
export interface CallerInfo {
  /** How the caller proves who it is, such as `api_key`. */
  readonly kind: string;
  /** The key or token of the call. */
  readonly key: string;
  readonly [member: string]: string;
}

export interface JournalEntry {
  /** The call's id in the journal. */
  id: string;
  /** When the call came, in epoch ms on the tenant's clock. */
  at: number;
  /** The HTTP method. */
  method: string;
  /** The path with the query. */
  url: string;
  /** The path without the query. */
  path: string;
  /** The values of query parameters, by name. */
  query: Record<string, string[]>;
  /** Headers by name, in lower case. */
  headers: Record<string, string>;
  /** The text of the body. For a multipart body: its parts by name as JSON, or a note of its size when it is unreadable. */
  body: string;
  /** The parts of a multipart body. */
  parts?: BodyPart[];
  /** The operation's id. Undefined when the path belongs to no operation. */
  operationId: string | undefined;
  /** The call opened a page for browsers, and `operationId` names that page. */
  page?: true;
  /** The tool of an agent that made this call. Undefined for other calls. */
  tool?: string;
  /** The id in the path, such as a document's id. */
  subject: string | undefined;
  /** The subject's status before the call. */
  subjectStatus?: string;
  /** Members that the operation's record declares secret. */
  secret?: { request?: readonly string[]; response?: readonly string[] };
  /** Who called. Undefined without a valid key. */
  caller: CallerInfo | undefined;
  /** The rule that acted first. */
  rule: string | undefined;
  /** A rule replaced or suppressed the operation's own answer. */
  injected: boolean;
  /** The status of the operation's own answer, even if the client got another. Undefined when a rule prevented the operation. */
  own: number | undefined;
  /** The reason of the answer, as `x-docdouble-why` shows it. */
  why: string | undefined;
  /** Input that the operation accepted and ignored. Client lint reports it. */
  remarks?: Remark[];
  /** The network fault that kept the answer from the client. */
  networkFault?: string;
  /** The HTTP status of the answer. Undefined without an answer. */
  status: number | undefined;
  /** Headers of the answer. */
  responseHeaders: Record<string, string>;
  /** The body of the answer, or a note of its size. */
  responseBody: string;
  /** Milliseconds between call and answer on the tenant's clock. */
  took_ms: number;
}

/** A condition that a call misses. */
export interface Difference {
  /** The name of the condition. Example: `query.page`. */
  criterion: string;
  /** The expected value or matcher. */
  expected: unknown;
  /** The value in the call, without secrets. */
  actual: unknown;
}
