import { describe, expect, test } from "vitest";
import {
  aCompletedDocument,
  aDraft,
  anUploadedDocument,
  aSentDocument,
  CLIENT,
  DIRECTOR,
  simulate,
  statusOf,
  succeed,
  TEMPLATES,
} from "../../support/stories.ts";
import { testWorld } from "../../support/world.ts";

describe("the life of a document", () => {
  test("createDocument leads through uploaded, draft, sent and viewed to completed", async () => {
    const world = await testWorld();
    const recipients = [CLIENT, DIRECTOR, { email: "copy@client.example" }];
    const id = await anUploadedDocument(world, { template: "twoSigners", body: { recipients } });
    expect(await statusOf(world, id)).toBe("document.uploaded");
    await world.advance("2999ms");
    expect(await statusOf(world, id)).toBe("document.uploaded");
    await world.advance("2001ms");
    expect(await statusOf(world, id)).toBe("document.draft");
    await world.call("sendDocument", { params: { id }, body: { silent: true } });
    // Neither a read by the owner nor an unopened session counts as a view by a recipient.
    await succeed(world.call("detailsDocument", { params: { id } }));
    await succeed(world.call("createDocumentLink", { params: { id }, body: { recipient: CLIENT.email } }));
    expect(await statusOf(world, id)).toBe("document.sent");
    await simulate(world, id, "view", { recipient: CLIENT.email });
    expect(await statusOf(world, id)).toBe("document.viewed");
    await simulate(world, id, "sign", { recipient: CLIENT.email });
    expect(await statusOf(world, id)).toBe("document.viewed");
    await simulate(world, id, "sign", { recipient: DIRECTOR.email });
    expect(await statusOf(world, id)).toBe("document.completed");
  });
});

describe("createDocument", () => {
  test("createDocument reports each wrong field with the service's message", async () => {
    const world = await testWorld();
    const answer = await world.call("createDocument", {
      body: { template_uuid: 7, recipients: [{ email: "nobody" }], tags: "x" },
    });
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual({
      type: "validation_error",
      detail: {
        template_uuid: ["Not a valid string."],
        recipients: [{ email: ["Enter a valid email address."] }],
        tags: ['Expected a list of items but got type "str".'],
      },
    });
  });
});

describe("detailsDocument", () => {
  test("detailsDocument answers 409 with the service's body while the document is in document.uploaded", async () => {
    const world = await testWorld();
    const id = await anUploadedDocument(world);
    const answer = await world.call("detailsDocument", { params: { id } });
    expect(answer.status).toBe(409);
    expect(Object.keys(answer.body)).toEqual(["id", "status", "info_message"]);
    expect(answer.body).toMatchObject({ id, status: "document.uploaded" });
  });

  test("detailsDocument shows a completed document in full", async () => {
    const world = await testWorld();
    const id = await aCompletedDocument(world, { template: "pricing" });
    const { status, body } = await world.call("detailsDocument", { params: { id } });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      id,
      status: "document.completed",
      template: { id: TEMPLATES.pricing },
      version: "2",
      lock: null,
    });
    expect(body.recipients[0]).toMatchObject({ has_completed: true, recipient_type: "signer", email: CLIENT.email });
    expect(body.grand_total).toEqual({ amount: "829.05", currency: "USD" });
  });
});

describe("updateDocument", () => {
  test("updateDocument outside draft answers 400 and changes nothing", async () => {
    const world = await testWorld();
    const id = await aSentDocument(world);
    const before = world.tenant.store.snapshot();
    const answer = await world.call("updateDocument", { params: { id }, body: { name: "Other" } });
    expect(answer).toMatchObject({ status: 400, body: { type: "request_error" } });
    expect(world.tenant.store.snapshot()).toEqual(before);
  });

  test("updateDocument answers 423 under a lock, and works after the lock ends", async () => {
    const world = await testWorld();
    const id = await aDraft(world);
    await simulate(world, id, "lock", { expires_in: "30s" });
    const locked = await world.call("updateDocument", { params: { id }, body: { name: "Other" } });
    expect(locked).toMatchObject({
      status: 423,
      body: { type: "document_locked", lock_type: "wopi_editing", expires_at: "2026-03-02T09:00:35.000000Z" },
    });
    await world.advance("30s");
    expect((await world.call("updateDocument", { params: { id }, body: { name: "Other" } })).status).toBe(204);
  });
});
