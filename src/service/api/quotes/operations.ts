import { group } from "../../../engine/core/operation.ts";
import { toQuote } from "../../domain/pricing/quote-view.ts";
import { ok, operation } from "../operation.ts";
import { quote } from "../shapes/pricing.ts";
import { updateQuote } from "../../domain/documents/quote-update.ts";
import { quoteRequest } from "../../model/pricing/inputs.ts";

export const quotesGroup = group("Quotes", [
  operation({
    id: "quoteUpdate",
    route: "PUT /public/v1/documents/{document_id}/quotes/{quote_id}",
    body: quoteRequest,
    responses: { 200: quote },
    errors: [401, 403, 404, 409, 429],
    handle: ({ params, body }, world) => ok(toQuote(updateQuote(world, params.document_id, params.quote_id, body))),
  }),
]);
