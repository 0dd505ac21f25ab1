import { type Host, service, type Tenant } from "../service/service.ts";
import { inspect } from "node:util";
import { iso } from "../engine/core/clock.ts";
import { noSuch } from "../engine/core/text.ts";
import type { Handle } from "../engine/runtime/call-handlers.ts";
import { ClosedError, SettingsError } from "./errors.ts";
import { follow } from "./kit/follow.ts";
import { guarded, guardedMethod } from "./kit/guard.ts";
import { METHODS } from "./kit/methods.ts";
import { verbMethodsOf } from "./kit/verb-methods.ts";
import { rememberTenant } from "./kit/tenant-of.ts";
import { openReceiver } from "./kit/receiver.ts";
import { counted } from "../inspector/views/lists.ts";
import type { Handles } from "./types.ts";

export function handlesOf(host: Host, tenant: Tenant): Handles {
  const made = verbMethodsOf({ host, tenant });
  const ended = (method: string) => (tenant.ended === undefined ? undefined : new ClosedError(method, tenant.ended));
  const handles: Handles = {
    clock: {
      ...made.clock,
      get mode() {
        return tenant.clock.mode;
      },
      follow: (fakes) => follow(tenant, fakes),
    },
    rules: made.rules,
    journal: made.journal,
    webhooks: {
      ...made.webhooks,
      async receiver(options = {}) {
        return openReceiver(tenant, options);
      },
    },
    documents: made.documents,
    emails: made.emails,
    templates: made.templates,
    contacts: made.contacts,
    faults: made.faults,
    scenarios: made.scenarios,
    lint: made.lint,
    snapshot() {
      const { restore } = made.snapshot();
      return { restore: guardedMethod("snapshot.restore", { changes: true }, restore, ended) };
    },
    world: made.world,
    har: made.har,
    on(operation, handler) {
      const known = service.operations.map((one) => one.id);
      if (!known.includes(operation)) throw new SettingsError(noSuch("operation", operation, known));
      return tenant.handlers.add(operation, handler as Handle);
    },
    verify: made.verify,
  };
  const given = guarded(handles, METHODS, ended);
  rememberTenant(given, tenant);
  return Object.defineProperty(given, inspect.custom, { value: () => `Tenant ${tenant.id}: ${summaryOf(tenant)}` });
}

/** One line for `console.log`. */
export function summaryOf({ store, journal, clock }: Tenant): string {
  const counts = [counted(store.documents.size, "document"), counted(journal.size, "call")];
  return [...counts, `clock ${clock.mode} at ${iso(clock.now())}`].join(", ");
}
