/** All stories. */
import type { SwitchId } from "../../assumptions/switches.ts";
import { documentStories } from "./documents.ts";
import { keyAsBearer, rateLimitProfile, requestStories } from "./requests.ts";
import type { Story } from "./story.ts";
import { webhookStories } from "./webhooks.ts";

/** The stories by assumption, in the order in which they run. The last one may exhaust the limits of the account. */
export function storiesFor(key: string): ReadonlyMap<string, Story> {
  const stories: Partial<Record<SwitchId, Story>> = {
    "auth.key_as_bearer": keyAsBearer(key),
    ...requestStories,
    ...documentStories,
    ...webhookStories,
    "rate_limit.profile": rateLimitProfile,
  };
  return new Map(Object.entries(stories));
}
