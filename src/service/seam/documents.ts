/** Documents, for the library and the inspector. */
import { changesOf } from "../acts/changes.ts";
import { toDocumentLine, toDocumentState, turnOf } from "../acts/document-state.ts";
import { searchDocuments } from "../acts/documents.ts";
import { EDITABLE } from "../acts/edit.ts";
import { possibleSteps } from "../acts/steps.ts";
import { plainDocument } from "../acts/views.ts";
import { joinedInput, timelineOf } from "../acts/timeline.ts";
import { fieldText, grandTotalOf, tableBlocks } from "../nouns/content/blocks.ts";
import { failureWords } from "../nouns/content/file-content.ts";
import type { DocumentRow } from "../nouns/documents/row.ts";
import { requireDocument } from "../nouns/documents/row.ts";
import { currencyOf, sharedLink } from "../nouns/documents/view.ts";
import { amountDue, pricingTotal } from "../nouns/pricing/tables.ts";
import { displayName } from "../nouns/people/participants.ts";
import { authorOf, commentsOf } from "../nouns/signing/participant-acts.ts";
import type { World } from "../kit/world.ts";
import { blocksHtml } from "../pages/signing/blocks.ts";

export const documents = {
  require: requireDocument,
  /** A copy that a test may keep. */
  copy: plainDocument,
  search: searchDocuments,
  state: toDocumentState,
  line: toDocumentLine,
  /** For the log: why the document is in error. */
  whyInError({ store }: World, id: string): { reason?: string } {
    const row = store.documents.get(id);
    const failure = row?.status === "document.error" && row.internal.failure;
    return failure ? { reason: failureWords(failure) } : {};
  },
  /** The recipients who may sign now. */
  turn: turnOf,
  steps: possibleSteps,
  timeline: timelineOf,
  changes: changesOf,
  /** The input of two acts at one instant. */
  joinedInput,
  fieldText,
  /** The types of fields whose values a person can type. */
  editable: EDITABLE,
  /** What the document costs: the agreed payment, or the sum of its prices. Null for a document without prices. */
  value: (world: World, row: DocumentRow): { amount: string; currency: string } | null => {
    const { payment } = row.internal;
    if (row.pricing_tables.length + row.quotes.length === 0 && payment === null) return null;
    const total = pricingTotal(row, currencyOf(world, row));
    return payment ? { amount: amountDue(row, payment.amount, payment.currency), currency: payment.currency } : total;
  },
  displayName,
  /** The signing page of a link token. */
  signingPage: sharedLink,
  comments: (world: World, row: DocumentRow) =>
    commentsOf(world, row).map(({ kind, at, text, ...one }) => ({
      kind,
      at,
      text,
      author: authorOf(row, { kind, at, text, ...one }),
    })),
  pricingHtml: (row: DocumentRow) =>
    blocksHtml([...tableBlocks({ tables: [], pricing_tables: row.pricing_tables, quotes: row.quotes }), ...grandTotalOf(row)]),
};
