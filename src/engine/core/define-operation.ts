import type * as z from "zod";
import type { Binary, Bytes, Operation, Reply, Responses, Schema } from "./operation.ts";

type Output<S> = [S] extends [never] ? undefined : S extends Schema<infer T> ? z.output<T> : undefined;

type PathNames<Route extends string> = Route extends `${string}{${infer Name}}${infer Rest}` ? Name | PathNames<Rest> : never;

type Params<P, Route extends string> = [P] extends [never] ? { [K in PathNames<Route>]: string } : Output<P>;

type ReplyOf<R extends Responses> = {
  [K in keyof R & number]: R[K] extends Schema<infer T>
    ? { status: K; body: z.input<T>; json?: string; headers?: Record<string, string> }
    : R[K] extends Binary
      ? { status: K; bytes: Bytes; media: string; headers?: Record<string, string>; meanwhile?: ReplyOf<Omit<R, K>> }
      : { status: K; headers?: Record<string, string> };
}[keyof R & number];

// biome-ignore lint/suspicious/noConfusingVoidType: the result of a handler that returns nothing
type Nothing = void;

type Result<R extends Responses> = ReplyOf<R> | (R[keyof R] extends null ? Nothing : never);

/** `unknown` when `A` is a declared reply. Otherwise the expected `handle`, so that the compiler reports the difference. */
type Declared<A, R extends Responses> = [Awaited<A>] extends [Result<R>] ? unknown : { handle: (...input: never) => Result<R> };

export interface OperationInput<
  W,
  Id extends string,
  Route extends string,
  P extends Schema,
  Q extends Schema,
  B extends Schema,
  R extends Responses,
  A,
> extends Omit<Operation<W>, "id" | "route" | "params" | "query" | "body" | "responses" | "errors" | "check" | "handle"> {
  readonly id: Id;
  readonly route: Route;
  readonly params?: P;
  readonly query?: Q;
  readonly body?: B;
  readonly responses: R;
  readonly errors: readonly number[];
  check?(input: { params: Params<P, Route>; query: Output<Q>; body: Output<B> }, world: W): undefined | Promise<void>;
  handle(input: { params: Params<P, Route>; query: Output<Q>; body: Output<B> }, world: W): A;
}

/**
 * Returns the `operation` function for one kind of world. The types of `handle` follow from the schemas. Handlers of the service are
 * synchronous, and admin handlers may be asynchronous.
 */
export function operationsFor<W>() {
  return <
    const Id extends string,
    const Route extends string,
    P extends Schema = never,
    Q extends Schema = never,
    B extends Schema = never,
    const R extends Responses = never,
    const A extends Reply | Promise<Reply> | Nothing = Reply,
  >(
    input: OperationInput<W, Id, Route, P, Q, B, R, A> & Declared<A, R>,
  ): Operation<W> & { readonly id: Id } => {
    const operation = input as unknown as Operation<W> & { readonly id: Id };
    const [status] = Object.keys(operation.responses).map(Number);
    return {
      ...operation,
      handle: (call, world) => operation.handle(call, world) ?? { status },
    };
  };
}
