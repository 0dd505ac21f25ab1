import type { Checked } from "../engine/runtime/scenario-runs/expectations.ts";
import { hostOf } from "../library/sandbox.ts";
import type { Sandbox } from "../library/types.ts";
import type { Tenant } from "../service/service.ts";

/**
 * Watches calls with keys such as `test-1`. Each of these keys selects another tenant. Faults and expectations of a command concern the
 * tenant of `DOCDOUBLE_API_KEY` only.
 */
export class OtherKeys {
  readonly #tenants: Tenant[] = [];

  /** Call this before the command starts. */
  constructor(sandbox: Sandbox) {
    const host = hostOf(sandbox);
    host.eachTenant((tenant) => {
      if (tenant !== host.defaultTenant) this.#tenants.push(tenant);
    });
  }

  /** The calls so far, also of tenants that are gone. */
  get calls(): number {
    return this.#tenants.reduce((sum, { journal }) => sum + journal.total, 0);
  }
}

/** An expectation such as `times: 0` could hold without a reason after calls with another key, so this one fails. */
export function callsElsewhere(calls: number): Checked {
  const text = "every call has the key in DOCDOUBLE_API_KEY";
  const found = `${calls} ${calls === 1 ? "call" : "calls"} with other keys`;
  return { part: "keys", text, unmet: [{ part: "keys", text, expected: "no call with another key", found }] };
}
