import * as z from "zod";
import { lazy } from "../../../engine/core/operation.ts";
import { dateTime } from "../shapes/document.ts";

const upload = () => ({
  uuid: z.string(),
  name: z.string(),
  document_uuid: z.string(),
  status: z.enum(["document_sections_upload.UPLOADED", "document_sections_upload.PROCESSED", "document_sections_upload.ERROR"]),
  date_created: dateTime(),
  date_modified: dateTime(),
  info_message: z.string().nullable(),
});

export const uploadCreated = lazy(() => z.strictObject({ ...upload(), date_completed: dateTime().nullable() }));

export const uploadStatus = lazy(() =>
  z.strictObject({ ...upload(), sections_uuids: z.array(z.string()), section_uuids: z.array(z.string()) }),
);

export const sectionList = lazy(() =>
  z.strictObject({ results: z.array(z.strictObject({ uuid: z.string(), name: z.string() })) }),
);

export const sectionDetails = lazy(() => z.strictObject({ uuid: z.string(), name: z.string(), document_uuid: z.string() }));
