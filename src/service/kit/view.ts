/** An answer in one text: which members it shows of a row, how, and the schema of that. Nobody writes a member of an answer twice. */
import * as z from "zod";
import { iso, isoSeconds } from "../../engine/core/clock.ts";
import { lazy } from "../../engine/core/operation.ts";

/** A kind of value in answers. Called, it is the schema of what `show` makes of a value of the row. `Context`: what `show` needs beside it. */
export interface Kind<Value, Shown, Context = unknown> {
  (): z.ZodType<Shown, Shown>;
  readonly show: (value: Value, context: Context) => Shown;
}

/** Makes a kind of a schema, and of the function that turns a value of the row into what the answer shows. */
export function kind<Value, Shown, Context = unknown>(
  schema: () => z.ZodType,
  show: (value: Value, context: Context) => Shown,
): Kind<Value, Shown, Context> {
  return Object.assign(lazy(schema) as () => z.ZodType<Shown, Shown>, { show });
}

/** A value that is shown as the row has it. */
export function as<T>(schema: () => z.ZodType<T, T>): Kind<T, T> {
  return kind(schema, (value: T) => value);
}

export const text = as(() => z.string());
export const flag = as(() => z.boolean());
export const whole = as(() => z.number().int());
export const number = as(() => z.number());
export const texts = as(() => z.record(z.string(), z.string()));
export const free = as(() => z.record(z.string(), z.unknown()));

const dated = (pattern: RegExp) => () => z.string().regex(pattern).meta({ format: "date-time" });

/** An instant, shown to the microsecond. */
export const micros = kind(dated(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}Z$/), (at: number) => iso(at));

/** An instant, shown to the second. */
export const seconds = kind(dated(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:Z|\+00:00)$/), (at: number) => isoSeconds(at));

export function oneOf<const T extends string>(values: readonly T[]): Kind<T, T> {
  return as(() => z.enum(values));
}

/** A member that is the same text in each answer. */
export function always<const T extends string>(word: T) {
  return [as(() => z.literal(word)) as Kind<T, T>, () => word] as const;
}

export function maybe<V, S, C>(one: Kind<V, S, C>): Kind<V | null, S | null, C> {
  return kind(
    () => one().nullable(),
    (value: V | null, context: C) => (value === null ? null : one.show(value, context)),
  );
}

/** A member that is absent where the row has undefined. */
export function optional<V, S, C>(one: Kind<V, S, C>): Kind<V | undefined, S | undefined, C> {
  return kind(
    () => one().optional(),
    (value: V | undefined, context: C) => (value === undefined ? undefined : one.show(value, context)),
  );
}

export function list<V, S, C>(one: Kind<V, S, C>): Kind<readonly V[], S[], C> {
  return kind(
    () => z.array(one()),
    (values: readonly V[], context: C) => values.map((value) => one.show(value, context)),
  );
}

// biome-ignore lint/suspicious/noExplicitAny: each member has its own kind of value
type AnyKind<Context> = Kind<any, any, Context>;

/** One kind for each text of the member `type`, as recipients and groups of recipients have. */
// biome-ignore lint/suspicious/noExplicitAny: as above
export function byType<One extends Kind<any, any, any>>(kinds: Readonly<Record<string, One>>) {
  return kind<Parameters<One["show"]>[0], ReturnType<One["show"]>, Parameters<One["show"]>[1]>(
    () => z.discriminatedUnion("type", Object.values(kinds).map((one) => one()) as never),
    (value, context) => kinds[value.type]?.show(value, context as never) as ReturnType<One["show"]>,
  );
}

type Reader<Row, Context, Value> = (row: Row, context: Context) => Value;

// biome-ignore lint/suspicious/noExplicitAny: as above
type Shape<Row, Context> = Readonly<Record<string, AnyKind<Context> | readonly [AnyKind<Context>, Reader<Row, Context, any>]>>;

/** A member without a reader has the kind of the row's own member of this name. */
type Fitting<Row, Context, S> = {
  [Name in keyof S]: S[Name] extends readonly [Kind<infer Value, unknown, Context>, unknown]
    ? readonly [AnyKind<Context>, Reader<Row, Context, Value>]
    : Name extends keyof Row
      ? Kind<Row[Name], unknown, Context>
      : never;
};

type ShownBy<One> =
  One extends Kind<never, infer Shown, never>
    ? Shown
    : One extends readonly [Kind<never, infer Shown, never>, unknown]
      ? Shown
      : never;

type MayLack<S> = { [Name in keyof S]: undefined extends ShownBy<S[Name]> ? Name : never }[keyof S];
type Shown<S> = { -readonly [Name in Exclude<keyof S, MayLack<S>>]: ShownBy<S[Name]> } & {
  -readonly [Name in MayLack<S>]?: ShownBy<S[Name]>;
};

export interface View<Row, Context, S> extends Kind<Row, Shown<S>, Context> {
  readonly of: (row: Row, ...context: unknown extends Context ? [] : [Context]) => Shown<S>;
  /** The schema of a list of these. */
  readonly results: () => z.ZodType<{ results: Shown<S>[] }, { results: Shown<S>[] }>;
  readonly shape: S;
}

type Misfits<Row, Context, S> = { [Name in keyof S]: S[Name] extends Fitting<Row, Context, S>[Name] ? never : Name }[keyof S];

/** The view, or the names of members whose kind does not fit their value. */
type Checked<Row, Context, S> = [Misfits<Row, Context, S>] extends [never]
  ? View<Row, Context, S>
  : { doNotFit: Misfits<Row, Context, S> };

/** `view<Row>()({ name: text, owner: [text, (row) => row.created_by] })`. A view with more members spreads the `shape` of another one. */
export function view<Row, Context = unknown>() {
  return <const S extends Shape<Row, Context>>(shape: S): Checked<Row, Context, S> => {
    const members = Object.entries<Shape<Row, Context>[string]>(shape).map(([name, member]) => {
      const [one, read] = typeof member === "function" ? [member, (row: Row) => row[name as keyof Row]] : member;
      return { name, one, read };
    });
    const show = (row: Row, context: Context) => {
      const answer: Record<string, unknown> = {};
      for (const { name, one, read } of members) answer[name] = one.show(read(row, context), context);
      return answer as Shown<S>;
    };
    const shown = kind<Row, Shown<S>, Context>(
      () => z.strictObject(Object.fromEntries(members.map(({ name, one }) => [name, one()]))),
      show,
    );
    const results = lazy(() => z.strictObject({ results: z.array(shown()) }));
    return Object.assign(shown, { of: show, results, shape }) as unknown as Checked<Row, Context, S>;
  };
}
