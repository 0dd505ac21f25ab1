import { tooManyRequests } from "../core/errors.ts";
import { noteAssumption, type OperationCall } from "./call.ts";

export function limitRate(call: OperationCall): void {
  const { tenant, caller, target } = call;
  if (!caller) return;
  const limited = tenant.service.access.rateLimitOf(tenant.world, caller, target.operation.id, () => call.body.value);
  if (limited === undefined) return;
  const account = `${caller.user_id}:${caller.environment}:${limited.as}`;
  const wait = tenant.limiter.hit(account, limited.limit, 60_000, tenant.clock.now());
  if (wait === 0) return;
  noteAssumption(call, "rate_limit.profile");
  throw tooManyRequests(
    wait / 1000,
    `the limit is ${limited.limit} calls of ${limited.as} in 60 s; the next call is allowed in ${Math.ceil(wait / 1000)} s`,
  );
}
