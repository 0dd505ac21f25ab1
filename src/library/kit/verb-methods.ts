/** Derives the methods of the library from the records of verbs. */
import * as z from "zod";
import { ApiError } from "../../engine/core/errors.ts";
import type { Method as Declared, Taken, Verb } from "../../engine/core/verb.ts";
import type { Control } from "../../service/service.ts";
import { SettingsError } from "../errors.ts";
import type { Handles, Sandbox } from "../types.ts";
import { type verbGroups, verbs } from "../surfaces.ts";
import type { Method } from "./guard.ts";
import { type Argument, checked, explained } from "./options.ts";

type AnyVerb = (typeof verbGroups)[number]["verbs"][number];
type Joined<U> = (U extends unknown ? (one: U) => void : never) extends (one: infer I) => void ? I : never;
/** A verb without methods has no such type. */
type GivenOf<V> = V extends { given?: infer G } ? (unknown extends G ? never : NonNullable<G>) : never;
/** What the methods of the records return. */
type Given = Joined<GivenOf<AnyVerb>>;
export type VerbMethod = keyof Given & string;

type At<T, Path> = Path extends `${infer Group}.${infer Rest}`
  ? Group extends keyof T
    ? At<T[Group], Rest>
    : never
  : Path extends keyof T
    ? T[Path]
    : never;
type Returned<Path> = At<Sandbox, Path> extends (...args: never[]) => infer R ? Awaited<R> : never;

/** The methods whose records return something else than the public types say. */
type Untied = {
  [Path in VerbMethod]: unknown extends Given[Path] ? never : Given[Path] extends Returned<Path> ? never : Path;
}[VerbMethod];
type Nothing<T extends never> = T;
/** Does not compile when a record and the public types differ. */
type Tied = Exclude<VerbMethod, Nothing<Untied>>;

type Surface = NonNullable<Verb<Control>["methods"]>[string];

const declared = verbs.flatMap((verb) =>
  Object.entries(verb.methods ?? {}).map(([path, method]) => {
    const groups = path.split(".");
    return { path, name: groups.pop() as string, groups, method: method as Surface, verb: verb as Verb<Control> };
  }),
);

/** How to guard each method. */
export const VERB_METHODS = Object.fromEntries(
  declared.map(({ path, method, verb }) => [
    path,
    { ...method, takes: method.takes?.map((one) => argumentOf(verb, method, one)) ?? [] },
  ]),
) as unknown as Readonly<Record<Tied, Method>>;

function argumentOf({ input }: Verb<Control>, { takes = [] }: Declared, { name, is, member, optional, schema }: Taken): Argument {
  const others = takes.flatMap((one) => one.member ?? []);
  const full = (): z.ZodType => {
    if (schema) return schema();
    const shape = input?.().shape ?? {};
    if (member !== undefined) return shape[member] as z.ZodType;
    if (others.length === 0) return input?.() as z.ZodType;
    return z.strictObject(Object.fromEntries(Object.entries(shape).filter(([one]) => !others.includes(one))));
  };
  return { name, is, schema: () => (optional ? full().optional() : z.nonoptional(full())) };
}

/** The methods of a tenant, in groups such as `clock`. Their records promise the types. */
export function verbMethodsOf(control: Control): Handles {
  const made: Record<string, unknown> = {};
  for (const { path, name, groups, method, verb } of declared) {
    let group = made;
    for (const one of groups) {
      group[one] ??= {};
      group = group[one] as Record<string, unknown>;
    }
    group[name] = (...args: unknown[]) => call(control, path, method, verb, args);
  }
  return made as unknown as Handles;
}

function call(control: Control, path: string, method: Surface, verb: Verb<Control>, args: unknown[]): unknown {
  const give = (result: unknown) => method.gives?.(result, control);
  const refuse = (error: unknown) => {
    const refusal = explained(error);
    return refusal instanceof ApiError && !method.ofService ? new SettingsError(refusal.message) : refusal;
  };
  try {
    const result = method.run ? method.run(control, ...args) : verb.run(control, inputOf(path, method, verb, args));
    return result instanceof Promise ? result.then(give).catch((error: unknown) => Promise.reject(refuse(error))) : give(result);
  } catch (error) {
    throw refuse(error);
  }
}

function inputOf(path: string, method: Surface, { input }: Verb<Control>, args: readonly unknown[]): object {
  if (!method.input) return inputFrom(method, args);
  const whole = { name: "the input", is: "is an object", schema: () => input?.() ?? z.strictObject({}) };
  return checked(path, method.input(...args), whole);
}

function inputFrom({ takes = [] }: Declared, args: readonly unknown[]): object {
  const parts = takes.map(({ member }, i) =>
    member === undefined ? (args[i] as object | undefined) : args[i] === undefined ? {} : { [member]: args[i] },
  );
  return Object.assign({}, ...parts) as object;
}
