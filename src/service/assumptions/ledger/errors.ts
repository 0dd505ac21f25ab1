import type { AssumptionRecord } from "../../../engine/assumptions/record.ts";
import { assumption } from "./entry.ts";
import { CREDENTIAL_REFUSALS, DESCRIPTION_8_8 } from "./sightings.ts";

export const errors: readonly AssumptionRecord[] = [
  assumption("errors.form_data_path", {
    statement: "An error in the data part of a form names its place as in a JSON body.",
    operations: ["createDocumentFromUpload"],
  }),
  assumption("errors.inner_codes", {
    statement: "In the newer form of errors, the inner codes are “invalid” and “required”.",
  }),
  assumption("errors.locked_text", {
    statement: "A locked document answers 423. The detail is “Document is locked for editing”.",
    operations: ["updateDocument", "sendDocument", "deleteDocument"],
    sources: [
      {
        kind: "description",
        text: "The official description shows the members of a lock. It does not give the text of the error.",
      },
    ],
  }),
  assumption("errors.malformed_body_text", {
    statement: "If docdouble cannot parse a body, it answers 400 with its own text.",
  }),
  assumption("errors.nesting", {
    statement:
      "In a list of errors, an entry without an error is an empty object. Errors of plain values are an object by index.",
    sources: [{ kind: "client", text: "Public clients read errors of members inside an object." }],
  }),
  assumption("errors.query_paths", {
    statement: "Errors of query parameters have no nested objects.",
    sources: [{ kind: "guess", text: "No source shows an error inside a list. docdouble names its place by index." }],
  }),
  assumption("errors.repeated_parameter", {
    statement: "If a client repeats a parameter that takes one value, the last value counts.",
    sources: [
      {
        kind: "guess",
        text: "The service's messages are those of Django REST framework. A public report says that such requests succeed, as they do there.",
      },
    ],
  }),
  assumption("errors.throttled_retry_after", {
    statement: "A 429 has the header Retry-After.",
    sources: [
      { kind: "description", text: "The official description mentions the header for 202 answers only." },
      {
        kind: "recorded",
        text: "Somebody recorded the text with the seconds. The framework that writes this text also sends the header.",
      },
      { kind: "client", text: "Two public clients read the header. They also work without it." },
    ],
  }),
  assumption("errors.wrong_status_text", {
    statement: "For a wrong status other than uploaded, docdouble answers 409 in the same form, with its own text.",
    operations: ["sendDocument", "detailsDocument", "downloadDocument"],
    sources: [
      {
        kind: "description",
        text: "The official description shows this body for a document in uploaded. docdouble uses it for the other statuses too.",
      },
    ],
    seen: [DESCRIPTION_8_8],
  }),
  assumption("http.check_order", {
    statement: "docdouble checks the announced size first, then the credentials, the limits, the injected faults and the input.",
    sources: [{ kind: "recorded", text: "Recorded answers show that the service checks the credentials first." }],
    seen: [CREDENTIAL_REFUSALS],
  }),
  assumption("http.cors", {
    statement: "Pages of every origin may call the API from a browser.",
    sources: [{ kind: "guess", text: "Pages in a browser can then call docdouble." }],
  }),
  assumption("http.accept", {
    statement: "docdouble ignores the header Accept.",
    sources: [{ kind: "description", text: "The official description lists no 406." }],
  }),
  assumption("http.empty_body", {
    statement: "A request without a body has no members. docdouble refuses it only if a member is required.",
    sources: [{ kind: "guess", text: "Django REST framework reads an empty body in this way, whatever its media type." }],
  }),
  assumption("http.json_texts", {
    statement: "Errors about JSON have the texts of Django REST framework.",
  }),
  assumption("json.null_members", {
    statement: "A null counts as a missing member in a send, a redirect, verification settings and the value of a field.",
    operations: ["sendDocument", "createDocument", "updateDocument", "editDocumentRecipient"],
    sources: [
      { kind: "description", text: "The schemas of the official description do not allow null here." },
      { kind: "client", text: "Public clients build such members from values that may be missing." },
    ],
    seen: [DESCRIPTION_8_8],
  }),
  assumption("json.idle_members", {
    statement: "A request may have members that count for nothing beside others, and a range of time that ends before it begins.",
    operations: ["createDocument", "uploadSection", "sendDocument", "listDocuments", "searchCatalogItems", "downloadDocument"],
    sources: [
      {
        kind: "description",
        text: "In the official description, each kind of creation has its own members. It names no refusal of the others.",
      },
    ],
    seen: [DESCRIPTION_8_8],
  }),
  assumption("json.repeated_entries", {
    statement: "A list of a request may name one thing twice. Of two values for one thing, the last counts.",
    operations: ["createDocument", "updateDocument", "createNotarizationRequest", "createManualReminder", "createCatalogItem"],
  }),
  assumption("http.media_type", {
    statement: "A body with the wrong media type answers 400. Only application/json counts as JSON.",
    sources: [{ kind: "description", text: "The official description lists 400 for these operations, and no 415." }],
    seen: [DESCRIPTION_8_8],
  }),
  assumption("http.multipart_texts", {
    statement: "For multipart errors, docdouble uses the first sentence of the framework, and then its own text.",
    operations: ["createDocumentFromUpload"],
  }),
  assumption("http.proto_member", {
    statement: "docdouble refuses a member that is named __proto__.",
    sources: [{ kind: "guess", text: "JavaScript treats this member specially, so docdouble could lose it." }],
  }),
  assumption("http.options", {
    statement: "OPTIONS answers 200 with the allowed methods, and describes the operation in no more than four members.",
    sources: [{ kind: "guess", text: "Django REST framework answers in this way. Its texts are the service's texts." }],
  }),
  assumption("http.slashes", {
    statement: "Doubled slashes in a path count as one, and a slash at its end counts for nothing.",
    sources: [
      { kind: "client", text: "Public flows send paths with a slash at the end." },
      { kind: "guess", text: "A public report says that doubled slashes work. Many web servers merge them." },
    ],
  }),
  assumption("http.tracing_headers", {
    statement: "Only 401 answers have tracing headers. docdouble derives their ids from the id of the request.",
    sources: [{ kind: "recorded", text: "Somebody recorded these headers on 401 answers." }],
    seen: [CREDENTIAL_REFUSALS],
  }),
  assumption("ids.short_alphabet", {
    statement: "A short id has 22 letters and digits. Characters that look alike do not occur.",
    sources: [{ kind: "recorded", text: "Recorded ids have this length." }],
    seen: [DESCRIPTION_8_8],
  }),
];
