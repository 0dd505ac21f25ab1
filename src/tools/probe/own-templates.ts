import type { Account } from "./account.ts";
import { at } from "./service.ts";
import { Undecided } from "./story-errors.ts";

/** The details of the first template that passes the test. @throws Undecided */
export async function templateWith(account: Account, what: string, test: (details: unknown) => boolean): Promise<unknown> {
  const templates = await account.ownTemplates();
  const found = templates.find(test);
  if (found !== undefined) return found;
  throw new Undecided(`The first ${templates.length} templates have no ${what}. Create a template with one, then probe again.`);
}

/** @throws Undecided */
export async function pricingTemplateOf(account: Account): Promise<{ template: string; table: string }> {
  const nameOf = (details: unknown) => at(details, "pricing", "tables", 0, "name");
  const found = await templateWith(account, "pricing table", (one) => typeof nameOf(one) === "string");
  return { template: String(at(found, "id")), table: String(nameOf(found)) };
}
