import type { Environment } from "../workspaces/row.ts";

/** Calls per minute, per user and operation. Source: the service's limits page and its newer changelog figures. */

const SANDBOX = 10;
const PRODUCTION_DEFAULT = 100;

const PRODUCTION: Readonly<Record<string, number>> = {
  createDocument: 500,
  createDocumentFromUpload: 300,
  createDocumentFromMarkdownUpload: 300,
  sendDocument: 400,
  detailsDocument: 600,
  detailsTemplate: 600,
  detailsContentLibraryItem: 600,
  listDocuments: 2000,
  statusDocument: 2000,
  deleteDocument: 2000,
  downloadDocument: 100,
  downloadProtectedDocument: 300,
};

const BY_URL: Readonly<Record<string, string>> = { createDocument: "createDocumentFromUpload" };

/** `as` is the operation that the call counts as: a file by URL is an upload. Sandbox keys always have the sandbox limit. */
export function rateLimitOf(
  profile: "none" | "sandbox" | "production",
  environment: Environment,
  operationId: string,
  isByUrl: () => boolean,
): { limit: number; as: string } | undefined {
  if (profile === "none") return undefined;
  if (profile === "sandbox" || environment === "sandbox") return { limit: SANDBOX, as: operationId };
  const file = BY_URL[operationId];
  const as = file !== undefined && isByUrl() ? file : operationId;
  return { limit: PRODUCTION[as] ?? PRODUCTION_DEFAULT, as };
}
