import type { AssumptionRecord } from "../../../engine/assumptions/record.ts";
import { DESCRIPTION_8_20, REASONS, switchRecord, vendorSkills } from "./entry.ts";
import {
  CONTACT_UPDATE,
  DESCRIPTION_8_8,
  DOWNLOAD_OF_A_SENT_DOCUMENT,
  FIELD_TAG_UPLOADS,
  INTEGER_RECIPIENT_IDS,
  MEASURED_LIMITS,
  OFFICIAL_SAMPLES,
  REFUSED_PATCH,
  REFUSED_SECOND_DRAFT,
  REPEATED_ADDRESS,
  SANDBOX_REFUSALS,
  UNKNOWN_ROLE,
  changelog,
} from "./sightings.ts";

export const switches: readonly AssumptionRecord[] = [
  switchRecord("audit_trail.access", {
    statement: "An admin reads the audit trail.",
    operations: ["listDocumentAuditTrail"],
    probeable: true,
    sources: [
      { kind: "description", for: "given", text: "The official description offers the audit trail to admins." },
      {
        kind: "description",
        for: "refuse",
        text: "The vendor's staff saw 403 with accounts that read everything else. They do not know the cause.",
      },
    ],
    seen: [vendorSkills({ live: true })],
  }),
  switchRecord("contacts.known_email", {
    statement: "If a contact has the email address already, the creation updates that contact.",
    operations: ["createContact"],
    probeable: true,
    sources: [
      {
        kind: "client",
        for: "update",
        text: "Several public connectors call this request “create or update by email”. The author of one connector saw an update.",
      },
      {
        kind: "description",
        for: "update",
        text: "Help texts speak of “the existing contact with the given email”. The singular means that there is only one.",
      },
      {
        kind: "client",
        for: "duplicate",
        text: "One public connector says that the same email address creates a second contact.",
      },
      {
        kind: "guess",
        for: "refuse",
        text: "The official description lists 400 for validation only. No source shows this refusal.",
      },
    ],
    seen: [CONTACT_UPDATE],
  }),
  switchRecord("create.unknown_role", {
    statement: "A recipient with a role that the template lacks makes the request fail.",
    operations: ["createDocument"],
    probeable: true,
    sources: [
      {
        kind: "client",
        for: "refuse",
        text: "One public project quotes this refusal: Role 'X' does not exist, under non_field_errors.",
      },
      {
        kind: "description",
        for: "cc",
        text: "The official description says that a recipient without a role is a CC. It does not mention unknown roles.",
      },
      {
        kind: "recorded",
        for: "drop",
        text: "One of the vendor's skill files says that the service drops the recipient silently.",
      },
    ],
    seen: [UNKNOWN_ROLE, vendorSkills({ live: false })],
  }),
  switchRecord("delete.second", {
    statement: "A delete of a document that was deleted before answers 403.",
    operations: ["deleteDocument", "bulkDeleteDocuments"],
    probeable: true,
    sources: [
      { kind: "description", for: 403, text: "The official changelog of 2018 announces 403 for a second delete." },
      { kind: "specification", for: 404, text: "The specification lists 404 and 423 for a delete. It does not list 403." },
      { kind: "client", for: 404, text: "A public client treats 404 as success, and fails at 403." },
    ],
    seen: [changelog("2018-08-29")],
  }),
  switchRecord("details.right_after_create", {
    statement: "While docdouble processes a new document, its details answer 409.",
    operations: ["detailsDocument"],
    probeable: true,
    sources: [
      { kind: "specification", for: 409, text: "The service answers 409 while it processes a document." },
      { kind: "client", for: 409, text: "Two clients in production repeat the call at 409, and at no other status." },
      {
        kind: "client",
        for: 404,
        text: "Old official samples say that a document which is used too early answers “document not found”.",
      },
    ],
    seen: [DESCRIPTION_8_8, OFFICIAL_SAMPLES],
  }),
  switchRecord("download.before_completion", {
    statement: "A client can download a document that is not completed.",
    operations: ["downloadDocument"],
    probeable: true,
    sources: [
      {
        kind: "recorded",
        for: "given",
        text: "A public test suite of 2020 downloads sent documents from the real service, and expects success.",
      },
      {
        kind: "description",
        for: "refused",
        text: "The official table of required statuses names document.completed for a download.",
      },
    ],
    seen: [DOWNLOAD_OF_A_SENT_DOCUMENT],
  }),
  switchRecord("errors.list_paths", {
    statement: "Errors inside lists are nested by index, as in Django REST framework.",
    operations: [],
    probeable: true,
    sources: [
      { kind: "client", for: "nested", text: 'A public client flattens {"recipients": [{"email": [text]}]} for people.' },
      { kind: "guess", for: "flat", text: "Flat keys such as recipients[0].email are easier to read. No source shows them." },
    ],
  }),
  switchRecord("field_tags.undeclared", {
    statement:
      "docdouble ignores a field tag whose id the request does not declare. It also ignores a tag without a role, or with a role that nobody has.",
    operations: ["createDocument", "createDocumentFromUpload", "uploadSectionWithUpload"],
    probeable: true,
    sources: [
      {
        kind: "recorded",
        for: "drop",
        text: "Somebody measured six uploads in 2026. The documents became drafts without the field, and never failed.",
      },
      {
        kind: "description",
        for: "error",
        text: "The official table of creation errors has all three cases.",
      },
    ],
    seen: [FIELD_TAG_UPLOADS],
  }),
  switchRecord("json.types", {
    statement: "docdouble refuses a JSON value of another type: a number is not a text, and a text is not a number.",
    operations: [],
    probeable: true,
    sources: [
      { kind: "specification", for: "strict", text: "The specification lists the type of each member." },
      {
        kind: "guess",
        for: "lenient",
        text: 'Django REST framework reads 5 as text and "5" as a number; no source shows what the service does.',
      },
    ],
  }),
  switchRecord("rate_limit.profile", {
    statement: "docdouble does not limit the number of calls. A profile sets the limits of a sandbox key or of a production key.",
    operations: [],
    probeable: true,
    sources: [
      { kind: "description", for: "sandbox", text: "The official page about limits gives a sandbox key 10 calls a minute." },
      { kind: "description", for: "production", text: "The official page about limits lists calls a minute for each operation." },
      { kind: "guess", for: "none", text: "Tests run faster without limits." },
    ],
    seen: [...MEASURED_LIMITS, changelog("2025-06-11")],
  }),
  switchRecord("recipients.same_email", {
    statement:
      "A request that makes one email address a recipient twice is refused. Upper and lower case do not count. Only the recipients after the request count.",
    operations: [
      "createDocument",
      "createDocumentFromUpload",
      "updateDocument",
      "addDocumentRecipient",
      "editDocumentRecipient",
      "uploadSection",
    ],
    probeable: true,
    sources: [
      { kind: "description", for: "join", text: "The help center says that the service merges two roles of one person." },
      {
        kind: "client",
        for: "refuse",
        text: "A public client says that the service refuses a request when an address occurs twice.",
      },
      {
        kind: "recorded",
        for: "refuse",
        text: "The vendor's skill files say that create and update refuse an address that is already in the recipients list.",
      },
      { kind: "guess", for: "separate", text: "No source shows two separate recipients with one address." },
    ],
    seen: [vendorSkills({ live: true }), REPEATED_ADDRESS],
  }),
  switchRecord("revert.draft", {
    statement: "A move of a draft to draft succeeds and changes nothing.",
    operations: ["documentRevertToDraft"],
    probeable: true,
    sources: [
      { kind: "specification", for: "allow", text: "The specification allows the call in every status except removed." },
      {
        kind: "recorded",
        for: "refuse",
        text: "One public project measured a refusal in 2026. It did not note the status of the document.",
      },
      { kind: "guess", for: "allow", text: "A move that changes nothing changes no date and sends no event." },
    ],
    seen: [REFUSED_SECOND_DRAFT],
  }),
  switchRecord("sandbox.foreign_recipients", {
    statement: "A sandbox key sends only to members of its workspace, and to addresses in the domain of its user.",
    operations: ["sendDocument"],
    probeable: true,
    sources: [
      {
        kind: "recorded",
        for: "refuse",
        text: "Two public projects saw the refusal. Their sandbox keys did not belong to trials.",
      },
      { kind: "description", for: "trial", text: "The official page describes the restriction for trials only." },
    ],
    seen: [...SANDBOX_REFUSALS],
  }),
  switchRecord("send.recipient_id", {
    statement: "The answer of send gives the ids of recipients as text.",
    operations: ["sendDocument"],
    probeable: true,
    sources: [
      { kind: "description", for: "text", text: "The official description since version 6, and the newer pages, show a text." },
      { kind: "recorded", for: "integer", text: "Three users of the Python client saw integers in 2024." },
    ],
    seen: [...INTEGER_RECIPIENT_IDS, DESCRIPTION_8_8],
  }),
  switchRecord("templates.search", {
    statement:
      "The search for templates finds words of the name and the content, in any order. It also finds parts of words and small slips.",
    operations: ["listTemplates"],
    probeable: true,
    sources: [
      {
        kind: "description",
        for: "fuzzy",
        text: "The vendor's staff saw that NDA found “Declaration H&S standards and regulations”. They call the search fuzzy full text.",
      },
      { kind: "description", for: "name", text: "The official description says that the search filters by the name." },
    ],
    seen: [vendorSkills({ live: true })],
  }),
  switchRecord("update.outside_draft", {
    statement: "A change of a document, its fields or its sections outside draft answers 400.",
    operations: [
      "updateDocument",
      "createDocumentFields",
      "updateDocumentFieldsAssignment",
      "uploadSection",
      "createDocumentEditingSession",
    ],
    probeable: true,
    sources: [
      { kind: "description", for: 400, text: "The official description lists 400 for PATCH, and no 409." },
      {
        kind: "recorded",
        for: "against",
        text: "One public project measured a refusal. It noted neither the status nor the body.",
      },
      { kind: "guess", for: 409, text: "Other operations answer 409 when the document has the wrong status." },
    ],
    seen: [REFUSED_PATCH],
  }),
  switchRecord("auth.key_as_bearer", {
    statement: "An API key with the scheme Bearer answers 401.",
    operations: [],
    probeable: true,
    sources: [
      {
        kind: "client",
        for: "refuse",
        text: "One public project notes that the service refuses keys as Bearer. Other accounts saw a 401.",
      },
      { kind: "guess", for: "accept", text: "No source shows that the service accepts such a key." },
    ],
  }),
  switchRecord("decline.date_completed", {
    statement: "A completed document keeps its date_completed when somebody declines it.",
    operations: ["changeDocumentStatus"],
    probeable: true,
    sources: [
      { kind: "guess", for: "keep", text: "No source says what happens to the date." },
      { kind: "guess", for: "clear", text: "A declined document is no longer completed, so the date could disappear." },
    ],
  }),
  switchRecord("delete.bulk_locked", {
    statement: "A bulk delete ignores editing locks.",
    operations: ["bulkDeleteDocuments"],
    probeable: "A lock needs a person in the editor.",
    sources: [
      { kind: "description", for: "delete", text: "The official description lists no 423 for this operation." },
      { kind: "guess", for: "refuse", text: "A delete of a single document refuses a locked document with 423." },
    ],
  }),
  switchRecord("list.date_sent", {
    statement: "The list of documents shows date_sent.",
    operations: ["listDocuments"],
    probeable: true,
    sources: [
      { kind: "description", for: "present", text: "Version 8.20.0 of the official description lists the member." },
      {
        kind: "client",
        for: "absent",
        text: "The vendor's skill files say that only details have the member. They do not say that somebody tried it.",
      },
      { kind: "description", for: "absent", text: "Version 8.8.0 of the official description does not list the member." },
    ],
    seen: [DESCRIPTION_8_20, vendorSkills({ live: false }), DESCRIPTION_8_8],
  }),
  switchRecord("privacy.ai_off", {
    statement:
      "While the AI features of a workspace are off, its summaries, extracted values and searches answer 403. The text of documents stays.",
    operations: ["getDocumentSummary", "getDocumentAiMetadata", "batchGetDocumentAiMetadata", "searchDocumentsAi"],
    probeable: REASONS.account,
    sources: [
      { kind: "guess", for: "refuse", text: "The master switch turns off AI features, and these operations declare 403." },
      { kind: "guess", for: "serve", text: "No source names the operations that the setting affects." },
    ],
  }),
  switchRecord("list.repeated_status", {
    statement: "When a request lists several statuses, each of them matches.",
    operations: ["listDocuments"],
    probeable: true,
    sources: [
      {
        kind: "guess",
        for: "any_of",
        text: "The framework whose texts the service uses accepts repeated parameters. Several statuses of one document would never match.",
      },
      { kind: "description", for: "refuse", text: "The official description declares one number." },
      { kind: "client", for: "refuse", text: "The vendor's own tool for assistants offers one status in each call." },
    ],
    seen: [vendorSkills({ live: false }), DESCRIPTION_8_8],
  }),
  switchRecord("query.empty_values", {
    statement: "docdouble checks a query parameter without a value like any other value.",
    operations: [],
    probeable: true,
    sources: [
      { kind: "guess", for: "check", text: "An empty text is not a number and not a date, but it is a text." },
      {
        kind: "client",
        for: "refuse",
        text: "Two public clients remove empty parameters, because templates and the content library answer 400.",
      },
      { kind: "guess", for: "ignore", text: "Many services treat an empty parameter as a missing one." },
    ],
  }),
  switchRecord("revert.error", {
    statement: "A client can move a failed document to draft.",
    operations: ["documentRevertToDraft"],
    probeable: true,
    sources: [
      { kind: "specification", for: "allow", text: "The specification allows the call in every status except removed." },
      { kind: "guess", for: "refuse", text: "A failed document has no content that anybody could edit." },
    ],
  }),
  switchRecord("send.without_recipients", {
    statement: "A client can send a document without recipients.",
    operations: ["sendDocument"],
    probeable: true,
    sources: [
      { kind: "description", for: "allow", text: "The official description lists no such refusal for this operation." },
      { kind: "guess", for: "refuse", text: "Without recipients, nobody would receive the document." },
    ],
  }),
];
