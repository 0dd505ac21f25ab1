import { describe, expect, test } from "vitest";
import {
  aCompletedDocument,
  aDraft,
  anUploadedDocument,
  CLIENT,
  DIRECTOR,
  simulate,
  statusOf,
  succeed,
  TEMPLATES,
} from "../../support/stories.ts";
import { useWorld } from "../../support/world.ts";

const world = useWorld();

describe("the life of a document", () => {
  test("createDocument leads through uploaded, draft, sent and viewed to completed", async () => {
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

describe("detailsDocument", () => {
  test("detailsDocument shows a completed document in full", async () => {
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
  test("updateDocument answers 423 under a lock, and works after the lock ends", async () => {
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
