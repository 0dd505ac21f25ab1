/** The library's handle of one tenant: clock, rules, journal, webhooks, documents and mails, typed, without HTTP. */
import { ruleVocabulary } from "./admin/scenario-runs/rule-vocabulary.ts";
import { checkPattern, comparison, patternTest } from "./admin/wiremock/request-pattern.ts";
import type { Tenant } from "./admin/tenants/tenant.ts";
import { readInstant } from "./core/clock.ts";
import { parseDuration, required, requireDuration } from "./core/time-limits.ts";
import { ApiError } from "./core/errors.ts";
import { noSuch } from "./core/text.ts";
import { findMails } from "./domain/mails/mails.ts";
import { act } from "./domain/signing/act-table.ts";
import { triggerEvent } from "./domain/webhooks/history.ts";
import { RUNTIME } from "./engine/rules.ts";
import { ClosedError } from "./errors.ts";
import { createDocument } from "./kit/documents.ts";
import { faultsOf } from "./kit/faults.ts";
import { openReceiver } from "./kit/receiver.ts";
import { scenariosOf, verify } from "./kit/scenarios.ts";
import { createContact, createTemplate, subscribe } from "./kit/seed.ts";
import type { NewContact, NewSubscription, NewTemplate } from "./kit/types.ts";
import { webhookRulesOf } from "./kit/webhook-rules.ts";
import { readRule } from "./scenario/load.ts";
import type { AdvanceGoal, Handles } from "./types.ts";
import type { RequestPattern } from "./admin/wiremock/pattern-types.ts";
import { requireDocument } from "./domain/document-model/find.ts";
import type { TenantSnapshot } from "./admin/tenants/snapshot.ts";

export function handlesOf(tenant: Tenant): Handles {
  const { store } = tenant;
  const requireOpen = () => {
    if (tenant.ended !== undefined) throw new ClosedError(tenant.ended);
  };
  /** After the end, reads still work and changes throw ClosedError. */
  const change =
    <Args extends unknown[], Result>(run: (...args: Args) => Result) =>
    (...args: Args): Result => {
      requireOpen();
      return run(...args);
    };
  const find = (pattern: RequestPattern) => tenant.journal.all().filter(patternTest(checkPattern(pattern)));
  return {
    clock: {
      now: () => tenant.clock.now(),
      async advance(goal) {
        requireOpen();
        return tenant.advance(toGoal(goal));
      },
      set: change(({ now, ...rest }: Parameters<Handles["clock"]["set"]>[0]) =>
        tenant.setClock({ ...rest, ...(now === undefined ? {} : { now: toInstant(now) }) }),
      ),
      settle: () => tenant.clock.settle(),
    },
    rules: {
      add(rule) {
        requireOpen();
        const compiled = readRule(JSON.stringify(rule, null, 2), RUNTIME, ruleVocabulary);
        tenant.rules.put({ ...compiled, id: compiled.name });
      },
      remove: change((name: string) => tenant.rules.remove(name)),
      clear: change(() => tenant.rules.clear(RUNTIME)),
      pending: () => tenant.rules.pending().map((rule) => rule.name),
    },
    journal: {
      all: () => tenant.journal.all(),
      find,
      count: (pattern) => find(pattern).length,
      nearest(pattern) {
        const { count, mismatches } = comparison(checkPattern(pattern));
        const counted = tenant.journal.all().map((entry) => ({ entry, failed: count(entry) }));
        const [nearest] = counted.sort((a, b) => a.failed - b.failed);
        return nearest && { exchange: nearest.entry, differences: mismatches(nearest.entry) };
      },
      clear: change(() => tenant.journal.clear()),
    },
    webhooks: {
      subscribe: change((subscription: NewSubscription) => subscribe(tenant, subscription)),
      async receiver(options = {}) {
        requireOpen();
        return openReceiver(tenant, options);
      },
      rules: webhookRulesOf(tenant, requireOpen),
      deliveries(match = {}) {
        checkNames(match, ["event", "document_id", "status", "state"]);
        const { event, document_id, status, state } = match;
        return store.deliveries
          .all()
          .filter(
            (row) =>
              (event === undefined || row.event === event) &&
              (document_id === undefined || row.subject === document_id) &&
              (status === undefined || row.status === status) &&
              (state === undefined || row.state === state),
          );
      },
      trigger(event, options = {}) {
        requireOpen();
        return withReason(() => store.transaction(() => triggerEvent(tenant.world, { event, ...options })));
      },
      redeliver(id) {
        requireOpen();
        const row = store.deliveries.get(id);
        if (!row) throw new RangeError(`No delivery has the id ${id}. webhooks.deliveries() lists them.`);
        store.transaction(() => tenant.outbox.redeliver(row));
      },
    },
    documents: {
      async create(document = {}) {
        requireOpen();
        const id = await createDocument(tenant, document);
        return requireDocument(tenant.world, id);
      },
      all: () => store.documents.all().filter((row) => row.internal.deleted_at === null),
      get: (id) => store.documents.get(id),
      simulate(id, name, input = {}) {
        requireOpen();
        return withReason(() => store.transaction(() => act(tenant.world, requireDocument(tenant.world, id).id, name, input)));
      },
    },
    emails: {
      all: () => findMails(tenant.world),
      find(match) {
        checkNames(match, ["to", "kind", "document_id", "channel", "q"]);
        return findMails(tenant.world, match);
      },
      clear: change(() => tenant.parts.emails()),
    },
    templates: { create: change((template: NewTemplate) => createTemplate(tenant, template)) },
    contacts: { create: change((contact: NewContact) => createContact(tenant, contact)) },
    faults: faultsOf(tenant, requireOpen),
    scenarios: scenariosOf(tenant, requireOpen),
    snapshot() {
      const taken: TenantSnapshot = tenant.snapshot();
      return { restore: change(() => tenant.restore(taken)) };
    },
    verify: () => verify(tenant),
  };
}

/** An unknown condition would match everything, and the test would prove nothing. */
function checkNames(match: object, names: readonly string[]): void {
  for (const name of Object.keys(match)) if (!names.includes(name)) throw new TypeError(noSuch("condition", name, names));
}

/** Test reports show only an error's message, so it includes the reason. */
function withReason<T>(run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (error instanceof ApiError && error.options.why !== undefined) error.message += `: ${error.options.why}`;
    throw error;
  }
}

/** The clock checks numbers. @throws TimeLimitError */
function toInstant(value: string | number): number {
  return typeof value === "string" ? required(readInstant(value)) : value;
}

/** @throws TimeLimitError */
function toGoal(goal: AdvanceGoal): Parameters<Tenant["advance"]>[0] {
  if (typeof goal === "object" && goal !== null) return "to" in goal ? { to: toInstant(goal.to) } : goal;
  // Any length: the clock reports instants outside its range.
  return { by: typeof goal === "string" ? (parseDuration(goal) ?? requireDuration(goal)) : goal };
}
