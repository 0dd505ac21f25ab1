/** Tests the live stream of a tenant's events. */
import { expect, test } from "vitest";
import { subscribed } from "../../support/lab.ts";
import { aDraft } from "../../support/stories.ts";
import { KEY, testWorld } from "../../support/world.ts";

interface StreamEvent {
  event: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read events of every kind
  data: any;
}

/** Reads a stream of server-sent events, event by event. */
function reader(response: Response): { next(): Promise<StreamEvent | undefined>; cancel(): Promise<void> } {
  const lines = (response.body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  return {
    async next() {
      for (;;) {
        const end = text.indexOf("\n\n");
        if (end >= 0) {
          const block = text.slice(0, end);
          text = text.slice(end + 2);
          const [, event, data] = /^event: (\w+)\ndata: (.*)$/.exec(block) ?? [];
          if (event && data) return { event, data: JSON.parse(data) };
          continue;
        }
        const { done, value } = await lines.read();
        if (done) return undefined;
        text += value;
      }
    },
    cancel: () => lines.cancel(),
  };
}

test("adminEvents streams calls, deliveries and clock moves in order, for its tenant only", async () => {
  const world = await testWorld();
  const hook = await subscribed(world, ["document_state_changed"]);
  const response = await world.sandbox.fetch("/__admin/events", { headers: { authorization: `API-Key ${KEY}` } });
  expect(response.headers.get("content-type")).toBe("text/event-stream");
  const events = reader(response);
  await world.call("listTemplates", { key: "test-other" });
  await aDraft(world);
  expect(await events.next()).toMatchObject({
    event: "exchange",
    data: { operationId: "createDocument", response: { status: 201 } },
  });
  expect(await events.next()).toMatchObject({
    event: "delivery",
    data: { event: "document_state_changed", url: hook.url, state: "delivered", attempts: [{ status: 200 }] },
  });
  expect(await events.next()).toMatchObject({ event: "clock", data: { mode: "frozen", now: "2026-03-02T09:00:05.000000Z" } });
  await world.admin("PUT", "/clock", { speed: 2 });
  expect(await events.next()).toMatchObject({ event: "clock", data: { speed: 2 } });
  await world.admin("POST", "/reset");
  expect(await events.next()).toMatchObject({ event: "clock", data: { speed: 1, now: "2026-03-02T09:00:00.000000Z" } });
  await events.cancel();
  await world.call("listTemplates");
});

test("adminEvents ends when the server closes, and an open stream does not block the close", async () => {
  const world = await testWorld({ port: 0 });
  const events = reader(await fetch(`${world.sandbox.url}/__admin/events`));
  await world.call("listTemplates");
  expect(await events.next()).toMatchObject({ event: "exchange" });
  await world.sandbox.close();
  expect(await events.next()).toBeUndefined();
});

test("adminEvents?view=log streams the log events of the console, and an unknown view is refused", async () => {
  const world = await testWorld();
  const response = await world.sandbox.fetch("/__admin/events?view=log", { headers: { authorization: `API-Key ${KEY}` } });
  const events = reader(response);
  const id = await aDraft(world);
  const document = { id, name: "Service agreement" };
  for (const expected of [
    { type: "call", method: "POST", status: 201, about: [document] },
    { type: "clock", mode: "frozen", moved_ms: 5000, at: "2026-03-02T09:00:00.000Z", to: "2026-03-02T09:00:05.000Z" },
    { type: "job", kind: "convert_document", document },
    { type: "status", status: "document.draft", document },
  ])
    expect(await events.next()).toMatchObject({ event: "log", data: { tenant: "default", ...expected } });
  await events.cancel();
  expect((await world.admin("GET", "/events?view=short")).status).toBe(400);
});
