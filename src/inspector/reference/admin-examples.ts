/**
 * One example for each admin operation, for the printed list of the admin API. `$name` is a shell
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
  const example = EXAMPLES[id] ?? (own ? own.example : verb.admin?.example);
  return { does: own?.does ?? verb.does, ...example, status: example?.status ?? Number(Object.keys(responses)[0]) };
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
  adminVerifyRequests: { body: { match: { method: "POST", path: "/public/v1/documents" }, at_least: 1, timeout_ms: 0 } },
  adminCountRequests: { body: { operation: "sendDocument" } },
  adminFindRequests: { body: { method: "GET", path: "/public/v1/documents" } },
  adminNearestRequests: { body: { method: "GET", path: "/public/v1/documents" } },
  adminRemoveRequests: { body: { path: "/public/v1/templates**" } },
};

const ADMIN_EXAMPLES: Readonly<Record<string, AdminExample>> = {
  adminInspector: {
    does: "Opens the inspector: pages for documents, clock, journal, deliveries, mails, rules, scenarios and tenants. The pages refresh automatically. Query: `view`, `id`, `q`, `is` (the kind to list), `from` (the first row), `open` (the rows to expand), `tenant`. If the server has an admin token, enter it as the password.",
    path: "/__admin/?view=documents&id=$document",
    status: 200,
  },
};
