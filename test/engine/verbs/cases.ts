/** Calls of each verb. `methods` holds the arguments of the same call in the library. */
import type { verbGroups } from "../../../src/library/surfaces.ts";
import type { TestWorld } from "../../support/world.ts";
import { receiver } from "../../support/receiver.ts";
import { CLIENT, aDraft, anUploadedDocument, aSentDocument, aSubscription, succeed } from "../../support/stories.ts";

export interface Case {
  /** Prepares a world, and names what the input needs: `$document` becomes its `document`. */
  given?: (world: TestWorld) => Promise<Record<string, string>>;
  input: Record<string, unknown>;
  methods?: Readonly<Record<string, readonly unknown[]>>;
  refused?: true;
  /** What the answers of the admin API and of the methods share. */
  // biome-ignore lint/suspicious/noExplicitAny: answers have many shapes
  same?: (answer: any) => unknown;
}

type VerbName = (typeof verbGroups)[number]["verbs"][number]["name"];

const aDocument = async (world: TestWorld) => ({ document: await anUploadedDocument(world) });
// biome-ignore lint/suspicious/noExplicitAny: one answer is a list, the other holds one
const kinds = (answer: any) => (answer.fired ?? answer).map((one: { kind: string }) => one.kind);

const BUSY = { name: "busy", when: { operation: "sendDocument" }, then: { error: "locked" } };
const LATE = { name: "late", when: { event: "document_updated" }, then: { drop: true } };
const CREATE = { operation: "createDocument" };

// biome-ignore lint/suspicious/noExplicitAny: one answer is a list, the other holds one
const ids = (answer: any) => (answer.deliveries ?? answer).map((one: { id: string }) => one.id);
const callIds = (answer: readonly { id: string }[]) => answer.map((one) => one.id);

/** A document with a delivered webhook. */
async function aDelivery(world: TestWorld) {
  const hook = await receiver();
  const subscription = await aSubscription(world, hook, { triggers: ["document_state_changed"] });
  const document = await aDraft(world);
  await world.advance("1s");
  const [delivery] = (await world.admin("GET", "/webhooks/deliveries")).body.deliveries;
  return { document, subscription, delivery: delivery.id as string };
}

async function aSubscriptionToAll(world: TestWorld) {
  const triggers = ["document_updated", "document_completed", "document_state_changed"];
  const subscription = await aSubscription(world, await receiver(), { triggers });
  return { document: await aDraft(world), subscription };
}

async function aDeliveryWithoutSubscription(world: TestWorld) {
  const { subscription, ...names } = await aDelivery(world);
  await succeed(world.call("deleteWebhookSubscription", { params: { id: subscription } }));
  return names;
}

async function aMistake(world: TestWorld) {
  await world.call("createContact", { body: { email: "pat@client.example", frist_name: "Pat" } });
  return {};
}

async function aRule(world: TestWorld) {
  await succeed(world.admin("POST", "/rules", BUSY));
  await succeed(world.admin("POST", "/webhooks/rules", LATE));
  return {};
}

async function aFault(world: TestWorld) {
  for (const [on, fault] of [
    ["sendDocument", "locked"],
    ["document_updated", "webhook_lost"],
    ["Client", "document_expires"],
  ])
    await succeed(world.admin("POST", "/faults", { on, fault }));
  return {};
}

const SCENARIO = "version: 1\nname: mine\n";

async function aScenario(world: TestWorld) {
  await succeed(world.request("POST", "/__admin/scenarios", { body: SCENARIO }));
  return {};
}

async function aSnapshot(world: TestWorld) {
  await succeed(world.admin("POST", "/snapshots", { name: "one" }));
  return {};
}

async function aTenant(world: TestWorld) {
  await succeed(world.admin("POST", "/tenants", { id: "test-one" }));
  return {};
}

const aSent = async (world: TestWorld) => ({ document: await aSentDocument(world) });

const aMail = async (world: TestWorld) => ({ document: await aSentDocument(world, { silent: false }) });
// biome-ignore lint/suspicious/noExplicitAny: one answer is a list, the other holds one
const mailIds = (answer: any) => (answer.emails ?? answer).map((one: { id: string }) => one.id);

async function aLock(world: TestWorld) {
  const document = await aSentDocument(world);
  await succeed(world.admin("POST", `/documents/${document}/simulate/lock`, {}));
  return { document };
}

const simulated = (...args: unknown[]): Pick<Case, "methods" | "same"> => ({
  methods: { "documents.simulate": args },
  same: (answer) => [answer?.id, answer?.status],
});

const FORM = "f0000000-0000-4000-8000-000000000001";

async function aTemplateThatWaits(world: TestWorld) {
  await succeed(world.admin("POST", "/transitions", { model: "template.processing", progression: "manual" }));
  return { template: (await succeed(world.call("createTemplate", { body: { name: "x" } }))).body.id as string };
}

export const CASES: Readonly<Record<VerbName, readonly Case[]>> = {
  health: [{ input: {} }],
  ready: [{ input: {} }],
  version: [{ input: {} }],
  openapi: [{ input: {} }],
  reset: [
    { given: aDocument, input: {} },
    { given: aDocument, input: { part: "state" } },
    { input: { part: "stat" }, refused: true },
  ],
  "clock.show": [{ input: {}, methods: { "clock.now": [] }, same: (answer) => new Date(answer.now ?? answer).getTime() }],
  "clock.set": [
    { input: { mode: "auto", stopAt: "2h" }, methods: { "clock.set": [{ mode: "auto", stopAt: "2h" }] } },
    { input: { stopAt: null }, methods: { "clock.stopAt": [null] } },
    { input: { now: "2026-03-02T10:00:00Z" }, methods: { "clock.set": [{ now: Date.UTC(2026, 2, 2, 10) }] } },
    { input: { now: "2026-03-02T08:00:00Z" }, methods: { "clock.set": [{ now: "2026-03-02T08:00:00Z" }] }, refused: true },
    { input: { now: "noon" }, methods: { "clock.set": [{ now: "noon" }] }, refused: true },
    { input: { speed: 0 }, methods: { "clock.set": [{ speed: 0 }] }, refused: true },
    { input: { mode: "slow" }, methods: { "clock.set": [{ mode: "slow" }] }, refused: true },
    { input: { mdoe: "real" }, methods: { "clock.set": [{ mdoe: "real" }] }, refused: true },
  ],
  "clock.advance": [
    { given: aDocument, input: { by: "3d" }, methods: { "clock.advance": ["3d"] }, same: kinds },
    { input: { by: 1500 }, methods: { "clock.advance": [1500] } },
    { input: { by: "1h" }, methods: { "clock.advance": [{ by: "1h" }] } },
    { input: { to: "2026-03-05T00:00:00Z" }, methods: { "clock.advance": [{ to: "2026-03-05T00:00:00Z" }] } },
    { input: { to: Date.UTC(2026, 2, 5) }, methods: { "clock.advance": [{ to: Date.UTC(2026, 2, 5) }] } },
    { given: aDocument, input: { until: "next" }, methods: { "clock.advance": [{ until: "next" }] }, same: kinds },
    { input: { by: "soon" }, methods: { "clock.advance": ["soon"] }, refused: true },
    { input: { by: -1 }, methods: { "clock.advance": [-1] }, refused: true },
    { input: { by: 0.5 }, methods: { "clock.advance": [0.5] }, refused: true },
    { input: { to: "soon" }, methods: { "clock.advance": [{ to: "soon" }] }, refused: true },
    { input: { to: "2026-03-01T00:00:00Z" }, methods: { "clock.advance": [{ to: "2026-03-01T00:00:00Z" }] }, refused: true },
    { input: { until: "later" }, methods: { "clock.advance": [{ until: "later" }] }, refused: true },
    { input: {}, methods: { "clock.advance": [{}] }, refused: true },
    { input: { by: "1d", until: "idle" }, methods: { "clock.advance": [{ by: "1d", until: "idle" }] }, refused: true },
  ],
  "clock.sleep": [
    { input: { by: "0s", alone: true } },
    { input: { by: "soon" }, refused: true },
    { input: { by: -1 }, refused: true },
  ],
  "webhooks.deliveries": [
    { given: aDelivery, input: {}, methods: { "webhooks.deliveries": [] }, same: ids },
    ...Object.entries({
      event: "document_state_changed",
      document_id: "$document",
      subscription: "$subscription",
      status: "document.draft",
      state: "delivered",
      limit: 1,
    }).flatMap(([name, value]): Case[] => [
      { given: aDelivery, input: { [name]: value }, methods: { "webhooks.deliveries": [{ [name]: value }] }, same: ids },
    ]),
    {
      given: aDelivery,
      input: { status: "document.sent" },
      methods: { "webhooks.deliveries": [{ status: "document.sent" }] },
      same: ids,
    },
    { input: { event: "document_changed" }, methods: { "webhooks.deliveries": [{ event: "document_changed" }] }, refused: true },
    { input: { status: "sent" }, methods: { "webhooks.deliveries": [{ status: "sent" }] }, refused: true },
    { input: { documnt_id: "x" }, methods: { "webhooks.deliveries": [{ documnt_id: "x" }] }, refused: true },
  ],
  "webhooks.trigger": [
    ...Object.entries({
      "the newest fitting document": {},
      "one document": { document_id: "$document" },
      data: { data: { id: "x", name: "Mine" } },
      "one subscription": { subscription: "$subscription" },
    }).map(
      ([_, options]): Case => ({
        given: aSubscriptionToAll,
        input: { event: "document_updated", ...options },
        methods: { "webhooks.trigger": ["document_updated", options] },
        same: ids,
      }),
    ),
    {
      given: aSubscriptionToAll,
      input: { event: "document_completed" },
      methods: { "webhooks.trigger": ["document_completed"] },
      same: ids,
    },
    ...[{ document_id: "none" }, { subscription: "none" }, { documnt_id: "x" }].map(
      (options): Case => ({
        given: aSubscriptionToAll,
        input: { event: "document_updated", ...options },
        methods: { "webhooks.trigger": ["document_updated", options] },
        refused: true,
      }),
    ),
    {
      given: aDocument,
      input: { event: "document_updated" },
      methods: { "webhooks.trigger": ["document_updated"] },
      refused: true,
    },
    { input: { event: "document_update" }, refused: true },
  ],
  "webhooks.redeliver": [
    { given: aDelivery, input: { id: "$delivery" }, methods: { "webhooks.redeliver": ["$delivery"] } },
    { given: aDelivery, input: { id: "none" }, methods: { "webhooks.redeliver": ["none"] }, refused: true },
    {
      given: aDeliveryWithoutSubscription,
      input: { id: "$delivery" },
      methods: { "webhooks.redeliver": ["$delivery"] },
      refused: true,
    },
  ],
  "webhooks.probeSignatures": [
    { input: {}, methods: { "webhooks.probeSignatures": [] }, same: (answer) => answer.findings ?? answer },
  ],
  lint: [{ given: aMistake, input: {}, methods: { lint: [] }, same: (answer) => answer.findings ?? answer }],
  coverage: [{ given: aDocument, input: {} }],
  "rules.list": [{ given: aRule, input: {}, methods: { "rules.pending": [], "webhooks.rules.pending": [] } }],
  "rules.add": [
    { input: { rule: BUSY }, methods: { "rules.add": [BUSY] } },
    {
      input: { rule: { ...BUSY, when: { operation: "sendDoc" } } },
      methods: { "rules.add": [{ ...BUSY, when: { operation: "sendDoc" } }] },
      refused: true,
    },
    { input: { rule: { name: "busy" } }, methods: { "rules.add": [{ name: "busy" }] }, refused: true },
  ],
  "rules.show": [
    { given: aRule, input: { id: "busy" } },
    { given: aRule, input: { id: "bus" }, refused: true },
  ],
  "rules.put": [{ given: aRule, input: { id: "busy", rule: { ...BUSY, then: { error: "conflict" } } } }],
  "rules.replace": [
    { given: aRule, input: { rules: [] } },
    { given: aRule, input: { rules: { rules: [BUSY] } } },
  ],
  "rules.remove": [{ given: aRule, input: { id: "busy" }, methods: { "rules.remove": ["busy"] } }],
  "rules.clear": [{ given: aRule, input: {}, methods: { "rules.clear": [] } }],
  "webhooks.rules.add": [
    { input: { rule: LATE }, methods: { "webhooks.rules.add": [LATE] } },
    { input: { rule: { name: "late" } }, methods: { "webhooks.rules.add": [{ name: "late" }] }, refused: true },
  ],
  "webhooks.rules.remove": [{ given: aRule, input: { name: "late" }, methods: { "webhooks.rules.remove": ["late"] } }],
  "webhooks.rules.clear": [{ given: aRule, input: {}, methods: { "webhooks.rules.clear": [] } }],
  "faults.next": [
    ...(
      [
        ["sendDocument", "throttled", { retryAfter: "2s", times: 2 }],
        ["document_updated", "webhook_late", { delay: "2h" }],
        ["Client", "recipient_declines", { reason: "too dear", delay: "2h" }],
      ] as const
    ).map(
      ([on, fault, options]): Case => ({
        input: { on, fault, ...options },
        methods: { "faults.next": [on, fault, options] },
      }),
    ),
    { input: { on: "createDocument", fault: "reset_after" }, methods: { "faults.lostAnswer": ["createDocument"] } },
    ...(
      [
        ["sendDoc", "throttled", {}],
        ["sendDocument", "throttled", { delay: "2s" }],
        ["sendDocument", "throttled", { status: "document.sent" }],
        ["document_updated", "webhook_reordered", {}],
        ["sendDocument", "patched", {}],
      ] as const
    ).map(
      ([on, fault, options]): Case => ({
        input: { on, fault, ...options },
        methods: { "faults.next": [on, fault, options] },
        refused: true,
      }),
    ),
    { input: { on: "sendDocument", fault: "throtled" }, refused: true },
  ],
  "faults.list": [{ given: aFault, input: {}, methods: { "faults.pending": [] }, same: (answer) => answer.pending ?? answer }],
  "faults.clear": [{ given: aFault, input: {}, methods: { "faults.clear": [] } }],
  "journal.list": [
    {
      given: aDocument,
      input: {},
      methods: { "journal.all": [] },
      same: (answer) => callIds(answer.requests?.toReversed() ?? answer),
    },
    { given: aDocument, input: { limit: 1 } },
  ],
  "journal.show": [{ input: { id: "none" }, refused: true }],
  "journal.find": [
    {
      given: aDocument,
      input: { match: CREATE },
      methods: { "journal.find": [CREATE] },
      same: (answer) => (answer.requests ?? answer).length,
    },
    {
      input: { match: { operation: "createDoc" } },
      methods: { "journal.find": [{ operation: "createDoc" }] },
      refused: true,
    },
    { input: { match: { operation: "x" } }, methods: { "journal.find": [{ operation: "x" }] }, refused: true },
    { input: { match: { method: 5 } }, methods: { "journal.find": [{ method: 5 }] }, refused: true },
  ],
  "journal.count": [
    {
      given: aDocument,
      input: { match: CREATE },
      methods: { "journal.count": [CREATE] },
      same: (answer) => answer.count ?? answer,
    },
    {
      input: { match: { operation: "createDoc" } },
      methods: { "journal.count": [{ operation: "createDoc" }] },
      refused: true,
    },
  ],
  "journal.nearest": [
    {
      given: aDocument,
      input: { match: { operation: "createDocument", method: "PUT" } },
      methods: { "journal.nearest": [{ operation: "createDocument", method: "PUT" }] },
      same: (answer) => (answer.nearest?.[0] ?? answer).differences,
    },
    {
      input: { match: { operation: "createDoc" } },
      methods: { "journal.nearest": [{ operation: "createDoc" }] },
      refused: true,
    },
  ],
  "journal.unmatched": [{ input: {} }],
  "journal.nearMisses": [{ input: {} }],
  "journal.remove": [{ given: aDocument, input: { match: CREATE } }],
  "journal.clear": [{ given: aDocument, input: {}, methods: { "journal.clear": [] } }],
  "journal.verify": [
    { given: aDocument, input: { match: CREATE, times: 1 } },
    { given: aDocument, input: { match: { operation: "createDoc" }, times: 0 }, refused: true },
    { input: { match: CREATE }, refused: true },
  ],
  "scenarios.list": [
    {
      given: aScenario,
      input: {},
      methods: { "scenarios.names": [] },
      same: (answer) => answer.scenarios?.map((one: { name: string }) => one.name) ?? answer,
    },
  ],
  "scenarios.load": [
    {
      // A text has the file "scenario", and a value has its name.
      input: { scenario: "version: 1\nname: scenario\n" },
      methods: { "scenarios.load": [{ version: 1, name: "scenario" }] },
      same: (answer) => answer.name,
    },
    { input: { scenario: "version: 1\nruls: []\n" }, refused: true },
    { input: { scenario: "" }, refused: true },
  ],
  "stories.list": [{ input: {} }],
  "stories.load": [{ input: { name: "declined" } }, { input: { name: "declind" }, refused: true }],
  "scenarios.show": [
    { given: aScenario, input: { name: "mine" } },
    { input: { name: "mine" }, refused: true },
  ],
  "scenarios.verify": [
    { given: aScenario, input: { name: "mine" }, methods: { "scenarios.verify": [], verify: [] } },
    { input: { name: "mine" }, refused: true },
  ],
  "scenarios.restart": [{ given: aScenario, input: {} }],
  "scenarios.unload": [
    { given: aScenario, input: { name: "mine" }, methods: { "scenarios.unload": ["mine"] } },
    { input: { name: "mine" }, refused: true },
  ],
  "snapshots.list": [{ given: aSnapshot, input: {} }],
  "snapshots.take": [
    { given: aDocument, input: { name: "one" } },
    { input: { name: "a b" }, refused: true },
  ],
  "snapshots.restore": [
    { given: aSnapshot, input: { name: "one" } },
    { input: { name: "one" }, refused: true },
  ],
  "snapshots.delete": [{ given: aSnapshot, input: { name: "one" } }],
  "assumptions.list": [{ input: {} }],
  "assumptions.set": [
    { input: { assume: { "delete.second": 404 } } },
    { input: { assume: { "delete.secnd": 404 } }, refused: true },
  ],
  simulate: [
    { given: aSent, input: { id: "$document", act: "view", with: {} }, ...simulated("$document", "view", {}) },
    {
      given: aSent,
      input: { id: "$document", act: "sign", with: { recipient: "Client", fields: { Company: "Northpeak" } } },
      ...simulated("$document", "sign", { recipient: "Client", fields: { Company: "Northpeak" } }),
    },
    { given: aSent, input: { id: "$document", act: "vew" }, refused: true },
    { given: aSent, input: { id: "$document", act: "view", with: { recipint: "x" } }, refused: true },
    {
      given: aSent,
      input: { id: "$document", act: "view", with: { recipient: "Nobody" } },
      ...simulated("$document", "view", { recipient: "Nobody" }),
      refused: true,
    },
    { given: aDocument, input: { id: "$document", act: "sign" }, ...simulated("$document", "sign"), refused: true },
    { input: { id: "none", act: "sign" }, ...simulated("none", "sign"), refused: true },
    {
      given: aSent,
      input: { id: "$document", act: "lock", with: { expires_in: "10m" } },
      methods: { "faults.locked": ["$document", { for: "10m" }] },
    },
    { given: aLock, input: { id: "$document", act: "unlock" }, methods: { "faults.unlock": ["$document"] } },
  ],
  "transitions.set": [
    { input: { model: "document.processing", progression: "polls", times: 2 } },
    { input: { model: "document.processing", progression: "polls" }, refused: true },
    { input: { model: "document.procesing", progression: "manual" }, refused: true },
  ],
  // An accepted stream never ends.
  events: [{ input: { view: "lgo" }, refused: true }],
  har: [
    {
      given: aSent,
      input: { document: "$document" },
      methods: { har: [{ document: "$document" }] },
      same: (answer) => answer.log.entries.map((one: { _operation: string }) => one._operation),
    },
    { given: aSent, input: {}, methods: { har: [] }, same: (answer) => answer.log.entries.length },
    { input: { document: "none" }, methods: { har: [{ document: "none" }] }, refused: true },
    { input: { documnt: "x" }, methods: { har: [{ documnt: "x" }] }, refused: true },
    { input: { tenant: "test-none" }, refused: true },
  ],
  "world.save": [{ given: aDocument, input: {}, methods: { "world.save": [] } }],
  "world.load": [{ input: { world: "{}" }, methods: { "world.load": ["{}"] }, refused: true }],
  "conversions.simulate": [
    { given: aTemplateThatWaits, input: { id: "$template", act: "process" } },
    { given: aTemplateThatWaits, input: { id: "$template", act: "fail", detail: "locked" } },
    { given: aTemplateThatWaits, input: { id: "$template", act: "fail", detial: "locked" }, refused: true },
    { input: { id: "none", act: "process" }, refused: true },
    { input: { id: "none", act: "burn" }, refused: true },
  ],
  "documents.create": [
    { input: {}, methods: { "documents.create": [] }, same: (answer) => answer.id },
    {
      input: { template: "One signer", status: "document.sent", recipients: [CLIENT], metadata: { order: "7" } },
      methods: {
        "documents.create": [{ template: "One signer", status: "document.sent", recipients: [CLIENT], metadata: { order: "7" } }],
      },
      same: (answer) => [answer.id, answer.status],
    },
    { input: { status: "sent" }, methods: { "documents.create": [{ status: "sent" }] }, refused: true },
    { input: { template: "None" }, methods: { "documents.create": [{ template: "None" }] }, refused: true },
    { input: { fields: { Compny: "x" } }, methods: { "documents.create": [{ fields: { Compny: "x" } }] }, refused: true },
    { input: { nmae: "x" }, methods: { "documents.create": [{ nmae: "x" }] }, refused: true },
    {
      input: { recipients: [{ ...CLIENT, frist_name: "Ivo" }] },
      methods: { "documents.create": [{ recipients: [{ ...CLIENT, frist_name: "Ivo" }] }] },
      refused: true,
    },
  ],
  "documents.link": [
    {
      given: aSent,
      input: { id: "$document", recipient: "Client" },
      methods: { "documents.link": ["$document", "Client"] },
      same: (answer) => (typeof answer === "string" ? answer : answer.link),
    },
    {
      given: aSent,
      input: { id: "$document", recipient: "Nobody" },
      methods: { "documents.link": ["$document", "Nobody"] },
      refused: true,
    },
    { input: { id: "none", recipient: "Client" }, methods: { "documents.link": ["none", "Client"] }, refused: true },
  ],
  "documents.list": [
    {
      given: aSent,
      input: {},
      methods: { "documents.all": [] },
      same: (answer) => (answer.documents ?? answer).map((one: { id: string }) => one.id),
    },
    { given: aSent, input: { q: "agreement", status: "document.sent" } },
    { given: aSent, input: { status: "sent" } },
    { input: { status: "snet" }, refused: true },
    { input: { name: "x" }, refused: true },
  ],
  "documents.show": [
    { given: aSent, input: { id: "$document" }, methods: { "documents.get": ["$document"] }, same: (answer) => answer.status },
    { input: { id: "none" }, refused: true },
  ],
  "documents.timeline": [
    { given: aMail, input: { id: "$document" } },
    { given: aDelivery, input: { id: "$document" } },
    { input: { id: "none" }, refused: true },
  ],
  "documents.pdf": [
    { given: aSent, input: { id: "$document" } },
    { input: { id: "none" }, refused: true },
  ],
  "forms.submit": [
    { input: { id: FORM, act: "submit", email: "pat@client.example" } },
    { input: { id: FORM, act: "submit" }, refused: true },
    { input: { id: FORM, act: "send", email: "pat@client.example" }, refused: true },
    { input: { id: "none", act: "submit", email: "pat@client.example" }, refused: true },
  ],
  "notary.simulate": [
    { input: { id: "none", act: "acept" }, refused: true },
    { input: { id: "none", act: "complete" }, refused: true },
    { input: { id: "none", act: "complete", recordng: false }, refused: true },
  ],
  "notary.file": [{ input: { token: "none" }, refused: true }],
  "oauth.createCode": [
    { input: { client_id: "docdouble-client" } },
    { input: { client_id: "none" }, refused: true },
    { input: { client_id: "docdouble-client", scpoe: "read" }, refused: true },
  ],
  "saved.scenario": [
    { given: aSent, input: { document: "$document" } },
    { input: { document: "none" }, refused: true },
    { input: { tenant: "test-none" }, refused: true },
  ],
  "documents.edit": [
    { given: aSent, input: { id: "$document", name: "Other", metadata: { order: "43" }, tags: ["urgent"] } },
    { given: aSent, input: { id: "$document", tokens: { "Client.Company": "Northpeak" } } },
    { given: aSent, input: { id: "$document", tokens: { "Client.Compny": "Northpeak" } }, refused: true },
    { given: aSent, input: { id: "$document", fields: { Nothing: "text" } }, refused: true },
    { given: aSent, input: { id: "$document", status: "document.draft" }, refused: true },
    { input: { id: "none", name: "Other" }, refused: true },
  ],
  "steps.take": [
    { given: aSent, input: { id: "$document", trigger: "view" } },
    { given: aSent, input: { id: "$document", trigger: "revret" }, refused: true },
    { given: aSent, input: { id: "$document", trigger: "send" }, refused: true },
    { given: aSent, input: { id: "$document", trigger: "view", recipient: "Client" }, refused: true },
    { input: { id: "none", trigger: "view" }, refused: true },
  ],
  "tenants.list": [{ input: {} }],
  "tenants.create": [{ input: { id: "test-one" } }, { input: { id: "one" }, refused: true }],
  "tenants.delete": [
    { given: aTenant, input: { id: "test-one" } },
    { input: { id: "default" }, refused: true },
  ],
  "emails.list": [
    { given: aMail, input: {}, methods: { "emails.all": [] }, same: mailIds },
    ...Object.entries({
      to: "ivo.marek@client.example",
      kind: "sent",
      document_id: "$document",
      channel: "email",
      q: "agreement",
    }).map(
      ([name, value]): Case => ({
        given: aMail,
        input: { [name]: value },
        methods: { "emails.find": [{ [name]: value }] },
        same: mailIds,
      }),
    ),
    { input: { kind: "invitation" }, methods: { "emails.find": [{ kind: "invitation" }] }, refused: true },
    { input: { adress: "x" }, methods: { "emails.find": [{ adress: "x" }] }, refused: true },
  ],
  "emails.await": [
    { given: aMail, input: { match: { kind: "sent" }, timeoutMs: 0 } },
    { input: { timeoutMs: 0 }, refused: true },
  ],
  "emails.show": [{ input: { id: "none" }, refused: true }],
  "emails.clear": [
    { given: aMail, input: {}, methods: { "emails.clear": [] } },
    { given: aMail, input: { kind: "reminder" } },
  ],
};
