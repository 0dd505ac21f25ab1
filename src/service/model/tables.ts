/** Instants in rows are epoch milliseconds. */
import { engineTables } from "../../engine/jobs/rows.ts";
import { documentTable } from "./documents/indexes.ts";
import { attachmentTables } from "./attachments/rows.ts";
import { optOutTables } from "./communication-preferences/rows.ts";
import { contactTables } from "./contacts/rows.ts";
import { fileTables } from "./content/rows.ts";
import { auditTables, linkTables } from "./documents/document.ts";
import { documentPartTables } from "./documents/rows.ts";
import { folderTables } from "./folders/rows.ts";
import { formTables } from "./forms/rows.ts";
import { contentLibraryTables } from "./library/rows.ts";
import { lifecycleTables } from "./lifecycle/rows.ts";
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
  ...documentPartTables,
  ...workspaceTables,
  ...oauthTables,
  ...folderTables,
  ...contactTables,
  ...templateTables,
  documents: documentTable,
  ...fileTables,
  ...catalogTables,
  ...notaryTables,
  ...contentLibraryTables,
  ...editingSessionTables,
  ...sessionTables,
  ...auditTables,
  ...subscriptionTables,
  ...formTables,
  ...mailTables,
  ...lifecycleTables,
  ...attachmentTables,
  ...linkTables,
  ...optOutTables,
};

export type DomainTables = typeof tables;
