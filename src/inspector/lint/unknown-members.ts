import type { z } from "zod";
import { findOperation } from "../../engine/runtime/find-operation.ts";
import { service } from "../../service/service.ts";
import { parseRoute } from "../../engine/core/operation.ts";
import { definitionOf, innermost, listMembers } from "../../engine/core/schema-parts.ts";
import { pointerOf } from "../../engine/core/text.ts";
import type { JournalEntry } from "../../engine/journal/journal.ts";
import type { Found } from "./found.ts";
import { bodyToWalk } from "./request-parts.ts";

export function unknownMembers(entry: JournalEntry): Found[] {
  const operation = entry.operationId === undefined ? undefined : findOperation(service, entry.operationId);
  if (!operation) return [];
  const found: { what: string; pointer?: string }[] = [];
  for (const [schema, value] of bodyToWalk(operation, entry)) {
    const paths = unknownKeys(schema, value);
    found.push(...paths.map((path) => ({ what: `body member "${path}"`, pointer: pointerOf(path) })));
  }
  const known = operation.query
    ? Object.keys((definitionOf(innermost(operation.query()))?.shape as object | undefined) ?? {})
    : [];
  const { variant } = parseRoute(operation.route);
  for (const name of Object.keys(entry.query)) {
    if (!known.includes(name) && name !== variant && !(entry.operationId === "listDocuments" && name.startsWith("metadata_")))
      found.push({ what: `query parameter "${name}"` });
  }
  const unknown = found.map(({ what, pointer }) => ({
    kind: "unknown_field" as const,
    message: `${entry.operationId} has no ${what}, so the service ignores it`,
    pointer,
  }));
  return [...unknown, ...repeated(entry, known, operation.query ? listMembers(operation.query()) : new Set())];
}

function repeated({ operationId, query }: JournalEntry, known: readonly string[], lists: ReadonlySet<string>): Found[] {
  const names = known.filter((name) => (query[name]?.length ?? 0) > 1 && !lists.has(name));
  return names.map((name) => ({
    kind: "unknown_field",
    message: `${operationId} takes one value of the query parameter "${name}", so the service ignores all but the last`,
    fix: `Send "${name}" once.`,
  }));
}

export function unknownKeys(schema: z.ZodType, value: unknown, path = ""): string[] {
  if (typeof value !== "object" || value === null) return [];
  const inner = innermost(schema);
  const definition = definitionOf(inner);
  if (!definition) return [];
  if (Array.isArray(value)) {
    return definition.type === "array"
      ? value.flatMap((one, i) => unknownKeys(definition.element as z.ZodType, one, `${path}[${i}]`))
      : [];
  }
  if (definition.type === "record") {
    return Object.entries(value).flatMap(([key, one]) =>
      unknownKeys(definition.valueType as z.ZodType, one, path ? `${path}.${key}` : key),
    );
  }
  if (definition.type === "union") {
    const each = (definition.options as z.ZodType[]).map((option) => unknownKeys(option, value, path));
    return each.sort((a, b) => a.length - b.length)[0] ?? [];
  }
  if (definition.type !== "object") return [];
  const shape = definition.shape as Record<string, z.ZodType>;
  const isOpen = definition.catchall !== undefined && definitionOf(definition.catchall as z.ZodType)?.type !== "never";
  return Object.entries(value).flatMap(([key, one]) => {
    const at = path ? `${path}.${key}` : key;
    const member = Object.hasOwn(shape, key) ? shape[key] : undefined;
    if (member) return unknownKeys(member, one, at);
    return isOpen ? [] : [at];
  });
}
