/** All lists that docdouble prints from its records, and the JSON Schemas and types of files. The build writes them to dist/. */
import { mkdirSync, writeFileSync } from "node:fs";
import { fixturesJsonSchema, scenarioJsonSchema } from "../../src/engine/scenario/json-schema.ts";
import { operationIds } from "../../src/service/nouns/index.ts";
import { service } from "../../src/service/service.ts";
import { fileTypes } from "../file-types.ts";
import { adminList } from "./admin.ts";
import { assumptionsList } from "./assumptions.ts";
import { commandsList } from "./commands.ts";
import { lintList } from "./lint.ts";
import { membersList } from "./members.ts";
import { operationsList } from "./operations.ts";
import { worldList } from "./world.ts";

const LISTS = {
  "admin-api": adminList,
  assumptions: assumptionsList,
  commands: commandsList,
  lint: lintList,
  members: membersList,
  operations: operationsList,
  world: worldList,
};

export function writeLists(): void {
  mkdirSync("dist/docs", { recursive: true });
  for (const [name, list] of Object.entries(LISTS)) writeFileSync(`dist/docs/${name}.md`, list());
  const schemas = {
    scenario: scenarioJsonSchema(service.language, operationIds().sort()),
    fixtures: fixturesJsonSchema(service.language),
  };
  for (const [name, schema] of Object.entries(schemas)) writeFileSync(`dist/${name}.schema.json`, `${JSON.stringify(schema)}\n`);
  mkdirSync("dist/library", { recursive: true });
  writeFileSync("dist/library/file-types.d.ts", fileTypes());
}

if (process.argv[1] === import.meta.filename) writeLists();
