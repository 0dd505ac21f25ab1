import type { Html } from "../../engine/http/html.ts";
import { inspectorPage } from "./inspector.ts";
import type { Look } from "./parts.ts";
import type { MailMatch } from "../../service/service.ts";

export const INBOX_PATH = "/__admin/emails/inbox";

/** The page of mails at a second address, which takes conditions. Its links keep them. */
export function inboxPage(look: Omit<Look, "view" | "page" | "match" | "documents" | "assumptions">, match: MailMatch): Html {
  const page = { path: INBOX_PATH, query: { ...match } };
  return inspectorPage({ ...look, view: "mails", page, match, documents: [], assumptions: [] });
}
