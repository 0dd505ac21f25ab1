import { describe, expect, test } from "vitest";
import { aCompletedDocument, aDraft, anUploadedDocument, aSentDocument, simulate } from "../../support/stories.ts";
import { SANDBOX_KEY, useWorld } from "../../support/world.ts";

const world = useWorld();

describe("listDocumentAuditTrail", () => {
  test("listDocumentAuditTrail pages by limit and offset, and counts all entries", async () => {
    const id = await aCompletedDocument(world);
    const { body } = await world.call("listDocumentAuditTrail", { params: { document_id: id }, query: { limit: 2, offset: 1 } });
    expect(body.count).toBe(5);
    expect(body.results.map((one: { action: number }) => one.action)).toEqual([6, 8]);
  });

  test("listDocumentAuditTrail shows the reason of a decline, and the entries of qualified signatures", async () => {
    const id = await aSentDocument(world);
    await simulate(world, id, "decline", { reason: "Too dear" });
    const declined = await world.call("listDocumentAuditTrail", { params: { document_id: id } });
    expect(declined.body.results.at(-1)).toMatchObject({ action: 43, reason: "Too dear" });
    const qualified = await aDraft(world);
    await world.call("documentSettingsUpdate", {
      params: { document_id: qualified },
      body: { qualified_electronic_signature: true },
    });
    await world.call("sendDocument", { params: { id: qualified }, body: {} });
    await simulate(world, qualified, "sign");
    const { body } = await world.call("listDocumentAuditTrail", { params: { document_id: qualified } });
    expect(body.results.map((one: { action: number }) => one.action)).toEqual([1, 6, 8, 55, 9, 56, 7]);
  });

  test("listDocumentAuditTrail is empty while the document is uploaded", async () => {
    const id = await anUploadedDocument(world);
    const answer = await world.call("listDocumentAuditTrail", { params: { document_id: id } });
    expect({ status: answer.status, body: answer.body }).toEqual({ status: 200, body: { count: 0, results: [] } });
  });

  test("listDocumentAuditTrail hides IP addresses from a sandbox key", async () => {
    const id = await aSentDocument(world);
    const { body } = await world.call("listDocumentAuditTrail", { params: { document_id: id }, key: SANDBOX_KEY });
    expect(body.results.map((one: { ip_address: string }) => one.ip_address)).toEqual(["hidden", "hidden"]);
  });
});
