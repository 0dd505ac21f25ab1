import { group, lazy } from "../../engine/core/operation.ts";
import { toQuote } from "../domain/pricing/quote-view.ts";
import { ok, operation } from "./operation.ts";
import { quote } from "./shapes/pricing.ts";
import { QUOTE_BYTES_MAX, updateQuote, updateQuotes } from "../domain/documents/quote-update.ts";
import { quoteRequest, quotesRequest } from "../model/pricing/inputs.ts";
import * as z from "zod";

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
