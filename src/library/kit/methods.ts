import { isRequest } from "../../engine/core/web-objects.ts";
import * as z from "zod";
import { lazy } from "../../engine/core/operation.ts";
import type { Inbox, Sandbox } from "../types.ts";
import type { Method } from "./guard.ts";
import type { Argument } from "./options.ts";
import { VERB_METHODS, type VerbMethod } from "./verb-methods.ts";
import { words } from "../../service/words.ts";

const { events: EVENTS } = words;

type MethodPath<T, Prefix extends string = ""> = {
  [Name in keyof T & string]: T[Name] extends (...args: never[]) => unknown
    ? `${Prefix}${Name}`
    : T[Name] extends readonly unknown[]
      ? never
      : T[Name] extends object
        ? MethodPath<T[Name], `${Prefix}${Name}.`>
        : never;
}[keyof T & string];

const text = lazy(() => z.string().min(1));
const named = (name: string, example: string): Argument => ({ name, is: `is a text such as ${example}`, schema: text });
/** The type makes sure that `shape` has each member of `T`. */
const options = <T>(name: string, example: string, shape: () => Record<keyof T & string, z.ZodType>): Argument => ({
  name,
  is: `are an object such as ${example}`,
  schema: lazy(() => z.strictObject(shape()).optional()),
});

type ListenOptions = NonNullable<Parameters<Inbox["next"]>[2]>;

type Path = MethodPath<Omit<Sandbox, symbol>>;

const OWN: Readonly<Record<Exclude<Path, VerbMethod>, Method>> = {
  "clock.follow": { changes: true },
  "webhooks.receiver": { changes: true, waits: true },
  on: {
    changes: true,
    takes: [
      named("the operation", '"sendDocument"'),
      {
        name: "the handler",
        is: "is a function of the call",
        schema: lazy(() => z.custom((value) => typeof value === "function")),
      },
    ],
  },
  fetch: {
    changes: true,
    waits: true,
    isNetwork: true,
    takes: [
      {
        name: "the first argument",
        is: 'is a path such as "/public/v1/documents", a URL or a Request',
        schema: lazy(() => z.custom(isAddress)),
      },
    ],
  },
  tenant: { changes: true },
  reload: { changes: true, namesFiles: true },
  files: {},
  reset: { changes: true, waits: true },
  close: { waits: true },
};

export const METHODS: Readonly<Record<Path, Method>> = { ...VERB_METHODS, ...OWN };

function isAddress(value: unknown): boolean {
  if (value instanceof URL || isRequest(value)) return true;
  if (typeof value === "string" && /^\/(?!\/)/.test(value)) return true;
  return typeof value === "string" && value !== "" && URL.canParse(value, "http://docdouble.test/");
}

/** `inbox.next` checks its other arguments against the subscription. */
export const INBOX_METHODS: Readonly<Record<MethodPath<Pick<Inbox, "next" | "answer" | "clear" | "close">, "inbox.">, Method>> = {
  "inbox.next": {
    waits: true,
    takes: [
      { name: "the event", is: 'is one such as "document_state_changed"', schema: lazy(() => z.enum(EVENTS).optional()) },
      { name: "the match", is: "is an object such as { status } or a function", schema: lazy(() => z.unknown()) },
      options<ListenOptions>("the options", "{ timeout: 5000 }", () => ({ timeout: z.unknown().optional() })),
    ],
  },
  "inbox.answer": { changes: true },
  "inbox.clear": {},
  "inbox.close": { waits: true },
};
