/** Documents, for the library and the inspector. */
import { createInStatus, newDocument } from "../acts/document-in-status.ts";
import { recipientLink, recipientNames } from "../acts/recipient-link.ts";
import { requireDocument } from "../domain/document-model/find.ts";

export const documents = {
  require: requireDocument,
  /** What a caller may wish for, and how the document is made. */
  wish: newDocument,
  create: createInStatus,
  recipientLink,
  recipientNames,
};
