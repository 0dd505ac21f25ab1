import * as z from "zod";
import { dateTime } from "./document.ts";

/** assumed: the answer has the deprecated `key`, as in the schema; the vendor's examples omit it. */
export const editingSessionMembers = () => ({
  id: z.string(),
  email: z.string(),
  expires_at: dateTime(),
  key: z.string(),
  token: z.string(),
});
