import { ApiError, badRequest, credentialsWrong, forbidden, notFound, tooManyRequests } from "../core/errors.ts";
import type { ArmedRule } from "../rules/rules.ts";
import type { Effect } from "../scenario/rule-schema.ts";
import { type Call, subjectOf } from "./call.ts";

const DEFAULT_LOCK_MS = 300_000;
const DEFAULT_RETRY_MS = 5000;

export function injectedError(rule: ArmedRule<Effect>, call: Call): ApiError | undefined {
  return rule.effect.error && makeError(rule.effect, `injected by rule ${rule.name}`, call);
}

export function makeError(effect: Effect, why: string, call: Call): ApiError {
  const { tenant, entry } = call;
  const { detail } = effect;
  switch (effect.error) {
    case "locked": {
      const expires_at = tenant.clock.after(effect.lock?.expires_in ?? DEFAULT_LOCK_MS);
      return tenant.service.subjects.locked(tenant.world, { by: effect.lock?.by, expires_at, detail }, why);
    }
    case "conflict":
      return tenant.service.subjects.conflict(subjectOf(call), { detail, operation: entry.operationId }, why);
    case "throttled": {
      const error = tooManyRequests(Math.ceil((effect.retry_after ?? DEFAULT_RETRY_MS) / 1000), why);
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
