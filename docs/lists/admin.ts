/** Makes the list of the admin API: each operation with an example. */
import { parseRoute } from "../../src/engine/core/operation.ts";
import type { AdminOperation } from "../../src/engine/core/verb.ts";
import { type AdminExample, exampleOf } from "../../src/inspector/reference/admin-examples.ts";
import { adminGroups } from "../../src/library/surfaces.ts";

export function adminList(): string {
  return [
    "# The admin API",
    [
      "`$url` is the address of the server, and names such as `$document` stand for ids. The number behind a command is the status of its",
      "answer. `GET /__admin/openapi.json` describes all of it in OpenAPI.",
    ].join("\n"),
    ...adminGroups.flatMap(({ name, operations }) => [`## ${name.replace("Admin: ", "")}`, ...operations.map(entry)]),
    "",
  ].join("\n\n");
}

function entry(operation: AdminOperation<never>): string {
  const { route, limits } = operation;
  const example = exampleOf(operation);
  if (!example) return `**\`${route}\`**`;
  return [
    `**\`${route}\`**`,
    `${example.does}${limits === undefined ? "" : ` Limit: ${limits}.`}`,
    `\`\`\`sh\n${commandOf(route, example)}   # ${example.status}\n\`\`\``,
  ].join("\n\n");
}

/** The example as a shell command. */
function commandOf(route: string, { path, body, text, file }: AdminExample): string {
  const { method, path: whole } = parseRoute(route);
  const target = `"$url${path ?? whole}"`;
  if (file !== undefined) return `curl -T "$${file}" ${target}`;
  // A shell expands no variable between single quotes, so the quotes end before it and begin again after it.
  const json = JSON.stringify(body)?.replace(/\$\w+/g, (name) => `'${name}'`);
  if (text !== undefined) return `curl ${target} -H 'content-type: application/yaml' --data-binary '${text}'`;
  if (json !== undefined) return `curl -X ${method} ${target} -d '${json}'`;
  return method === "GET" ? `curl ${target}` : `curl -X ${method} ${target}`;
}
