import * as z from "zod";
import { lazy } from "../../../engine/core/operation.ts";
import { editingSessionMembers } from "../shapes/editing-session.ts";

export const bulkDeleted = lazy(() => z.strictObject({ id: z.array(z.string()) }));

export const session = lazy(() => z.strictObject({ id: z.string(), expires_at: z.string() }));

export const editingSession = lazy(() => z.strictObject({ ...editingSessionMembers(), document_id: z.string() }));

export const disclosure = lazy(() =>
  z.strictObject({
    result: z.strictObject({
      is_enabled: z.boolean(),
      company_name: z.string().nullable(),
      esign_disclosure_text: z.string().nullable(),
    }),
  }),
);
