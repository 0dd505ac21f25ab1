/** Makes the list of the operations of the service, and of what each leaves out. */
import { groups } from "../../src/service/nouns/index.ts";

export function operationsList(): string {
  return [
    "# Operations",
    "Every operation keeps state. `/openapi.json` of a running server describes them.",
    ...groups.flatMap(({ name, operations }) => [
      `## ${name}`,
      operations
        .map(({ id, route, limits }) => `- \`${id}\`: \`${route}\`${limits === undefined ? "" : `. Limit: ${limits}`}`)
        .join("\n"),
    ]),
    "",
  ].join("\n\n");
}
