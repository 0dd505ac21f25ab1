import { table } from "../../../engine/store/collection.ts";
import type { Row } from "../../../engine/store/row.ts";
import type { EventName } from "../documents/status-machine.ts";

export const PAYLOAD_KINDS = ["metadata", "fields", "products", "tokens", "pricing"] as const;

export type PayloadKind = (typeof PAYLOAD_KINDS)[number];

export interface SubscriptionRow extends Row {
  name: string;
  url: string;
  active: boolean;
  /** Set by the service after a 410 or a week of failures since `failing_since`. */
  deactivated: boolean;
  payload: PayloadKind[] | null;
  triggers: EventName[] | null;
  workspace_id: string;
  shared_key: string;
  old_key: string | null;
  date_created: number;
  internal: {
    failing_since: number | null;
  };
}

export const subscriptionTables = {
  subscriptions: table<SubscriptionRow>()(),
};
