import type { AssumptionRecord } from "../../../engine/assumptions/record.ts";
import { switchRecord, vendorSkills } from "./entry.ts";
import { PRICING_ROWS } from "./sightings.ts";

export const pricingSwitches: readonly AssumptionRecord[] = [
  switchRecord("details.grand_total", {
    statement:
      "The grand total is in the currency of the account. It is 0 if a pricing table or quote has another currency. pricing.total has the value.",
    operations: ["detailsDocument"],
    probeable: "A test account may lack a template in another currency.",
    sources: [
      {
        kind: "recorded",
        for: "same_currency",
        text: "The vendor's skill files show 0 in the currency of the account, and a total of 200000 in another.",
      },
      {
        kind: "description",
        for: "same_currency",
        text: "A help article says that new documents show the grand total in the default currency of the workspace.",
      },
      { kind: "description", for: "pricing", text: "The official examples show the total of the only pricing table." },
      { kind: "recorded", for: "zero", text: "The vendor's skill files also say that the grand total never has the value." },
    ],
    seen: [vendorSkills({ live: true })],
  }),
  switchRecord("pricing.column_names", {
    statement: "docdouble refuses a row of a pricing table when a column name does not match data_merge.",
    operations: ["createDocument", "updateDocument"],
    probeable: true,
    sources: [
      { kind: "recorded", for: "check", text: "One public project measured the refusal in 2026." },
      { kind: "guess", for: "any", text: "The official examples use several spellings of a column." },
    ],
    seen: [PRICING_ROWS],
  }),
  switchRecord("pricing.discount_name", {
    statement:
      "The name of a discount is a key. The name of a discount in the table replaces it, and another name adds a discount.",
    operations: ["createDocument", "updateDocument"],
    probeable: true,
    sources: [
      {
        kind: "recorded",
        for: "key",
        text: "The vendor's skill files: on a template with 15 %, its own name made 10 %, and a new name made 25 %.",
      },
      { kind: "guess", for: "single", text: "A table could have one discount, which each request replaces." },
    ],
    seen: [vendorSkills({ live: true })],
  }),
  switchRecord("pricing.negative_total", {
    statement: "Discounts above the sum make a negative total.",
    operations: ["createDocument", "updateDocument", "quoteUpdate", "quotesBatchUpdate"],
    probeable: true,
    sources: [
      { kind: "guess", for: "take", text: "No source shows a refusal, so client lint names the total." },
      { kind: "guess", for: "refuse", text: "Nobody can pay a negative total." },
    ],
  }),
  switchRecord("pricing.other_currency", {
    statement:
      "A pricing table keeps the currency of its template. A create with another currency is refused, and an update ignores the currency.",
    operations: ["createDocument", "updateDocument"],
    probeable: true,
    sources: [
      { kind: "recorded", for: "vendor", text: "The vendor's skill files say so for create and for update." },
      {
        kind: "description",
        for: "take",
        text: "The official example of a pricing table has a currency among its options, and names no condition.",
      },
    ],
    seen: [vendorSkills({ live: true })],
  }),
  switchRecord("pricing.row_options", {
    statement: "A row of a pricing table without options is refused.",
    operations: ["createDocument", "updateDocument"],
    probeable: true,
    sources: [
      { kind: "recorded", for: "required", text: "The vendor's skill files quote the refusal." },
      { kind: "description", for: "optional", text: "The official description does not list options as required." },
    ],
    seen: [vendorSkills({ live: true })],
  }),
];
