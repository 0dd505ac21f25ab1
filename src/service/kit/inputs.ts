/** Inputs that several nouns share. */
import * as z from "zod";
import { lazy } from "../../engine/core/operation.ts";
import { CURRENCIES } from "./currencies.ts";

/** A code of ISO 4217. assumed: pricing.currency_codes. */
export const currencyCode = lazy(() =>
  z.string().superRefine((text, context) => {
    if (!CURRENCIES.has(text)) context.addIssue({ code: "custom", message: `"${text}" is not a valid choice.` });
  }),
);

/** assumed: create.plain_http_url. */
export const fileUrl = () => z.string().refine(isFileUrl, "Enter a valid URL.");

export function isFileUrl(text: string): boolean {
  return /^https?:\/\/\S+$/i.test(text) && URL.canParse(text);
}

/** Source: the official description asks for a secure address. assumed: create.plain_http_url. */
export function isPlainHttp(text: string): boolean {
  const url = isFileUrl(text) ? new URL(text) : undefined;
  return url?.protocol === "http:" && !PRIVATE_HOST.test(url.hostname);
}

/** This machine, private networks, and names without a public domain, such as container names. */
export const PRIVATE_HOST =
  /^(?:[^.:[\]]+|.+\.(?:localhost|internal|local|test)|(?:127|10)(?:\.\d{1,3}){3}|192\.168(?:\.\d{1,3}){2}|172\.(?:1[6-9]|2\d|3[01])(?:\.\d{1,3}){2}|\[::1\])$/i;

/** Whether a DOCX becomes editable text. docdouble keeps the text of every DOCX. assumed: create.editable. */
export const editable = () => z.boolean().optional();

/** zod's pattern with another bracket escaped, as strict readers of the exported schema require. */
const EMAIL = new RegExp(z.regexes.rfc5322Email.source.replace("{1,3}])", "{1,3}\\])"));

/** zod's default pattern refuses the equals sign in addresses such as `pat+sign.after=2h@example.test`. */
export const email = () => z.email({ pattern: EMAIL });

/** An empty text counts as null. */
export const optionalEmail = () => z.preprocess((value) => (value === "" ? null : value), email().nullish());
