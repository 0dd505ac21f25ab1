import { describe, expect, test } from "vitest";
import { SUBSCRIPTIONS_MAX } from "../../../src/service/nouns/webhooks/subscriptions.ts";
import { anotherWorkspace } from "../../support/people.ts";
import { succeed } from "../../support/stories.ts";
import { type TestWorld, testWorld, useWorld } from "../../support/world.ts";

const world = useWorld();

const INPUT = {
  name: "Mine",
  url: "https://hooks.client.example/in?team=7",
  payload: ["fields", "products"],
  triggers: ["document_state_changed", "document_completed"],
};

const create = (world: TestWorld, body: object = {}, key?: string) =>
  world.call("createWebhookSubscription", { body: { ...INPUT, ...body }, ...(key === undefined ? {} : { key }) });

describe("createWebhookSubscription", () => {
  test.each<[object, string]>([
    [{ url: "no address" }, "url"],
    [{ url: "ftp://hooks.client.example/" }, "url"],
    [{ url: "http://hooks.client.example/" }, "url"],
    [{ url: "http://127.0.0.1.client.example/" }, "url"],
    [{ url: "http://172.32.0.1/" }, "url"],
    [{ url: "http://8.8.8.8/" }, "url"],
  ])("createWebhookSubscription refuses %j", async (change, field) => {
    const answer = await create(world, change);
    expect([answer.status, answer.body.type]).toEqual([400, "request_error"]);
    expect(Object.keys(answer.body.detail).map((key) => key.split(/[.[]/)[0])).toEqual([field]);
    expect((await world.call("listWebhookSubscriptions")).body.items).toEqual([]);
  });

  test.each([
    "http://127.0.0.1:8080/hook",
    "http://localhost/hook",
    "http://[::1]:9/hook",
    "http://127.9.9.9/",
    "http://app:3000/hook",
    "http://host.docker.internal/",
    "http://172.17.0.1:8080/",
    "http://192.168.1.7/",
  ])("createWebhookSubscription accepts %s, unless webhook.https_only is on", async (url) => {
    expect((await create(await testWorld(), { url })).status).toBe(201);
    const strict = await testWorld({ assume: { "webhook.https_only": "on" } });
    expect(await create(strict, { url })).toMatchObject({
      status: 400,
      body: { detail: { url: ["Enter a valid URL."] } },
    });
    expect((await create(strict)).status).toBe(201);
  });

  test("createWebhookSubscription allows at most 300 subscriptions in a workspace", async () => {
    const branch = await anotherWorkspace(world);
    for (let i = 0; i < SUBSCRIPTIONS_MAX; i++) await succeed(create(world, { name: `No ${i}` }));
    expect(SUBSCRIPTIONS_MAX).toBe(300);
    const refused = await create(world);
    expect(refused).toMatchObject({
      status: 403,
      body: { type: "permissions_error", detail: "You do not have permission to perform this action." },
    });
    expect((await create(world, {}, branch.key)).status).toBe(201);
    const { items } = (await world.call("listWebhookSubscriptions")).body;
    expect(items.map((one: { name: string }) => one.name)).toEqual(Array.from({ length: 300 }, (_, i) => `No ${i}`));
    await succeed(world.call("deleteWebhookSubscription", { params: { id: items[0].uuid } }));
    expect((await create(world)).status).toBe(201);
  });
});

describe("updateWebhookSubscription", () => {
  test("updateWebhookSubscription changes the named members and keeps the rest", async () => {
    const { body: made } = await create(world);
    const change = (body: object) => world.call("updateWebhookSubscription", { params: { id: made.uuid }, body });
    expect(await change({ active: false })).toMatchObject({ status: 200, body: { ...made, active: false, status: "INACTIVE" } });
    expect((await change({ triggers: ["document_updated"], payload: [] })).body).toEqual({
      ...made,
      active: false,
      status: "INACTIVE",
      triggers: ["document_updated"],
      payload: [],
    });
    expect((await change({ name: "Renamed", url: "https://other.example/", active: true })).body).toMatchObject({
      name: "Renamed",
      url: "https://other.example/",
      status: "ACTIVE",
      triggers: ["document_updated"],
      shared_key: made.shared_key,
    });
  });
});

test("deleteWebhookSubscription removes the subscription", async () => {
  const { body: made } = await create(world);
  expect((await world.call("deleteWebhookSubscription", { params: { id: made.uuid } })).status).toBe(204);
  expect((await world.call("listWebhookSubscriptions")).body).toEqual({ items: [] });
});
