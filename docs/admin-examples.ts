/**
 * One example for each admin operation, run by test/docs.test.ts in this order and shown in docs/admin-api.md. `$name` stands
 * for an id: a variable of the shell.
 */
export interface AdminExample {
  does: string;
  /** The path after the method where it is more than the route: with its parameters filled, or with a query. */
  path?: string;
  body?: unknown;
  /** A body that is no JSON. */
  text?: string;
  status: number;
}

const slowSigner =
  "version: 1\nname: slow-signer\nactors:\n  - name: pat\n    on: document.sent\n    steps:\n      - { after: 2h, do: sign }\n";

export const ADMIN_EXAMPLES: Readonly<Record<string, AdminExample>> = {
  health: { does: "Whether the server lives, and what it can do. The path that container checks know.", status: 200 },
  adminHealth: { does: "The same beside the other admin paths.", status: 200 },
  adminReady: { does: "200 once fixtures and scenarios are loaded.", status: 200 },
  adminVersion: { does: "The version.", status: 200 },
  adminInspector: {
    does: "The inspector: documents, clock, journal, deliveries, mails, rules, scenarios and tenants as pages that refresh themselves. `view`, `id`, `q`, `is` (a kind that the list is narrowed to), `tenant`. Where an admin token is set, a browser asks for it as a password.",
    path: "/__admin/?view=documents&id=$document",
    status: 200,
  },
  adminListDocuments: {
    does: "The documents of every workspace with status, and whose turn it is. `q` (name or id), `status`.",
    path: "/__admin/documents?status=sent",
    status: 200,
  },
  adminDocument: {
    does: "One document: the way it came, the transitions and acts that may come next, recipients and whose turn it is, what is due, and the `notes` of manual changes with name, type and size of their files.",
    path: "/__admin/documents/$document",
    status: 200,
  },
  notaryFile: {
    does: "A signed file or the recording of a completed notarization, by the link that `notarizationRequestDetails` gives for an hour. It takes no key.",
    path: "/notary/files/$recording",
    status: 200,
  },
  adminSimulateNotary: {
    does: "The invitees and the notary act: `join`, `accept`, `go_live`, `complete` (`recording: false` where the session was not recorded), `incomplete` (`reason`, `details`), `cancel`.",
    path: "/__admin/notary/$notarization/simulate/accept",
    status: 200,
  },
  adminClock: { does: "Where the clock stands, how it goes, and what is due next.", status: 200 },
  adminSetClock: {
    does: "Freezes the clock, lets it go on (`real`, with a `speed`), or sets it to a later instant.",
    body: { mode: "frozen" },
    status: 200,
  },
  adminAdvanceClock: {
    does: "Moves `by` a duration, `to` an instant, or `until` `next` or `idle`. Runs all that falls due, in order, waits for the webhooks that it caused, and tells what fired.",
    body: { by: "3d" },
    status: 200,
  },
  adminListRequests: {
    does: "The journal, newest first, in WireMock's shape, with `operationId`, the rule that hit and the `why` of a refusal. `since`, `limit`, `unmatched`.",
    path: "/__admin/requests?limit=5",
    status: 200,
  },
  adminRequest: { does: "One request.", path: "/__admin/requests/$request", status: 200 },
  adminCountRequests: {
    does: "How many match.",
    body: { method: "POST", urlPathPattern: "/public/v1/documents/.*/send" },
    status: 200,
  },
  adminFindRequests: {
    does: "Those that match. Of a multipart body the journal keeps its fields and of each file the name, type, size and SHA-256 (`parts`; by name in `body`): match it by `multipartPatterns`, or by paths such as `$.data.name` and `$.file.filename`.",
    body: { method: "GET", urlPath: "/public/v1/documents" },
    status: 200,
  },
  adminUnmatchedRequests: { does: "Requests that no operation took.", status: 200 },
  adminNearMisses: { does: "For each unmatched request the operations that come nearest.", status: 200 },
  adminVerifyRequests: {
    does: "200 when the journal is as expected, else 422 with the nearest requests and the difference. Waits up to `timeoutMs`.",
    body: { match: { method: "POST", urlPath: "/public/v1/documents" }, atLeast: 1, timeoutMs: 0 },
    status: 200,
  },
  adminRemoveRequests: { does: "Forgets those that match.", body: { urlPathPattern: "/public/v1/templates.*" }, status: 200 },
  adminDeleteRequests: { does: "Forgets all.", status: 200 },
  adminAddRule: {
    does: "Adds a rule, tried before those of scenario files. See docs/scenarios.md for its members.",
    body: { name: "busy", when: { operation: "sendDocument" }, then: { error: "throttled", retry_after: "2s", times: 1 } },
    status: 201,
  },
  adminListRules: {
    does: "All rules in the order in which they are tried, with hits, and those that have not hit yet.",
    status: 200,
  },
  adminRule: { does: "One rule, by id or name.", path: "/__admin/rules/busy", status: 200 },
  adminPutRule: {
    does: "Replaces one rule.",
    path: "/__admin/rules/busy",
    body: { name: "busy", when: { operation: "sendDocument" }, then: { error: "locked" } },
    status: 200,
  },
  adminReplaceRules: {
    does: "Replaces all rules that were added at run time.",
    body: { rules: [{ name: "slow", when: { operation: "listDocuments" }, then: { delay: "1ms" } }] },
    status: 200,
  },
  adminDeleteRule: { does: "Takes one rule away.", path: "/__admin/rules/slow", status: 204 },
  adminClearRules: { does: "Takes all run-time rules away.", status: 200 },
  adminLoadScenario: { does: "Loads a scenario, YAML or JSON.", text: slowSigner, status: 201 },
  adminListScenarios: { does: "The loaded scenarios.", status: 200 },
  adminScenario: { does: "One scenario and how far it is.", path: "/__admin/scenarios/slow-signer", status: 200 },
  adminVerifyScenario: {
    does: "Whether what its `expect` says came true: 200, or 422 with what is missing.",
    path: "/__admin/scenarios/slow-signer/verify",
    status: 200,
  },
  adminResetScenarios: { does: "Back to the counts of the start, in all scenarios.", status: 200 },
  adminEvents: {
    does: "What happens in the tenant as it happens, as server-sent events: `exchange`, `delivery` (each attempt) and `clock`. Try it with `curl -N`.",
    status: 200,
  },
  adminDeleteScenario: {
    does: "Takes a scenario with its rules and actors away.",
    path: "/__admin/scenarios/slow-signer",
    status: 204,
  },
  adminSimulate: {
    does: 'A counterparty acts: `view`, `fill`, `sign`, `decline`, `approve`, `reject`, `pay`, `expire`, `review`, `schedule`, `lock`, `unlock`, `fail`. `recipient` is an id, e-mail or role, also of a group\'s member; without it, whose turn it is. `schedule` takes `at`, an instant or a duration from now, and the clock sends the document then: `{"at": "2h"}`. A `collect_file` field takes the name of a file. An act refuses what it does not take. `fill` and `sign` take `fields` by name, and what is chosen of optional rows and quantities: `pricing: {"Toy": {"selected": true, "qty": 3}}`.',
    path: "/__admin/documents/$document/simulate/sign",
    body: { recipient: "ivo.marek@client.example" },
    status: 200,
  },
  adminSimulateForm: {
    does: "Somebody fills a form in (`submit`), and it becomes a document that they have signed: `fields` by name, required ones that are left out get a value. It is listed under `form_id`; other signers of its template go on from there.",
    path: "/__admin/forms/f0000000-0000-4000-8000-000000000001/simulate/submit",
    body: { email: "pat@client.example", first_name: "Pat", last_name: "Lee" },
    status: 200,
  },
  adminSimulateConversion: {
    does: "Ends the processing of a template, a content library item or a section upload that goes on by hand: `process`, or `fail` (`detail`).",
    path: "/__admin/conversions/$template/simulate/process",
    status: 202,
  },
  adminSetTransition: {
    does: "How an asynchronous step goes on: `immediate`, after `time` (`seconds`), after `polls` (`times`), `manual`, or `fail`.",
    body: { model: "document.processing", progression: "polls", times: 2 },
    status: 200,
  },
  adminAssumptions: {
    does: "The assumptions of docdouble, each with the reading that this tenant has. `assume` lists the readings that differ from the default.",
    status: 200,
  },
  adminSetAssumptions: {
    does: "Sets readings by id, and optionally a `profile`. It replaces earlier changes at run time; an empty map restores the readings of the start, as a reset does.",
    body: { "delete.second": 404 },
    status: 200,
  },
  adminListDeliveries: {
    does: "Every webhook delivery with its attempts. `event`, `document_id`, `subscription`, `state`.",
    path: "/__admin/webhooks/deliveries?state=delivered",
    status: 200,
  },
  adminRedeliver: { does: "Sends one delivery again.", path: "/__admin/webhooks/deliveries/$delivery/redeliver", status: 202 },
  adminTriggerWebhook: {
    does: "Sends an event by hand to those who subscribed to it.",
    body: { event: "document_completed", document_id: "$document" },
    status: 202,
  },
  adminListEmails: { does: "What would have been mailed or texted, with its signing links.", status: 200 },
  adminInbox: { does: "The messages as a page to read in a browser.", status: 200 },
  adminAwaitEmail: {
    does: "Waits until so many messages match.",
    body: { match: { to: "ivo.marek@client.example" }, times: 1, timeoutMs: 0 },
    status: 200,
  },
  adminEmail: { does: "One message.", path: "/__admin/emails/$email", status: 200 },
  adminDeleteEmails: { does: "Forgets all messages.", status: 200 },
  adminTakeSnapshot: { does: "Keeps state, pending jobs and clock under a name.", body: { name: "signed" }, status: 201 },
  adminListSnapshots: { does: "The snapshots.", status: 200 },
  adminRestoreSnapshot: { does: "Back to a snapshot.", path: "/__admin/snapshots/signed/restore", status: 200 },
  adminDeleteSnapshot: { does: "Drops a snapshot.", path: "/__admin/snapshots/signed", status: 204 },
  adminContract: { does: "Requests that broke the contract: unknown members, deprecated parameters.", status: 200 },
  adminCoverage: { does: "Which operations this run has answered.", status: 200 },
  adminCreateTenant: {
    does: "A tenant of its own: use its `api_key`. Any key `test-…` does the same on first use. With `keep: true` it is not given back when nobody calls it.",
    body: { id: "test-invoices" },
    status: 201,
  },
  adminListTenants: { does: "The tenants, and those that were given back for idleness, each with why.", status: 200 },
  adminDeleteTenant: { does: "Drops a tenant.", path: "/__admin/tenants/test-invoices", status: 204 },
  adminCreateOAuthCode: {
    does: "An authorization code, without the page.",
    body: { client_id: "docdouble-client" },
    status: 201,
  },
  adminResetPart: {
    does: "Back to the seed, one part: `state`, `journal`, `rules`, `clock`, `webhooks`, `emails`.",
    path: "/__admin/reset/journal",
    status: 200,
  },
  adminReset: { does: "Back to the seed, all of it: state, clock, journal, rules, queues, webhook registry.", status: 200 },
};
