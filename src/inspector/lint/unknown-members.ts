import type { z } from "zod";
import { findOperation } from "../../engine/runtime/find-operation.ts";
import { service } from "../../service/service.ts";
import { own } from "../../engine/core/maps.ts";
import { parseRoute } from "../../engine/core/operation.ts";
import { definitionOf, innermost, listMembers } from "../../engine/core/schema-parts.ts";
import { pointerOf } from "../../engine/core/text.ts";
import type { JournalEntry } from "../../engine/journal/journal.ts";
import type { Found } from "./found.ts";
import { bodyToWalk } from "./request-parts.ts";

export function unknownMembers(entry: JournalEntry): Found[] {
  const operation = entry.operationId === undefined ? undefined : findOperation(service, entry.operationId);
  if (!operation) return [];
  const found: Found[] = bodyToWalk(operation, entry).flatMap(([schema, value]) =>
    unknownKeys(schema, value).map((path) => unknownOf(entry, `body member "${path}"`, pointerOf(path))),
  );
  const names = Object.keys(entry.query);
  if (names.length === 0) return found;
  const known = operation.query
    ? Object.keys((definitionOf(innermost(operation.query()))?.shape as object | undefined) ?? {})
    : [];
  const { variant } = parseRoute(operation.route);
  for (const name of names) {
    if (!known.includes(name) && name !== variant && !(entry.operationId === "listDocuments" && name.startsWith("metadata_")))
      found.push(unknownOf(entry, `query parameter "${name}"`));
  }
  return [...found, ...repeated(entry, known, operation.query ? listMembers(operation.query()) : new Set())];
}

function unknownOf({ operationId }: JournalEntry, what: string, pointer?: string): Found {
  return { kind: "unknown_field", message: `${operationId} has no ${what}, so the service ignores it`, pointer };
}

function repeated({ operationId, query }: JournalEntry, known: readonly string[], lists: ReadonlySet<string>): Found[] {
  const names = known.filter((name) => (query[name]?.length ?? 0) > 1 && !lists.has(name));
  return names.map((name) => ({
    kind: "unknown_field",
    message: `${operationId} takes one value of the query parameter "${name}", so the service ignores all but the last`,
    fix: `Send "${name}" once.`,
  }));
}

/** The paths of the members of a value that its schema does not name. */
export function unknownKeys(schema: z.ZodType, value: unknown): string[] {
  const found: string[] = [];
  collect(schema, value, "", found);
  return found;
}

/** Lint reads each call that the journal drops, so this makes no list for a part without an unknown member. */
function collect(schema: z.ZodType, value: unknown, path: string, found: string[]): void {
  if (typeof value !== "object" || value === null) return;
  const definition = definitionOf(innermost(schema));
  if (!definition) return;
  if (Array.isArray(value)) {
    if (definition.type !== "array") return;
    for (const [i, one] of value.entries())
      if (typeof one === "object") collect(definition.element as z.ZodType, one, `${path}[${i}]`, found);
    return;
  }
  if (definition.type === "union") {
    const each = (definition.options as z.ZodType[]).map((option) => {
      const paths: string[] = [];
      collect(option, value, path, paths);
      return paths;
    });
    found.push(...(each.sort((a, b) => a.length - b.length)[0] ?? []));
    return;
  }
  const shape = definition.type === "object" ? (definition.shape as Record<string, z.ZodType>) : undefined;
  if (!shape && definition.type !== "record") return;
  const catchall = definition.catchall as z.ZodType | undefined;
  const isOpen = catchall !== undefined && definitionOf(catchall)?.type !== "never";
  for (const [key, one] of Object.entries(value)) {
    const member = shape ? own(shape, key) : (definition.valueType as z.ZodType);
    const isKnown = member !== undefined || isOpen;
    if (isKnown && typeof one !== "object") continue;
    const at = path ? `${path}.${key}` : key;
    if (member) collect(member, one, at, found);
    else if (!isOpen) found.push(at);
  }
}
