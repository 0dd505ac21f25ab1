import type { Row } from "../../../engine/store/row.ts";
import { table } from "../../../engine/store/collection.ts";

export const BILLING_TYPES = ["one_time", "recurring"] as const;

export interface PriceTier {
  value: number;
  min_qty: number;
}

export interface PriceConfiguration {
  uuid: string;
  currency: string;
  price: number | null;
  cost: number | null;
  billing_type: (typeof BILLING_TYPES)[number];
  billing_cycle: string | null;
  tiers: PriceTier[] | null;
  pricing_method: 0 | 1 | 2;
}

export interface CatalogImage {
  is_main: boolean;
  order: number;
  src: string;
}

export interface OwnBundleItem {
  uuid: string;
  title: string;
  sku: string | null;
  description: string | null;
  image_url: string | null;
  images: CatalogImage[] | null;
  price: number | null;
  currency: string;
}

export interface CatalogItemRow extends Row {
  workspace_id: string;
  title: string;
  type: "regular" | "bundle";
  category_id: string | null;
  category_name: string | null;
  bundle_items: { quantity: number; item: string | OwnBundleItem }[] | null;
  variant_id: string;
  sku: string | null;
  description: string | null;
  images: CatalogImage[];
  custom_fields: { name: string; value: string | null }[];
  price: PriceConfiguration;
  date_created: number;
  date_modified: number;
  created_by: string;
  modified_by: string;
}

export const catalogTables = {
  catalog_items: table<CatalogItemRow>()({ indexes: { workspace: (row) => row.workspace_id } }),
};
