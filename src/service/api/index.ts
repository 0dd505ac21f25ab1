import type { Operation } from "../../engine/core/operation.ts";
import type { World } from "../model/world.ts";
import { apiLogsGroup } from "./api-logs/operations.ts";
import { communicationPreferencesGroup } from "./communication-preferences/operations.ts";
import { contactsGroup } from "./contacts/operations.ts";
import { contentLibraryGroup } from "./content-library/operations.ts";
import { documentsGroup } from "./documents/operations.ts";
import { foldersGroup } from "./folders/operations.ts";
import { formsGroup } from "./forms/operations.ts";
import { membersGroup } from "./members/operations.ts";
import { oauthGroup } from "./oauth/operations.ts";
import { notaryGroup } from "./notary/operations.ts";
import { privacySettingsGroup } from "./privacy-settings/operations.ts";
import { productCatalogGroup } from "./product-catalog/operations.ts";
import { quotesGroup } from "./quotes/operations.ts";
import { sectionsGroup } from "./sections/operations.ts";
import { templatesGroup } from "./templates/operations.ts";
import { recipientsGroup } from "./recipients/operations.ts";
import { fieldsGroup } from "./fields/operations.ts";
import { auditTrailGroup } from "./audit-trail/operations.ts";
import { documentSettingsGroup } from "./document-settings/operations.ts";
import { templateSettingsGroup } from "./template-settings/operations.ts";
import { remindersGroup } from "./reminders/operations.ts";
import { crmLinksGroup } from "./crm-links/operations.ts";
import { attachmentsGroup } from "./attachments/operations.ts";
import { structureViewGroup } from "./structure-view/operations.ts";
import { UNSERVED } from "./unserved.ts";
import { webhookEventsGroup } from "./webhook-events/operations.ts";
import { webhookSubscriptionsGroup } from "./webhook-subscriptions/operations.ts";
import { workspacesGroup } from "./workspaces/operations.ts";

export const groups = [
  oauthGroup,
  documentsGroup,
  remindersGroup,
  crmLinksGroup,
  attachmentsGroup,
  fieldsGroup,
  auditTrailGroup,
  documentSettingsGroup,
  recipientsGroup,
  sectionsGroup,
  structureViewGroup,
  contentLibraryGroup,
  templatesGroup,
  templateSettingsGroup,
  formsGroup,
  foldersGroup,
  apiLogsGroup,
  contactsGroup,
  membersGroup,
  webhookSubscriptionsGroup,
  webhookEventsGroup,
  notaryGroup,
  productCatalogGroup,
  quotesGroup,
  workspacesGroup,
  privacySettingsGroup,
  communicationPreferencesGroup,
] as const;

export type OperationId = (typeof groups)[number]["operations"][number]["id"];

export const operations: readonly Operation<World>[] = groups.flatMap((group): readonly Operation<World>[] => group.operations);

const byId = new Map(operations.map((one) => [one.id, one]));

export function findOperation(id: string): Operation<World> | undefined {
  return byId.get(id);
}

/** Ids of all operations of the service, served or not. Scenarios may name any of them. */
export function operationIds(): string[] {
  return [...byId.keys(), ...UNSERVED.map((one) => one.id)];
}

export { UNSERVED };
