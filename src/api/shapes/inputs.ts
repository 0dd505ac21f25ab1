/** Small schemas that requests share. `http/error-bodies.ts` holds their error messages, by kind of issue. */
import * as z from "zod";
import { parseInstant } from "../../core/clock.ts";
import { lazy, type UploadedFile } from "../../core/operation.ts";

export function pathParams<const N extends string>(...names: N[]) {
  return lazy(() => z.object(Object.fromEntries(names.map((name) => [name, z.string()])) as { [K in N]: z.ZodString }));
}

export const NOT_INTEGER = "A valid integer is required.";
export const NOT_NUMBER = "A valid number is required.";
export const NOT_BOOLEAN = "Must be a valid boolean.";
export const WRONG_DATE =
  "Datetime has wrong format. Use one of these formats instead: YYYY-MM-DDThh:mm[:ss[.uuuuuu]][+HH:MM|-HH:MM|Z].";

/** A text parameter of a query, described as its parsed type. `wrong` is the error message. */
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
      if (/^[+-]?\d{1,15}$/.test(text.trim())) return Number(text);
      context.addIssue({ code: "custom", message: NOT_INTEGER });
      return z.NEVER;
    })
    .pipe(number);
}

export function queryNumber(range: { min: number; max: number }) {
  return textParam({ type: "number", minimum: range.min, maximum: range.max }, NOT_NUMBER)
    .transform((text, context) => {
      if (/^[+-]?(\d+\.?\d*|\.\d+)$/.test(text.trim())) return Number(text);
      context.addIssue({ code: "custom", message: NOT_NUMBER });
      return z.NEVER;
    })
    .pipe(z.number().min(range.min).max(range.max));
}

/** Accepts the spellings of Django. */
export function queryBool() {
  return textParam({ type: "boolean" }, NOT_BOOLEAN).transform((text, context) => {
    if (/^(true|1|yes)$/i.test(text)) return true;
    if (/^(false|0|no)$/i.test(text)) return false;
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

/** A repeatable query parameter: a single value arrives as a text, several as a list. */
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

/** The URL of a file. assumed: plain http is accepted too, for tests and laptops. */
export const fileUrl = () => z.string().refine(isFileUrl, "Enter a valid URL.");

export function isFileUrl(text: string): boolean {
  return /^https?:\/\/\S+$/i.test(text) && URL.canParse(text);
}

export const deliveryMethods = lazy(() => z.object({ email: z.boolean().optional(), sms: z.boolean().optional() }).nullish());
export const redirect = lazy(() => z.object({ is_enabled: z.boolean().default(false), url: z.string().nullish() }).nullish());

/** Source: the official schema RecipientVerificationSettings. */
export const verification = lazy(() =>
  z
    .object({
      // The official description has this member; its schema omits it.
      verification_place: z.enum(["before_open", "before_sign"]),
      passcode_verification: z.object({ passcode: z.string().regex(/^(?=\S*[a-zA-Z])(?=\S*[0-9])\S{6,100}$/) }).nullish(),
      phone_verification: z.object({ phone_number: z.string().regex(/^\+[1-9]\d{0,4}\d{2,14}$/) }).nullish(),
      kba_verification: z
        .object({
          time_limit_sec: z.number().int().optional(),
          score_threshold: z.number().int().optional(),
          max_attempts_count: z.number().int().optional(),
        })
        .nullish(),
      id_verification: z.object({ enabled: z.boolean().default(true) }).nullish(),
      email_otp_verification: z.object({ email: z.email() }).nullish(),
    })
    .nullish(),
);

/** zod's pattern with one bracket escaped, as strict readers of the exported schema require. */
const EMAIL = new RegExp(z.regexes.rfc5322Email.source.replace("{1,3}])", "{1,3}\\])"));

/** zod's default pattern refuses the equals sign in addresses such as `pat+sign.after=2h@example.test`. */
export const email = () => z.email({ pattern: EMAIL });

/** An empty text counts as null. */
export const optionalEmail = () => z.preprocess((value) => (value === "" ? null : value), email().nullish());

/**
 * assumed: the official requests identify people by e-mail or phone, others by contact id. An id counts only without
 * e-mail and phone.
 */
const contactId = () => ({ id: z.string().nullish() });
const identity = () => ({
  email: optionalEmail(),
  phone: z.string().nullish(),
  first_name: z.string().nullish(),
  last_name: z.string().nullish(),
  company: z.string().nullish(),
});

export const actor = lazy(() =>
  z
    .object({
      ...contactId(),
      ...identity(),
      type: z.enum(["recipient", "recipient_group"]).default("recipient"),
      role: z.string().nullish(),
      signing_order: z.number().int().min(1).nullish(),
      delivery_methods: deliveryMethods(),
      redirect: redirect(),
      verification_settings: verification(),
      name: z.string().max(120).optional(),
      members: z
        .array(z.object({ ...contactId(), ...identity() }))
        .min(1)
        .optional(),
    })
    .superRefine((value, context) => {
      if (value.type !== "recipient_group") return;
      if (value.name === undefined) context.addIssue({ code: "custom", path: ["name"], message: "This field is required." });
      if (value.members === undefined)
        context.addIssue({ code: "custom", path: ["members"], message: "This field is required." });
    }),
);

/** A recipient in update requests: with an id it changes that recipient, without it adds a CC. */
export const actorUpdate = lazy(() =>
  z.object({
    id: z.string().optional(),
    ...identity(),
    type: z.enum(["recipient", "recipient_group"]).optional(),
    signing_order: z.number().int().min(1).nullish(),
    delivery_methods: deliveryMethods(),
    redirect: redirect(),
    name: z.string().max(120).optional(),
    members: z.array(z.object(identity())).min(1).optional(),
  }),
);

export const tokens = lazy(() => z.array(z.object({ name: z.string(), value: z.string() })));
export const tags = lazy(() => z.array(z.string()));
export const metadata = lazy(() => z.record(z.string(), z.unknown()).nullish());
export const ownerInput = lazy(() => z.object({ membership_id: z.string().optional(), email: z.string().optional() }));

/** Values by field name. assumed: a field without a value is ignored, as public clients send such fields. */
export const fieldValues = lazy(() =>
  z.record(
    z.string(),
    z.object({ value: z.union([z.boolean(), z.string(), z.number()]).nullish(), role: z.string().optional() }),
  ),
);

export const texts = lazy(() => z.array(z.object({ name: z.string(), data: z.string() })));
export const images = lazy(() => z.array(z.object({ name: z.string(), urls: z.array(z.string()) }).nullable()));

export const tableInputs = lazy(() => {
  const span = () =>
    z
      .number()
      .int()
      .min(1)
      .nullish()
      .transform((cells) => cells ?? undefined);
  const cell = z.object({ text: z.string(), col_span: span(), row_span: span() });
  return z.array(
    z.object({
      name: z.string(),
      data: z.object({
        sections: z.array(z.object({ header: z.array(cell), rows: z.array(z.array(cell)) })),
      }),
    }),
  );
});

export const pricingTables = lazy(() =>
  z.array(
    z.object({
      name: z.string(),
      data_merge: z.boolean().optional(),
      options: z.record(z.string(), z.unknown()).optional(),
      sections: z
        .array(
          z.object({
            title: z.string(),
            default: z.boolean().optional(),
            multichoice_enabled: z.boolean().optional(),
            rows: z
              .array(
                z.object({
                  options: z
                    .object({
                      qty_editable: z.boolean().optional(),
                      optional_selected: z.boolean().optional(),
                      optional: z.boolean().optional(),
                    })
                    .optional(),
                  data: z.record(z.string(), z.unknown()).optional(),
                  custom_fields: z.record(z.string(), z.unknown()).optional(),
                }),
              )
              .optional(),
          }),
        )
        .optional(),
    }),
  ),
);

export const contentPlaceholders = lazy(() =>
  z.array(
    z.object({
      block_id: z.string(),
      content_library_items: z
        .array(
          z.object({
            id: z.string(),
            fields: fieldValues().optional(),
            pricing_tables: pricingTables().optional(),
            recipients: z.array(actor()).optional(),
          }),
        )
        .optional(),
    }),
  ),
);
