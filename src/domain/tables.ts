/** Instants in rows are epoch milliseconds. */
import { engineTables } from "../engine/rows.ts";
import { documentTable } from "./document-model/indexes.ts";
import { attachmentTables } from "./attachments/rows.ts";
import { emailOptOutTables, smsOptOutTables } from "./communication-preferences/rows.ts";
import { contactGroupTables, contactTables } from "./contacts/rows.ts";
import { fileTables } from "./content/rows.ts";
import { auditTables, linkTables } from "./document-model/rows.ts";
import { docxExportTables, sectionTables, structureTables } from "./documents/rows.ts";
import { folderTables } from "./folders/rows.ts";
import { formTables } from "./forms/rows.ts";
import { contentLibraryTables } from "./library/rows.ts";
import { historyTables, reminderTables } from "./lifecycle/rows.ts";
import { mailTables } from "./mails/rows.ts";
import { notaryTables } from "./notary/rows.ts";
import { oauthTables } from "./oauth/rows.ts";
import { catalogTables } from "./product-catalog/rows.ts";
import { sessionTables } from "./signing/rows.ts";
import { editingSessionTables, templateTables } from "./templates/rows.ts";
import { subscriptionTables } from "./webhooks/rows.ts";
import { workspaceTables } from "./workspaces/rows.ts";

export const tables = {
  ...engineTables,
  ...docxExportTables,
  ...workspaceTables,
  ...oauthTables,
  ...folderTables,
  ...contactTables,
  ...templateTables,
  documents: documentTable,
  ...fileTables,
  ...catalogTables,
  ...contactGroupTables,
  ...notaryTables,
  ...contentLibraryTables,
  ...editingSessionTables,
  ...sectionTables,
  ...sessionTables,
  ...auditTables,
  ...subscriptionTables,
  ...formTables,
  ...mailTables,
  ...reminderTables,
  ...historyTables,
  ...attachmentTables,
  ...linkTables,
  ...structureTables,
  ...smsOptOutTables,
  ...emailOptOutTables,
};

export type DomainTables = typeof tables;
