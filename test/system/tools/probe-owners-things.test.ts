/** H2: a probe deletes and changes only what it created, whatever the service answers. */
import { describe, expect, test } from "vitest";
import { HIDES_THINGS, HOSTILITIES, hostileAccount, unnamed } from "../../support/hostile-account.ts";

/** One story for each way to create, change or find a thing. `test/fuzz/probe.test.ts` runs all stories. */
const STORIES = [
  "contacts.delete_keeps_recipients",
  "contacts.known_email",
  "contacts.nothing_required",
  "recipients.contact_id",
  "recipients.second_add",
  "delete.second",
  "update.outside_draft",
  "catalog.bundled_item",
  "templates.duplicate",
  "templates.default_name",
  "sections.template_and_url",
  "webhook.empty_payload",
];

describe("a probe of an owner's account", () => {
  test.each(Object.entries(HOSTILITIES))(
    "changes nothing of the owner, and names all that is left, when the service %s",
    async (name, hostility) => {
      const account = await hostileAccount();
      const before = account.owned();
      for (const story of STORIES) {
        await account.reset();
        const { report } = await account.probe([story], hostility);
        expect(account.owned(), story).toEqual(before);
        expect(unnamed(account.left(), report?.left_behind), story).toEqual([]);
        // Where the service shows everything in the end, nothing of the probe stays.
        if (!HIDES_THINGS.includes(name)) expect([report?.left_behind, account.left()], story).toEqual([undefined, []]);
      }
    },
  );
});
