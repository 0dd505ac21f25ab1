import type { Operation } from "../../engine/core/operation.ts";
import type { World } from "../model/world.ts";
import { apiLogsGroup } from "./api-logs.ts";
import { communicationPreferencesGroup } from "./communication-preferences.ts";
import { contactsGroup } from "./contacts.ts";
import { contentLibraryGroup } from "./content-library.ts";
import { documentsGroup } from "./documents/operations.ts";
import { foldersGroup } from "./folders.ts";
import { formsGroup } from "./forms.ts";
import { membersGroup } from "./members.ts";
import { oauthGroup } from "./oauth.ts";
import { notaryGroup } from "./notary.ts";
import { privacySettingsGroup } from "./privacy-settings.ts";
import { productCatalogGroup } from "./product-catalog.ts";
import { quotesGroup } from "./quotes.ts";
import { sectionsGroup } from "./sections.ts";
import { templatesGroup } from "./templates.ts";
import { recipientsGroup } from "./recipients.ts";
import { fieldsGroup } from "./fields.ts";
import { auditTrailGroup } from "./audit-trail.ts";
import { documentSettingsGroup } from "./document-settings.ts";
import { templateSettingsGroup } from "./template-settings.ts";
import { remindersGroup } from "./reminders.ts";
import { crmLinksGroup } from "./crm-links.ts";
import { attachmentsGroup } from "./attachments.ts";
import { structureViewGroup } from "./structure-view.ts";
import { UNSERVED } from "./unserved.ts";
import { webhookEventsGroup } from "./webhook-events/operations.ts";
import { webhookSubscriptionsGroup } from "./webhook-subscriptions.ts";
import { workspacesGroup } from "./workspaces.ts";

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
