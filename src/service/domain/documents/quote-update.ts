import type { World } from "../../model/world.ts";
import type { QuoteRow } from "../../model/pricing/rows.ts";
import { requireDocument } from "../document-model/find.ts";
import { notFound } from "../../../engine/core/errors.ts";
import { putContent, requireAllowed } from "../lifecycle/transitions.ts";
import { changeQuote } from "../pricing/quotes.ts";
import { mergeItems } from "../pricing/merge-rules.ts";
import type { DocumentRow } from "../../model/documents/document.ts";
import { emit } from "../webhooks/subscriptions.ts";
import type { QuoteInput } from "../../model/pricing/inputs.ts";

/** Replaces a quote of a draft. An editing lock is ignored: 423 is not declared here. */
export function updateQuote(world: World, documentId: string, quoteId: string, input: QuoteInput): QuoteRow {
  const document = requireDocument(world, documentId);
  const quote = document.quotes.find((one) => one.id === quoteId);
  if (!quote) throw notFound(`the document has no quote ${quoteId}; it has ${document.quotes.map((one) => one.id).join(", ")}`);
  requireAllowed(document, "edit");
  const before = new Set(quote.sections.flatMap((section) => section.items.map((item) => item.id)));
  const replaced = changeQuote(world, quote, input);
  const added = replaced.sections.flatMap((section) => section.items.map((item) => item.id)).filter((id) => !before.has(id));
  const changed = mergeItems(replaced, new Set(added));
  const quotes = document.quotes.map((one) => (one.id === quoteId ? changed : one));
  const updated: DocumentRow = putContent(world, { ...document, quotes });
  // assumed: webhook.quote_event.
  emit(world, "quote_updated", updated, { always: ["pricing"] });
  return changed;
}
