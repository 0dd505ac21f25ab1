/** Switches about recipients, roles and fields. */
import type { AssumptionRecord } from "../../../engine/assumptions/record.ts";
import { REASONS, switchRecord, vendorSkills } from "./entry.ts";

export const peopleSwitches: readonly AssumptionRecord[] = [
  switchRecord("fields.keys", {
    statement: "Only the merge_field of a field is a key of fields. The service ignores other keys when it creates a document.",
    operations: ["createDocument", "updateDocument", "uploadSection"],
    probeable: true,
    sources: [
      {
        kind: "recorded",
        for: "merge_field",
        text: "The vendor's skill files say that the service ignores name, field_id and uuid. Its staff tried it in August 2026.",
      },
      {
        kind: "recorded",
        for: "merge_field",
        text: "Two public projects tried to fill a field without a merge field by its field_id. It stayed empty.",
      },
      { kind: "guess", for: "any", text: "Earlier versions of docdouble also took the name and the field_id of a field." },
    ],
    seen: [
      { date: "2026-08-06", by: "vendor", account: "vendor", source: "PandaDoc/mcp-server-guide, folder skills" },
      { date: "2026", by: "public", account: null, source: "two public projects that fill fields by field_id" },
    ],
  }),
  switchRecord("fields.unknown_key_update", {
    statement: "An update refuses keys of fields that the document does not have.",
    operations: ["updateDocument"],
    probeable: true,
    sources: [
      {
        kind: "recorded",
        for: "refuse",
        text: "The vendor's skill files quote the refusal: There are no such fields in the document.",
      },
      { kind: "guess", for: "ignore", text: "A creation ignores such keys, so an update could do the same." },
    ],
    seen: [vendorSkills({ live: true })],
  }),
  switchRecord("create.unknown_template", {
    statement: "A request with a template that the workspace lacks answers 400: Template is not available.",
    operations: ["createDocument", "uploadSection"],
    probeable: true,
    sources: [
      {
        kind: "description",
        for: 400,
        text: "The official description lists no 404 here. The vendor's skill files quote the text with 400 for gallery templates.",
      },
      {
        kind: "recorded",
        for: 404,
        text: "Two public projects saw 404 with this text. Their template ids were misspelled, or of another environment.",
      },
    ],
    seen: [
      vendorSkills({ live: true }),
      { date: "2026", by: "public", account: null, source: "two public projects that handle a wrong template id" },
    ],
  }),
  switchRecord("details.role_of_uploads", {
    statement: "Details of an uploaded document show an empty role of each recipient. The roles have the names.",
    operations: ["detailsDocument"],
    probeable: true,
    sources: [
      { kind: "recorded", for: "empty", text: "A public project measured it on an uploaded document with roles." },
      {
        kind: "description",
        for: "name",
        text: "Some official examples show the name. They do not say how the document was made.",
      },
    ],
    seen: [{ date: "2026", by: "public", account: null, source: "a public project that uploads documents with roles" }],
  }),
  switchRecord("recipients.limit", {
    statement: "A document has at most 50 recipients. Each member of a group counts.",
    operations: [
      "createDocument",
      "createDocumentFromUpload",
      "updateDocument",
      "addDocumentRecipient",
      "editDocumentRecipient",
      "uploadSection",
    ],
    probeable: REASONS.strain,
    sources: [
      { kind: "description", for: 50, text: "The help center names the limit. It does not say how groups count." },
      { kind: "guess", for: "none", text: "The official description of the API names no limit." },
    ],
  }),
  switchRecord("sections.recipients", {
    statement: "A section upload needs no recipients. The recipients of the document stay.",
    operations: ["uploadSection", "uploadSectionWithUpload"],
    probeable: true,
    sources: [
      { kind: "client", for: "optional", text: "Two public programs in use upload sections with a name only." },
      { kind: "description", for: "required", text: "The official schema lists recipients as required." },
    ],
    seen: [{ date: "2026", by: "public", account: null, source: "two public programs that upload sections" }],
  }),
  switchRecord("send.unassigned_signatures", {
    statement: "docdouble refuses to send a document with a signature or initials field that no recipient has.",
    operations: ["sendDocument"],
    probeable: true,
    sources: [
      {
        kind: "recorded",
        for: "refuse",
        text: "Seven of the vendor's skill files state it, with the text: Not all signature, initials fields were assigned.",
      },
      { kind: "guess", for: "allow", text: "The official description lists no such refusal." },
    ],
    seen: [vendorSkills({ live: true })],
  }),
];
