/** The rows of a workspace: its people, keys, folders and contacts. */
import type { Row } from "../../store/row.ts";
import { table } from "../../store/collection.ts";

export type Environment = "production" | "sandbox";

export interface WorkspaceRow extends Row {
  name: string;
  date_created: number;
  active: boolean;
  /** Who made it; null when it came from fixtures. */
  owner_user_id: string | null;
  /** The plan's settings that endpoints depend on. */
  settings: {
    esign_disclosure: { company_name: string; esign_disclosure_text: string } | null;
    notary: boolean;
    /** A payment application is connected. */
    payment_app: boolean;
    /** Fixtures may say so; no rule depends on it. */
    trial: boolean;
    /** Kept under 21 CFR Part 11. */
    cfr_part_11: boolean;
    /** An admin has certified that recipients agreed to text messages. */
    sms_consent_certified: boolean;
    currency: string;
    allow_join_by_domain: boolean;
    allow_request_access: boolean;
    icon_url: string | null;
    /** Roles beside the four that every workspace has. */
    custom_roles: string[];
    /** Seats that were bought, by licence; a licence that is not named has one more whenever one is wanted. */
    licenses: Partial<Record<UserRow["license"], number>>;
    /** Notary transactions that were bought; null: as many as are wanted. */
    notary_transactions: number | null;
  };
}

export interface UserRow extends Row {
  email: string;
  first_name: string;
  last_name: string;
  phone_number: string | null;
  avatar: string | null;
  license: "Full" | "eSign" | "Read-only" | "Creator" | "Guest";
  is_organization_owner: boolean;
  /** May manage users and workspaces beside the owner. The service never shows it. */
  is_organization_admin: boolean;
  removed: boolean;
  date_created: number;
}

/** A user's seat in a workspace. */
export interface MemberRow extends Row {
  user_id: string;
  workspace_id: string;
  role: string;
  /** Not blocked. */
  is_active: boolean;
  /** Taken out of the workspace; what they did keeps their name. */
  removed: boolean;
  date_created: number;
  date_modified: number;
}

export interface ApiKeyRow extends Row {
  membership_id: string;
  workspace_id: string;
  environment: Environment;
  revoked: boolean;
}

export const workspaceTables = {
  workspaces: table<WorkspaceRow>()(),
  users: table<UserRow>()({ indexes: { email: (row) => row.email.toLowerCase() } }),
  members: table<MemberRow>()({ indexes: { workspace: (row) => row.workspace_id, user: (row) => row.user_id } }),
  api_keys: table<ApiKeyRow>()({ indexes: { workspace: (row) => row.workspace_id } }),
};
