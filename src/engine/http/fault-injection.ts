import {
  ApiError,
  badRequest,
  credentialsWrong,
  documentLocked,
  forbidden,
  notFound,
  tooManyRequests,
  wrongStatus,
} from "../core/errors.ts";
import type { ArmedRule } from "../rules/rules.ts";
import { NOT_PROCESSED } from "../../service/domain/lifecycle/transitions.ts";
import type { Effect } from "../scenario/effect.ts";
import type { Tenant } from "../runtime/tenants/tenant.ts";
import type { DocumentRow } from "../../service/model/documents/document.ts";

const DEFAULT_LOCK_MS = 300_000;
const DEFAULT_RETRY_S = 5;

export function injectedError(rule: ArmedRule<Effect>, tenant: Tenant, document: DocumentRow | undefined): ApiError | undefined {
  return rule.effect.error && makeError(rule.effect, `injected by rule ${rule.name}`, tenant, document);
}

export function makeError(effect: Effect, why: string, tenant: Tenant, document: DocumentRow | undefined): ApiError {
  const { detail } = effect;
  switch (effect.error) {
    case "locked": {
      const expires_at = tenant.clock.after(effect.lock?.expires_in_ms ?? DEFAULT_LOCK_MS);
      const by = effect.lock?.by;
      const member = by === undefined ? undefined : tenant.store.members.get(by);
      const error = documentLocked(
        { locked_by_user_id: member?.user_id ?? by ?? tenant.world.caller.user_id, lock_type: "wopi_editing", expires_at },
        why,
      );
      return detail === undefined ? error : new ApiError("locked", detail, error.options);
    }
    case "conflict":
      // The service's usual text is about an uploaded document, so the status matches it. A rule with its own text shows the true status.
      return wrongStatus(
        { id: document?.id ?? "", status: (detail === undefined ? undefined : document?.status) ?? "document.uploaded" },
        detail ?? NOT_PROCESSED,
        why,
      );
    case "throttled": {
      const error = tooManyRequests(effect.retry_after_s ?? DEFAULT_RETRY_S, why);
      return detail === undefined ? error : new ApiError("throttled", detail, error.options);
    }
    case "not_found":
      return detail === undefined ? notFound(why) : new ApiError("not_found", detail, { why });
    case "forbidden":
      return detail === undefined ? forbidden(why) : new ApiError("forbidden", detail, { why });
    case "unauthorized":
      return detail === undefined ? credentialsWrong(why) : credentialsWrong(why, detail);
    default:
      return badRequest(detail ?? "Invalid request.", { why });
  }
}
