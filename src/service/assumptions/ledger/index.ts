import { accounts } from "./accounts.ts";
import { content } from "./content.ts";
import { documents } from "./documents.ts";
import { downloads } from "./downloads.ts";
import { inOrder } from "./entry.ts";
import { errors } from "./errors.ts";
import { library } from "./library.ts";
import { mcp } from "./mcp.ts";
import { notary } from "./notary.ts";
import { people } from "./people.ts";
import { pricing } from "./pricing.ts";
import { pricingSwitches } from "./pricing-switches.ts";
import { sending } from "./sending.ts";
import { peopleSwitches } from "./people-switches.ts";
import { switches } from "./switches.ts";
import { tools } from "./tools.ts";
import { webhooks } from "./webhooks.ts";

export const records = inOrder([
  ...accounts,
  ...content,
  ...documents,
  ...downloads,
  ...errors,
  ...library,
  ...mcp,
  ...notary,
  ...people,
  ...pricing,
  ...sending,
  ...tools,
  ...webhooks,
  ...peopleSwitches,
  ...pricingSwitches,
  ...switches,
]);
