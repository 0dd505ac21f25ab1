/** Calls per minute, per user and operation. Source: the service's limits page and its newer changelog figures. */
import type { Environment } from "./tables.ts";

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

/** The limit of an operation, or undefined when there is none. A sandbox key has the sandbox figures under either profile. */
export function rateLimitOf(
  profile: "none" | "sandbox" | "production",
  environment: Environment,
  operationId: string,
): number | undefined {
  if (profile === "none") return undefined;
  if (profile === "sandbox" || environment === "sandbox") return SANDBOX;
  return PRODUCTION[operationId] ?? PRODUCTION_DEFAULT;
}
