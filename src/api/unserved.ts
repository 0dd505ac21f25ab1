/**
 * Operations of the service that docdouble does not serve yet: each answers 501 with its id. Serving one means
 * taking its line away here.
 */
export const UNSERVED: readonly { readonly id: string; readonly route: string; readonly tag: string }[] = [
  { id: "listDocumentsByLinkedObject", route: "GET /public/v1/documents/linked-objects", tag: "Document Link to CRM" },
  { id: "listLinkedObjects", route: "GET /public/v1/documents/{id}/linked-objects", tag: "Document Link to CRM" },
  { id: "createLinkedObject", route: "POST /public/v1/documents/{id}/linked-objects", tag: "Document Link to CRM" },
  {
    id: "deleteLinkedObject",
    route: "DELETE /public/v1/documents/{id}/linked-objects/{linked_object_id}",
    tag: "Document Link to CRM",
  },
  { id: "listDocumentAttachments", route: "GET /public/v1/documents/{id}/attachments", tag: "Document Attachments" },
  { id: "createDocumentAttachment", route: "POST /public/v1/documents/{id}/attachments", tag: "Document Attachments" },
  {
    id: "createDocumentAttachmentFromFileUpload",
    route: "POST /public/v1/documents/{id}/attachments?upload",
    tag: "Document Attachments",
  },
  {
    id: "detailsDocumentAttachment",
    route: "GET /public/v1/documents/{id}/attachments/{attachment_id}",
    tag: "Document Attachments",
  },
  {
    id: "deleteDocumentAttachment",
    route: "DELETE /public/v1/documents/{id}/attachments/{attachment_id}",
    tag: "Document Attachments",
  },
  {
    id: "downloadDocumentAttachment",
    route: "GET /public/v1/documents/{id}/attachments/{attachment_id}/download",
    tag: "Document Attachments",
  },
  { id: "addDsvNamedItems", route: "POST /public/v2/dsv/{document_id}/add-named-items", tag: "Document Structure View" },
  { id: "createExportDocxTask", route: "POST /public/beta/documents/{document_id}/docx-export-tasks", tag: "Documents" },
  { id: "getDocxExportTask", route: "GET /public/beta/documents/{document_id}/docx-export-tasks/{task_id}", tag: "Documents" },
  { id: "getDocumentSummary", route: "GET /public/beta/documents/{document_id}/summary", tag: "Documents" },
  { id: "getDocumentContent", route: "GET /public/beta/documents/{document_id}/content", tag: "Documents" },
  { id: "getDocumentAiMetadata", route: "GET /public/beta/documents/{document_id}/ai-metadata", tag: "Documents" },
  { id: "batchGetDocumentAiMetadata", route: "POST /public/beta/documents/ai-metadata", tag: "Documents" },
  { id: "searchDocumentsAi", route: "GET /public/beta/documents/search", tag: "Documents" },
];
