import type { AssumptionRecord } from "../../../engine/assumptions/record.ts";
import { assumption, vendorSkills } from "./entry.ts";
import { DESCRIPTION_8_8, PRICING_ROWS } from "./sightings.ts";

export const pricing: readonly AssumptionRecord[] = [
  assumption("catalog.bundled_item", {
    statement: "docdouble refuses to delete an item that is part of a bundle.",
    operations: ["deleteCatalogItem"],
    sources: [{ kind: "guess", text: "Without the item, the bundle would be incomplete." }],
  }),
  assumption("catalog.categories", {
    statement: "A category exists while an item has it. docdouble refuses an unknown category.",
    operations: ["createCatalogItem", "updateCatalogItem"],
    sources: [{ kind: "guess", text: "The public API has no call that creates a category." }],
  }),
  assumption("catalog.empty_entries", {
    statement: "docdouble refuses an image without src, a custom field without a name, and an entry of a bundle without an item.",
    operations: ["createCatalogItem", "updateCatalogItem"],
    sources: [{ kind: "guess", text: "The official description requires none of these, but such an entry says nothing." }],
  }),
  assumption("catalog.highlights", {
    statement: "Highlights show the found texts by field, and mark each match.",
    operations: ["searchCatalogItems"],
    sources: [
      { kind: "description", text: "The official description shows objects with separate names. Without a query it shows null." },
    ],
    seen: [DESCRIPTION_8_8],
  }),
  assumption("catalog.missing_sku", {
    statement: "If a request has no SKU, docdouble makes one, as it does for an empty SKU.",
    operations: ["createCatalogItem"],
    sources: [
      {
        kind: "description",
        text: "The official example shows this for an empty SKU. docdouble treats a missing SKU in the same way.",
      },
    ],
    seen: [DESCRIPTION_8_8],
  }),
  assumption("catalog.not_found", {
    statement: "An unknown or deleted catalog item answers 404.",
    operations: ["getCatalogItem", "updateCatalogItem", "deleteCatalogItem"],
    sources: [
      {
        kind: "description",
        text: "The official description lists no 404 for this operation. docdouble uses the error body that other operations have.",
      },
    ],
  }),
  assumption("catalog.page_size", {
    statement: "A page of the catalog has 25 items by default and 100 at most.",
    operations: ["searchCatalogItems"],
  }),
  assumption("catalog.billing_cycle", {
    statement:
      "The billing cycle of an item may be any text, also without a recurring price. The search shows it when it is a whole number.",
    operations: ["createCatalogItem", "updateCatalogItem", "searchCatalogItems"],
    sources: [
      {
        kind: "description",
        text: "The official description has a text in items and a number in the search. It lists no values for either.",
      },
    ],
    seen: [DESCRIPTION_8_8],
  }),
  assumption("catalog.same_sku", {
    statement: "Two items of the catalog may have the same SKU.",
    operations: ["createCatalogItem", "updateCatalogItem"],
  }),
  assumption("catalog.search_order", {
    statement:
      "Without a requested order, the item with the latest change comes first. Without requested types, the search finds items and bundles.",
    operations: ["searchCatalogItems"],
  }),
  assumption("pricing.broken_document", {
    statement:
      "A create that is refused because of its currency leaves a document in document.error, and sends the event of a failed creation.",
    operations: ["createDocument"],
    sources: [
      {
        kind: "recorded",
        text: "The vendor's skill files say that a broken document stays behind. They name no status and no event.",
      },
    ],
    seen: [vendorSkills({ live: true })],
  }),
  assumption("pricing.combined_discounts", {
    statement: "Each discount of a table counts from the sum after the discounts of its rows. Percentages and amounts add up.",
    operations: ["createDocument", "updateDocument"],
    sources: [{ kind: "recorded", text: "The vendor's skill files: 15 % and 10 % make 25 %. They name no amounts." }],
    seen: [vendorSkills({ live: true })],
  }),
  assumption("pricing.currency_codes", {
    statement: "A currency is a code of ISO 4217 in upper case. docdouble refuses other texts as it refuses a wrong choice.",
    operations: ["createDocument", "updateDocument", "quoteUpdate", "createCatalogItem", "updateCatalogItem"],
    sources: [
      { kind: "description", text: "The official description names ISO 4217 for quotes. Its examples are in upper case." },
    ],
  }),
  assumption("pricing.currency_text", {
    statement: "The text of the refusal names the requested currency between the words that the vendor quotes.",
    operations: ["createDocument"],
    sources: [{ kind: "recorded", text: "The vendor's skill files quote the begin and the end of the text." }],
    seen: [vendorSkills({ live: true })],
  }),
  assumption("pricing.discount_places", {
    statement:
      "Each row of a document lists the discounts of its table by name. A template lists none, but its summary counts them.",
    operations: ["detailsDocument", "detailsTemplate"],
    sources: [
      {
        kind: "recorded",
        text: "The vendor's skill files say that items[].discounts is empty in templates, and that names appear in documents only.",
      },
    ],
    seen: [vendorSkills({ live: true })],
  }),
  assumption("pricing.fault_texts", {
    statement: "When it refuses columns, docdouble uses its own texts.",
    operations: ["createDocument"],
  }),
  assumption("pricing.columns", {
    statement:
      "Details show the columns of each pricing table. The usual ones are Name, Description, Price and QTY, and a column that no row uses is hidden.",
    operations: ["detailsDocument", "detailsTemplate"],
    sources: [
      {
        kind: "client",
        text: "Two independent clients read these columns and data_merge_enabled. The official description lacks both.",
      },
    ],
  }),
  assumption("pricing.disabled_merge", {
    statement:
      "A pricing table without data merge refuses rows with data_merge. It takes rows without data_merge, and client lint reports them.",
    operations: ["createDocument", "updateDocument"],
    sources: [
      { kind: "client", text: "One client matches the text of this refusal, and a second one fits it." },
      { kind: "recorded", text: "One public project measured that rows without data_merge work in every table." },
    ],
    seen: [PRICING_ROWS],
  }),
  assumption("pricing.merge_names", {
    statement: "Each column has a default merge name.",
    operations: ["createDocument"],
    sources: [{ kind: "recorded", text: "One public project measured the columns Name, Description, Price and QTY." }],
    seen: [PRICING_ROWS],
  }),
  assumption("pricing.option_kind", {
    statement: "The key of an option says whether it is a discount, a tax or a fee. Without such a key, its shown name says so.",
    operations: ["createDocument"],
    sources: [{ kind: "description", text: "The official example sends Tax, and the answer shows Tax First." }],
    seen: [DESCRIPTION_8_8],
  }),
  assumption("pricing.rounding", {
    statement:
      "docdouble rounds an amount to the decimals of its currency: none for JPY, three for KWD, and two for most others.",
    operations: ["detailsDocument", "quoteUpdate"],
    sources: [{ kind: "guess", text: "The official examples are in USD. ISO 4217 gives each currency its decimals." }],
  }),
  assumption("pricing.table_order", {
    statement: "In a pricing table, discounts come before taxes and fees.",
    operations: ["detailsDocument"],
  }),
  assumption("pricing.unnamed_discount", {
    statement: "A discount without a name has the name Discount.",
    operations: ["createDocument", "updateDocument"],
    sources: [{ kind: "recorded", text: "The vendor's skill files saw this name as the default." }],
    seen: [vendorSkills({ live: true })],
  }),
  assumption("pricing.unselected_row", {
    statement:
      "A row with optional_selected: false and without optional is an optional row. A row with optional: false counts, selected or not.",
    operations: ["createDocument", "updateDocument"],
    sources: [
      {
        kind: "recorded",
        text: "The vendor's skill files say that a row with optional_selected: false adds nothing. They do not mention optional there.",
      },
    ],
    seen: [vendorSkills({ live: true })],
  }),
  assumption("quotes.adjustment_order", {
    statement: "In a quote, discounts come before taxes and fees. A fixed amount counts once, for any quantity.",
    operations: ["quoteUpdate"],
  }),
  assumption("quotes.batch_body", {
    statement: "A batch of quotes is a list in the member quotes. Each has its id and the members of a single update.",
    operations: ["quotesBatchUpdate"],
    sources: [
      {
        kind: "description",
        text: "The known part of version 8.20.0 of the official description names 1 to 25 quotes with unique ids.",
      },
    ],
  }),
  assumption("quotes.batch_results", {
    statement:
      "In a batch, each quote is replaced or refused alone. A document outside draft gives conflict. A wrong type refuses the whole batch.",
    operations: ["quotesBatchUpdate"],
    sources: [
      {
        kind: "description",
        text: "Version 8.20.0 of the official description lists the statuses, and no 409 for the operation.",
      },
    ],
  }),
  assumption("quotes.columns", {
    statement: "A section of a quote has fixed columns, and the columns of its items.",
    operations: ["detailsDocument"],
  }),
  assumption("quotes.item_members", {
    statement:
      "An item of a quote has no images. Its total_qty is its quantity, and merged_data holds its columns by their merge names.",
    operations: ["detailsDocument", "quoteUpdate"],
    sources: [
      { kind: "description", text: "Version 8.20.0 of the official description has these members. Its texts are not at hand." },
    ],
  }),
  assumption("quotes.item_texts", {
    statement: "For type and pricing_method, docdouble uses the texts of the catalog. Text columns are among the custom columns.",
    operations: ["detailsDocument"],
  }),
  assumption("quotes.merged_items", {
    statement: "Merge rules act only on items that an update adds. If no rule matches an item, the item stays in its section.",
    operations: ["quoteUpdate"],
  }),
  assumption("quotes.moved_item", {
    statement: "An item keeps its id when it moves to another section.",
    operations: ["quoteUpdate"],
  }),
  assumption("quotes.multipliers", {
    statement: "docdouble multiplies all multipliers. A recurring item without a term counts for one period.",
    operations: ["quoteUpdate"],
  }),
  assumption("quotes.partial_adjustment", {
    statement: "A discount, tax or fee of a quote without a type is an amount. Without a value it is 0.",
    operations: ["quoteUpdate", "quotesBatchUpdate"],
    sources: [{ kind: "description", text: "The official description requires neither member, and names no default." }],
  }),
  assumption("quotes.price_and_settings", {
    statement: "docdouble refuses an item of a quote with both a price and price_settings.",
    operations: ["quoteUpdate", "quotesBatchUpdate"],
    sources: [
      { kind: "description", text: "Version 8.20.0 of the official description calls it a validation error. It gives no text." },
    ],
  }),
  assumption("quotes.qty_editable", {
    statement: "The options of a quote item may lack qty_editable.",
    operations: ["quoteUpdate", "createDocument"],
    sources: [
      {
        kind: "description",
        text: "The schema of the official description marks it as required. The official examples leave it out.",
      },
    ],
    seen: [DESCRIPTION_8_8],
  }),
  assumption("quotes.rule_comparison", {
    statement: "If an item lacks the compared field, docdouble compares an empty text. Upper and lower case differ.",
    operations: ["quoteUpdate"],
  }),
  assumption("quotes.rule_words", {
    statement: "A merge rule has the action add_to_section. It joins its conditions with “and” or “or”.",
    operations: ["quoteUpdate"],
    sources: [{ kind: "description", text: "The official description shows plain texts there." }],
  }),
  assumption("quotes.selection", {
    statement:
      "The selection type of a section decides which items count: all but unselected optional ones, the selected ones, or the first selected one.",
    operations: ["quoteUpdate"],
  }),
  assumption("quotes.semiannual_spelling", {
    statement: "docdouble accepts semiannualy and semiannually, and answers semiannually.",
    operations: ["quoteUpdate", "detailsDocument"],
    sources: [
      { kind: "description", text: "Version 8.20.0 of the official description has the second spelling, and 8.8.0 the first." },
    ],
  }),
  assumption("quotes.signer_choice", {
    statement: "In a single choice and a multiple choice, the items that the signer does not choose are left out.",
  }),
  assumption("quotes.tier_price", {
    statement: "The value of a tier is the price. Below the first tier, the price is that of the item.",
    operations: ["quoteUpdate"],
    sources: [
      {
        kind: "description",
        text: "The product catalog has tiers of the same form, and its example has the price of each tier.",
      },
      {
        kind: "description",
        text: "The text of the member calls such tiers a discount in the currency. But an item with tiers has no price to discount.",
      },
    ],
  }),
];
