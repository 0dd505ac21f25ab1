import type { UploadedFile } from "./operation.ts";
import * as z from "zod";
import { parseInstant, readMoment } from "./clock.ts";
import { readDuration } from "./time-limits.ts";

export const NOT_INTEGER = "A valid integer is required.";
export const NOT_NUMBER = "A valid number is required.";
export const NOT_BOOLEAN = "Must be a valid boolean.";
export const WRONG_DATE =
  "Datetime has wrong format. Use one of these formats instead: YYYY-MM-DDThh:mm[:ss[.uuuuuu]][+HH:MM|-HH:MM|Z].";

const textParam = (
  as: { type?: "integer" | "number" | "boolean"; minimum?: number; maximum?: number; format?: string },
  wrong: string,
) => z.string({ error: wrong }).meta(as);

export function queryInt(range: { min?: number; max?: number } = {}) {
  let number = z.number().int();
  if (range.min !== undefined) number = number.min(range.min);
  if (range.max !== undefined) number = number.max(range.max);
  const { min: minimum, max: maximum } = range;
  const bounds = { ...(minimum === undefined ? {} : { minimum }), ...(maximum === undefined ? {} : { maximum }) };
  return textParam({ type: "integer", ...bounds }, NOT_INTEGER)
    .transform((text, context) => {
      // As Django REST framework does, this takes 5.0 for 5.
      if (/^[+-]?\d{1,15}(\.0*)?$/.test(text.trim())) return Number(text);
      context.addIssue({ code: "custom", message: NOT_INTEGER });
      return z.NEVER;
    })
    .pipe(number);
}

export function queryNumber(range: { min: number; max: number }) {
  return textParam({ type: "number", minimum: range.min, maximum: range.max }, NOT_NUMBER)
    .transform((text, context) => {
      if (/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,3})?$/i.test(text.trim())) return Number(text);
      context.addIssue({ code: "custom", message: NOT_NUMBER });
      return z.NEVER;
    })
    .pipe(z.number().min(range.min).max(range.max));
}

/** Accepts the words that Django REST framework reads as booleans, in upper or lower case. */
export function queryBool() {
  return textParam({ type: "boolean" }, NOT_BOOLEAN).transform((text, context) => {
    if (/^(true|t|1|yes|y|on)$/i.test(text)) return true;
    if (/^(false|f|0|0\.0|no|n|off)$/i.test(text)) return false;
    context.addIssue({ code: "custom", message: NOT_BOOLEAN });
    return z.NEVER;
  });
}

export function instant() {
  return textParam({ format: "date-time" }, WRONG_DATE).transform((text, context) => {
    const value = parseInstant(text);
    if (value !== undefined) return value;
    context.addIssue({ code: "custom", message: WRONG_DATE });
    return z.NEVER;
  });
}

/** A single value of a repeatable query parameter arrives as a text. */
export function listOf<T extends z.ZodType>(item: T) {
  return z.preprocess(
    (value) => (value === undefined ? undefined : Array.isArray(value) ? value : [value]),
    z.array(item).optional(),
  );
}

export function uploadedFile() {
  return z.custom<UploadedFile>((value) => typeof value === "object" && value !== null && "bytes" in value, {
    error: (issue) =>
      issue.input === undefined
        ? "No file was submitted."
        : "The submitted data was not a file. Check the encoding type on the form.",
  });
}

export const durationText = () =>
  z.string().superRefine((text, context) => {
    const { problem } = readDuration(text);
    if (problem !== undefined) context.addIssue({ code: "custom", message: problem });
  });

/** An instant, or a duration from the time of the act. */
export const momentText = () =>
  z.string().superRefine((text, context) => {
    const { problem } = readMoment(text, 0);
    if (problem !== undefined) context.addIssue({ code: "custom", message: problem });
  });
