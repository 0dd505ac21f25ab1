/** Helpers for tests of templates, library items, sections and quotes: PDFs and emitted events. */
import { PDFDocument } from "@cantoo/pdf-lib";
import { expect } from "vitest";
import { succeed } from "./stories.ts";
import type { TestWorld } from "./world.ts";

/** A PDF of `pages` pages of 300 by 400 points. The first page has a text field for each name. */
export async function aPdf(pages = 1, fields: readonly string[] = []): Promise<File> {
  const pdf = await PDFDocument.create();
  for (let i = 0; i < pages; i++) pdf.addPage([300, 400]);
  for (const name of fields)
    pdf.getForm().createTextField(name).addToPage(pdf.getPage(0), { x: 20, y: 20, width: 100, height: 20 });
  return new File([(await pdf.save()) as Uint8Array<ArrayBuffer>], "Terms.pdf", { type: "application/pdf" });
}

export function aBrokenPdf(): File {
  return new File(["%PDF-1.7 and nothing more"], "Broken.pdf", { type: "application/pdf" });
}

/** Subscribes to events. Tests read their bodies from the log of deliveries. */
export async function subscribe(world: TestWorld, triggers: readonly string[], payload: readonly string[] = []): Promise<void> {
  await succeed(
    world.call("createWebhookSubscription", { body: { name: "all", url: "http://127.0.0.1:9/hook", triggers, payload } }),
  );
}

/** `data` of each event with this name so far. */
// biome-ignore lint/suspicious/noExplicitAny: events have many shapes
export async function eventsOf(world: TestWorld, event: string): Promise<any[]> {
  const { body } = await world.admin("GET", `/webhooks/deliveries?event=${event}`);
  expect(body.meta.total).toBe(body.deliveries.length);
  // biome-ignore lint/suspicious/noExplicitAny: as above
  return body.deliveries.map((delivery: any) => {
    expect(delivery.body).toHaveLength(1);
    return delivery.body[0].data;
  });
}

/** A key of another workspace, which must not see the content. */
export const FOREIGN_KEY = "foreign-key";

export function plantForeigner(world: TestWorld): void {
  const { store } = world.tenant;
  store.transaction(() => {
    const home = store.workspaces.all()[0];
    const member = store.members.all()[0];
    if (!home || !member) throw new Error("the default fixtures have a workspace and a member");
    store.workspaces.put({ ...home, id: "WorkspaceOtherxxxxxxxx", name: "Other" });
    store.members.put({ ...member, id: "MemberOtherxxxxxxxxxxx", workspace_id: "WorkspaceOtherxxxxxxxx" });
    store.api_keys.put({
      id: FOREIGN_KEY,
      membership_id: "MemberOtherxxxxxxxxxxx",
      workspace_id: "WorkspaceOtherxxxxxxxx",
      environment: "production",
      revoked: false,
    });
  });
}

export const NOT_FOUND = { status: 404, body: { type: "request_error", detail: "Not found" } };
export const FORBIDDEN = {
  status: 403,
  body: { type: "permissions_error", detail: "You do not have permission to perform this action." },
};
