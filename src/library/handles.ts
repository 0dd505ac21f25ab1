import {
  type DocumentRow,
  documents,
  type Host,
  type MailMatch,
  mails,
  service,
  type Tenant,
  webhooks,
} from "../service/service.ts";
import { lintReport } from "../inspector/lint/client-lint.ts";
import { probeSignatures } from "../inspector/lint/probe-signatures.ts";
import { goneCalls, membersFit, patternFit, requireWholeAnswer, requireWholeRows } from "../engine/runtime/gone.ts";
import { checkPattern, comparison, patternTest } from "../engine/verbs/wiremock/request-pattern.ts";
import type { CountRange } from "../engine/core/count-limits.ts";
import { noSuch } from "../engine/core/text.ts";
import type { Handle } from "../engine/runtime/call-handlers.ts";
import { RUNTIME } from "../engine/rules/rules.ts";
import { ClosedError, SettingsError } from "./errors.ts";
import { createDocument, toSandboxDocument } from "./kit/documents.ts";
import { follow } from "./kit/follow.ts";
import { faultsOf } from "./kit/faults.ts";
import { guarded, guardedMethod } from "./kit/guard.ts";
import { METHODS } from "./kit/methods.ts";
import { withoutPlace, withReason } from "./kit/options.ts";
import { linkOf } from "./kit/links.ts";
import { verbMethodsOf } from "./kit/verb-methods.ts";
import { rememberTenant } from "./kit/tenant-of.ts";
import { openReceiver } from "./kit/receiver.ts";
import { scenariosOf, verify } from "./kit/scenarios.ts";
import { createContact, createTemplate, subscribe } from "./kit/seed.ts";
import { worldOf } from "./kit/world.ts";
import { webhookRulesOf } from "./kit/webhook-rules.ts";
import { readRule } from "../engine/scenario/load.ts";
import type { Handles } from "./types.ts";
import type { RequestPattern } from "../engine/rules/pattern-types.ts";
import type { TenantSnapshot } from "../engine/runtime/tenants/snapshot.ts";

export function handlesOf(host: Host, tenant: Tenant): Handles {
  const methods = Object.entries(verbMethodsOf({ host, tenant }));
  /** The methods of verbs below one name. Their records promise the types. */
  const group = <Name extends keyof Handles>(name: Name) =>
    Object.fromEntries(
      methods.filter(([path]) => path.startsWith(`${name}.`)).map(([path, run]) => [path.slice(name.length + 1), run]),
    ) as unknown as Handles[Name];
  const { store } = tenant;
  const ended = (method: string) => (tenant.ended === undefined ? undefined : new ClosedError(method, tenant.ended));
  const find = (pattern: RequestPattern) => tenant.journal.all().filter(patternTest(knownPattern(pattern)));
  /** @throws SettingsError when dropped calls would change the answer */
  const requireWhole = (left: number, gone: CountRange) => withReason(() => requireWholeAnswer(tenant, left, gone));
  const handles: Handles = {
    clock: {
      ...group("clock"),
      get mode() {
        return tenant.clock.mode;
      },
      follow: (fakes) => follow(tenant, fakes),
    },
    rules: {
      add(rule) {
        const compiled = withoutPlace(() => readRule(rule, service.language));
        tenant.rules.put({ ...compiled, id: compiled.name });
      },
      remove: (name) => tenant.rules.remove(name),
      clear: () => tenant.rules.clear(RUNTIME),
      pending: () => tenant.rules.pending().map((rule) => rule.name),
    },
    journal: {
      all: () => tenant.journal.all(),
      find(pattern) {
        const found = find(pattern);
        requireWhole(found.length, goneCalls(tenant, patternFit(pattern)));
        return found;
      },
      count(pattern) {
        const found = find(pattern).length;
        const gone = goneCalls(tenant, patternFit(pattern));
        if (gone.min < gone.max) requireWhole(found, gone);
        return found + gone.min;
      },
      nearest(pattern) {
        const { count, mismatches } = comparison(knownPattern(pattern));
        const counted = tenant.journal.all().map((entry) => ({ entry, failed: count(entry) }));
        const [nearest] = counted.sort((a, b) => a.failed - b.failed);
        return nearest && { exchange: nearest.entry, differences: mismatches(nearest.entry) };
      },
      clear: () => tenant.journal.clear(),
    },
    webhooks: {
      subscribe: (subscription) => subscribe(tenant, subscription),
      async receiver(options = {}) {
        return openReceiver(tenant, options);
      },
      rules: webhookRulesOf(tenant),
      deliveries(match = {}) {
        const { event, document_id, status, state } = match;
        const found = store.deliveries
          .all()
          .filter(
            (row) =>
              (event === undefined || row.event === event) &&
              (document_id === undefined || row.subject === document_id) &&
              (status === undefined || row.status === status) &&
              (state === undefined || row.state === state),
          );
        // Without a condition, the list shows what is left.
        if (Object.values(match).some((one) => one !== undefined))
          withReason(() =>
            requireWholeRows(tenant, "deliveries", found.length, membersFit({ event, status, state }, [document_id])),
          );
        return found;
      },
      trigger(event, options = {}) {
        if (!webhooks.isSubscribed(tenant.world, event))
          throw new SettingsError(`no subscription takes ${event}. Subscribe first: webhooks.subscribe({ url, events }).`);
        return withReason(() => store.transaction(() => webhooks.trigger(tenant.world, { event, ...options })));
      },
      redeliver(id) {
        const row = store.deliveries.get(id);
        if (!row) throw new SettingsError(`no delivery has the id ${id}. webhooks.deliveries() lists them.`);
        store.transaction(() => tenant.outbox.redeliver(row));
      },
      async probeSignatures() {
        return probeSignatures(tenant);
      },
    },
    documents: {
      async create(document = {}) {
        const id = await createDocument(tenant, document);
        return toSandboxDocument(documents.require(tenant.world, id));
      },
      all: () => store.documents.all().flatMap((row) => (row.internal.deleted_at === null ? toSandboxDocument(row) : [])),
      get(id) {
        const row = store.documents.get(id);
        return row && toSandboxDocument(row);
      },
      link(id, recipient) {
        return linkOf(tenant, id, recipient);
      },
      simulate(id, name, input = {}) {
        return toSandboxDocument(
          withReason(() =>
            store.transaction(
              () => tenant.scenarioRunner.perform(documents.require(tenant.world, id).id, name, { ...input }) as DocumentRow,
            ),
          ),
        );
      },
    },
    emails: {
      all: () => mails.find(tenant.world),
      find(match) {
        const found = mails.find(tenant.world, match as MailMatch);
        const { kind, channel, ...others } = match as MailMatch;
        withReason(() => requireWholeRows(tenant, "emails", found.length, membersFit({ kind, channel }, Object.values(others))));
        return found;
      },
      clear: () => tenant.parts.emails?.(),
    },
    templates: { create: (template) => createTemplate(tenant, template) },
    contacts: { create: (contact) => createContact(tenant, contact) },
    faults: faultsOf(tenant),
    scenarios: scenariosOf(tenant),
    lint() {
      const { findings, unread } = lintReport(tenant);
      if (unread !== undefined) throw new SettingsError(`${unread} It found ${findings.length} mistakes in the rest.`);
      return findings;
    },
    snapshot() {
      const taken: TenantSnapshot = tenant.snapshot();
      const restore = () => tenant.restore(taken);
      return { restore: guardedMethod("snapshot.restore", { changes: true }, restore, ended) };
    },
    world: worldOf(tenant),
    on(operation, handler) {
      const known = service.operations.map((one) => one.id);
      if (!known.includes(operation)) throw new SettingsError(noSuch("operation", operation, known));
      return tenant.handlers.add(operation, handler as Handle);
    },
    verify: () => verify(tenant),
  };
  const given = guarded(handles, METHODS, ended);
  rememberTenant(given, tenant);
  return given;
}

/** An unknown operation never matches, so a test for its absence proves nothing. @throws SettingsError, ApiError */
function knownPattern(pattern: RequestPattern): RequestPattern {
  const { operationId } = pattern;
  const known: readonly string[] = [...service.language.ids(), ...service.pageIds];
  if (operationId !== undefined && !known.includes(operationId)) throw new SettingsError(noSuch("operation", operationId, known));
  return checkPattern(pattern);
}
