/** Makes the list of the built-in world from fixtures/default.json: the company that every server starts with. */
import { readFileSync } from "node:fs";
import type { Fixtures, TemplateFixture } from "../../src/service/world/inputs.ts";

export function worldList(): string {
  const world = JSON.parse(readFileSync("fixtures/default.json", "utf8")) as Fixtures;
  return [
    "# The built-in world",
    [
      "Every server starts with Northpeak, a small company that sells coffee equipment and workshops to offices. The ids never change, so",
      "you can use them in your code. `--fixtures FILE` replaces this world, and `world` in a scenario adds to it.",
    ].join("\n"),
    "## Templates",
    "Use the first template for a first try: it needs no approval and no payment.",
    (world.templates ?? []).map(templateLine).join("\n"),
    "## People",
    table("person | email | role", world.members, (one) => [`${one.first_name} ${one.last_name}`, one.email, one.role]),
    table("API key | environment | owner", world.api_keys, (one) => [`\`${one.key}\``, one.kind, one.member]),
    table("OAuth client | secret", world.oauth_clients, (one) => [`\`${one.client_id}\``, `\`${one.client_secret}\``]),
    "## Customers",
    table("person | company | email", world.contacts, (one) => [`${one.first_name} ${one.last_name}`, one.company, one.email]),
    "## Products, library, forms and folders",
    table("product | name", world.catalog_items, (one) => [`\`${one.id}\``, one.title]),
    table("library item | name", world.content_library_items, (one) => [`\`${one.id}\``, one.name]),
    table("form | name | status", world.forms, (one) => [`\`${one.id}\``, one.name, one.status]),
    table("folder | name | contains", world.folders, (one) => [`\`${one.id}\``, one.name, one.kind]),
    "",
  ].join("\n\n");
}

function table<Row>(head: string, rows: readonly Row[] = [], cells: (row: Row) => unknown[]): string {
  const rule = head.replaceAll(/[^|]+/g, "---");
  return [`| ${head} |`, `|${rule}|`, ...rows.map((one) => `| ${cells(one).join(" | ")} |`)].join("\n");
}

function templateLine({ id, name, roles = [], fields = [], tokens = [] }: TemplateFixture): string {
  const names = (rows: readonly { name: string }[]) => rows.map((one) => `\`${one.name}\``).join(", ");
  const parts = [
    `roles ${names(roles)}`,
    ...(fields.length === 0 ? [] : [`fields ${names(fields)}`]),
    ...(tokens.length === 0 ? [] : [`tokens ${names(tokens)}`]),
  ];
  return `- **${name}** (\`${id}\`): ${parts.join("; ")}`;
}
