import { describe, expect, test, vi } from "vitest";
import { receiver } from "../../support/receiver.ts";
import { anUploadedDocument, aSentDocument, aSubscription, statusOf, succeed } from "../../support/stories.ts";
import { testWorld } from "../../support/world.ts";

describe("adminAdvanceClock", () => {
  test("adminAdvanceClock by a duration answers with the jobs that ran, in order, and their deliveries", async () => {
    const world = await testWorld();
    const hook = await receiver();
    await aSubscription(world, hook, { triggers: ["document_created"] });
    hook.answerWith(500, 200);
    await succeed(world.admin("POST", "/transitions", { model: "document.processing", progression: "time", seconds: 4 }));
    const id = await anUploadedDocument(world);
    const first = await world.advance("1s");
    expect(first.body).toEqual({
      from: "2026-03-02T09:00:00.000000Z",
      to: "2026-03-02T09:00:01.000000Z",
      fired: [],
      deliveries: [],
    });
    const { body } = await world.advance("2m");
    expect([body.from, body.to]).toEqual(["2026-03-02T09:00:01.000000Z", "2026-03-02T09:02:01.000000Z"]);
    const [delivery] = body.deliveries;
    expect(body.fired).toEqual([
      { at: "2026-03-02T09:00:04.000000Z", kind: "convert_document", document: id },
      { at: "2026-03-02T09:00:04.000000Z", kind: "deliver", delivery: delivery.id, attempt: 1 },
      { at: "2026-03-02T09:01:04.000000Z", kind: "deliver", delivery: delivery.id, attempt: 2 },
    ]);
    expect(body.deliveries).toMatchObject([
      { event: "document_created", document_id: id, state: "delivered", attempts: [{ status: 500 }, { status: 200 }] },
    ]);
    expect((await world.advance("1h")).body.deliveries).toEqual([]);
  });

  test("adminAdvanceClock lists only deliveries that it attempted, the oldest first, and looks through no others", async () => {
    const world = await testWorld();
    const [slow, quick] = [await receiver(), await receiver()];
    await aSubscription(world, slow, { triggers: ["document_created"] });
    await aSubscription(world, quick, { triggers: ["document_created"] });
    const [first, second] = [await anUploadedDocument(world), await anUploadedDocument(world)];
    slow.answerWith((one) => (one.body[0].data.id === first && !one.duplicate ? 500 : 200));
    await world.advance("10s");
    const third = await anUploadedDocument(world);
    const all = vi.spyOn(world.tenant.store.deliveries, "all");
    const { body } = await world.advance("10m");
    expect(all).not.toHaveBeenCalled();
    const told = body.deliveries.map((one: { document_id: string; url: string }) => [one.document_id, one.url]);
    expect(told).toEqual([
      [first, expect.stringContaining(slow.url)],
      [third, expect.stringContaining(slow.url)],
      [third, expect.stringContaining(quick.url)],
    ]);
    expect(told.flat()).not.toContain(second);
  });

  test("adminAdvanceClock moves to an instant, to the next job, or until only deadlines wait", async () => {
    const world = await testWorld();
    await succeed(world.admin("POST", "/transitions", { model: "document.processing", progression: "time", seconds: 4 }));
    const advance = (body: object) => world.admin("POST", "/clock/advance", body);
    await anUploadedDocument(world);
    expect((await advance({ to: "2026-03-02T09:00:01Z" })).body).toMatchObject({ to: "2026-03-02T09:00:01.000000Z", fired: [] });
    expect((await advance({ until: "next" })).body).toMatchObject({
      to: "2026-03-02T09:00:04.000000Z",
      fired: [{ kind: "convert_document" }],
    });
    expect((await advance({ until: "next" })).body).toMatchObject({ to: "2026-03-02T09:00:04.000000Z", fired: [] });
    const sent = await aSentDocument(world);
    const idle = (await advance({ until: "idle" })).body;
    expect(idle.to.slice(0, 10)).toBe("2026-03-02");
    // The expiry is a deadline: `idle` does not wait for it, but it runs when the clock reaches it.
    expect(await statusOf(world, sent)).toBe("document.sent");
    await advance({ by: "400d" });
    expect(await statusOf(world, sent)).toBe("document.voided");
    expect((await advance({ by: 1500 })).status).toBe(200);
  });
});
