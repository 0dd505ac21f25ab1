/** The stories change only templates that they create or duplicate. */
import { type Account, idOf, required } from "../account.ts";
import { templateWith } from "../own-templates.ts";
import { sameText } from "../marks.ts";
import { type Answer, at, instantAt, listAt } from "../service.ts";
import { Undecided } from "../story-errors.ts";
import { answers, stated } from "./checks.ts";
import type { Story } from "./story.ts";

const TEMPLATES = "/public/v1/templates";
/** Long enough for a change to show in a date. */
const PAUSE_MS = 2000;
const OWN_VARIABLE = "Docdouble.Probe";
const SERVICE_VARIABLES = ["Document.CreatedDate", "Sender.FirstName", "Client.FirstName"];
const VALUE = "docdouble probe";

function detailsOf(account: Account, id: string): Promise<Answer> {
  return account.call("GET", `${TEMPLATES}/${id}/details`);
}

function update(account: Account, id: string, body: object): Promise<Answer> {
  return account.call("PATCH", `${TEMPLATES}/${id}`, { body });
}

function sharedTemplate(account: Account): Promise<string> {
  return account.once("template", () => account.template());
}

async function updated(account: Account, body: object): Promise<[Answer, Answer]> {
  const id = await account.template();
  const before = required(await detailsOf(account, id), "the details");
  await account.service.pacing.wait(PAUSE_MS);
  required(await update(account, id, body), "the update");
  return [before, await detailsOf(account, id)];
}

function duplicate(account: Account, id: string): Promise<Answer> {
  const name = account.newName();
  return account.create("template", name, `${TEMPLATES}/${id}/duplicate`, { body: { name } });
}

const defaultName: Story = async (account) => {
  const made = await account.uploadTemplate(() => ({}));
  const name = at(made.json, "name");
  return stated(made.status === 201 && typeof name === "string" && name !== "", made);
};

const copyIsReady: Story = async (account) => {
  const copy = idOf(required(await duplicate(account, await sharedTemplate(account)), "the duplicate"));
  const status = await account.call("GET", `${TEMPLATES}/${copy}`);
  if (at(status.json, "status") !== "template.PROCESSED") return stated(false, status);
  const details = await detailsOf(account, copy);
  return stated(details.status === 200 && sameText(at(details.json, "created_by", "email"), account.facts.email), details);
};

const emptyUpdate: Story = async (account) => {
  const [before, after] = await updated(account, {});
  return stated(
    after.status === 200 && instantAt(after.json, "date_modified") === instantAt(before.json, "date_modified"),
    after,
  );
};

const variablesAreContent: Story = async (account) => {
  const [before, after] = await updated(account, { tokens: [{ name: OWN_VARIABLE, value: "1" }] });
  const dates = [before, after].map(({ json }) => instantAt(json, "content_date_modified"));
  return stated(after.status === 200 && dates[1] !== undefined && dates[0] !== dates[1], after);
};

const serviceVariables: Story = async (account) => {
  const id = await account.template();
  const tokens = [OWN_VARIABLE, ...SERVICE_VARIABLES].map((name) => ({ name, value: VALUE }));
  const answer = await update(account, id, { roles: [{ name: "Client" }], tokens });
  if (answer.status >= 300) return stated(false, answer);
  const after = await detailsOf(account, id);
  const set = listAt(after.json, "tokens").filter((one) => at(one, "value") === VALUE);
  return stated(after.status === 200 && set.map((one) => at(one, "name")).join() === OWN_VARIABLE, after);
};

const roleOrder: Story = async (account) => {
  const id = await account.template();
  const roles = ["First", "Second"].map((name, i) => ({ name, signing_order: i + 1 }));
  required(await update(account, id, { roles }), "roles with a signing order");
  const before = required(await detailsOf(account, id), "the details");
  const kept = listAt(before.json, "roles").map((one) => ({ id: at(one, "id"), name: at(one, "name") }));
  if (kept.length !== 2) throw new Undecided(`The template has ${kept.length} roles after an update with two.`);
  required(await update(account, id, { roles: kept }), "roles without a signing order");
  const after = await detailsOf(account, id);
  const orders = listAt(after.json, "roles").map((one) => String(at(one, "signing_order")));
  return stated(after.status === 200 && orders.join() === "1,2", after);
};

/** Only the editor makes roles with fields, so the story changes a copy of a template that has one. */
const removedRole: Story = async (account) => {
  const source = await templateWith(account, "field with a role", (one) => hasRole(at(one, "fields", 0)));
  const copy = idOf(required(await duplicate(account, encodeURIComponent(String(at(source, "id")))), "the duplicate"));
  const before = required(await detailsOf(account, copy), "the details");
  required(await update(account, copy, { roles: [{ name: "Docdouble" }] }), "the removal of the roles");
  const after = await detailsOf(account, copy);
  const fields = listAt(after.json, "fields");
  const isKept = fields.length > 0 && fields.length === listAt(before.json, "fields").length;
  return stated(after.status === 200 && isKept && !fields.some(hasRole), after);
};

function hasRole(field: unknown): boolean {
  const name = at(field, "assigned_to", "name");
  return typeof name === "string" && name !== "";
}

const unprocessed: Story = async (account) => {
  // The second of the three calls proves that the template is the probe's own.
  if (account.service.pacing.perMinute < 3)
    throw new Undecided("The update must follow the creation at once. Use --calls-per-minute 3 or more.");
  await account.service.pacing.room(3);
  const id = idOf(required(await account.uploadTemplate(), "the upload of a template"));
  const answer = await update(account, id, { tokens: [] });
  if (answer.status < 300) throw new Undecided("The service processed the template before its update.");
  return stated(answer.status === 400 && answer.text.includes("Template should be in template.PROCESSED status"), answer);
};

export const templateStories = {
  "templates.default_name": defaultName,
  "templates.duplicate": copyIsReady,
  "templates.empty_update": emptyUpdate,
  "templates.order_text": answers(
    async (account) =>
      update(account, await sharedTemplate(account), {
        roles: [1, 3].map((order) => ({ name: `Role ${order}`, signing_order: order })),
      }),
    {
      status: 400,
      body: {
        detail: {
          roles: ["Signing order should be a contiguous sequence starting from 1 on every role, or null on every role."],
        },
      },
    },
  ),
  "templates.removed_role": removedRole,
  "templates.role_order": roleOrder,
  "templates.root_folder": answers(async (account) => detailsOf(account, await sharedTemplate(account)), {
    status: 200,
    body: { folder_uuid: "" },
  }),
  "templates.service_variables": serviceVariables,
  "templates.unprocessed": unprocessed,
  "templates.variables_are_content": variablesAreContent,
} as const;
