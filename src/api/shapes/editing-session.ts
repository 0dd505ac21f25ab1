import * as z from "zod";
import { lazy } from "../../core/operation.ts";
import { dateTime } from "./document.ts";

export const editingSessionRequest = lazy(() =>
  z.object({ email: z.email(), lifetime: z.number().int().min(60).max(86_400).default(3600) }),
);

/** assumed: the answer has the deprecated `key`, as in the schema; the vendor's examples omit it. */
export const editingSessionMembers = () => ({
  id: z.string(),
  email: z.string(),
  expires_at: dateTime(),
  key: z.string(),
  token: z.string(),
});
