/**
 * One entry of the API, from which routing, validation, fault targets, journal, OpenAPI and coverage derive.
 *
 * Schemas are thunks made by `lazy`: building hundreds of them at start would cost more than all else that start does.
 */
import type { z } from "zod";

export type Schema<T extends z.ZodType = z.ZodType> = () => T;

/** Builds a schema when it is first asked for, and keeps it. */
export function lazy<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** An answer that is no JSON, by its media types. */
export interface Binary {
  readonly media: readonly string[];
}

export function binary(...media: string[]): Binary {
  return { media };
}

/** A file part of a multipart body, read whole before the handler runs. */
export interface UploadedFile {
  name: string;
  type: string;
  bytes: Uint8Array;
}

/** How the body arrives: JSON, multipart with files, urlencoded, or as any text. */
export type BodyKind = "json" | "multipart" | "urlencoded" | "text";

export type Dialect = "v1" | "v2" | "oauth" | "admin";

export type Responses = { readonly [status: number]: Schema | Binary | null };

export interface Operation<W = unknown> {
  readonly id: string;
  /** Method and official path, `?upload` included: `POST /public/v1/documents?upload`. */
  readonly route: string;
  readonly params?: Schema;
  readonly query?: Schema;
  readonly body?: Schema;
  /** Default `json`. */
  readonly bodyKind?: BodyKind;
  /** The body may be left out. */
  readonly bodyOptional?: boolean;
  readonly responses: Responses;
  /** Error statuses that the official description declares. */
  readonly errors: readonly number[];
  /** Error statuses of its own rules that the official description leaves out. */
  readonly furtherErrors?: readonly number[];
  /** Default: both schemes of the service. */
  readonly security?: "none";
  /** Default from the path. */
  readonly dialect?: Dialect;
  /** The v1 `type` of a field error. Default `request_error`. */
  readonly invalidType?: "validation_error" | "request_error";
  /** Members of its request and its answers that open doors, at any depth. No view of a call shows them. */
  readonly secret?: { readonly request?: readonly string[]; readonly response?: readonly string[] };
  /** What this operation leaves out, in one line; gathered in docs/limits.md. */
  readonly limits?: string;
  /** The service's only. Looks at what the input names elsewhere, before `handle` and outside of its transaction: writes nothing, throws what is wrong. */
  check?(input: { params: unknown; query: unknown; body: unknown }, world: W): undefined | Promise<void>;
  handle(input: { params: unknown; query: unknown; body: unknown }, world: W): unknown;
}

type Output<S> = [S] extends [never] ? undefined : S extends Schema<infer T> ? z.output<T> : undefined;

type ReplyOf<R extends Responses> = {
  [K in keyof R & number]: R[K] extends Schema<infer T>
    ? { status: K; body: z.input<T>; headers?: Record<string, string> }
    : R[K] extends Binary
      ? { status: K; bytes: Bytes; media: string; headers?: Record<string, string> }
      : { status: K; headers?: Record<string, string> };
}[keyof R & number];

/** Bytes, or how to make them: done after the transaction, from rows that no longer change. */
export type Bytes = Uint8Array | (() => Promise<Uint8Array>);

/** What a handler answered, whatever the operation. */
export interface Reply {
  status: number;
  body?: unknown;
  bytes?: Bytes;
  media?: string;
  headers?: Record<string, string>;
}

/** Nothing when `A` is a declared status with its body; else what it should have been, so that the compiler names the difference. */
type Declared<A, R extends Responses> = [Awaited<A>] extends [ReplyOf<R>] ? unknown : { handle: (...input: never) => ReplyOf<R> };

/** The record as its author writes it: the types of `handle` follow from the schemas. */
export interface OperationInput<
  W,
  Id extends string,
  P extends Schema,
  Q extends Schema,
  B extends Schema,
  R extends Responses,
  A,
> extends Omit<Operation<W>, "id" | "params" | "query" | "body" | "responses" | "check" | "handle"> {
  readonly id: Id;
  readonly params?: P;
  readonly query?: Q;
  readonly body?: B;
  readonly responses: R;
  check?(input: { params: Output<P>; query: Output<Q>; body: Output<B> }, world: W): undefined | Promise<void>;
  handle(input: { params: Output<P>; query: Output<Q>; body: Output<B> }, world: W): A;
}

/** Gives the `operation` function for a kind of world. Handlers of the service are synchronous; only admin ones may wait. */
export function operationsFor<W>() {
  return <
    const Id extends string,
    P extends Schema = never,
    Q extends Schema = never,
    B extends Schema = never,
    const R extends Responses = Responses,
    const A extends Reply | Promise<Reply> = Reply,
  >(
    input: OperationInput<W, Id, P, Q, B, R, A> & Declared<A, R>,
  ): Operation<W> & { readonly id: Id } => input as unknown as Operation<W> & { readonly id: Id };
}

export interface Group<W = unknown, Id extends string = string> {
  /** The official tag. */
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
  /** Path with `{name}` placeholders, without the query marker. */
  path: string;
  /** `upload` or `upload-markdown` for the variants that the query string selects. */
  variant: string | undefined;
}

/** Takes a route apart. */
export function parseRoute(route: string): Route {
  const [method = "", target = ""] = route.split(" ");
  const [path = "", variant] = target.split("?");
  return { method, path, variant };
}

type Checked = Pick<Operation, "route" | "params" | "query" | "body" | "security" | "errors" | "furtherErrors">;

/** Every error status that a call may be answered with: those of the operation, and those of the checks before it. */
export function errorsOf({ route, params, query, body, security, errors, furtherErrors = [] }: Checked): number[] {
  const ofChecks = [
    ...(query || body ? [400] : []),
    ...(security === "none" ? [] : [401, 403, 429]),
    ...(params ? [404] : []),
    ...(route.startsWith("GET ") ? [] : [413]),
  ];
  return [...new Set([...errors, ...furtherErrors, ...ofChecks])].sort((a, b) => a - b);
}

/** The dialect of an operation: its own, or by its path. */
export function dialectOf(operation: Pick<Operation, "route" | "dialect">): Dialect {
  if (operation.dialect) return operation.dialect;
  const { path } = parseRoute(operation.route);
  if (path.startsWith("/__admin") || path === "/health") return "admin";
  if (path.startsWith("/oauth2")) return "oauth";
  return path.startsWith("/public/v1/") ? "v1" : "v2";
}
