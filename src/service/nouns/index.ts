import type { Operation } from "../../engine/core/operation.ts";
import type { World } from "../kit/world.ts";
import { attachmentsGroup } from "./attachments.ts";
import { productCatalogGroup } from "./catalog/operations.ts";
import { contactsGroup } from "./contacts.ts";
import { fieldsGroup } from "./content/fields.ts";
import { auditTrailGroup } from "./documents/history.ts";
import { documentsGroup } from "./documents/operations.ts";
import { sectionsGroup } from "./documents/sections.ts";
import { documentSettingsGroup } from "./documents/settings.ts";
import { structureViewGroup } from "./documents/structure.ts";
import { foldersGroup } from "./folders.ts";
import { formsGroup } from "./forms.ts";
import { contentLibraryGroup } from "./library/operations.ts";
import { crmLinksGroup } from "./links.ts";
import { membersGroup } from "./members/operations.ts";
import { notaryGroup } from "./notary/notary.ts";
import { oauthGroup } from "./oauth/authorize.ts";
import { communicationPreferencesGroup } from "./opt-outs.ts";
import { recipientsGroup } from "./people/recipient-changes.ts";
import { remindersGroup } from "./people/reminders.ts";
import { quotesGroup } from "./pricing/quote-operations.ts";
import { templateSettingsGroup, templatesGroup } from "./templates/operations.ts";
import { webhookEventsGroup, webhookSubscriptionsGroup } from "./webhooks/operations.ts";
import { apiLogsGroup } from "./workspaces/api-logs.ts";
import { workspacesGroup } from "./workspaces/operations.ts";
import { privacySettingsGroup } from "./workspaces/privacy.ts";

export interface UnservedOperation {
  readonly id: string;
  readonly route: string;
  /** The official group. */
  readonly tag: string;
}

/** Operations of the service that docdouble does not serve. They answer 501 with their id. */
export const UNSERVED: readonly UnservedOperation[] = [];

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
