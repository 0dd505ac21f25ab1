/** Makes docs/world.md from fixtures/default.json: the company that every server starts with. */
import type { Fixtures, TemplateFixture } from "../src/service/model/world/inputs.ts";

export function worldPage(note: string, world: Fixtures): string {
  const people = (world.members ?? []).map(
    ({ email, first_name, last_name, role }) => `| ${first_name} ${last_name} | ${email} | ${role} |`,
  );
  const keys = (world.api_keys ?? []).map(({ key, member, kind }) => `| \`${key}\` | ${kind} | ${member} |`);
  const contacts = (world.contacts ?? []).map(
    (one) => `| ${one.first_name} ${one.last_name} | ${one.company}, ${one.job_title} | ${one.email} | ${one.phone} |`,
  );
  const items = (world.catalog_items ?? []).map((one) => `| \`${one.id}\` | ${one.title} | ${one.sku} | ${one.type ?? "item"} |`);
  const forms = (world.forms ?? []).map(({ id, name, status }) => `| \`${id}\` | ${name} | ${status} |`);
  const folders = (world.folders ?? []).map(
    ({ id, name, kind, parent }) => `| \`${id}\` | ${name} | ${kind}${parent ? `, in ${nameOf(world.folders, parent)}` : ""} |`,
  );
  const clients = (world.oauth_clients ?? []).map((one) => `| \`${one.client_id}\` | \`${one.client_secret}\` |`);
  const library = (world.content_library_items ?? []).map(({ id, name, roles }) => `| \`${id}\` | ${name} | ${names(roles)} |`);
  return `# The built-in world

${note}

Every server starts with Northpeak, a small company that sells coffee equipment and workshops to offices. The ids never
change, so you can use them in your code. To replace this world, pass \`--fixtures FILE\`. To add to it, use \`world\` in a scenario.

## People

| person | email | role |
|---|---|---|
${people.join("\n")}

| API key | environment | owner |
|---|---|---|
${keys.join("\n")}

| OAuth client | secret |
|---|---|
${clients.join("\n")}

## Templates

Use the first template for a first try: it needs no approval and no payment.

${(world.templates ?? []).map(templatePart).join("\n\n")}

## Customers

| person | company | email | phone |
|---|---|---|---|
${contacts.join("\n")}

The contact group ${(world.contact_groups ?? []).map(({ id, name, members }) => `${name} (\`${id}\`) holds ${members.join(" and ")}`).join("; ")}.

## Products

| id | product | SKU | kind |
|---|---|---|---|
${items.join("\n")}

## Library, forms and folders

| library item | name | roles |
|---|---|---|
${library.join("\n")}

| form | name | status |
|---|---|---|
${forms.join("\n")}

| folder | name | contains |
|---|---|---|
${folders.join("\n")}
`;
}

function nameOf(rows: readonly { id?: string | undefined; name: string }[] = [], id: string): string {
  return rows.find((one) => one.id === id)?.name ?? id;
}

function names(rows: readonly { name: string }[] = []): string {
  return rows.map((one) => one.name).join(", ");
}

function mergeNote({ name, merge_field }: NonNullable<TemplateFixture["fields"]>[number]): string {
  if (merge_field === undefined || merge_field === name) return "";
  return merge_field === null ? ", no merge name" : `, merge name \`${merge_field}\``;
}

function roleText({ name, signing_order, email }: NonNullable<TemplateFixture["roles"]>[number]): string {
  const order = signing_order === undefined ? "" : `${signing_order}. `;
  return `${order}${name}${email === undefined ? "" : ` (always ${email})`}`;
}

function templatePart(template: TemplateFixture): string {
  const { id, name, roles, fields, tokens, pricing_tables, quotes, approval, payment, gallery } = template;
  const field = (one: NonNullable<TemplateFixture["fields"]>[number]) =>
    `\`${one.name}\` (${one.type.replaceAll("_", " ")}${one.options ? `: ${one.options.join(", ")}` : ""}, ${one.role}${one.required === false ? ", optional" : ""}${mergeNote(one)})`;
  const lines = [
    ...(gallery ? ["The template belongs to the gallery. You can read it, and a document from it is refused."] : []),
    `Roles: ${(roles ?? []).map(roleText).join(", ")}.`,
    ...(fields?.length ? [`Fields: ${fields.map(field).join(", ")}.`] : []),
    ...(tokens?.length ? [`Tokens: ${tokens.map((one) => `\`${one.name}\``).join(", ")}.`] : []),
    ...(pricing_tables ?? []).map(tablePart),
    ...(quotes ?? []).map(
      ({ sections }) =>
        `Quote: ${(sections ?? []).map((section) => `${section.name} (${(section.items ?? []).map((item) => `${item.qty ?? 1} × ${item.name} at ${item.price}`).join(", ")})`).join("; ")}.`,
    ),
    ...(approval
      ? [
          `Approval: ${approval.steps.map((step) => (Array.isArray(step) ? step.join(" and ") : step.members.join(` or `))).join(", then ")}.`,
        ]
      : []),
    ...(payment ? [`Payment: ${payment.amount} ${payment.currency} by ${payment.provider}.`] : []),
  ];
  return `**${name}** (\`${id}\`)\n\n${lines.map((line) => `- ${line}`).join("\n")}`;
}

function tablePart({ name, currency, items, discount, tax }: NonNullable<TemplateFixture["pricing_tables"]>[number]): string {
  const rows = (items ?? []).map((one) => `${one.qty} × ${one.name} at ${one.price}${one.optional ? " (optional)" : ""}`);
  const rates = [
    ...(discount ? [`discount ${discount.name ?? "Discount"} ${discount.value}%`] : []),
    ...(tax ? [`tax ${tax.value}%`] : []),
  ];
  return `${name} (${currency}): ${rows.join(", ")}${rates.length > 0 ? `; ${rates.join(", ")}` : ""}.`;
}
