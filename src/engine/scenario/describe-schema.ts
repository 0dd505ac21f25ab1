export interface JsonSchema {
  properties?: Record<string, JsonSchema>;
  items?: JsonSchema;
  additionalProperties?: JsonSchema | boolean;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  description?: string;
  [keyword: string]: unknown;
}

/** Changes the schema in place, and marks each used sentence in `used`. */
export function describeMembers(
  schema: JsonSchema,
  path: string,
  texts: Readonly<Record<string, string>>,
  used: Set<string> = new Set(),
): void {
  for (const [name, member] of Object.entries(schema.properties ?? {})) {
    const at = `${path}.${name}`;
    const key = keyOf(at, texts);
    if (key !== undefined) {
      used.add(key);
      member.description ??= texts[key] as string;
    }
    describeMembers(member, at, texts, used);
  }
  for (const inner of [schema.items, schema.additionalProperties, ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])])
    if (typeof inner === "object") describeMembers(inner, path, texts, used);
}

/** The most exact key: the whole path, else `*` with the longest end of the path. */
function keyOf(path: string, texts: Readonly<Record<string, string>>): string | undefined {
  if (Object.hasOwn(texts, path)) return path;
  const parts = path.split(".");
  for (let from = 1; from < parts.length; from++) {
    const key = `*.${parts.slice(from).join(".")}`;
    if (Object.hasOwn(texts, key)) return key;
  }
  return undefined;
}
