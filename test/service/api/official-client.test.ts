/** The main task of users: the official client over a socket, a receiver that verifies signatures, and a run with faults. */
import * as pandadoc from "pandadoc-node-client";
import { describe, expect, test } from "vitest";
import { configurationOf, listeningSandbox } from "../../support/sdk.ts";
import { FORM_FIELDS, formPdf } from "../../support/pdf.ts";
import { receiver, type Receiver } from "../../support/receiver.ts";
import { CLIENT, TEMPLATES } from "../../support/stories.ts";
import type { Sandbox } from "../../../src/library/types.ts";

const BAD_DAY = "scenarios/bad-day.yaml";

function clients(sandbox: Sandbox, auth?: pandadoc.AuthMethodsConfiguration) {
  const configuration = configurationOf(sandbox, auth);
  return {
    documents: new pandadoc.DocumentsApi(configuration),
    templates: new pandadoc.TemplatesApi(configuration),
    webhooks: new pandadoc.WebhookSubscriptionsApi(configuration),
    oauth: new pandadoc.OAuth20AuthenticationApi(configuration),
  };
}

/** Code that users write around each call. Where they would sleep, the clock of the sandbox moves. */
function retrying(sandbox: Sandbox) {
  const refusals: string[] = [];
  const call = async <T>(name: string, attempt: () => Promise<T>): Promise<T> => {
    for (let tries = 0; ; tries++) {
      try {
        return await attempt();
      } catch (error) {
        if (!(error instanceof pandadoc.ApiException) || ![409, 423, 429].includes(error.code) || tries === 6) throw error;
        refusals.push(`${name} ${error.code}`);
        const retryAfter = (error as pandadoc.ApiException<unknown> & { headers: Record<string, string> }).headers["retry-after"];
        await sandbox.clock.advance(retryAfter === undefined ? 1000 * 2 ** tries : Number(retryAfter) * 1000);
      }
    }
  };
  return { call, refusals };
}

async function untilDraft(sandbox: Sandbox, documents: pandadoc.DocumentsApi, id: string): Promise<void> {
  for (let polls = 0; polls < 10; polls++) {
    const { status } = await documents.statusDocument({ id });
    if (status === "document.draft") return;
    if (status === "document.error") throw new Error("the creation failed");
    await sandbox.clock.advance(1000);
  }
  throw new Error("the document never became a draft");
}

async function subscribed(sandbox: Sandbox): Promise<Receiver> {
  const hook = await receiver();
  const created = await clients(sandbox).webhooks.createWebhookSubscription({
    webhookSubscriptionCreateRequest: {
      name: "My application",
      url: `${hook.url}/hooks?tenant=1`,
      payload: ["fields", "metadata"],
      triggers: ["document_state_changed", "recipient_completed", "document_updated"],
    },
  });
  hook.key = created.sharedKey ?? "";
  return hook;
}

/** Plays the story from a draft to the end, and checks the facts that hold for each such story. */
async function finish(sandbox: Sandbox, hook: Receiver, id: string, signs: () => Promise<unknown>): Promise<string[]> {
  const { documents } = clients(sandbox);
  const { call, refusals } = retrying(sandbox);
  await untilDraft(sandbox, documents, id);
  const details = await call("details", () => documents.detailsDocument({ id }));
  expect(details).toBeInstanceOf(pandadoc.DocumentDetailsResponse);
  expect(details).toMatchObject({ id, status: "document.draft", version: "2", metadata: { order: "4711" } });
  expect(details.recipients?.[0]).toBeInstanceOf(pandadoc.DocumentDetailsResponseRecipients);
  expect(details.recipients?.[0]).toMatchObject({ email: CLIENT.email, hasCompleted: false, recipientType: "signer" });
  await call("update", () =>
    documents.updateDocument({
      id,
      documentUpdateRequest: { name: "Agreement 4711", metadata: { order: "4711", stage: "final" } },
    }),
  );
  const sent = await call("send", () =>
    documents.sendDocument({ id, documentSendRequest: { silent: true, subject: "Please sign", message: "Thank you" } }),
  );
  expect(sent).toBeInstanceOf(pandadoc.DocumentSendResponse);
  expect(sent).toMatchObject({ id, uuid: id, status: "document.sent", name: "Agreement 4711" });
  const session = await documents.createDocumentLink({
    id,
    documentCreateLinkRequest: { recipient: CLIENT.email, lifetime: 900 },
  });
  expect(session.id).toMatch(/^\w{10,}$/);
  expect(Date.parse(String(session.expiresAt)) - sandbox.clock.now()).toBe(900_000);
  await signs();
  expect((await documents.statusDocument({ id })).status).toBe("document.completed");

  const events = hook.events().filter((one) => one.data.id === id);
  const stages = events.map((one) => (one.event === "document_state_changed" ? one.data.status : one.event));
  expect(stages).toEqual(["document.draft", "document.sent", "document.viewed", "recipient_completed", "document.completed"]);
  expect(events.at(-1)?.data.metadata).toMatchObject({ order: "4711", stage: "final" });
  expect(events.at(-1)?.data.fields.find((one: { name: string }) => one.name === "Company").value).toBeTruthy();
  expect(hook.received.length).toBeGreaterThan(4);
  expect(hook.received.filter((one) => !one.verified)).toEqual([]);
  return refusals;
}

const METADATA = { order: "4711" };

function fromTemplate(sandbox: Sandbox): Promise<pandadoc.DocumentCreateResponse> {
  return clients(sandbox).documents.createDocument({
    documentCreateRequest: {
      name: "Agreement",
      templateUuid: TEMPLATES.oneSigner,
      recipients: [{ email: CLIENT.email, firstName: CLIENT.first_name, lastName: CLIENT.last_name, role: "Client" }],
      tokens: [{ name: "Client.Company", value: "Quick Place" }],
      fields: { Company: { value: "Quick Place" } },
      metadata: METADATA,
      tags: ["e2e"],
    },
  });
}

const PDF_DATA = {
  name: "Agreement",
  recipients: [{ email: CLIENT.email, first_name: CLIENT.first_name, last_name: CLIENT.last_name, role: "signer" }],
  parse_form_fields: true,
  fields: Object.fromEntries(Object.values(FORM_FIELDS).map((name) => [name, { role: "signer" }])) as Record<string, object>,
  metadata: METADATA,
};
PDF_DATA.fields[FORM_FIELDS.text] = { role: "signer", value: "Quick Place" };

/** The official client cannot upload a file (`createDocument` sends JSON only), so users post the form themselves. */
async function fromUpload(sandbox: Sandbox): Promise<{ id?: string; status?: string }> {
  const form = new FormData();
  form.append("file", new Blob([new Uint8Array(await formPdf())], { type: "application/pdf" }), "agreement.pdf");
  form.append("data", JSON.stringify(PDF_DATA));
  const answer = await fetch(`${sandbox.url}/public/v1/documents?upload`, {
    method: "POST",
    body: form,
    headers: { authorization: `API-Key ${sandbox.apiKey}` },
  });
  expect(answer.status).toBe(201);
  return (await answer.json()) as { id: string; status: string };
}

/** The official client can create a document from the URL of a PDF. */
async function fromUrl(sandbox: Sandbox, hook: Receiver): Promise<pandadoc.DocumentCreateResponse> {
  const { recipients, parse_form_fields: parseFormFields, ...rest } = PDF_DATA;
  return clients(sandbox).documents.createDocument({
    documentCreateRequest: {
      ...rest,
      recipients: recipients.map(({ email, first_name: firstName, last_name: lastName, role }) => ({
        email,
        firstName,
        lastName,
        role,
      })),
      url: hook.serve("/agreement.pdf", await formPdf()),
      parseFormFields,
    },
  });
}

const WAYS = {
  "a template": fromTemplate,
  "an uploaded PDF with form fields": fromUpload,
  "a PDF by URL": fromUrl,
} satisfies Record<string, (sandbox: Sandbox, hook: Receiver) => Promise<{ id?: string; status?: string }>>;

describe.each(Object.entries(WAYS))("createDocument from %s to document.completed", (_, create) => {
  test("without faults", async () => {
    const sandbox = await listeningSandbox();
    const hook = await subscribed(sandbox);
    const { id = "", status } = await create(sandbox, hook);
    expect(status).toBe("document.uploaded");
    const refusals = await finish(sandbox, hook, id, async () => {
      const signed = await fetch(`${sandbox.url}/__admin/documents/${id}/simulate/sign`, { method: "POST" });
      expect(signed.status).toBe(200);
      await sandbox.clock.advance(0);
    });
    expect(refusals).toEqual([]);
    const mails = await fetch(`${sandbox.url}/__admin/emails`);
    expect(await mails.json()).toEqual({ emails: [], meta: { total: 0 } });
  });

  test("with faults, by a client that retries", async () => {
    const sandbox = await listeningSandbox({ scenario: BAD_DAY });
    const hook = await subscribed(sandbox);
    const { id = "" } = await create(sandbox, hook);
    const refusals = await finish(sandbox, hook, id, () => sandbox.clock.advance(10_000));
    expect(refusals).toEqual(["details 409", "update 423", "update 423", "update 423", "update 423", "send 429", "send 429"]);
    const { rules, pending } = (await (await fetch(`${sandbox.url}/__admin/rules`)).json()) as {
      rules: { name: string; hits: number }[];
      pending: string[];
    };
    expect(rules.map((rule) => [rule.name, rule.hits])).toEqual([
      ["details-too-early", 1],
      ["sends-throttled-twice", 2],
    ]);
    expect(pending).toEqual([]);
  });
});
