import type { SandboxRecipient } from "../shown-rows.ts";

export interface DeliveryMethods {
  email: boolean;
  sms: boolean;
}

export interface Redirect {
  is_enabled: boolean;
  url: string | null;
}

export interface VerificationSettings {
  verification_place: "before_open" | "before_sign";
  passcode_verification: { passcode: string } | null;
  phone_verification: { phone_number: string } | null;
  kba_verification: { time_limit_sec?: number; score_threshold?: number; max_attempts_count?: number } | null;
  id_verification: { enabled: boolean } | null;
  email_otp_verification: { email: string } | null;
}

export interface GroupMember {
  id: string;
  email: string | null;
  phone: string | null;
  first_name: string;
  last_name: string;
  link_token: string;
  signature_date: number | null;
  viewed_at: number | null;
}

export interface RecipientRow extends SandboxRecipient {
  /** The name of a group; null for a person. */
  name: string | null;
  members: GroupMember[];
  delivery_methods: DeliveryMethods;
  redirect: Redirect;
  verification_settings: VerificationSettings | null;
  contact_id: string;
  avatar: string | null;
  internal: {
    link_token: string;
    viewed_at: number | null;
    verified: boolean;
    notified_at: number | null;
  };
}
