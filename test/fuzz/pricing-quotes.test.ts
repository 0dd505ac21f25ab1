/** Random quotes through the API. An independent calculation gives the same amounts, to the smallest unit. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { aQuote, quoted } from "../support/priced-quotes.ts";
import { aDraft, succeed } from "../support/stories.ts";
import { testWorld } from "../support/world.ts";
import { PRICING_RUNS, PRICING_TIMEOUT_MS } from "./run.ts";
import { law } from "../support/law.ts";

/** A world with more journal entries becomes slow. */
const UPDATES_MAX = 1000;

async function aWorldWithQuote() {
  const world = await testWorld();
  const id = await aDraft(world, { template: "quote" });
  const { body } = await succeed(world.call("detailsDocument", { params: { id } }));
  return { world, id, params: { document_id: id, quote_id: body.pricing.quotes[0].id } };
}

test("random quotes show the amounts of an independent calculation", { timeout: PRICING_TIMEOUT_MS }, async () => {
  let story = await aWorldWithQuote();
  let sent = 0;
  await law(
    fc.asyncProperty(aQuote, async (quote) => {
      if (++sent % UPDATES_MAX === 0) story = await aWorldWithQuote();
      const { world, id, params } = story;
      const wanted = quoted(quote);
      const { body } = await succeed(world.call("quoteUpdate", { params, body: quote }));
      expect(body).toMatchObject(wanted);
      const { pricing, grand_total } = (await succeed(world.call("detailsDocument", { params: { id } }))).body;
      expect(pricing).toEqual({ tables: [], quotes: [body], total: wanted.total });
      expect(grand_total).toEqual({ amount: quote.currency === "USD" ? wanted.total : "0", currency: "USD" });
    }),
    { numRuns: PRICING_RUNS },
  );
});
