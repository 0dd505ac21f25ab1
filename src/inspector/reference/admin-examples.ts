/**
 * One example for each admin operation. docs/admin-api.md shows them, and test/system/docs/pages.test.ts runs them in this order. `$name` is a shell
 * variable with an id.
 */
import type { AdminOperation, Example } from "../../engine/core/verb.ts";

export interface AdminExample {
  does: string;
  path?: string;
  body?: unknown;
  text?: string;
  /** The shell variable with the name of a file, which is the body. */
  file?: string;
  status: number;
}

/** What an operation does, and the command that shows it. */
export function exampleOf({
  id,
  verb,
  responses,
}: Pick<AdminOperation<never>, "id" | "verb" | "responses">): AdminExample | undefined {
  if (!verb) return ADMIN_EXAMPLES[id];
  const own = verb.admin?.also?.find((one) => one.id === id);
  return {
    does: own?.does ?? verb.does,
    ...(EXAMPLES[id] ?? (own ? own.example : verb.admin?.example)),
    status: Number(Object.keys(responses)[0]),
  };
}

/** For verbs of the engine whose examples need something of PandaDoc. */
const EXAMPLES: Readonly<Record<string, Example>> = {
  adminSimulate: {
    path: "/__admin/documents/$document/simulate/sign",
    body: { recipient: "ivo.marek@client.example" },
  },
  adminSetTransition: { body: { model: "document.processing", progression: "polls", times: 2 } },
  adminAddRule: {
    body: { name: "busy", when: { operation: "sendDocument" }, then: { error: "throttled", retry_after: "2s", times: 1 } },
  },
  adminRule: { path: "/__admin/rules/busy" },
  adminPutRule: {
    path: "/__admin/rules/busy",
    body: { name: "busy", when: { operation: "sendDocument" }, then: { error: "locked" } },
  },
  adminReplaceRules: { body: { rules: [{ name: "slow", when: { operation: "listDocuments" }, then: { delay: "1ms" } }] } },
  adminDeleteRule: { path: "/__admin/rules/slow" },
  adminAddWebhookRule: {
    body: { name: "receiver down", when: { event: "document_state_changed" }, then: { attempt_result: 500, times: 2 } },
  },
  adminDeleteWebhookRule: { path: "/__admin/webhooks/rules/receiver%20down" },
  adminLoadScenario: {
    text: "version: 1\nname: slow-signer\nactors:\n  - name: pat\n    on: document.sent\n    steps:\n      - { after: 2h, do: sign }\n",
  },
  adminScenario: { path: "/__admin/scenarios/slow-signer" },
  adminVerifyScenario: { path: "/__admin/scenarios/slow-signer/verify" },
  adminDeleteScenario: { path: "/__admin/scenarios/slow-signer" },
  adminLoadStory: { path: "/__admin/stories/declined" },
  adminVerifyRequests: { body: { match: { method: "POST", urlPath: "/public/v1/documents" }, atLeast: 1, timeoutMs: 0 } },
  adminCountRequests: { body: { method: "POST", urlPathPattern: "/public/v1/documents/.*/send" } },
  adminFindRequests: { body: { method: "GET", urlPath: "/public/v1/documents" } },
  adminNearestRequests: { body: { method: "GET", urlPath: "/public/v1/documents" } },
  adminRemoveRequests: { body: { urlPathPattern: "/public/v1/templates.*" } },
};

const ADMIN_EXAMPLES: Readonly<Record<string, AdminExample>> = {
  adminInspector: {
    does: "Opens the inspector: pages for documents, clock, journal, deliveries, mails, rules, scenarios and tenants. The pages refresh automatically. Query: `view`, `id`, `q`, `is` (the kind to list), `from` (the first row), `open` (the rows to expand), `tenant`. If the server has an admin token, enter it as the password.",
    path: "/__admin/?view=documents&id=$document",
    status: 200,
  },
  adminListDocuments: {
    does: "Lists the documents of all workspaces, with their status and the person who acts next. Query: `q` (name or id), `status`.",
    path: "/__admin/documents?status=sent",
    status: 200,
  },
  adminCreateDocument: {
    does: "Creates a document in any status. docdouble takes only steps that the service allows. All members are optional: `template` (id or name), `name`, `status`, `recipients`, `fields`, `tokens`, `metadata`, `tags`, `folder`, `sendAt`.",
    body: { template: "One signer", status: "document.sent" },
    status: 201,
  },
  adminDocument: {
    does: "Returns one document: past statuses, possible transitions and acts, recipients, the person who acts next, and pending jobs. `notes` lists manual changes, with the name, type and size of each file.",
    path: "/__admin/documents/$document",
    status: 200,
  },
  adminDocumentTimeline: {
    does: "Returns the timeline of a document, oldest first: calls, statuses, acts, mails, delivery attempts, and pending jobs. `request_id` names the call that caused an entry.",
    path: "/__admin/documents/$document/timeline",
    status: 200,
  },
  adminDocumentPdf: {
    does: "Returns the current PDF of the document. An `auto` clock does not count this call as a poll.",
    path: "/__admin/documents/$document/pdf",
    status: 200,
  },
  adminStep: {
    does: "Moves a document to its next status. Steps of the sender are `send`, `request_approval`, `revert`, `complete_manually`, `void_manually`, `pay_manually` and `decline_manually`. Steps of a recipient are acts such as `view`, `complete` and `decline`.",
    path: "/__admin/documents/$document/step/view",
    status: 200,
  },
  notaryFile: {
    does: "Downloads a signed file or the recording of a completed notarization. `notarizationRequestDetails` returns the link. It works for an hour and needs no key.",
    path: "/notary/files/$recording",
    status: 200,
  },
  adminSimulateNotary: {
    does: "Plays the invitees and the notary: `join`, `accept`, `go_live`, `complete` (`recording: false` for a session without recording), `incomplete` (`reason`, `details`), `cancel`.",
    path: "/__admin/notary/$notarization/simulate/accept",
    status: 200,
  },
  adminSaveScenario: {
    does: "Saves everything that happened as a scenario file. Play it with `docdouble run`. Query: `document` (only this document), `tenant`.",
    path: "/__admin/saved/scenario?document=$document",
    status: 200,
  },
  adminSaveTest: {
    does: "Saves everything that happened as a test with the same calls, acts and waits. Query: `runner` (`vitest`, `jest` or `node`), `document`, `tenant`.",
    path: "/__admin/saved/test?document=$document&runner=vitest",
    status: 200,
  },
  adminSimulateForm: {
    does: "Submits a form for a person, and creates a document that this person has signed. `fields` sets values by name. docdouble fills missing required fields. Find the document with `form_id`. If the template has other signers, they sign next.",
    path: "/__admin/forms/f0000000-0000-4000-8000-000000000001/simulate/submit",
    body: { email: "pat@client.example", first_name: "Pat", last_name: "Lee" },
    status: 200,
  },
  adminSimulateConversion: {
    does: "Ends the processing of a template, content library item or section upload, after you set it to `manual`. Use `process`, or `fail` (`detail`).",
    path: "/__admin/conversions/$template/simulate/process",
    status: 202,
  },
  adminTriggerWebhook: {
    does: "Sends an event to all its subscribers, about the newest document or `document_id`. If there is no document, it first creates one in a suitable status.",
    body: { event: "document_completed", document_id: "$document" },
    status: 202,
  },
  adminInbox: { does: "Shows the messages in a browser.", status: 200 },
  adminCreateOAuthCode: {
    does: "Creates an authorization code without the consent page.",
    body: { client_id: "docdouble-client" },
    status: 201,
  },
};
