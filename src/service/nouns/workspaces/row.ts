import { table } from "../../../engine/store/collection.ts";
import type { Row } from "../../../engine/store/row.ts";

export const ENVIRONMENTS = ["production", "sandbox"] as const;
export type Environment = (typeof ENVIRONMENTS)[number];

export const LICENSES = ["Full", "eSign", "Read-only", "Creator", "Guest"] as const;

/** `owner_user_id` is null for a workspace from fixtures. A missing license and null transactions are unlimited. */
export interface WorkspaceRow extends Row {
  name: string;
  date_created: number;
  active: boolean;
  owner_user_id: string | null;
  settings: {
    esign_disclosure: { company_name: string; esign_disclosure_text: string } | null;
    notary: boolean;
    payment_app: boolean;
    trial: boolean;
    cfr_part_11: boolean;
    sms_consent_certified: boolean;
    currency: string;
    allow_join_by_domain: boolean;
    allow_request_access: boolean;
    icon_url: string | null;
    custom_roles: string[];
    licenses: Partial<Record<UserRow["license"], number>>;
    notary_transactions: number | null;
    privacy: { [name in keyof PrivacySettings]?: boolean | undefined };
    branding: {
      logo_url: string | null;
      accent_color: string | null;
    };
  };
}

/** `cfr_part_11` is a separate setting, which documents read. */
export interface PrivacySettings {
  hipaa_compliance_enabled: boolean;
  ai_features_enabled: boolean;
  ai_on_premises_processing_enabled: boolean;
  ai_cloud_third_party_enabled: boolean;
  ai_on_premises_training_enabled: boolean;
  ai_third_party_training_enabled: boolean;
}

export interface UserRow extends Row {
  email: string;
  first_name: string;
  last_name: string;
  phone_number: string | null;
  avatar: string | null;
  license: (typeof LICENSES)[number];
  is_organization_owner: boolean;
  /** Has the owner's permissions. The service never shows it. */
  is_organization_admin: boolean;
  removed: boolean;
  date_created: number;
}

export interface MemberRow extends Row {
  user_id: string;
  workspace_id: string;
  role: string;
  is_active: boolean;
  /** The row stays, so that documents still show the name. */
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
