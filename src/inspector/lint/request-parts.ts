import type { z } from "zod";
import { definitionOf, innermost } from "../../engine/core/schema-parts.ts";
import { parseLeniently } from "../../engine/core/text.ts";
import type { JournalEntry } from "../../engine/journal/journal.ts";
import type { Operation } from "../../engine/core/operation.ts";

type Walk = readonly [schema: z.ZodType, value: unknown][];

/** Several checks read the same call in turn, so its JSON is parsed once. */
let latest: { entry: JournalEntry; walk: Walk } | undefined;

/** The JSON of a call with its schema: the body, or the part `data` of a form. */
export function bodyToWalk(operation: Pick<Operation, "body" | "bodyKind">, entry: JournalEntry): Walk {
  if (latest?.entry !== entry) latest = { entry, walk: readBody(operation, entry) };
  return latest.walk;
}

function readBody(operation: Pick<Operation, "body" | "bodyKind">, entry: JournalEntry): Walk {
  if (!operation.body) return [];
  const kind = operation.bodyKind ?? "json";
  // A body that is not JSON is refused, which the journal shows.
  if (kind === "json") return [[operation.body(), parseLeniently(entry.body)]];
  if (kind !== "multipart") return [];
  const shape = definitionOf(innermost(operation.body()))?.shape as Record<string, z.ZodType> | undefined;
  const { data } = (parseLeniently(entry.body) ?? {}) as { data?: unknown };
  if (!shape?.data || data === undefined) return [];
  return [[shape.data, typeof data === "string" ? parseLeniently(data) : data]];
}
