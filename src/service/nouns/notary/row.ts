import { table } from "../../../engine/store/collection.ts";
import type { Row } from "../../../engine/store/row.ts";

export const NOTARY_STATUSES = ["INVITED", "UNDER_REVIEW", "ACTIVE", "REJECTED", "INACTIVE"] as const;

export const REQUEST_STATUSES = [
  "DRAFT",
  "SENT",
  "WAITING_FOR_NOTARY",
  "ACCEPTED",
  "LIVE",
  "COMPLETED",
  "INCOMPLETE",
  "CANCELLED",
] as const;

export type RequestStatus = (typeof REQUEST_STATUSES)[number];

export const TERMINATION_REASONS = [
  "SIGNER_NO_SHOW",
  "AUDIO_VIDEO_ISSUE",
  "FAILED_IDENTITY_VERIFICATION",
  "TEST_SESSION",
  "OTHER",
] as const;

export const NOTARY_ACTS = ["join", "accept", "go_live", "complete", "incomplete", "cancel"] as const;

export type NotaryAct = (typeof NOTARY_ACTS)[number];

export interface NotaryRow extends Row {
  workspace_id: string;
  email: string;
  name: string | null;
  status: (typeof NOTARY_STATUSES)[number];
  commission_state: string | null;
}

export interface NotarizationRow extends Row {
  workspace_id: string;
  name: string;
  status: RequestStatus;
  document_id: string;
  message: string | null;
  disable_invitees_notifications: boolean;
  invitees: { id: string; email: string; first_name: string; last_name: string }[];
  /** The organization's own notary; null for a notary on duty. */
  notary: { id: string; scheduled_at: number; message: string | null } | null;
  created_by: string;
  date_created: number;
  date_accepted: number | null;
  date_started: number | null;
  date_completed: number | null;
  termination_reason: (typeof TERMINATION_REASONS)[number] | null;
  termination_details: string | null;
  signed: { file_id: string; type: "COMBINED" | "SINGLE" }[];
  recorded: boolean;
}

export interface NotaryLinkRow extends Row {
  notarization_id: string;
  file_id: string | "recording";
  expires_at: number;
}

export const notaryTables = {
  notaries: table<NotaryRow>()({ indexes: { workspace: (row) => row.workspace_id } }),
  notarizations: table<NotarizationRow>()({ indexes: { workspace: (row) => row.workspace_id } }),
  notary_links: table<NotaryLinkRow>()({ indexes: { notarization: (row) => row.notarization_id } }),
};
