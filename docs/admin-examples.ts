/**
 * One example for each admin operation. docs/admin-api.md shows them, and test/docs.test.ts runs them in this order. `$name` is a
 * shell variable that holds an id.
 */
export interface AdminExample {
  does: string;
  /** The path with parameters and query, where it differs from the route. */
  path?: string;
  body?: unknown;
  /** A body that is not JSON. */
  text?: string;
  status: number;
}

const slowSigner =
  "version: 1\nname: slow-signer\nactors:\n  - name: pat\n    on: document.sent\n    steps:\n      - { after: 2h, do: sign }\n";

export const ADMIN_EXAMPLES: Readonly<Record<string, AdminExample>> = {
  health: {
    does: "Reports whether the server is healthy, and its features. Container health checks call this path.",
    status: 200,
  },
  adminHealth: { does: "Answers the same as `/health`.", status: 200 },
  adminReady: { does: "Answers 200 once fixtures and scenarios are loaded.", status: 200 },
  adminVersion: { does: "Answers the version of docdouble.", status: 200 },
  adminInspector: {
    does: "Opens the inspector: pages for documents, clock, journal, deliveries, mails, rules, scenarios and tenants, which refresh themselves. Query: `view`, `id`, `q`, `is` (the kind to list), `from` (the first row), `open` (the rows to open), `tenant`. With an admin token, the browser asks for it as a password.",
    path: "/__admin/?view=documents&id=$document",
    status: 200,
  },
  adminListDocuments: {
    does: "Lists the documents of every workspace, with status and whose turn it is. Query: `q` (name or id), `status`.",
    path: "/__admin/documents?status=sent",
    status: 200,
  },
  adminCreateDocument: {
    does: "Creates a document in any status, by the steps that the service allows. Members, all optional: `template` (id or name), `name`, `status`, `recipients`, `fields`, `tokens`, `metadata`, `tags`, `folder`, `sendAt`.",
    body: { template: "One signer", status: "document.sent" },
    status: 201,
  },
  adminDocument: {
    does: "Answers one document: its statuses so far, possible transitions and acts, recipients, whose turn it is, and pending jobs. `notes` lists manual changes, with name, type and size of their files.",
    path: "/__admin/documents/$document",
    status: 200,
  },
  adminDocumentTimeline: {
    does: "Answers what happened to a document, oldest first: calls, statuses, acts, mails, delivery attempts, and the jobs that are due. `request_id` names the call that caused an entry.",
    path: "/__admin/documents/$document/timeline",
    status: 200,
  },
  adminDocumentPdf: {
    does: "Answers the document's PDF as it is now. It counts as no poll.",
    path: "/__admin/documents/$document/pdf",
    status: 200,
  },
  adminStep: {
    does: "Moves a document to its next status. Steps of the sender are `send`, `request_approval`, `revert`, `complete_manually`, `void_manually`, `pay_manually` and `decline_manually`. Steps of a recipient are acts such as `view`, `complete` and `decline`.",
    path: "/__admin/documents/$document/step/view",
    status: 200,
  },
  notaryFile: {
    does: "Downloads a signed file or the recording of a completed notarization. `notarizationRequestDetails` answers the link, which works for an hour. It needs no key.",
    path: "/notary/files/$recording",
    status: 200,
  },
  adminSimulateNotary: {
    does: "Plays the invitees and the notary: `join`, `accept`, `go_live`, `complete` (`recording: false` for a session without recording), `incomplete` (`reason`, `details`), `cancel`.",
    path: "/__admin/notary/$notarization/simulate/accept",
    status: 200,
  },
  adminClock: { does: "Answers the clock's time, mode and speed, and the next job.", status: 200 },
  adminSetClock: {
    does: "Freezes the clock, runs it (`real`, with a `speed`), or sets it to a later time.",
    body: { mode: "frozen" },
    status: 200,
  },
  adminAdvanceClock: {
    does: "Advances the clock `by` a duration, `to` an instant, or `until` `next` or `idle`. It runs all due jobs in order, waits for their webhooks, and answers what ran.",
    body: { by: "3d" },
    status: 200,
  },
  adminListRequests: {
    does: "Lists the journal, newest first, in WireMock's shape. Each entry has its `operationId`, the rule that matched, and the `why` of a refusal. Query: `since`, `limit`, `unmatched`.",
    path: "/__admin/requests?limit=5",
    status: 200,
  },
  adminRequest: { does: "Answers one journal entry.", path: "/__admin/requests/$request", status: 200 },
  adminCountRequests: {
    does: "Counts the matching requests.",
    body: { method: "POST", urlPathPattern: "/public/v1/documents/.*/send" },
    status: 200,
  },
  adminFindRequests: {
    does: "Lists the matching requests. For a multipart body, the journal keeps the fields, and name, type, size and SHA-256 of each file (`parts`; by name in `body`). Match them with `multipartPatterns`, or with paths such as `$.data.name` and `$.file.filename`.",
    body: { method: "GET", urlPath: "/public/v1/documents" },
    status: 200,
  },
  adminUnmatchedRequests: { does: "Lists the requests that reached no operation.", status: 200 },
  adminNearMisses: { does: "Lists the most similar operations for each unmatched request.", status: 200 },
  adminVerifyRequests: {
    does: "Answers 200 when the journal meets the expectation. Otherwise answers 422 with the nearest requests and their differences. Waits up to `timeoutMs`.",
    body: { match: { method: "POST", urlPath: "/public/v1/documents" }, atLeast: 1, timeoutMs: 0 },
    status: 200,
  },
  adminRemoveRequests: {
    does: "Deletes the matching requests from the journal.",
    body: { urlPathPattern: "/public/v1/templates.*" },
    status: 200,
  },
  adminDeleteRequests: { does: "Deletes all requests from the journal.", status: 200 },
  adminAddRule: {
    does: "Adds a rule. docdouble tries it before the rules of scenario files. docs/scenarios.md describes its members.",
    body: { name: "busy", when: { operation: "sendDocument" }, then: { error: "throttled", retry_after: "2s", times: 1 } },
    status: 201,
  },
  adminListRules: {
    does: "Lists all rules in the order in which docdouble tries them, with their hits. It marks rules without hits.",
    status: 200,
  },
  adminRule: { does: "Answers one rule, by id or name.", path: "/__admin/rules/busy", status: 200 },
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
  adminDeleteRule: { does: "Deletes one rule.", path: "/__admin/rules/slow", status: 204 },
  adminAddWebhookRule: {
    does: "Adds a rule for deliveries, in the notation of a scenario's `webhooks`. It comes before all others, and replaces the rule of the same name that was added at run time.",
    body: { name: "receiver down", when: { event: "document_state_changed" }, then: { attempt_result: 500, times: 2 } },
    status: 201,
  },
  adminDeleteWebhookRule: {
    does: "Deletes a webhook rule that was added at run time.",
    path: "/__admin/webhooks/rules/receiver%20down",
    status: 204,
  },
  adminClearRules: { does: "Deletes all rules that were added at run time.", status: 200 },
  adminLoadScenario: { does: "Loads a scenario in YAML or JSON.", text: slowSigner, status: 201 },
  adminListStories: { does: "Lists the ready-made stories that come with docdouble.", status: 200 },
  adminLoadStory: {
    does: "Loads a ready-made story as a scenario. The clock stays as it is.",
    path: "/__admin/stories/declined",
    status: 201,
  },
  adminSaveScenario: {
    does: "Saves what happened as a scenario file that plays again with `docdouble run`. Query: `document` for the story of one document, `tenant`.",
    path: "/__admin/saved/scenario?document=$document",
    status: 200,
  },
  adminSaveTest: {
    does: "Saves what happened as a test that plays the same calls, acts and waits. Query: `runner` (`vitest`, `jest` or `node`), `document`, `tenant`.",
    path: "/__admin/saved/test?document=$document&runner=vitest",
    status: 200,
  },
  adminListScenarios: { does: "Lists the loaded scenarios.", status: 200 },
  adminScenario: { does: "Answers one scenario and its progress.", path: "/__admin/scenarios/slow-signer", status: 200 },
  adminVerifyScenario: {
    does: "Verifies the expectations of a scenario. Answers 200, or 422 with the failures.",
    path: "/__admin/scenarios/slow-signer/verify",
    status: 200,
  },
  adminResetScenarios: { does: "Resets the counters of all scenarios.", status: 200 },
  adminEvents: {
    does: "Streams what happens in the tenant as server-sent events: `exchange`, `delivery` (each attempt) and `clock`. With `?view=log` they are the lines of the console as JSON, one event `log` for everything that happens. Try it with `curl -N`.",
    status: 200,
  },
  adminDeleteScenario: {
    does: "Deletes a scenario with its rules and actors.",
    path: "/__admin/scenarios/slow-signer",
    status: 204,
  },
  adminSimulate: {
    does: 'Lets a recipient or approver act: `view`, `fill`, `sign`, `decline`, `approve`, `reject`, `pay`, `expire`, `review`, `schedule`, `lock`, `unlock`, `fail`. `recipient` is an id, email or role, also of a group member. By default the next recipient acts. `fill` and `sign` take `fields` by name, and `pricing` for optional rows and quantities: `{"Toy": {"selected": true, "qty": 3}}`. A `collect_file` field takes a file name. `schedule` takes `at`, an instant or a duration, and the clock sends the document then: `{"at": "2h"}`. An act refuses unknown inputs.',
    path: "/__admin/documents/$document/simulate/sign",
    body: { recipient: "ivo.marek@client.example" },
    status: 200,
  },
  adminSimulateForm: {
    does: "Submits a form for a person. The form becomes a document that this person has signed. `fields` sets values by name; docdouble fills missing required ones. The document is listed under `form_id`, and other signers of its template continue from there.",
    path: "/__admin/forms/f0000000-0000-4000-8000-000000000001/simulate/submit",
    body: { email: "pat@client.example", first_name: "Pat", last_name: "Lee" },
    status: 200,
  },
  adminSimulateConversion: {
    does: "Ends a processing that is set to `manual`: of a template, a content library item or a section upload. Use `process`, or `fail` (`detail`).",
    path: "/__admin/conversions/$template/simulate/process",
    status: 202,
  },
  adminSetTransition: {
    does: "Sets how an asynchronous step ends: `immediate`, after `time` (`seconds`), after `polls` (`times`), `manual`, or `fail`.",
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
    does: "Lists webhook deliveries with their attempts. Query: `event`, `document_id`, `subscription`, `state`.",
    path: "/__admin/webhooks/deliveries?state=delivered",
    status: 200,
  },
  adminRedeliver: { does: "Sends one delivery again.", path: "/__admin/webhooks/deliveries/$delivery/redeliver", status: 202 },
  adminTriggerWebhook: {
    does: "Sends an event to all its subscribers, about the newest document or `document_id`. Without any document it first creates one in a fitting status.",
    body: { event: "document_completed", document_id: "$document" },
    status: 202,
  },
  adminListEmails: { does: "Lists stored emails and text messages, with their signing links.", status: 200 },
  adminInbox: { does: "Shows the messages as a page for browsers.", status: 200 },
  adminAwaitEmail: {
    does: "Waits until a number of messages match.",
    body: { match: { to: "ivo.marek@client.example" }, times: 1, timeoutMs: 0 },
    status: 200,
  },
  adminEmail: { does: "Answers one message.", path: "/__admin/emails/$email", status: 200 },
  adminDeleteEmails: { does: "Deletes all messages.", status: 200 },
  adminTakeSnapshot: {
    does: "Stores state, pending jobs, clock and journal under a name.",
    body: { name: "signed" },
    status: 201,
  },
  adminListSnapshots: { does: "Lists the snapshots.", status: 200 },
  adminRestoreSnapshot: { does: "Restores a snapshot.", path: "/__admin/snapshots/signed/restore", status: 200 },
  adminDeleteSnapshot: { does: "Deletes a snapshot.", path: "/__admin/snapshots/signed", status: 204 },
  adminContract: {
    does: "Lists the findings of client lint: mistakes of the client that the service accepts. `docs/lint.md` explains each kind.",
    status: 200,
  },
  adminProbeSignatures: {
    does: "Sends each webhook receiver its latest delivery with a wrong signature and without one, and lists the receivers that accept them.",
    status: 200,
  },
  adminCoverage: { does: "Lists the operations that this server answered.", status: 200 },
  adminCreateTenant: {
    does: "Creates a tenant. Use its `api_key`. Any key `test-…` also creates a tenant on first use. docdouble never evicts a tenant with `keep: true`.",
    body: { id: "test-invoices" },
    status: 201,
  },
  adminListTenants: { does: "Lists the tenants, and the evicted ones with the reason.", status: 200 },
  adminDeleteTenant: { does: "Deletes a tenant.", path: "/__admin/tenants/test-invoices", status: 204 },
  adminCreateOAuthCode: {
    does: "Creates an authorization code without the consent page.",
    body: { client_id: "docdouble-client" },
    status: 201,
  },
  adminResetPart: {
    does: "Resets one part to its start: `state`, `journal`, `rules`, `clock`, `webhooks`, `emails`.",
    path: "/__admin/reset/journal",
    status: 200,
  },
  adminReset: {
    does: "Resets everything to its start: state, clock, journal, rules, queues, webhook subscriptions.",
    status: 200,
  },
};
