/** Dated observations that support more than one record. */
import type { Sighting } from "../../../engine/assumptions/record.ts";

/** The description that docdouble's shapes follow. It states a shape or a rule, and shows no answer of the service. */
export const DESCRIPTION_8_8: Sighting = {
  date: "2026-07-15",
  by: "vendor",
  account: null,
  source: "PandaDoc/pandadoc-openapi-specification, version 8.8.0",
};

/** Numbers name files of a public index of source code. */
const seenInIndex = (date: string, file: number, account: string | null = null): Sighting => ({
  date,
  by: "public",
  account,
  source: `file ${file} of a public code index`,
});

const seenIn = (date: string, source: string, account: string | null = null): Sighting => ({
  date,
  by: "public",
  account,
  source,
});

export const FIELD_TAG_UPLOADS = seenInIndex("2026", 69159687305);
export const PRICING_ROWS = seenInIndex("2026-09", 68852877833);
export const REFUSED_SECOND_DRAFT = seenInIndex("2026-09", 68864458476);
export const REFUSED_PATCH = seenInIndex("2026-09-15", 68864458476);
export const SANDBOX_REFUSALS = [seenInIndex("2026-09", 68864458476, "sandbox"), seenInIndex("2025-12", 48427916972, "sandbox")];
export const UNKNOWN_ROLE = seenInIndex("2026-05", 59868050757);
export const REPEATED_ADDRESS = seenInIndex("2026", 59868050757);
export const UNKNOWN_SESSION_RECIPIENT = seenInIndex("2026-10", 70321934473);

export const CREDENTIAL_REFUSALS = seenIn("2026-08-03", "w6w, PandaDoc connector: client.ts and README");
export const SESSION_IN_DRAFT = seenIn("2025", "opti/panda_doc, issue 47");
export const WEBHOOK_OF_A_DRAFT = seenIn("2024-07-31", "developers.qodex.ai, webhook event details");
export const WEBHOOK_OF_A_SENT_DOCUMENT = seenIn("2022-07-27", "wkflws/wkflws_pandadoc, README.md");
export const INTEGER_RECIPIENT_IDS = ["2024-05-15", "2024-06", "2024-07"].map((date) =>
  seenIn(date, "PandaDoc/pandadoc-api-python-client, issue 27"),
);
export const SECTION_UPLOAD = seenIn("2023-08-28", "opti/panda_doc, specification of document sections");
export const CONTACT_UPDATE = seenIn("2023-03-08", "PipedreamHQ/pipedream, pull request 5630");
export const DOWNLOAD_OF_A_SENT_DOCUMENT = seenIn("2020-09", "fastinetserver/python-pandadoc, test_pandadoc.py");
export const MEASURED_LIMITS = [seenIn("2020", "zxscript.com", "sandbox"), seenIn("2020", "zxscript.com", "production")];

export const METADATA_OF_100_LETTERS = seenIn("2026", "a public client that cuts metadata");
export const FAILED_DETAILS = seenIn("2026", "a public note on failed documents");
export const SESSION_WHILE_UPLOADED = seenIn("2026", "a public client that repeats a session at 409");
export const SHORT_ROLES_IN_TAGS = seenIn("2026", "a public note on three uploads");
export const UNVERIFIED_ACCOUNT = seenIn("2026", "a public client that knows the code email-not-verified");

/** An entry of the vendor's changelog. */
export const changelog = (date: string): Sighting => ({
  date,
  by: "vendor",
  account: null,
  source: "developers.pandadoc.com, changelog",
});

/** The samples of the official clients. Their comments did not change after this year. */
export const OFFICIAL_SAMPLES: Sighting = {
  date: "2021",
  by: "vendor",
  account: null,
  source: "samples of the official clients",
};
