import { engineTables } from "../../engine/jobs/rows.ts";
import { attachmentTables } from "./attachments.ts";
import { catalogTables } from "./catalog/inputs.ts";
import { contactTables } from "./contacts.ts";
import { fileTables } from "./content/row.ts";
import { lifecycleTables } from "./documents/history.ts";
import { auditTables, documentPartTables, documentTable, linkTables } from "./documents/row.ts";
import { folderTables } from "./folders.ts";
import { formTables } from "./forms.ts";
import { contentLibraryTables } from "./library/items.ts";
import { notaryTables } from "./notary/row.ts";
import { oauthTables } from "./oauth/credentials.ts";
import { optOutTables } from "./opt-outs.ts";
import { mailTables } from "./people/mails.ts";
import { sessionTables } from "./signing/sessions.ts";
import { editingSessionTables, templateTables } from "./templates/row.ts";
import { subscriptionTables } from "./webhooks/row.ts";
import { workspaceTables } from "./workspaces/row.ts";

/** Instants in rows are epoch milliseconds. */

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
