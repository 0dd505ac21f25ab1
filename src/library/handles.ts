/** The methods of a tenant. Each does what a verb of the admin API does, or what only a test in this process can do. */
import { inspect } from "node:util";
import * as z from "zod";
import { iso } from "../engine/core/clock.ts";
import { ApiError } from "../engine/core/errors.ts";
import { lazy } from "../engine/core/operation.ts";
import { noSuch } from "../engine/core/text.ts";
import type { Verb } from "../engine/core/verb.ts";
import { valueText } from "../engine/scenario/plain-problem.ts";
import type { Handle } from "../engine/runtime/call-handlers.ts";
import { requireWhole } from "../engine/runtime/dropped.ts";
import { counted } from "../inspector/views/lists.ts";
import { type Control, documents, type Host, seeds, service, type Tenant, webhooks } from "../service/service.ts";
import { words } from "../service/words.ts";
import { ClosedError, SettingsError } from "./errors.ts";
import { clearFaults, lockDocument, nextFault, pendingFaults, unlockDocument } from "./kit/faults.ts";
import { follow } from "./kit/follow.ts";
import { checked, explained, inOwnWords, methodsOf, object, text } from "./kit/method.ts";
import { openReceiver } from "./kit/receiver.ts";
import { loadScenario, requireVerified } from "./kit/scenarios.ts";
import { differencesOf } from "../engine/runtime/search.ts";
import { rememberTenant } from "./kit/tenant-of.ts";
import { loadSource } from "./kit/world.ts";
import { type verbGroups, verbs } from "./surfaces.ts";
import type { Handles } from "./types.ts";

type AnyVerb = (typeof verbGroups)[number]["verbs"][number];
type ResultOf<Name> = Extract<AnyVerb, { readonly name: Name }> extends { result?: infer R } ? Exclude<R, undefined> : never;

const byName = new Map(verbs.map((verb) => [verb.name, verb as Verb<Control>]));

/** Does what a verb does. @throws SettingsError for a wrong input, and what `refusal` makes of a refusal */
function acting(control: Control, refusal: (error: unknown) => unknown) {
  const refuse = (error: unknown): never => {
    throw refusal(error);
  };
  return <Name extends AnyVerb["name"]>(name: Name, input: object = {}): ResultOf<Name> => {
    const verb = byName.get(name) as Verb<Control>;
    try {
      const read = verb.input ? checked(input, verb.input, "the input is an object") : {};
      const result = verb.run(control, read);
      return (result instanceof Promise ? result.catch(refuse) : result) as ResultOf<Name>;
    } catch (error) {
      return refuse(error);
    }
  };
}

function toSettings(error: unknown): unknown {
  const refusal = explained(error);
  return refusal instanceof ApiError ? new SettingsError(refusal.message) : refusal;
}

const acts = lazy(() => z.enum(words.acts));
const A_DOCUMENT =
  'the document is a text such as "msFYActMfJHqNTKH8YSvF1": its id, which documents.create and documents.all return';
const CONDITIONS = 'the conditions are an object such as { operation: "createDocument" }';
const A_RULE_NAME = 'the name of the rule is a text such as "busy"';

export function handlesOf(host: Host, tenant: Tenant): Handles {
  const { reads, waits, changes, waitsAndChanges } = methodsOf((method) =>
    tenant.ended === undefined ? undefined : new ClosedError(method, tenant.ended),
  );
  const act = acting({ host, tenant }, toSettings);
  /** Refusals stay as the service words them. */
  const asService = acting({ host, tenant }, explained);
  const { scenarioRunner, rules } = tenant;
  const verify = async () => requireVerified(await act("scenarios.verify"));
  const handles: Handles = {
    clock: {
      now: () => tenant.clock.now(),
      get mode() {
        return tenant.clock.mode;
      },
      set: changes("clock.set", (change) => {
        act("clock.set", object(change, 'the changes are an object such as { mode: "frozen" }'));
      }),
      stopAt: changes("clock.stopAt", (moment) => {
        if (moment === undefined)
          throw new SettingsError('the moment is an instant, a duration such as "2h", or null, not nothing');
        act("clock.set", { stopAt: moment });
      }),
      advance: waitsAndChanges("clock.advance", async (goal) => {
        const { fired } = await act("clock.advance", typeof goal === "object" && goal !== null ? goal : { by: goal });
        return fired;
      }),
      settle: waits("clock.settle", () => tenant.clock.settle()),
      follow: changes("clock.follow", (fakes) => follow(tenant, fakes)),
    },
    rules: {
      add: changes("rules.add", (rule) => {
        const sentence = 'the rule is an object such as { name: "busy", when: { method: "POST" }, then: { error: "locked" } }';
        act("rules.add", { rule: object(rule, sentence) });
      }),
      remove: changes("rules.remove", (name) => act("rules.remove", { id: text(name, A_RULE_NAME) }).isRemoved),
      clear: changes("rules.clear", () => void act("rules.clear")),
      pending: () => rules.pending().map((one) => one.name),
    },
    journal: {
      all: () => [...tenant.journal.all()],
      find: reads("journal.find", (match) => [...act("journal.find", { match: object(match, CONDITIONS) })]),
      count: reads("journal.count", (match) => act("journal.count", { match: object(match, CONDITIONS) })),
      nearest: reads("journal.nearest", (match) => {
        const { when, nearest } = act("journal.nearest", { match: object(match, CONDITIONS) });
        const [first] = nearest;
        return first && { exchange: first.entry, differences: differencesOf(tenant, when, first.entry) };
      }),
      clear: changes("journal.clear", () => void act("journal.clear")),
    },
    webhooks: {
      subscribe: changes("webhooks.subscribe", (subscription) => {
        const wish = object(subscription, 'the subscription is an object such as { url: "http://127.0.0.1:3000/hook" }');
        return inOwnWords(() => webhooks.subscribe(tenant, checked(wish, webhooks.wish, "the subscription is an object")));
      }),
      receiver: waitsAndChanges("webhooks.receiver", (options = {}) => openReceiver(tenant, options)),
      rules: {
        add: changes("webhooks.rules.add", (rule) => {
          const sentence =
            'the rule is an object such as { name: "receiver down", when: { attempt: 1 }, then: { attempt_result: 500 } }';
          act("webhooks.rules.add", { rule: object(rule, sentence) });
        }),
        remove: changes(
          "webhooks.rules.remove",
          (name) => act("webhooks.rules.remove", { name: text(name, A_RULE_NAME) }).isRemoved,
        ),
        clear: changes("webhooks.rules.clear", () => void act("webhooks.rules.clear")),
        pending: () => [...new Set(scenarioRunner.deliveryRules.pending().map((one) => one.name))],
      },
      deliveries: reads("webhooks.deliveries", (match = {}) => {
        const wanted = object(match, 'the conditions are an object such as { state: "delivered" }');
        const { rows, total, isPart } = act("webhooks.deliveries", wanted);
        if (isPart) requireWhole(tenant, "deliveries", total);
        return rows;
      }),
      trigger: changes("webhooks.trigger", (event, options = {}) => {
        text(event, 'the event is one such as "document_updated"');
        const input = { event, ...object(options, "the options are an object such as { document_id }") };
        return inOwnWords(() => webhooks.trigger(tenant, checked(input, webhooks.triggerWish, "the event is an object")));
      }),
      redeliver: changes("webhooks.redeliver", (id) => {
        act("webhooks.redeliver", {
          id: text(id, 'the delivery is a text such as "b0c1…": the id that webhooks.deliveries() shows'),
        });
      }),
      probeSignatures: waitsAndChanges(
        "webhooks.probeSignatures",
        async () => [...(await act("webhooks.probeSignatures"))] as never,
      ),
    },
    documents: {
      create: waitsAndChanges("documents.create", async (document = {}) => {
        const wish = object(document, 'the document is an object such as { status: "document.sent" }');
        return documents.copy(await act("documents.create", wish));
      }),
      all: () => act("documents.list").flatMap((row) => (row.internal.deleted_at === null ? documents.copy(row) : [])),
      get: reads("documents.get", (id) => {
        const row = tenant.store.documents.get(text(id, A_DOCUMENT));
        return row && documents.copy(row);
      }),
      link: reads("documents.link", (id, recipient) =>
        act("documents.link", {
          id: text(id, A_DOCUMENT),
          recipient: text(recipient, 'the recipient is a text such as "Client": a role, an email address or an id'),
        }),
      ),
      simulate: changes("documents.simulate", (id, name, input = {}) => {
        const with_ = object(input, 'the input is an object such as { recipient: "Client" }');
        const known = checked(name, acts, 'the act is one such as "sign"');
        return documents.copy(asService("simulate", { id: text(id, A_DOCUMENT), act: known, with: with_ }) as never);
      }),
    },
    emails: {
      all: () => act("emails.list"),
      find: reads("emails.find", (match) => {
        const rows = act("emails.list", object(match, 'the conditions are an object such as { to: "pat@client.example" }'));
        requireWhole(tenant, "emails", rows.length);
        return rows;
      }),
      clear: changes("emails.clear", () => void act("emails.clear")),
    },
    templates: {
      create: changes("templates.create", (template) => {
        const row = object(template, 'the template is an object such as { name: "Offer", roles: [{ name: "Client" }] }');
        return inOwnWords(() => seeds.template(tenant, row));
      }),
    },
    contacts: {
      create: changes("contacts.create", (contact) => {
        const row = object(contact, 'the contact is an object such as { email: "pat@client.example" }');
        return inOwnWords(() => seeds.contact(tenant, row));
      }),
    },
    faults: {
      next: changes("faults.next", (on: string, fault: string, options?: object) => nextFault(tenant, on, fault, options)),
      lostAnswer: changes("faults.lostAnswer", (operation, options) => {
        nextFault(tenant, text(operation, 'the operation is a text such as "createDocument"'), "reset_after", options);
      }),
      locked: changes("faults.locked", (id, options) => lockDocument(tenant, text(id, A_DOCUMENT), options)),
      unlock: changes("faults.unlock", (id) => unlockDocument(tenant, text(id, A_DOCUMENT))),
      pending: () => pendingFaults(tenant),
      clear: changes("faults.clear", () => clearFaults(tenant)),
    },
    scenarios: {
      load: waitsAndChanges("scenarios.load", async (source) => {
        const isName = typeof source === "string" && source !== "";
        const file = isName ? source : object(source, "the source is the name of a scenario file, or the value of one");
        return { name: loadScenario(tenant, file).name };
      }),
      unload: changes("scenarios.unload", (name) => {
        const sentence = 'the scenario is a text such as "busy": a name that scenarios.names() shows';
        return act("scenarios.unload", { name: text(name, sentence) }).isUnloaded;
      }),
      names: () => [...tenant.scenarios.keys()],
      verify: waits("scenarios.verify", verify),
    },
    lint: reads("lint", () => {
      const { findings, unread } = act("lint");
      if (unread !== undefined) throw new SettingsError(`Client lint found ${findings.length} mistakes, and ${unread}.`);
      return [...findings] as never;
    }),
    snapshot() {
      const taken = tenant.snapshot();
      return { restore: changes("snapshot.restore", () => tenant.restore(taken)) };
    },
    world: {
      save: waits("world.save", async () => act("world.save")),
      load: waitsAndChanges("world.load", async (world) => {
        if (!(world instanceof Uint8Array)) text(world, "the world is what world.save() returned, or the name of a file with it");
        await loadSource(tenant, world);
      }),
    },
    har: reads(
      "har",
      (options = {}) => asService("har", object(options, "the conditions are an object such as { document }")) as never,
    ),
    on: changes("on", (operation, handler) => {
      text(operation, 'the operation is a text such as "sendDocument"');
      const known = service.operations.map((one) => one.id);
      if (!known.includes(operation)) throw new SettingsError(noSuch("operation", operation, known));
      if (typeof handler !== "function")
        throw new SettingsError(`the handler is a function of the call, not ${valueText(handler)}`);
      return tenant.handlers.add(operation, handler as Handle);
    }),
    verify: waits("verify", verify),
  };
  rememberTenant(handles, tenant);
  return Object.defineProperty(handles, inspect.custom, { value: () => `Tenant ${tenant.id}: ${summaryOf(tenant)}` });
}

/** One line for `console.log`. */
export function summaryOf({ store, journal, clock }: Tenant): string {
  const counts = [counted(store.documents.size, "document"), counted(journal.size, "call")];
  return [...counts, `clock ${clock.mode} at ${iso(clock.now())}`].join(", ");
}
