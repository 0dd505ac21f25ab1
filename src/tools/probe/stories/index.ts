import type { SwitchId } from "../../../service/service.ts";
import { attachmentStories } from "./attachments.ts";
import { catalogStories } from "./catalog.ts";
import { creationStories } from "./creation.ts";
import { documentStories } from "./documents.ts";
import { draftStories } from "./drafts.ts";
import { errorStories, schemeCase } from "./errors.ts";
import { fieldStories } from "./fields.ts";
import { libraryStories } from "./library.ts";
import { exportStories } from "./exports.ts";
import { insightStories } from "./insights.ts";
import { listStories } from "./lists.ts";
import { peopleStories } from "./people.ts";
import { pricingStories, pricingSwitches } from "./pricing.ts";
import { quoteStories } from "./quotes.ts";
import { lenientStories, recipientRuleStories } from "./recipient-rules.ts";
import { keyAsBearer, rateLimitProfile, requestStories } from "./requests.ts";
import { sectionStories } from "./sections.ts";
import type { Story } from "./story.ts";
import { templateStories } from "./templates.ts";
import { historyStories, webhookStories } from "./webhooks.ts";

/** The stories run in this order. The last one may exhaust the limits of the account. */
export function storiesFor(key: string): ReadonlyMap<string, Story> {
  const switches: Partial<Record<SwitchId, Story>> = {
    "auth.key_as_bearer": keyAsBearer(key),
    ...requestStories,
    ...documentStories,
    ...recipientRuleStories,
    ...webhookStories,
    ...pricingSwitches,
  };
  return new Map<string, Story>([
    ...Object.entries(switches),
    ["auth.scheme_case", schemeCase(key)],
    ...Object.entries(errorStories),
    ...Object.entries(listStories),
    ...Object.entries(peopleStories),
    ...Object.entries(draftStories),
    ...Object.entries(lenientStories),
    ...Object.entries(fieldStories),
    ...Object.entries(libraryStories),
    ...Object.entries(creationStories),
    ...Object.entries(attachmentStories),
    ...Object.entries(exportStories),
    ...Object.entries(sectionStories),
    ...Object.entries(insightStories),
    ...Object.entries(historyStories),
    ...Object.entries(catalogStories),
    ...Object.entries(templateStories),
    ...Object.entries(pricingStories),
    ...Object.entries(quoteStories),
    ["rate_limit.profile", rateLimitProfile],
  ]);
}
