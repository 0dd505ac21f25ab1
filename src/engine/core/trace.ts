/**
 * Traces in the form of W3C Trace Context: a client sends `traceparent` with a call. The webhooks of the call then belong to the same trace.
 * Ids of spans follow from the trace and from what the span is about, so they draw nothing from the ids of a world.
 */
import { Ids } from "./ids.ts";

export interface Trace {
  /** 32 hexadecimal digits. */
  id: string;
  /** The span of this call or delivery: 16 hexadecimal digits. */
  span: string;
  /** The span that caused it. */
  parent: string;
  /** Two hexadecimal digits. The last bit says whether the trace is recorded. */
  flags: string;
  /** The header `tracestate`, which travels with the trace. */
  state?: string;
}

const FORM = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const STATE_MAX = 512;

/** The trace of a call. Undefined for a header that the standard calls invalid. @param about names the call, such as its id */
export function traceOf(headers: Readonly<Record<string, string>>, about: string): Trace | undefined {
  const header = headers.traceparent?.trim();
  if (header === undefined) return undefined;
  const [, version = "", id = "", parent = "", flags = "", more] = FORM.exec(header) ?? [];
  const isValid =
    version !== "" && version !== "ff" && (version !== "00" || more === undefined) && /[^0]/.test(id) && /[^0]/.test(parent);
  if (!isValid) return undefined;
  const { tracestate } = headers;
  const hasState = tracestate !== undefined && tracestate !== "" && tracestate.length <= STATE_MAX;
  return { id, span: spanOf(id, about), parent, flags, ...(hasState ? { state: tracestate } : {}) };
}

/** The span of something that a call or a delivery causes. */
export function childOf(trace: Trace, about: string): Trace {
  return { ...trace, span: spanOf(trace.id, `${trace.span}/${about}`), parent: trace.span };
}

export function traceHeaders({ id, span, flags, state }: Trace): Record<string, string> {
  return { traceparent: `00-${id}-${span}-${flags}`, ...(state === undefined ? {} : { tracestate: state }) };
}

function spanOf(id: string, about: string): string {
  const ids = new Ids(`${id}/${about}`);
  const span = ids.hex(16);
  return /[^0]/.test(span) ? span : ids.hex(16);
}

/** The trace of the work in progress. The work is synchronous, so one variable is enough. */
export class TraceContext {
  #current: Trace | undefined;

  get current(): Trace | undefined {
    return this.#current;
  }

  during<Result>(trace: Trace | undefined, run: () => Result): Result {
    const before = this.#current;
    this.#current = trace;
    try {
      return run();
    } finally {
      this.#current = before;
    }
  }
}
