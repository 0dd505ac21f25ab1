import * as z from "zod";
import { dateTime } from "./document.ts";

export const editingSessionMembers = () => ({
  id: z.string(),
  email: z.string(),
  expires_at: dateTime(),
  key: z.string(),
  token: z.string(),
});
