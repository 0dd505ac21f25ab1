import { describe, expect, test } from "vitest";
import { aDraft, aSentDocument, statusOf, succeed, TEMPLATES } from "../../support/stories.ts";
import { useWorld } from "../../support/world.ts";

const world = useWorld();

const DEFAULTS = { language: "en-US", qualified_electronic_signature: false, expires_in: 60, suggest_edits: false };

function refused(...faults: [pointer: string, message: string][]) {
  return {
    status: 400,
    body: {
      code: "bad_request",
      details: faults.map(([pointer, message]) => ({ code: "invalid", pointer, data: { message } })),
    },
  };
}

describe("documentSettingsUpdate", () => {
  test("documentSettingsUpdate before the send sets the expiration date of the sent document", async () => {
    const id = await aDraft(world);
    await world.call("documentSettingsUpdate", { params: { document_id: id }, body: { expires_in: 2 } });
    const sent = await world.call("sendDocument", { params: { id }, body: { silent: true } });
    expect(sent.body.expiration_date).toBe("2026-03-04T09:00:05.000000Z");
    await world.advance("47h");
    expect(await statusOf(world, id)).toBe("document.sent");
    await world.advance("1h");
    expect(await statusOf(world, id)).toBe("document.voided");
  });

  test("documentSettingsUpdate with an expiration date in the past expires the document at once", async () => {
    const id = await aSentDocument(world);
    await world.advance("10d");
    await world.call("documentSettingsUpdate", { params: { document_id: id }, body: { expires_in: 3 } });
    await world.advance("0s");
    expect(await statusOf(world, id)).toBe("document.voided");
  });

  test("documentSettingsUpdate changes suggest_edits only in draft, but accepts the current value after the send", async () => {
    const id = await aSentDocument(world);
    const params = { document_id: id };
    const answer = await world.call("documentSettingsUpdate", { params, body: { language: "de-DE", suggest_edits: true } });
    expect({ status: answer.status, body: answer.body }).toEqual(
      refused(["/suggest_edits", "Suggest edits can be changed only in document.draft status."]),
    );
    expect((await world.call("documentSettingsGet", { params })).body).toEqual(DEFAULTS);
    const same = await world.call("documentSettingsUpdate", { params, body: { language: "de-DE", suggest_edits: false } });
    expect({ status: same.status, body: same.body }).toEqual({ status: 200, body: { ...DEFAULTS, language: "de-DE" } });
  });

  test("documentSettingsUpdate with a qualified signature shows the progress of several signers until the document ends", async () => {
    const id = await aDraft(world, { template: "twoSigners" });
    const qesStatus = async () => (await world.call("detailsDocument", { params: { id } })).body.qes_status;
    await world.call("documentSettingsUpdate", { params: { document_id: id }, body: { qualified_electronic_signature: true } });
    await world.call("sendDocument", { params: { id }, body: { silent: true } });
    await world.admin("POST", `/documents/${id}/simulate/view`, {});
    expect(await qesStatus()).toBe("pending");
    await world.admin("POST", `/documents/${id}/simulate/sign`, {});
    expect(await qesStatus()).toBe("in_progress");
    await succeed(world.call("changeDocumentStatus", { params: { id }, body: { status: 12 } }));
    expect(await qesStatus()).toBeNull();
    await world.call("documentRevertToDraft", { params: { id } });
    expect(await qesStatus()).toBeNull();
  });
});

describe("templateSettingsUpdate", () => {
  test("templateSettingsUpdate changes the language, and new documents get it", async () => {
    const params = { template_id: TEMPLATES.oneSigner };
    const changed = await world.call("templateSettingsUpdate", { params, body: { language: "pt-BR" } });
    expect({ status: changed.status, body: changed.body }).toEqual({ status: 200, body: { language: "pt-BR" } });
    expect((await world.call("templateSettingsGet", { params })).body).toEqual({ language: "pt-BR" });
    const id = await aDraft(world);
    expect((await world.call("documentSettingsGet", { params: { document_id: id } })).body.language).toBe("pt-BR");
  });
});
