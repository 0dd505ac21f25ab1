import type { ReadingValue } from "../assumptions/switches.ts";
import type { ApiError } from "../core/errors.ts";

/** How an answer shows a refusal. */
export interface Refused {
  /** A form that the service names. */
  dialect: string;
  /** The `type` of field errors. */
  invalidType?: string | undefined;
  /** The JSON that the client sent. */
  sent?: unknown;
  /** The reading of an assumption about the form, which the answer then names. */
  decide(id: string): ReadingValue;
}

export interface ErrorForms {
  /** The form of errors at a path. */
  dialectAt(path: string): string;
  body(error: ApiError, refused: Refused): unknown;
  /** Further headers of a refusal. */
  headers?(status: number, requestId: string): Readonly<Record<string, string>> | undefined;
}

/** The form of the admin API. Its errors have the body `{ type, detail }`. */
export const ADMIN = "admin";

/** The form of errors of a service that has no own form. */
export const PLAIN_ERRORS: ErrorForms = {
  dialectAt: () => "plain",
  body: ({ kind, detail, options }, { invalidType = "invalid" }) =>
    options.body ?? { type: kind === "invalid" ? invalidType : kind, detail, ...options.members },
};
