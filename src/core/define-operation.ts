import type { z } from "zod";
import type { Binary, Bytes, Operation, Reply, Responses, Schema } from "./operation.ts";

type Output<S> = [S] extends [never] ? undefined : S extends Schema<infer T> ? z.output<T> : undefined;

type ReplyOf<R extends Responses> = {
  [K in keyof R & number]: R[K] extends Schema<infer T>
    ? { status: K; body: z.input<T>; json?: string; headers?: Record<string, string> }
    : R[K] extends Binary
      ? { status: K; bytes: Bytes; media: string; headers?: Record<string, string>; meanwhile?: ReplyOf<Omit<R, K>> }
      : { status: K; headers?: Record<string, string> };
}[keyof R & number];

/** `unknown` when `A` is a declared reply; otherwise the expected `handle`, so that the compiler reports the difference. */
type Declared<A, R extends Responses> = [Awaited<A>] extends [ReplyOf<R>] ? unknown : { handle: (...input: never) => ReplyOf<R> };

/** The record as its author writes it; the types of `handle` follow from the schemas. */
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

/**
 * Returns the `operation` function for one kind of world. Handlers of the service are synchronous; admin handlers may be
 * asynchronous.
 */
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
