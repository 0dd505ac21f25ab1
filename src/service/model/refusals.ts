/** The service's own refusals, beside those of `engine/core/errors.ts`. */
import { iso } from "../../engine/core/clock.ts";
import { ApiError } from "../../engine/core/errors.ts";

/** `expires_at` is in epoch ms. */
export interface Lock {
  locked_by_user_id: string;
  lock_type: "wopi_editing";
  expires_at: number;
}

/** 409 in the service's shape for statuses: `id`, `status` and `info_message`, without `type` and `detail`. */
export function wrongStatus(subject: { id: string; status: string }, info: string, why: string): ApiError {
  return new ApiError("conflict", info, { body: { id: subject.id, status: subject.status, info_message: info }, why });
}

// assumed: errors.locked_text.
export function documentLocked(lock: Lock, why: string, detail = "Document is locked for editing"): ApiError {
  const { locked_by_user_id, lock_type, expires_at } = lock;
  return new ApiError("locked", detail, { members: { locked_by_user_id, lock_type, expires_at: iso(expires_at) }, why });
}
