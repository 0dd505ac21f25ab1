import type { AssumptionRecord } from "../../../engine/assumptions/record.ts";
import { assumption, DESCRIPTION_8_20, vendorSkills } from "./entry.ts";
import { DESCRIPTION_8_8, FAILED_DETAILS, UNVERIFIED_ACCOUNT } from "./sightings.ts";

export const documents: readonly AssumptionRecord[] = [
  assumption("approvals.decision", {
    statement:
      "Details show the decision of each approver. A selected approver without one still has to decide, once the steps before are decided.",
    operations: ["detailsDocument"],
  }),
  assumption("approvals.selection", {
    statement:
      "One approver of a selectable group approves. If the sender selects nobody, docdouble asks the first member of the group.",
    operations: ["sendDocument"],
  }),
  assumption("approvals.steps_shown", {
    statement: "The approval of a document shows its steps.",
    operations: ["detailsDocument"],
    sources: [
      { kind: "description", text: "The text of the official description names the steps. Its schema does not list them." },
    ],
    seen: [DESCRIPTION_8_8],
  }),
  assumption("audit_trail.ip_address", {
    statement: "Every entry of the audit trail has the same IP address.",
    operations: ["listDocumentAuditTrail"],
    sources: [
      { kind: "guess", text: "Callers of docdouble are on the same machine or near it, so another address would be invented." },
    ],
  }),
  assumption("create.editable", {
    statement:
      "The member editable changes nothing. docdouble keeps the text of every DOCX, and fields have their places in both cases.",
    operations: ["createDocument", "createDocumentFromUpload", "createTemplate", "createContentLibraryItem"],
    sources: [
      {
        kind: "description",
        text: "Since version 8.16.0, the member asks the service to turn a DOCX into an editable document. No source gives its default.",
      },
    ],
    seen: [DESCRIPTION_8_20],
  }),
  assumption("create.language", {
    statement: "A new document has the language of its template.",
    operations: ["documentSettingsGet"],
  }),
  assumption("create.mapping_texts", {
    statement: "When it refuses field mappings, docdouble uses its own texts.",
    operations: ["createDocumentFromMarkdownUpload"],
    sources: [
      {
        kind: "description",
        text: "The official description says that roles and fields must exist. It does not give the text of the refusal.",
      },
    ],
  }),
  assumption("create.markdown_type", {
    statement: "If an upload has no content type, the name of the file decides whether it is Markdown.",
    operations: ["createDocumentFromMarkdownUpload"],
  }),
  assumption("create.plain_http_url", {
    statement: "The URL of a file may use plain http.",
    operations: [
      "createDocument",
      "createTemplate",
      "createContentLibraryItem",
      "uploadSection",
      "createDocumentAttachment",
      "createWorkspace",
      "updateWorkspace",
    ],
    sources: [
      { kind: "guess", text: "A file server in a test or on a laptop rarely has a certificate." },
      {
        kind: "description",
        text: "The official description asks for a secure (HTTPS) address of documents, templates, library items and sections.",
      },
    ],
    seen: [DESCRIPTION_8_8],
  }),
  assumption("delete.bulk_maximum", {
    statement: "A bulk delete takes at most 100 documents.",
    operations: ["bulkDeleteDocuments"],
  }),
  assumption("create.unverified_account", {
    statement: "Every account may create documents. docdouble knows no unverified account.",
    operations: ["createDocument"],
    sources: [
      {
        kind: "client",
        text: "One public client knows a refusal with the code email-not-verified. Its status and its other members are unknown.",
      },
    ],
    seen: [UNVERIFIED_ACCOUNT],
  }),
  assumption("details.failed_document", {
    statement: "The details of a failed document answer 200.",
    operations: ["detailsDocument"],
    sources: [
      { kind: "description", text: "The official text refuses details only while the service processes the document." },
      { kind: "client", text: "One public note says that the details of a failed document answer 400." },
    ],
    seen: [FAILED_DETAILS],
  }),
  assumption("details.qes_status", {
    statement:
      "With qualified signatures, qes_status is pending after the send, in_progress after the first of several signatures, and completed after the last. It is also completed after a change by hand. Otherwise it is null.",
    operations: ["detailsDocument"],
    sources: [
      {
        kind: "specification",
        text: "The specification says that the member appears on completed documents. It does not give the values.",
      },
      {
        kind: "description",
        text: "Version 8.20.0 of the official description gives the values pending, in_progress, completed and null.",
      },
      { kind: "guess", text: "No source says when a value changes. The names of the values suggest these steps." },
      {
        kind: "guess",
        text: "A draft, a document that waits for approval, and one that ended without its signatures have no signature in progress. docdouble shows null.",
      },
    ],
    seen: [DESCRIPTION_8_20],
  }),
  assumption("documents.any_status", {
    statement:
      "The settings, attachments, folder and named items of a document can change in every status, and its owner too once it is processed.",
    operations: [
      "documentSettingsUpdate",
      "createDocumentAttachment",
      "deleteDocumentAttachment",
      "documentMoveToFolder",
      "transferDocumentOwnership",
      "addDsvNamedItems",
    ],
    sources: [
      {
        kind: "description",
        text: "The official description restricts suggest_edits to drafts. It names no status for the other changes.",
      },
    ],
    seen: [DESCRIPTION_8_8],
  }),
  assumption("documents.approver_contact", {
    statement: "The filter by contact finds approvers by their email address as members.",
    operations: ["listDocuments"],
  }),
  assumption("documents.classic_version", {
    statement: "A document of the classic editor has version 1.",
    operations: ["detailsDocument"],
    sources: [{ kind: "description", text: "Error texts of the service call such documents version 1." }],
  }),
  assumption("documents.editing_session_key", {
    statement: "An editing session has the deprecated member key.",
    operations: ["createDocumentEditingSession", "createTemplateEditingSession"],
    sources: [
      { kind: "description", text: "The schema of the official description has the member key. Its examples leave it out." },
    ],
    seen: [DESCRIPTION_8_8],
  }),
  assumption("documents.manual_matrix", {
    statement: "Nobody can change a status by hand that the table of allowed changes does not name.",
    operations: ["changeDocumentStatus"],
    sources: [
      {
        kind: "specification",
        text: "The table of allowed changes does not name uploaded, error, waiting_approval, rejected, external_review and scheduled. docdouble allows no change there.",
      },
    ],
  }),
  assumption("documents.missing_values_last", {
    statement: "Rows without a sort value come last in both directions.",
    operations: ["listDocuments"],
  }),
  assumption("documents.paid_without_app", {
    statement: "A change to paid without a payment app answers 409.",
    operations: ["changeDocumentStatus"],
    sources: [
      {
        kind: "specification",
        text: "The specification says that paid needs a connected payment app. It does not give the status of the refusal.",
      },
    ],
  }),
  assumption("documents.search_text", {
    statement: "The search finds parts of the name and of the reference number. It ignores case.",
    operations: ["listDocuments"],
  }),
  assumption("documents.stable_order", {
    statement: "Documents with equal sort keys keep one order, ascending and descending.",
    operations: ["listDocuments"],
  }),
  assumption("insights.extraction", {
    statement: "Extraction starts when the document is completed, and ends when its PDF is ready. It fails when the PDF fails.",
    operations: ["getDocumentAiMetadata", "batchGetDocumentAiMetadata"],
    sources: [
      {
        kind: "description",
        text: "The vendor's staff names the codes not_started, extraction_pending and failed. The description answers 204 without a code for a failure.",
      },
    ],
    seen: [vendorSkills({ live: true })],
  }),
  assumption("insights.failed_document", {
    statement: "A failed document has no content to summarize.",
    operations: ["getDocumentSummary", "getDocumentContent"],
  }),
  assumption("insights.metadata_fields", {
    statement:
      "An extraction gives six texts and nine check boxes, with names of the vendor's staff. Each has the same id in every document, and none is an amount.",
    operations: ["getDocumentAiMetadata"],
    sources: [
      { kind: "description", text: "The vendor's staff lists the names, and says that no monetary value is among them." },
      { kind: "guess", text: "docdouble checks a box when its words are in the text." },
    ],
    seen: [vendorSkills({ live: true })],
  }),
  assumption("insights.summary_wording", {
    statement:
      "docdouble writes the summary in its own words. Each longer type contains the shorter type. The detailed type is Markdown of the whole document, and shows the placeholders of empty fields as text.",
    operations: ["getDocumentSummary"],
    sources: [{ kind: "description", text: "The vendor's staff describes the detailed summary in this way." }],
    seen: [vendorSkills({ live: true })],
  }),
  assumption("lifecycle.event_order", {
    statement: "The events of one transition have a fixed order.",
    sources: [
      {
        kind: "specification",
        text: "The specification names the events, but gives no order. docdouble always uses the same order, so tests are repeatable.",
      },
    ],
  }),
  assumption("lifecycle.expiry_in_review", {
    statement: "A document can expire during an external review.",
    sources: [
      {
        kind: "description",
        text: "The help center says that the time starts again when somebody sends the document again. It names no other case.",
      },
    ],
  }),
  assumption("lifecycle.failed_pdf", {
    statement: "If docdouble cannot make a PDF, it sends no event. The download then always answers 202.",
    operations: ["downloadDocument"],
  }),
  assumption("lifecycle.paid_pdf", {
    statement: "The PDF of a paid document sends the same event as the PDF of a completed document.",
  }),
  assumption("ownership.same_member", {
    statement: "A transfer of all documents may name one member twice, and then changes no owner.",
    operations: ["transferAllDocumentsOwnership"],
  }),
  assumption("ownership.unknown_member", {
    statement: "An unknown member answers 404. A missing member answers 400.",
    operations: ["transferDocumentOwnership", "transferAllDocumentsOwnership"],
    sources: [
      { kind: "description", text: "The official description lists no 400 for an unknown member, so docdouble answers 404." },
    ],
  }),
  assumption("revert.uploaded", {
    statement: "A client may move an uploaded or failed document to draft. Its processing then ends.",
    operations: ["documentRevertToDraft"],
    sources: [{ kind: "specification", text: "The specification allows it in every status except removed." }],
  }),
  assumption("search.consistency", {
    statement: "The search finds a document at once. The service finds it after some time, so a client must repeat its search.",
    operations: ["searchDocumentsAi"],
    sources: [
      {
        kind: "description",
        text: "The vendor's staff calls the search eventually consistent. They do not say how long it takes.",
      },
      { kind: "guess", text: "Tests are repeatable only if the search does not depend on a delay that nobody measured." },
    ],
    seen: [vendorSkills({ live: true })],
  }),
  assumption("search.root_folder", {
    statement: "A document outside all folders has a folder with an empty id.",
    operations: ["searchDocumentsAi"],
  }),
  assumption("search.time_spans", {
    statement:
      "Weeks begin on Monday. Time spans mean the time of creation. After the word “signed” they mean the time of signing.",
    operations: ["searchDocumentsAi"],
    sources: [
      {
        kind: "description",
        text: "The vendor's staff says that a window of signature dates also finds documents that were completed by hand.",
      },
    ],
    seen: [vendorSkills({ live: true })],
  }),
  assumption("update.content_date", {
    statement: "A change of tags or metadata changes date_modified only. A change of the name counts as a change of content.",
    operations: ["updateDocument"],
    sources: [
      {
        kind: "specification",
        text: "The specification says that a change of recipients changes date_modified only. docdouble treats tags and metadata in the same way.",
      },
    ],
  }),
  assumption("update.empty", {
    statement: "An empty update changes nothing, not even a date.",
    operations: ["updateDocument"],
  }),
  assumption("update.tags_and_metadata", {
    statement: "An update replaces all tags. It adds to the metadata.",
    operations: ["updateDocument"],
    sources: [{ kind: "description", text: "The official description says both." }],
    seen: [DESCRIPTION_8_8],
  }),
];
