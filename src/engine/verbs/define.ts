/** Makes the records of verbs, and derives the operations of the admin API from them. */
import type * as z from "zod";
import { type Binary, type Group, lazy, type Schema } from "../core/operation.ts";
import type { AdminOperation, AdminSurface, ToolSurface, Verb, Without } from "../core/verb.ts";
import { isInQuery, namesInPath, toRequest } from "../core/verb-request.ts";
import type { Control } from "../runtime/tenants/tenant-registry.ts";

type Input<I> = [I] extends [never] ? object : I extends Schema<infer T> ? z.output<T> : never;

// biome-ignore lint/suspicious/noConfusingVoidType: a verb without an answer shows nothing
type Nothing = void;

type Shown<A> =
  A extends Schema<infer T>
    ? z.input<T> | ReadableStream
    : A extends Binary
      ? { bytes: Uint8Array; media: string; headers?: Record<string, string> } | { body: ReadableStream }
      : Nothing;

/** What a verb returns. */
export interface Typed<Name extends string, R = unknown> {
  readonly name: Name;
  readonly result?: R;
}

/**
 * Returns the `verb` function for one kind of control. `run` does the work once, and `admin.show` translates it for the wire.
 */
export function verbsFor<C>() {
  return <const Name extends string, R, A extends Schema | Binary | null = null, I extends Schema<z.ZodObject> = never>(record: {
    readonly name: Name;
    readonly does: string;
    readonly input?: I;
    run(control: C, input: Input<I>): R;
    readonly admin?: Omit<AdminSurface, "answer"> & {
      readonly answer: A;
      show?(result: Awaited<R>, control: C): Shown<A>;
      readonly headers?: Readonly<Record<string, string>>;
    };
    readonly tool?: ToolSurface;
    readonly without?: Without;
  }): Verb<C> & Typed<Name, R> => {
    const { input, admin } = record;
    const answer = typeof admin?.answer === "function" ? lazy(admin.answer) : admin?.answer;
    const made = { ...record, ...(input ? { input: lazy(input) } : {}), ...(admin ? { admin: { ...admin, answer } } : {}) };
    return made as unknown as Verb<C> & Typed<Name, R>;
  };
}

export const verb = verbsFor<Control>();

export interface VerbGroup<C = Control, V extends Verb<C> = Verb<C>> extends Group<C> {
  readonly verbs: readonly V[];
  /** Why its verbs lack surfaces, unless a verb gives its own reason. */
  readonly without: Without;
  readonly operations: readonly AdminOperation<C>[];
}

export function verbGroup<C, V extends Verb<C>>(name: string, without: Without, verbs: readonly V[]): VerbGroup<C, V> {
  return { name, verbs, without, operations: verbs.flatMap((one) => operationsOf<C>(one)) };
}

function operationsOf<C>(verb: Verb<C>): AdminOperation<C>[] {
  const { admin } = verb;
  if (!admin) return [];
  return [admin, ...(admin.also ?? [])].map(({ id, route }) => operationOf(verb, admin, id, route));
}

function operationOf<C>(verb: Verb<C>, admin: NonNullable<Verb<C>["admin"]>, id: string, route: string): AdminOperation<C> {
  const { answer, status = answer === null ? 204 : 200, errors = [], show, headers } = admin;
  return {
    id,
    route,
    verb,
    responses: { [status]: answer },
    errors,
    ...(admin.security ? { security: admin.security } : {}),
    ...(admin.bytesMax === undefined ? {} : { bytesMax: admin.bytesMax }),
    ...(admin.limits === undefined ? {} : { limits: admin.limits }),
    handle(input, control) {
      const reply = (result: unknown) => {
        const shown = show ? show(result, control) : answer === null ? undefined : result;
        const content = typeof answer === "object" ? shown : { body: shown };
        return { status, ...(content as object), ...(headers ? { headers } : {}) };
      };
      const result = verb.run(control, input);
      return result instanceof Promise ? result.then(reply) : reply(result);
    },
  };
}

/** The statuses of an admin operation's refusals. */
export function adminErrorsOf({ route, errors, security, verb }: AdminOperation): number[] {
  const hasInput = Object.keys(verb?.input?.().shape ?? {}).length > 0;
  const usual = [
    ...(hasInput ? [400] : []),
    ...(security === "none" ? [] : [401, 403]),
    ...(route.startsWith("GET ") ? [] : [413]),
  ];
  return [...new Set([...errors, ...usual])].sort((a, b) => a - b);
}

/** The schemas of an operation's parameters and body, for the OpenAPI description. */
export function partsOf({ route, verb }: Pick<AdminOperation<never>, "route" | "verb">) {
  const shape = verb?.input?.().shape ?? {};
  const path = namesInPath(route);
  const rest = Object.keys(shape).filter((name) => !path.includes(name) && name !== verb?.admin?.body);
  return { shape, path, query: isInQuery({ route }) ? rest : [], body: isInQuery({ route }) ? [] : rest };
}

/** The call of the admin API that carries an input. */
export function requestOf(
  { route, verb }: Pick<AdminOperation<never>, "route" | "verb">,
  input: Readonly<Record<string, unknown>>,
) {
  return toRequest({ route, whole: verb?.admin?.body }, input);
}
