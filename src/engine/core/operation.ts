/**
 * The record of one operation. Routing, validation, rules, the journal, OpenAPI and coverage derive from it.
 *
 * Schemas are functions made by `lazy`, because building hundreds of schemas would dominate the start time.
 */
import type { z } from "zod";

export type Schema<T extends z.ZodType = z.ZodType> = () => T;

export function lazy<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

type Members = Readonly<Record<string, (raw?: unknown) => z.ZodType>>;

/**
 * The shape of an object schema. With `raw`, only the members that `raw` has, because building the others takes longer than to read a
 * small file. `raw` is one value, or a list of values of the same kind.
 */
export function shapeOf<const M extends Members>(members: M, raw?: unknown): { [K in keyof M]: ReturnType<M[K]> } {
  const values = Array.isArray(raw) ? raw : [raw];
  const isNamed = (name: string) => values.some((one) => typeof one === "object" && one !== null && name in one);
  const names = raw === undefined ? Object.keys(members) : Object.keys(members).filter(isNamed);
  const shape = names.map((name) => [name, members[name]?.(Array.isArray(raw) ? undefined : (raw as object)?.[name as never])]);
  return Object.fromEntries(shape);
}

export interface Binary {
  readonly media: readonly string[];
}

export function binary(...media: string[]): Binary {
  return { media };
}

export interface UploadedFile {
  name: string;
  type: string;
  bytes: Uint8Array;
}

/** `bytes`: the body as it came, without a schema. Only the admin API has it. */
export type BodyKind = "json" | "multipart" | "urlencoded" | "text" | "bytes";

export type Responses = { readonly [status: number]: Schema | Binary | null };

export interface Operation<W = unknown> {
  readonly id: string;
  /** Method and official path with its query marker: `POST /v1/things?upload`. */
  readonly route: string;
  /** Declared when a parameter in the path accepts only some texts. */
  readonly params?: Schema;
  readonly query?: Schema;
  readonly body?: Schema;
  readonly bodyKind?: BodyKind;
  readonly bodyOptional?: boolean;
  /** The most bytes of the body, if the operation takes fewer or more than others. */
  readonly bytesMax?: number;
  readonly responses: Responses;
  readonly errors: readonly number[];
  /** Error statuses that the official description omits. */
  readonly furtherErrors?: readonly number[];
  /** `none`: no credentials. Default: API key or bearer token. */
  readonly security?: "none";
  /** The form of its errors, if the path does not tell it. The service names the forms. */
  readonly dialect?: string;
  /** The `type` of a field error. Default `request_error`. */
  readonly invalidType?: "validation_error" | "request_error";
  /** Members of the request and the answer with secrets, at any depth. Every view of a call hides their values. */
  readonly secret?: { readonly request?: readonly string[]; readonly response?: readonly string[] };
  /** The operation that the official description names in place of this one. */
  readonly deprecated?: string;
  /** One line about omitted behavior. `npm run docs` collects it in docs/look-up/limits.md. */
  readonly limits?: string;
  /**
   * Checks references to other hosts before `handle`, outside its transaction. It writes nothing. Only operations of the service have it.
   * @throws ApiError
   */
  check?(input: { params: unknown; query: unknown; body: unknown }, world: W): undefined | Promise<void>;
  handle(input: { params: unknown; query: unknown; body: unknown }, world: W): unknown;
}

/**
 * Bytes, or a function that makes them after the transaction, from rows that no longer change. The function returns undefined when it
 * needs longer than an answer may take. The answer is then `meanwhile`.
 */
export type Bytes = Uint8Array | (() => Promise<Uint8Array | undefined>);

export interface Reply {
  status: number;
  body?: unknown;
  json?: string;
  bytes?: Bytes;
  media?: string;
  headers?: Record<string, string>;
  meanwhile?: Reply;
}

export interface Group<W = unknown, Id extends string = string> {
  readonly name: string;
  readonly operations: readonly (Operation<W> & { readonly id: Id })[];
}

export function group<W, const Id extends string>(
  name: string,
  operations: readonly (Operation<W> & { readonly id: Id })[],
): Group<W, Id> {
  return { name, operations };
}

export interface Route {
  method: string;
  path: string;
  variant: string | undefined;
}

export function parseRoute(route: string): Route {
  const [method = "", target = ""] = route.split(" ");
  const [path = "", variant] = target.split("?");
  return { method, path, variant };
}

type Checked = Pick<Operation, "route" | "query" | "body" | "security" | "errors" | "furtherErrors">;

export function errorsOf({ route, query, body, security, errors, furtherErrors = [] }: Checked): number[] {
  const ofChecks = [
    ...(query || body ? [400] : []),
    ...(security === "none" ? [] : [401, 403, 429]),
    ...(route.includes("{") ? [404] : []),
    ...(route.startsWith("GET ") ? [] : [413]),
  ];
  return [...new Set([...errors, ...furtherErrors, ...ofChecks])].sort((a, b) => a - b);
}
