import { expect } from "vitest";
import { receiver } from "./receiver.ts";
import { aSentDocument, anUploadedDocument, aSubscription, CLIENT, DIRECTOR, simulate, succeed } from "./stories.ts";
import { type TestWorld, testWorld } from "./world.ts";

export const VIEWS = ["documents", "clock", "journal", "deliveries", "mails", "rules", "scenarios", "assumptions", "tenants"];
export const CONSENT_PATH =
  "/oauth2/authorize?client_id=docdouble-client&redirect_uri=http://localhost:3000/callback&scope=read%2Bwrite&response_type=code";
export const EVIL = "<script>alert(1)</script>\"'><img src=x onerror=alert(2)>";

export async function pageOf(world: TestWorld, query = "", key?: string, status = 200): Promise<string> {
  const answer = await world.admin("GET", `/${query}`, undefined, key);
  expect(answer.status).toBe(status);
  return new TextDecoder().decode(answer.body);
}

/** The ids of the rows of a page that can be opened. */
export async function rowsOf(url: string): Promise<string[]> {
  const page = await (await fetch(url, { headers: { accept: "text/html" } })).text();
  return [...page.matchAll(/<a class="row[^"]*" id="([^"]+)"[^>]* data-open/g)].map(([, id = ""]) => id);
}

/** A world with something in every section. */
export async function aBusyWorld(name = "Service agreement"): Promise<{ world: TestWorld; id: string }> {
  const world = await testWorld({ port: 0, oauth: "interactive" });
  const hook = await receiver();
  await aSubscription(world, hook, { name });
  await succeed(
    world.admin("POST", "/rules", { name, when: { operation: "listContacts" }, then: { error: "throttled", times: 1 } }),
  );
  const webhooks = [{ name, when: { event: "recipient_completed" }, then: { duplicate: 1 } }];
  await succeed(world.admin("POST", "/scenarios", JSON.stringify({ version: 1, name, description: name, webhooks })));
  await world.call("listContacts");
  const recipients = [{ ...CLIENT, last_name: name === EVIL ? EVIL : CLIENT.last_name }, DIRECTOR];
  const id = await aSentDocument(world, { template: "twoSigners", silent: false, body: { name, recipients } });
  await simulate(world, id, "view");
  await simulate(world, id, "comment", { text: name });
  await world.advance("1s");
  return { world, id };
}

/** A sent document of another tenant, which has a separate clock. */
export async function aDocumentOf(world: TestWorld, key: string, name: string): Promise<string> {
  const id = await anUploadedDocument(world, { key, body: { name } });
  await succeed(world.admin("POST", "/clock/advance", { by: "5s" }, key));
  await succeed(world.call("sendDocument", { params: { id }, body: { silent: true }, key }));
  return id;
}
