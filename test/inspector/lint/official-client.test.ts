/** Client lint over the official client: the correct story has no finding, and each mistake has its own finding. */
import * as pandadoc from "pandadoc-node-client";
import { expect, test } from "vitest";
import type { FindingKind, Inbox, Sandbox } from "../../../src/index.ts";
import { configurationOf, listeningSandbox } from "../../support/sdk.ts";
import { CLIENT, TEMPLATES } from "../../support/stories.ts";

/** The mistakes of a story. Without one, the client is careful. */
interface Mistakes {
  role?: string;
  token?: string;
  field?: string;
  /** Milliseconds between polls. */
  pause_ms?: number;
  skipsDraft?: boolean;
  ignoresRetryAfter?: boolean;
  /** The receiver accepts each delivery without a check of its signature. */
  trusts?: boolean;
}

async function story(mistakes: Mistakes): Promise<FindingKind[]> {
  const { role = "Client", token = "Client.Company", field = "Company", pause_ms = 2000 } = mistakes;
  const sandbox = await listeningSandbox({ assume: { "create.unknown_role": "cc", "send.unassigned_signatures": "allow" } });
  const inbox = await listening(sandbox, mistakes.trusts === true);
  const documents = new pandadoc.DocumentsApi(configurationOf(sandbox));
  const { id = "" } = await documents.createDocument({
    documentCreateRequest: {
      name: "Agreement",
      templateUuid: TEMPLATES.oneSigner,
      recipients: [{ email: CLIENT.email, firstName: CLIENT.first_name, lastName: CLIENT.last_name, role }],
      tokens: [{ name: token, value: "Quick Place" }],
      fields: { [field]: { value: "Quick Place" } },
    },
  });
  const until = async (status: string) => {
    for (let polls = 0; polls < 400; polls++) {
      if ((await documents.statusDocument({ id })).status === status) return;
      await sandbox.clock.advance(pause_ms);
    }
    throw new Error(`${status} was not reached`);
  };
  const send = () => documents.sendDocument({ id, documentSendRequest: { silent: true, message: "Please sign" } });
  if (mistakes.skipsDraft) await expect(send()).rejects.toMatchObject({ code: 409 });
  await until("document.draft");
  sandbox.faults.next("sendDocument", "throttled", { retryAfter: "5s" });
  await expect(send()).rejects.toMatchObject({ code: 429 });
  if (!mistakes.ignoresRetryAfter) await sandbox.clock.advance("5s");
  await send();
  if (role === "Client") sandbox.documents.simulate(id, "sign");
  await sandbox.clock.settle();
  await sandbox.webhooks.probeSignatures();
  expect(inbox.received.length).toBeGreaterThan(0);
  return [...new Set(sandbox.lint().map(({ kind }) => kind))];
}

function listening(sandbox: Sandbox, trusts: boolean): Promise<Inbox> {
  return sandbox.webhooks.receiver(trusts ? { handler: () => new Response(null, { status: 200 }) } : {});
}

test.each<[name: string, Mistakes, FindingKind[]]>([
  ["a careful client", {}, []],
  ["a misspelled role", { role: "Clientt" }, ["unknown_role", "nobody_can_sign"]],
  ["a misspelled token", { token: "Client.Compny" }, ["unknown_token"]],
  ["a misspelled field", { field: "Compny" }, ["unknown_document_field"]],
  ["polls every 50 ms", { pause_ms: 50 }, ["polling_too_fast"]],
  ["sends before the draft", { skipsDraft: true }, ["sent_before_draft"]],
  ["calls again before Retry-After is over", { ignoresRetryAfter: true }, ["retry_after_ignored"]],
  ["a receiver without a check of signatures", { trusts: true }, ["forged_webhook_accepted"]],
])("%s has the findings %j %j", async (_, mistakes, kinds) => {
  expect((await story(mistakes)).sort()).toEqual([...kinds].sort());
});
