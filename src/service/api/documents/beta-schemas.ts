import * as z from "zod";
import { lazy } from "../../../engine/core/operation.ts";
import { dateTimeOfSeconds, documentStatus } from "../shapes/document.ts";

const exportStatus = () => z.enum(["created", "processing", "done", "error"]);

export const docxTask = lazy(() => z.strictObject({ id: z.string(), document_id: z.string(), status: exportStatus() }));

export const docxTaskState = lazy(() =>
  z.strictObject({
    id: z.string(),
    document_id: z.string(),
    status: exportStatus(),
    docx_items: z.array(z.strictObject({ section_title: z.string().nullable(), url: z.string().nullable() })),
  }),
);

export const summary = lazy(() => z.strictObject({ type: z.string(), summary: z.string() }));
export const content = lazy(() => z.strictObject({ format: z.string(), content: z.string() }));

export const metadata = lazy(() =>
  z.strictObject({
    count: z.number().int(),
    results: z.array(
      z.strictObject({
        id: z.string(),
        key: z.string(),
        field_type: z.string(),
        settings: z.record(z.string(), z.unknown()),
        value: z.strictObject({ value: z.string(), acceptance_status: z.enum(["pending", "accepted"]) }).nullable(),
      }),
    ),
  }),
);

export const pending = lazy(() => z.strictObject({ code: z.literal("extraction_pending"), description: z.string() }));

const outcome = <const S extends string>(status: S) =>
  z.strictObject({ document_id: z.string(), status: z.literal(status), description: z.string() });

export const batch = lazy(() =>
  z.strictObject({
    count: z.number().int(),
    results: z.array(
      z.union([
        z.strictObject({ document_id: z.string(), status: z.literal("ok"), ai_metadata: metadata() }),
        outcome("extraction_pending").extend({ retry_after: z.number().int() }),
        outcome("extraction_failed"),
        outcome("extraction_not_started"),
        outcome("not_found"),
      ]),
    ),
  }),
);

export const searchReply = lazy(() =>
  z.strictObject({
    results: z.array(
      z.strictObject({
        document_id: z.string(),
        name: z.string(),
        status: documentStatus(),
        date_created: dateTimeOfSeconds(),
        owner: z.strictObject({ id: z.string(), name: z.string(), email: z.string(), avatar: z.string().nullable() }),
        folder: z.strictObject({ id: z.string(), name: z.string() }),
        extra_fields: z.record(z.string(), z.unknown()),
      }),
    ),
    count: z.number().int(),
    suggestions: z.array(z.strictObject({ text: z.string() })),
    message: z.string(),
    intent: z.array(z.strictObject({ field: z.string(), value: z.string() })),
  }),
);
