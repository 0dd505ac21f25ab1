/** Rules in code: functions of a test that answer calls of an operation, or change the operation's own answer. */
import type { PatchStep } from "../core/json-patch.ts";

/** A call of the service, as a handler sees it. */
export interface HandledCall {
  /** The operation's id. */
  readonly operation: string;
  /** The HTTP method. */
  readonly method: string;
  /** The path without the query. */
  readonly path: string;
  /** The values in the path, by name. */
  readonly params: Readonly<Record<string, string>>;
  /** The values of query parameters, by name. */
  readonly query: Readonly<Record<string, readonly string[]>>;
  /** Headers by name, in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body as a value when it is JSON. Undefined without a body. */
  readonly body: unknown;
  /** How many calls this handler has seen, with this one. */
  readonly nth: number;
}

export type Handle = (call: HandledCall) => unknown;

/** What a handler asks for. */
export type Handled = { status: number; body: unknown; headers: Record<string, string> } | { patch: readonly PatchStep[] };

interface CallHandler {
  operation: string;
  handle: Handle;
  seen: number;
}

export class CallHandlers {
  #all: readonly CallHandler[] = [];

  /** The newest handler is asked first. Returns a function that removes it. */
  add(operation: string, handle: Handle): () => void {
    const one: CallHandler = { operation, handle, seen: 0 };
    this.#all = [one, ...this.#all];
    return () => {
      this.#all = this.#all.filter((other) => other !== one);
    };
  }

  /** Those of an operation. Newest first. */
  of(operation: string): readonly CallHandler[] {
    return this.#all.length === 0 ? this.#all : this.#all.filter((one) => one.operation === operation);
  }

  clear(): void {
    this.#all = [];
  }
}
