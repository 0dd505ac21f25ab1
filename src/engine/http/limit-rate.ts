import { tooManyRequests } from "../core/errors.ts";
import { noteAssumption, type OperationCall } from "./call.ts";

export function limitRate(call: OperationCall): void {
  const { tenant, caller, target } = call;
  if (!caller) return;
  const limited = tenant.service.access.rateLimitOf(tenant.world, caller, target.operation.id, () => call.body.value);
  if (limited === undefined) return;
  const wait = tenant.limiter.hit(`${limited.account}:${limited.as}`, limited.limit, 60_000, tenant.clock.now());
  if (wait === 0) return;
  if (limited.assumption !== undefined) noteAssumption(call, limited.assumption);
  throw tooManyRequests(
    wait / 1000,
    `the limit is ${limited.limit} calls of ${limited.as} in 60 s; the next call is allowed in ${Math.ceil(wait / 1000)} s`,
  );
}
