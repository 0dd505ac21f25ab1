import type { Account } from "../account.ts";
import { required } from "../account.ts";
import { type Answer, at, listAt } from "../service.ts";
import { Undecided } from "../story-errors.ts";
import { answers, isRefusal, ITEMS, NO_UUID, stated } from "./checks.ts";
import type { Story } from "./story.ts";

const PRICE = { currency: "USD", price: 1, pricing_method: 0, billing_type: "one_time" };
/** A search may lag behind. */
const LOOKS_AFTER_S = [1, 3, 6, 10, 20];
/** Long enough for two changes to have different dates. */
const PAUSE_MS = 2000;
/** Long enough for the search to notice a change. */
const LAG_MS = 10_000;

function createItem(account: Account, body: object = {}): Promise<Answer> {
  const title = account.newName();
  return account.create("catalog item", title, ITEMS, { body: { title, type: "regular", price_configuration: PRICE, ...body } });
}

function idOf(answer: Answer): string {
  return String(at(answer.json, "uuid"));
}

function search(account: Account, query: string): Promise<Answer> {
  return account.call("GET", `${ITEMS}/search?${query}`);
}

async function untilFound(account: Account, item: Answer): Promise<void> {
  const query = `query=${encodeURIComponent(String(at(item.json, "title")))}`;
  for (const seconds of LOOKS_AFTER_S) {
    await account.service.pacing.wait(seconds * 1000);
    const { json } = required(await search(account, query), "the search");
    if (listAt(json, "items").some((one) => at(one, "uuid") === idOf(item))) return;
  }
  throw new Undecided(`The search did not find a new item in ${LOOKS_AFTER_S.length} looks.`);
}

const bundledItem: Story = async (account) => {
  const part = idOf(required(await createItem(account), "an item"));
  const bundle_items = [{ quantity: 1, item_or_uuid: part }];
  required(await createItem(account, { type: "bundle", bundle_items }), "a bundle");
  const answer = await account.call("DELETE", `${ITEMS}/${part}`);
  return stated(answer.status === 400 && (at(answer.json, "detail") ?? at(answer.json, "details")) !== undefined, answer);
};

const emptyEntries: Story = async (account) => {
  const answer = await createItem(account, { custom_fields: [{ value: "Probe" }] });
  return stated(isRefusal(answer, 400), answer);
};

const highlights: Story = async (account) => {
  const item = required(await createItem(account), "an item");
  await untilFound(account, item);
  const answer = await search(account, `query=${account.facts.run}`);
  const found = listAt(answer.json, "items").find((one) => at(one, "uuid") === idOf(item));
  const isMarked = listAt(found, "highlights", "title", "fragments").some((one) => /<em>.+<\/em>/.test(String(one)));
  return stated(answer.status === 200 && isMarked, answer);
};

const searchOrder: Story = async (account) => {
  const { pacing } = account.service;
  const item = required(await createItem(account), "an item");
  await pacing.wait(PAUSE_MS);
  const bundle_items = [{ quantity: 1, item_or_uuid: idOf(item) }];
  const bundle = required(await createItem(account, { type: "bundle", bundle_items }), "a bundle");
  await untilFound(account, bundle);
  required(await account.call("PATCH", `${ITEMS}/${idOf(item)}`, { body: { title: account.newName() } }), "the update");
  await pacing.wait(LAG_MS);
  const answer = await search(account, "per_page=10");
  const ids = listAt(answer.json, "items").map((one) => at(one, "uuid"));
  const mine = ids.filter((id) => id === idOf(item) || id === idOf(bundle));
  if (answer.status === 200 && mine.length < 2) throw new Undecided("The first page of the search does not show both new items.");
  return stated(answer.status === 200 && mine.join() === [idOf(item), idOf(bundle)].join(), answer);
};

const missingSku: Story = async (account) => {
  const answer = await createItem(account);
  const sku = at(answer.json, "variants", 0, "sku");
  return stated(answer.status < 300 && typeof sku === "string" && sku !== "", answer);
};

const takesCycle: Story = async (account) => {
  const billing_cycle = "docdouble probe";
  const answer = await createItem(account, { price_configuration: { ...PRICE, billing_cycle } });
  return stated(
    answer.status === 200 && at(answer.json, "default_price_configuration", "billing_cycle") === billing_cycle,
    answer,
  );
};

const sameSku: Story = async (account) => {
  const sku = account.newName();
  required(await createItem(account, { sku }), "an item");
  const answer = await createItem(account, { sku });
  return stated(answer.status === 200 && at(answer.json, "variants", 0, "sku") === sku, answer);
};

export const catalogStories = {
  "catalog.billing_cycle": takesCycle,
  "catalog.bundled_item": bundledItem,
  "catalog.categories": answers((account) => createItem(account, { category_id: NO_UUID }), {
    status: 400,
    body: { details: [{ pointer: "/category_id" }] },
  }),
  "catalog.empty_entries": emptyEntries,
  "catalog.highlights": highlights,
  "catalog.missing_sku": missingSku,
  "catalog.same_sku": sameSku,
  "catalog.search_order": searchOrder,
} as const;
