/** Records about errors and the protocol. */
import type { AssumptionRecord } from "../record.ts";
import { assumption, REASONS } from "./entry.ts";

export const errors: readonly AssumptionRecord[] = [
  assumption("errors.form_data_path", {
    statement: "A fault in the data part of a form is named as in a JSON body.",
    operations: ["createDocumentFromUpload"],
    probeable: true,
  }),
  assumption("errors.inner_codes", {
    statement: "The inner codes of errors in the newer dialect are “invalid” and “required”.",
    probeable: true,
  }),
  assumption("errors.locked_text", {
    statement: "A locked document answers 423 with the detail “Document is locked for editing”.",
    operations: ["updateDocument", "sendDocument", "deleteDocument"],
    probeable: REASONS.strain,
    sources: [{ kind: "description", text: "The description shows the members of the lock and not the text." }],
  }),
  assumption("errors.malformed_body_text", {
    statement: "A body that cannot be parsed answers 400 with a text of docdouble.",
    probeable: true,
  }),
  assumption("errors.nesting", {
    statement: "A list entry without a fault is an empty object. Faults of plain values in a list are an object by index.",
    probeable: true,
    sources: [{ kind: "client", text: "Public clients read nested faults of objects." }],
  }),
  assumption("errors.query_paths", {
    statement: "Faults of query parameters are flat.",
    probeable: true,
    sources: [{ kind: "guess", text: "No source shows one in a list." }],
  }),
  assumption("errors.repeated_parameter", {
    statement: "A parameter that is sent twice has a wrong type where one value is expected.",
    probeable: true,
  }),
  assumption("errors.throttled_retry_after", {
    statement: "A throttled call carries Retry-After.",
    probeable: REASONS.limits,
    sources: [
      { kind: "description", text: "The description documents the header for 202 answers." },
      { kind: "recorded", text: "The text with the seconds was recorded; the framework that writes it also sends the header." },
      { kind: "client", text: "Two clients read the header with a fallback." },
    ],
  }),
  assumption("errors.wrong_status_text", {
    statement: "A wrong status other than uploaded answers 409 in the same shape with a text of docdouble.",
    operations: ["sendDocument", "detailsDocument", "downloadDocument"],
    probeable: true,
    sources: [{ kind: "recorded", text: "The shape was recorded for uploaded." }],
  }),
  assumption("http.check_order", {
    statement: "The announced size is checked before credentials, limits before faults, and faults before input.",
    probeable: true,
    sources: [{ kind: "recorded", text: "Credentials come first, as recorded answers show." }],
  }),
  assumption("http.cors", {
    statement: "Browsers may call the API from any page.",
    probeable: true,
    sources: [{ kind: "guess", text: "Pages under test can then call docdouble." }],
  }),
  assumption("http.json_texts", {
    statement: "The texts of JSON errors have the wording of Django REST framework.",
    probeable: true,
  }),
  assumption("http.media_type", {
    statement: "A wrong media type answers 400.",
    probeable: true,
    sources: [{ kind: "description", text: "400 is declared where 415 is not." }],
  }),
  assumption("http.multipart_texts", {
    statement: "Texts of multipart errors are those of docdouble, except for the first sentence of the framework.",
    operations: ["createDocumentFromUpload"],
    probeable: true,
  }),
  assumption("http.proto_member", {
    statement: "A member named __proto__ is refused.",
    probeable: true,
    sources: [{ kind: "guess", text: "In JavaScript the member would get lost." }],
  }),
  assumption("http.tracing_headers", {
    statement: "Only 401 answers carry tracing headers. Their ids derive from the id of the request.",
    probeable: true,
    sources: [{ kind: "recorded", text: "The headers were recorded on 401 answers." }],
  }),
  assumption("ids.short_alphabet", {
    statement: "Short ids use 22 letters and digits without look-alikes.",
    probeable: true,
    sources: [{ kind: "recorded", text: "Recorded ids have this length." }],
  }),
];
