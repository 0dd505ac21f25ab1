import { html, type Html } from "../../engine/http/html.ts";
import { mailsSection } from "./mails.ts";
import { link, type Look } from "./parts.ts";
import { pageShell } from "./shell.ts";
import type { MailMatch } from "../../service/service.ts";

export const INBOX_PATH = "/__admin/emails/inbox";

export function inboxPage(look: Omit<Look, "view" | "page" | "documents" | "assumptions">, match: MailMatch): Html {
  const shown: Look = {
    ...look,
    view: "mails",
    page: { path: INBOX_PATH, query: { ...match } },
    documents: [],
    assumptions: [],
  };
  return pageShell(shown, {
    title: "Inbox",
    bar: html`<a class="tick" href="${link(shown, "mails")}">Inspector</a>`,
    content: mailsSection(shown, match),
  });
}
