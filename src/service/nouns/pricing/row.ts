/** Source: version 8.20.0 of the official description. */
export const BILLING_FREQUENCIES = ["weekly", "monthly", "annually", "quarterly", "semiannually"] as const;

export const SELECTION_TYPES = ["custom", "single", "multiple"] as const;

export type SelectionType = (typeof SELECTION_TYPES)[number];

/** Money and numbers in rows are decimal texts. */
export interface QuoteAdjustment {
  type: "percent" | "flat";
  value: string;
}

export type Texts = Record<string, string>;

export interface Adjustments {
  discounts: Record<string, QuoteAdjustment>;
  taxes: Record<string, QuoteAdjustment>;
  fees: Record<string, QuoteAdjustment>;
}

export interface QuoteSummary extends Adjustments {
  custom_columns: Texts;
}

export interface QuoteItem extends Adjustments {
  id: string;
  sku: string;
  name: string;
  description: string;
  qty: string;
  price: string;
  price_settings: { base_value: string | null; tiers: { min_qty: number; value: string }[] } | null;
  cost: string | null;
  billing_frequency: (typeof BILLING_FREQUENCIES)[number] | null;
  /** In billing periods. */
  contract_term: number | null;
  reference_id: string | null;
  options: { selected: boolean; qty_editable: boolean; optional: boolean };
  custom_columns: Texts;
  external_columns: Texts;
  text_columns: Texts;
  multipliers: Texts;
}

export interface QuoteSection {
  id: string;
  name: string;
  summary: QuoteSummary;
  items: QuoteItem[];
  settings: { optional: boolean; selected: boolean; selection_type: SelectionType; data_merge_enabled: boolean };
}

export const RULE_ACTIONS = ["add_to_section"] as const;

export const RULE_CONDITIONS = ["and", "or"] as const;

export const RULE_COMPARISONS = ["equals", "not_equals", "contains", "not_contains"] as const;

export interface MergeRule {
  id: string;
  enabled: boolean;
  action: { type: string; section_id: string };
  condition: { field_name: string; type: string; comparison: { type: string; value: string }[] };
}

export interface QuoteRow {
  id: string;
  currency: string;
  summary: QuoteSummary;
  sections: QuoteSection[];
  merge_rules: MergeRule[];
  settings: { selection_type: SelectionType };
}

export interface Adjustment {
  type: "percent" | "absolute";
  value: string;
  name?: string;
}

export type NamedAdjustment = Adjustment & { name: string };

/** Source: the vendor saw this name in templates. */
export const DISCOUNT_NAME = "Discount";

export type MergedValue = string | { value: string; type: string };

export interface PricingItem {
  id: string;
  sku: string;
  name: string;
  description: string;
  qty: string;
  price: string;
  cost: string;
  discount: Adjustment | null;
  tax_first: Adjustment | null;
  tax_second: Adjustment | null;
  taxes: Record<string, Adjustment>;
  discounts: Record<string, Adjustment>;
  fees: Record<string, Adjustment>;
  options: {
    optional: boolean;
    optional_selected: boolean;
    multichoice_enabled: boolean;
    multichoice_selected: boolean;
    qty_editable: boolean;
  };
  custom_fields: Record<string, unknown>;
  custom_columns: Record<string, unknown>;
  merged_data: Record<string, MergedValue>;
}

export interface DeclaredColumn {
  name: string;
  header?: string;
  merge_name?: string;
  hidden?: boolean;
}

export interface PricingTableRow {
  id: string;
  name: string;
  currency: string;
  is_included_in_total: boolean;
  /** What details say. Source: the service refuses data merge in some tables that say true. */
  data_merge_enabled: boolean;
  /** The template setting "Automatically add products to this table". Without it, rows with data merge are refused. */
  accepts_rows: boolean;
  /** Columns with a name, title or merge name of their own. Other built-in columns have the usual ones. */
  columns?: readonly DeclaredColumn[];
  /** Their names are keys: no two have the same name. */
  discounts: readonly NamedAdjustment[];
  tax: Adjustment | null;
  fee: Adjustment | null;
  items: PricingItem[];
}
