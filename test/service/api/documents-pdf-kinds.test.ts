/** Uploads of each kind of PDF, until the document is a draft or has failed. */
import { expect, test } from "vitest";
import { brokenPdf, encryptedPdf, FORM_FIELDS, formPdf, plainPdf } from "../../support/pdf.ts";
import { CLIENT } from "../../support/stories.ts";
import { type TestWorld, useWorld } from "../../support/world.ts";

const world = useWorld();

async function upload(world: TestWorld, bytes: Uint8Array, data: object = {}): Promise<string> {
  const file = new File([bytes as Uint8Array<ArrayBuffer>], "contract.pdf", { type: "application/pdf" });
  const answer = await world.call("createDocumentFromUpload", {
    parts: { file, data: { name: "Contract", recipients: [CLIENT], ...data } },
  });
  expect(answer).toMatchObject({ status: 201, body: { name: "Contract", status: "document.uploaded", version: null } });
  await world.advance("6s");
  return answer.body.id;
}

test.each([
  ["without a form", 1],
  ["with a hundred pages", 100],
])("createDocumentFromUpload turns a PDF %s into a draft", async (_, pages) => {
  const id = await upload(world, await plainPdf(pages));
  const { body } = await world.call("detailsDocument", { params: { id } });
  expect(body).toMatchObject({ status: "document.draft", template: null, fields: [], version: "2" });
  // A recipient whose role has no fields becomes a CC.
  expect(body.recipients[0]).toMatchObject({ email: CLIENT.email, recipient_type: "CC" });
  expect(world.sandbox.documents.get(id)?.pages).toHaveLength(pages);
});

test("createDocumentFromUpload turns form fields into document fields, and their recipient into a signer", async () => {
  const fields = Object.fromEntries(Object.values(FORM_FIELDS).map((name) => [name, { role: CLIENT.role }]));
  const id = await upload(world, await formPdf(), { parse_form_fields: true, fields });
  const { body } = await world.call("detailsDocument", { params: { id } });
  expect(body.status).toBe("document.draft");
  expect(body.fields.map((field: { name: string }) => field.name).sort()).toEqual(Object.values(FORM_FIELDS).sort());
  expect(body.recipients[0]).toMatchObject({ email: CLIENT.email, recipient_type: "signer" });
});

test.each([
  ["encrypted", encryptedPdf],
  ["broken", brokenPdf],
])("createDocumentFromUpload of an %s PDF ends in document.error for good, and the event has the reason", async (_, make) => {
  await world.call("createWebhookSubscription", {
    body: { name: "app", url: "https://app.example/hooks", triggers: ["document_creation_failed"] },
  });
  const id = await upload(world, await make());
  expect((await world.call("statusDocument", { params: { id } })).body.status).toBe("document.error");
  const [delivery] = world.sandbox.webhooks.deliveries({ event: "document_creation_failed" });
  expect(JSON.parse(delivery?.body ?? "")).toMatchObject([
    {
      event: "document_creation_failed",
      data: {
        id,
        status: "document.error",
        error: { detail: "PDF content hasn't been processed: document is broken or locked" },
      },
    },
  ]);
  expect((await world.call("sendDocument", { params: { id }, body: {} })).status).toBe(409);
  await world.advance("1d");
  expect((await world.call("statusDocument", { params: { id } })).body.status).toBe("document.error");
});
