/** The API deletes no library items, so the stories use items of the account. */
import { idOf, required } from "../account.ts";
import { at } from "../service.ts";
import { Undecided } from "../story-errors.ts";
import { DOCUMENTS, NO_UUID, stated } from "./checks.ts";
import { oldestFirst } from "./lists.ts";
import type { Story } from "./story.ts";

const LIBRARY = "/public/v1/content-library-items";

const unknownPlaceholder: Story = async (account) => {
  const library = required(await account.call("GET", `${LIBRARY}?count=1`), "the list of library items");
  const item = at(library.json, "results", 0, "id");
  if (item === undefined) throw new Undecided("The account has no content library item. Create one, then probe again.");
  const content_placeholders = [{ block_id: NO_UUID, content_library_items: [{ id: item }] }];
  const template_uuid = await account.template();
  const made = await account.createDocument({ template_uuid, recipients: [], content_placeholders });
  if (made.status >= 300) return stated(false, made);
  const id = idOf(made);
  await account.processed(id);
  const details = await account.call("GET", `${DOCUMENTS}/${id}/details`);
  return stated(details.status === 200 && at(details.json, "status") === "document.draft", details);
};

export const libraryStories = {
  "library.order": oldestFirst(LIBRARY),
  "library.placeholders": unknownPlaceholder,
} as const;
