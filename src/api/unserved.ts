/**
 * Operations of the service that docdouble does not serve yet: each answers 501 with its id. Serving one means
 * taking its line away here.
 */
export const UNSERVED: readonly { readonly id: string; readonly route: string; readonly tag: string }[] = [
  { id: "createExportDocxTask", route: "POST /public/beta/documents/{document_id}/docx-export-tasks", tag: "Documents" },
  { id: "getDocxExportTask", route: "GET /public/beta/documents/{document_id}/docx-export-tasks/{task_id}", tag: "Documents" },
  { id: "getDocumentSummary", route: "GET /public/beta/documents/{document_id}/summary", tag: "Documents" },
  { id: "getDocumentContent", route: "GET /public/beta/documents/{document_id}/content", tag: "Documents" },
  { id: "getDocumentAiMetadata", route: "GET /public/beta/documents/{document_id}/ai-metadata", tag: "Documents" },
  { id: "batchGetDocumentAiMetadata", route: "POST /public/beta/documents/ai-metadata", tag: "Documents" },
  { id: "searchDocumentsAi", route: "GET /public/beta/documents/search", tag: "Documents" },
];
