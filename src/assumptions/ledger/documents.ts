/** Records about documents and their life. */
import type { AssumptionRecord } from "../record.ts";
import { assumption, REASONS } from "./entry.ts";

export const documents: readonly AssumptionRecord[] = [
  assumption("approvals.selection", {
    statement: "Exactly one approver of a selectable group is chosen. Without a choice the first is asked.",
    operations: ["sendDocument"],
    probeable: REASONS.account,
  }),
  assumption("approvals.steps_shown", {
    statement: "The approval of a document shows its steps.",
    operations: ["detailsDocument"],
    probeable: true,
    sources: [{ kind: "description", text: "The text of the description names them; its schema omits them." }],
  }),
  assumption("audit_trail.ip_address", {
    statement: "Every entry of the audit trail has the same IP address.",
    operations: ["listDocumentAuditTrail"],
    probeable: REASONS.hidden,
    sources: [{ kind: "guess", text: "Callers are on this machine or near it." }],
  }),
  assumption("create.language", {
    statement: "A new document has the language of its template.",
    operations: ["documentSettingsGet"],
    probeable: true,
  }),
  assumption("create.mapping_texts", {
    statement: "The texts of refused field mappings are those of docdouble.",
    operations: ["createDocumentFromMarkdownUpload"],
    probeable: true,
    sources: [{ kind: "description", text: "The description says that roles and fields must exist." }],
  }),
  assumption("create.markdown_type", {
    statement: "Without a content type, the name of a file decides whether it is Markdown.",
    operations: ["createDocumentFromMarkdownUpload"],
    probeable: true,
  }),
  assumption("create.plain_http_url", {
    statement: "The URL of a file may use plain http.",
    operations: ["createDocument", "createDocumentAttachment"],
    probeable: true,
    sources: [{ kind: "guess", text: "Tests and laptops rarely have a certificate." }],
  }),
  assumption("delete.bulk_maximum", {
    statement: "A bulk delete takes at most 100 documents.",
    operations: ["bulkDeleteDocuments"],
    probeable: REASONS.strain,
  }),
  assumption("details.qes_status", {
    statement: "The member qes_status is present only with qualified signatures switched on. Its value is “completed”.",
    operations: ["detailsDocument"],
    probeable: REASONS.account,
    sources: [{ kind: "specification", text: "The member appears on completed documents." }],
  }),
  assumption("documents.approver_contact", {
    statement: "The filter by contact finds approvers by the e-mail address of the member.",
    operations: ["listDocuments"],
    probeable: REASONS.account,
  }),
  assumption("documents.classic_version", {
    statement: "A document of the classic editor has version 1.",
    operations: ["detailsDocument"],
    probeable: true,
    sources: [{ kind: "description", text: "Texts of errors call such documents version 1." }],
  }),
  assumption("documents.editing_session_key", {
    statement: "An editing session carries the deprecated member key.",
    operations: ["createDocumentEditingSession", "createTemplateEditingSession"],
    probeable: true,
    sources: [{ kind: "description", text: "The schema has key; the examples of the vendor omit it." }],
  }),
  assumption("documents.manual_matrix", {
    statement: "Statuses that the matrix does not name allow no manual change.",
    operations: ["changeDocumentStatus"],
    probeable: true,
    sources: [
      {
        kind: "specification",
        text: "The matrix omits uploaded, error, waiting_approval, rejected, external_review and scheduled.",
      },
    ],
  }),
  assumption("documents.missing_values_last", {
    statement: "Rows without a sort value come last in both directions.",
    operations: ["listDocuments"],
    probeable: true,
  }),
  assumption("documents.paid_without_app", {
    statement: "Setting paid without a payment app answers 409.",
    operations: ["changeDocumentStatus"],
    probeable: true,
    sources: [{ kind: "specification", text: "Setting paid requires a connected payment app." }],
  }),
  assumption("documents.search_text", {
    statement: "The search matches a part of the name or of the reference number, in any case.",
    operations: ["listDocuments"],
    probeable: true,
  }),
  assumption("documents.stable_order", {
    statement: "Documents with equal sort keys keep one order, ascending and descending.",
    operations: ["listDocuments"],
    probeable: true,
  }),
  assumption("insights.extraction", {
    statement: "Extraction starts with completion and ends with the PDF. It fails when the PDF fails.",
    operations: ["getDocumentAiMetadata", "batchGetDocumentAiMetadata"],
    probeable: true,
  }),
  assumption("insights.failed_document", {
    statement: "A failed document has no content to summarize.",
    operations: ["getDocumentSummary", "getDocumentContent"],
    probeable: true,
  }),
  assumption("insights.metadata_fields", {
    statement: "The set of extracted fields is docdouble's. Ids are equal for every document.",
    operations: ["getDocumentAiMetadata"],
    probeable: true,
    sources: [{ kind: "description", text: "The description says that ids are equal for every document." }],
  }),
  assumption("insights.summary_wording", {
    statement: "The summary has docdouble's wording. Each longer type adds to the shorter one.",
    operations: ["getDocumentSummary"],
    probeable: true,
  }),
  assumption("lifecycle.event_order", {
    statement: "The events of one transition have a fixed order.",
    probeable: REASONS.webhook,
    sources: [{ kind: "specification", text: "The specification names the events and no order." }],
  }),
  assumption("lifecycle.expiry_in_review", {
    statement: "An external review does not suspend the expiry.",
    probeable: REASONS.person,
    sources: [
      {
        kind: "description",
        text: "The help centre says that the time restarts when a document is sent again, and names no other case.",
      },
    ],
  }),
  assumption("lifecycle.failed_pdf", {
    statement: "A PDF that cannot be made sends no event. Its download answers 202 for good.",
    operations: ["downloadDocument"],
    probeable: REASONS.hidden,
  }),
  assumption("lifecycle.paid_pdf", {
    statement: "The PDF of a paid document is announced like the PDF of a completed one.",
    probeable: REASONS.webhook,
  }),
  assumption("ownership.unknown_member", {
    statement: "An unknown member answers 404; a missing one answers 400.",
    operations: ["transferDocumentOwnership", "transferAllDocumentsOwnership"],
    probeable: true,
    sources: [{ kind: "description", text: "The operation declares no 400 for an unknown member." }],
  }),
  assumption("revert.uploaded", {
    statement: "An uploaded or failed document can be moved to draft. Its processing ends.",
    operations: ["documentRevertToDraft"],
    probeable: true,
    sources: [{ kind: "specification", text: "Every status except removed is named." }],
  }),
  assumption("search.root_folder", {
    statement: "A document at the root has a folder with an empty id.",
    operations: ["searchDocumentsAi"],
    probeable: true,
  }),
  assumption("search.time_spans", {
    statement: "Weeks begin on Monday. Time spans refer to the creation.",
    operations: ["searchDocumentsAi"],
    probeable: true,
  }),
  assumption("update.content_date", {
    statement: "Tags and metadata move only date_modified. The name counts as content.",
    operations: ["updateDocument"],
    probeable: true,
    sources: [{ kind: "specification", text: "Recipients change only date_modified." }],
  }),
  assumption("update.empty", {
    statement: "An empty update changes nothing, not even a date.",
    operations: ["updateDocument"],
    probeable: true,
  }),
  assumption("update.tags_and_metadata", {
    statement: "Tags are replaced; metadata is merged.",
    operations: ["updateDocument"],
    probeable: true,
    sources: [{ kind: "description", text: "The description says so." }],
  }),
];
