import { Ids, unguessable } from "../engine/core/ids.ts";
import { hostOf } from "../library/sandbox.ts";
import type { EventName, ScenarioFile } from "../library/file-types.ts";
import type { Sandbox } from "../library/types.ts";
import { words } from "../service/words.ts";

const NAME = "start --webhook";

export interface Target {
  url: string;
  sharedKey: string;
  scenario: string;
}

export interface WebhookFlags {
  webhook?: string[] | string;
  webhookEvents?: EventName[];
  seed?: string;
}

/** The subscriptions belong to the initial state, so a reset keeps them. With a seed, their shared keys stay the same. */
export function webhookScenario({ webhook, webhookEvents = [...words.events], seed }: WebhookFlags): ScenarioFile | undefined {
  if (webhook === undefined) return undefined;
  const ids = new Ids(`${seed ?? unguessable()}/webhooks`);
  const webhook_subscriptions = [webhook].flat().map((url) => ({
    id: ids.uuid(),
    name: NAME,
    url,
    triggers: webhookEvents,
    shared_key: ids.short(),
  }));
  return { version: 1, name: NAME, world: { webhook_subscriptions } };
}

/** The data file of an earlier start may lack new subscriptions, so this adds them. */
export function subscribeTargets(sandbox: Sandbox, { world }: ScenarioFile): Target[] {
  const { store } = hostOf(sandbox).defaultTenant;
  return (world?.webhook_subscriptions ?? []).map(({ url, triggers, shared_key }) => {
    const known = store.subscriptions.all().find((one) => one.url === url && one.name === NAME && one.active);
    const sharedKey =
      known?.shared_key ??
      sandbox.webhooks.subscribe({
        url,
        events: triggers,
        name: NAME,
        ...(shared_key === undefined ? {} : { sharedKey: shared_key }),
      }).sharedKey;
    return { url, sharedKey, scenario: NAME };
  });
}
