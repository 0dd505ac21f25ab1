/** The sandbox for the misuse tests. It has a sent document, and a receiver that subscribes to one event. */
import { afterAll, beforeAll } from "vitest";
import { createSandbox, type Inbox, type Sandbox } from "../../src/index.ts";

export let sandbox: Sandbox;
export let inbox: Inbox;
/** The id of the document. */
export let id: string;

export function openMisuseSandbox(): void {
  beforeAll(async () => {
    sandbox = await createSandbox({ seed: 7, clock: "frozen", now: "2026-03-02T09:00:00Z" });
    inbox = await sandbox.webhooks.receiver({ handler() {}, events: ["document_state_changed"] });
    ({ id } = await sandbox.documents.create({ status: "document.sent" }));
  });
  afterAll(() => sandbox.close());
}
