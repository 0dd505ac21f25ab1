import { describe, expect, test } from "vitest";
import { anUploadedDocument, CLIENT, DIRECTOR, simulate, statusOf, succeed } from "../../support/stories.ts";
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
