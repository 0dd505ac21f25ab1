import type { SwitchId } from "../../../service/service.ts";
import { documentStories } from "./documents.ts";
import { pricingStories } from "./pricing.ts";
import { recipientStories } from "./recipients.ts";
import { keyAsBearer, rateLimitProfile, requestStories } from "./requests.ts";
import type { Story } from "./story.ts";
import { webhookStories } from "./webhooks.ts";

/** The stories run in this order. The last one may exhaust the limits of the account. */
export function storiesFor(key: string): ReadonlyMap<string, Story> {
  const stories: Partial<Record<SwitchId, Story>> = {
    "auth.key_as_bearer": keyAsBearer(key),
    ...requestStories,
    ...documentStories,
    ...recipientStories,
    ...webhookStories,
    ...pricingStories,
    "rate_limit.profile": rateLimitProfile,
  };
  return new Map(Object.entries(stories));
}
