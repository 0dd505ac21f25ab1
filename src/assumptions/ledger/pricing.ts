/** Records about pricing tables, quotes and the catalog. */
import type { AssumptionRecord } from "../record.ts";
import { assumption, REASONS } from "./entry.ts";

export const pricing: readonly AssumptionRecord[] = [
  assumption("catalog.bundled_item", {
    statement: "An item inside a bundle cannot be deleted.",
    operations: ["deleteCatalogItem"],
    probeable: true,
    sources: [{ kind: "guess", text: "The bundle would break." }],
  }),
  assumption("catalog.categories", {
    statement: "A category exists while an item is in it. An unknown category is refused.",
    operations: ["createCatalogItem", "updateCatalogItem"],
    probeable: true,
    sources: [{ kind: "guess", text: "The public API cannot create one." }],
  }),
  assumption("catalog.highlights", {
    statement: "Highlights list the found texts by field, each match marked.",
    operations: ["searchCatalogItems"],
    probeable: true,
    sources: [{ kind: "description", text: "The description has objects with names of its own, and null without a query." }],
  }),
  assumption("catalog.missing_sku", {
    statement: "A missing SKU gets a generated one, as an empty SKU does.",
    operations: ["createCatalogItem"],
    probeable: true,
    sources: [{ kind: "description", text: "The vendor's example shows it for an empty SKU." }],
  }),
  assumption("catalog.not_found", {
    statement: "An unknown or deleted catalog item answers 404.",
    operations: ["getCatalogItem", "updateCatalogItem", "deleteCatalogItem"],
    probeable: true,
    sources: [{ kind: "description", text: "The operation declares no 404." }],
  }),
  assumption("catalog.page_size", {
    statement: "A page of the catalog has 25 items by default and 100 at most.",
    operations: ["searchCatalogItems"],
    probeable: true,
  }),
  assumption("catalog.search_order", {
    statement: "Without an order, the newest change comes first. Without types, items and bundles are found.",
    operations: ["searchCatalogItems"],
    probeable: true,
  }),
  assumption("pricing.fault_texts", {
    statement: "The texts of refused columns are those of docdouble.",
    operations: ["createDocument"],
    probeable: true,
  }),
  assumption("pricing.merge_names", {
    statement: "Each column has a default merge name.",
    operations: ["createDocument"],
    probeable: true,
    sources: [{ kind: "recorded", text: "One project measured Name, Description, Price and QTY." }],
  }),
  assumption("pricing.option_kind", {
    statement: "The key of an option says whether it is a discount, a tax or a fee; otherwise its shown name does.",
    operations: ["createDocument"],
    probeable: true,
    sources: [{ kind: "description", text: "The official example has Tax, shown as Tax First." }],
  }),
  assumption("pricing.table_order", {
    statement: "In a pricing table, discounts come before taxes and fees.",
    operations: ["detailsDocument"],
    probeable: true,
  }),
  assumption("quotes.adjustment_order", {
    statement: "In a quote, discounts come before taxes and fees. A flat amount counts once for any quantity.",
    operations: ["quoteUpdate"],
    probeable: true,
  }),
  assumption("quotes.columns", {
    statement: "A section of a quote has a fixed set of columns, plus those that its items bring.",
    operations: ["detailsDocument"],
    probeable: true,
  }),
  assumption("quotes.item_texts", {
    statement: "The texts of type and pricing_method are those of the catalog. Text columns appear among the custom columns.",
    operations: ["detailsDocument"],
    probeable: true,
  }),
  assumption("quotes.merged_items", {
    statement: "Merge rules apply only to items that an update adds. An item without a fitting rule stays in its section.",
    operations: ["quoteUpdate"],
    probeable: REASONS.account,
  }),
  assumption("quotes.moved_item", {
    statement: "An item may move to another section and keeps its id.",
    operations: ["quoteUpdate"],
    probeable: true,
  }),
  assumption("quotes.multipliers", {
    statement: "Multipliers multiply. A recurring item without a term counts one period.",
    operations: ["quoteUpdate"],
    probeable: true,
  }),
  assumption("quotes.qty_editable", {
    statement: "The options of a quote item may omit qty_editable.",
    operations: ["quoteUpdate", "createDocument"],
    probeable: true,
    sources: [{ kind: "description", text: "The schema marks it as required; examples omit it." }],
  }),
  assumption("quotes.rule_comparison", {
    statement: "An item without the compared field has an empty text there. Case counts.",
    operations: ["quoteUpdate"],
    probeable: REASONS.account,
  }),
  assumption("quotes.rule_words", {
    statement: "A merge rule has the action add_to_section and joins conditions with “and” or “or”.",
    operations: ["quoteUpdate"],
    probeable: REASONS.account,
    sources: [{ kind: "description", text: "The description has plain texts there." }],
  }),
  assumption("quotes.selection", {
    statement:
      "The selection type of a section decides which items count: all but unselected optional ones, the selected ones, or the first selected one.",
    operations: ["quoteUpdate"],
    probeable: true,
  }),
  assumption("quotes.signer_choice", {
    statement: "Choosing one item of a single or multiple choice leaves out the others.",
    probeable: REASONS.person,
  }),
  assumption("quotes.tier_price", {
    statement: "The value of a tier is the price. Below the first tier, the price of the item counts.",
    operations: ["quoteUpdate"],
    probeable: REASONS.account,
    sources: [{ kind: "description", text: "The product catalog has the same kind of tiers." }],
  }),
];
