import * as z from "zod";
import { ApiError, invalid, notFound, reasonOf } from "../../../engine/core/errors.ts";
import { group, lazy } from "../../../engine/core/operation.ts";
import { pointerOf } from "../../../engine/core/text.ts";
import { ok, operation } from "../../kit/operation.ts";
import type { World } from "../../kit/world.ts";
import type { DocumentRow } from "../documents/row.ts";
import { requireDocument, requireUnlocked } from "../documents/row.ts";
import { putContent, requireAllowed } from "../documents/transitions.ts";
import { emit } from "../webhooks/subscriptions.ts";
import type { QuoteInput } from "./inputs.ts";
import { quoteRequest, quotesRequest } from "./inputs.ts";
import { changeQuote, toQuote } from "./quotes.ts";
import { remarkQuote } from "./remarks.ts";
import type { QuoteRow } from "./row.ts";
import { mergeItems } from "./table-columns.ts";
import { checkTotal } from "./table-input.ts";
import { quote } from "./tables.ts";

/** Source: version 8.20.0 of the official description. */
export const QUOTE_BYTES_MAX = 512 * 1024;

/** Replaces a quote of a draft. assumed: locks.every_change. @throws 404, 409, 400 */
export function updateQuote(world: World, documentId: string, quoteId: string, input: QuoteInput): QuoteRow {
  const document = requireDocument(world, documentId);
  requireUnlocked(world, document);
  const quote = document.quotes.find((one) => one.id === quoteId);
  if (!quote) throw notFound(`the document has no quote ${quoteId}; it has ${document.quotes.map((one) => one.id).join(", ")}`);
  requireAllowed(document, "edit");
  return replaceQuote(world, document, quote, input, "");
}

/** `at` prefixes the field paths in errors. */
function replaceQuote(world: World, document: DocumentRow, quote: QuoteRow, input: QuoteInput, at: string): QuoteRow {
  checkPrices(input, at);
  const before = new Set(quote.sections.flatMap((section) => section.items.map((item) => item.id)));
  const replaced = changeQuote(world, quote, input);
  const added = replaced.sections.flatMap((section) => section.items.map((item) => item.id)).filter((id) => !before.has(id));
  const changed = mergeItems(replaced, new Set(added));
  checkTotal(world, toQuote(changed).total, `${at}${input.summary ? "summary" : "sections"}`);
  remarkQuote(world, input, pointerOf(at.replace(/\.$/, "")));
  const quotes = document.quotes.map((one) => (one.id === quote.id ? changed : one));
  const updated: DocumentRow = putContent(world, { ...document, quotes });
  emit(world, "quote_updated", updated);
  return changed;
}

/** Source: version 8.20.0 of the official description. assumed: quotes.price_and_settings. */
function checkPrices({ sections = [] }: QuoteInput, at: string): void {
  for (const [s, section] of sections.entries())
    for (const [i, item] of (section.items ?? []).entries())
      if (item.price !== undefined && item.price_settings)
        throw invalid(
          { [`${at}sections[${s}].items[${i}].price_settings`]: ["Only one of price and price_settings is allowed."] },
          "an item has either a price or price_settings; leave one of them out",
        );
}

export type BatchResult = { id: string } & (
  | { status: "ok"; quote: ReturnType<typeof toQuote> }
  | { status: "validation_error" | "not_in_document" | "not_found" | "conflict"; description: string }
);

/** Replaces several quotes of one document. A quote that cannot be replaced leaves the others alone. assumed: quotes.batch_results. */
export function updateQuotes(world: World, documentId: string, input: readonly (QuoteInput & { id: string })[]): BatchResult[] {
  requireUnlocked(world, requireDocument(world, documentId));
  return input.map((one, i) => updateOfBatch(world, requireDocument(world, documentId), one, `quotes[${i}].`));
}

function updateOfBatch(
  world: World,
  document: DocumentRow,
  { id, ...input }: QuoteInput & { id: string },
  at: string,
): BatchResult {
  const quote = document.quotes.find((one) => one.id === id);
  if (!quote)
    return isElsewhere(world, document, id)
      ? { id, status: "not_in_document", description: "The quote belongs to another document." }
      : { id, status: "not_found", description: "The quote was not found." };
  try {
    requireAllowed(document, "edit");
    return { id, status: "ok", quote: toQuote(replaceQuote(world, document, quote, input, at)) };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { id, status: error.kind === "invalid" ? "validation_error" : "conflict", description: reasonOf(error) };
  }
}

function isElsewhere(world: World, document: DocumentRow, id: string): boolean {
  const others = world.store.documents.where("life", `${document.workspace_id}:live`);
  return others.some((one) => one.quotes.some((quote) => quote.id === id));
}

/** Source: version 8.20.0 of the official description. Its further status is internal_error. */
const batch = lazy(() =>
  z.strictObject({
    count: z.number().int(),
    results: z.array(
      z.union([
        z.strictObject({ id: z.string(), status: z.literal("ok"), quote: quote() }),
        z.strictObject({
          id: z.string(),
          status: z.enum(["validation_error", "not_in_document", "not_found", "conflict"]),
          description: z.string(),
        }),
      ]),
    ),
  }),
);

export const quotesGroup = group("Quotes", [
  operation({
    id: "quoteUpdate",
    route: "PUT /public/v1/documents/{document_id}/quotes/{quote_id}",
    body: quoteRequest,
    bytesMax: QUOTE_BYTES_MAX,
    responses: { 200: quote },
    errors: [401, 403, 404, 409, 413, 429],
    furtherErrors: [423],
    handle: ({ params, body }, world) => ok(toQuote(updateQuote(world, params.document_id, params.quote_id, body))),
  }),
  operation({
    id: "quotesBatchUpdate",
    route: "PATCH /public/v1/documents/{document_id}/quotes",
    body: quotesRequest,
    bytesMax: QUOTE_BYTES_MAX,
    responses: { 200: batch },
    errors: [400, 401, 403, 404, 413, 429],
    furtherErrors: [423],
    handle: ({ params, body }, world) => {
      const results = updateQuotes(world, params.document_id, body.quotes);
      return ok({ count: results.length, results });
    },
  }),
]);
