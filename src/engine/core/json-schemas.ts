/** What makes a JSON Schema of a zod schema. It must come from the copy of zod that made the schema, and bundles get that copy here. */
export { registry, toJSONSchema } from "zod";
