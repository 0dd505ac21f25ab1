import type { AssumptionRecord } from "../../../engine/assumptions/record.ts";
import { assumption, vendorSkills } from "./entry.ts";
import { DESCRIPTION_8_8, FIELD_TAG_UPLOADS, METADATA_OF_100_LETTERS, SHORT_ROLES_IN_TAGS } from "./sightings.ts";

export const content: readonly AssumptionRecord[] = [
  assumption("content.file_limit_text", {
    statement: "A file that exceeds the limits of docdouble ends in document.error. docdouble uses its own text.",
    operations: ["createDocumentFromUpload"],
  }),
  assumption("content.given_up_text", {
    statement:
      "If the server ends twice while it processes a document, the document ends in document.error. docdouble uses its own text.",
    operations: ["createDocumentFromUpload"],
  }),
  assumption("content.image_limits", {
    statement: "docdouble fetches an image by URL within limits of size and time. The document waits for its images.",
    operations: ["createDocument"],
  }),
  assumption("content.long_text", {
    statement: "docdouble formats the first 100,000 letters of a text. The rest becomes one plain paragraph.",
    operations: ["createDocument"],
  }),
  assumption("content.metadata_length", {
    statement: "A value in metadata may have any length.",
    operations: ["createDocument", "updateDocument"],
    sources: [
      {
        kind: "client",
        text: "One public client cuts each value at 100 characters. It does not say what the service does with a longer one.",
      },
    ],
    seen: [METADATA_OF_100_LETTERS],
  }),
  assumption("content.scalar_values", {
    statement: "In metadata, numbers and booleans are stored as text, lists and objects as JSON. A null adds nothing.",
    operations: ["createDocument", "updateDocument"],
  }),
  assumption("content.token_overflow", {
    statement: "If the value of a variable makes a text too long, the variable stays in the text.",
    operations: ["createDocument"],
  }),
  assumption("field_tags.height", {
    statement:
      "A field that comes from a tag begins at the top left corner of its tag. A signature or initials field is 3.25 times as high as the text, and other fields are 1.33 times as high.",
    operations: ["createDocumentFromUpload"],
    sources: [
      { kind: "recorded", text: "Somebody measured fields of uploaded files. They are as wide as their tag." },
      { kind: "client", text: "A public project measured signatures. Their height is about 3.25 times the size of the font." },
      { kind: "guess", text: "Nobody published the height of other fields. docdouble gives them the height of a line." },
    ],
    seen: [FIELD_TAG_UPLOADS],
  }),
  assumption("field_tags.same_id", {
    statement: "When two field tags have the same id, only the first one becomes a field.",
    operations: ["createDocumentFromUpload"],
    sources: [{ kind: "recorded", text: "Somebody measured six uploads. Only one of the fields with the same name stays." }],
    seen: [FIELD_TAG_UPLOADS],
  }),
  assumption("field_tags.short_roles", {
    statement: "A field tag may name a role of one or two letters.",
    operations: ["createDocumentFromUpload"],
    sources: [
      {
        kind: "client",
        text: "Somebody tried such roles three times, and no field appeared. The size of the font may be the cause, so docdouble reads them.",
      },
    ],
    seen: [SHORT_ROLES_IN_TAGS],
  }),
  assumption("field_tags.text_limit", {
    statement: "A text that exceeds the limits of docdouble ends in document.error.",
    operations: ["createDocumentFromUpload"],
  }),
  assumption("fields.autofilled", {
    statement: "A date field with autofilled takes the day of signing on the clock. Lists of fields show the member again.",
    operations: ["createDocumentFields", "listDocumentFields"],
    sources: [{ kind: "recorded", text: "A public project measured it. The official description does not list the member." }],
    seen: [{ date: "2026", by: "public", account: null, source: "a public project that creates date fields" }],
  }),
  assumption("field_tags.options", {
    statement:
      "A dropdown from a field tag has the options of its entry in fields. Without them it has none, and takes any text.",
    operations: ["createDocument", "createDocumentFromUpload", "uploadSection", "uploadSectionWithUpload"],
    sources: [
      {
        kind: "description",
        text: "An example of the official description gives options to such a dropdown. Its schema does not list the member.",
      },
    ],
    seen: [DESCRIPTION_8_8],
  }),
  assumption("field_tags.values", {
    statement:
      "A value that does not fit the type of its field tag is kept as text. A signature, initials or stamp ignores its value.",
    operations: ["createDocumentFromUpload", "createDocument"],
    sources: [
      {
        kind: "description",
        text: "Pages of the vendor say that nobody can prefill a signature, and that dates have the form of RFC 3339.",
      },
    ],
    seen: [DESCRIPTION_8_8],
  }),
  assumption("fields.choices", {
    statement: "A new dropdown or radio field may lack options, and two options may have the same text.",
    operations: ["createDocumentFields"],
    sources: [{ kind: "description", text: "The schema of the official description requires no options." }],
    seen: [DESCRIPTION_8_8],
  }),
  assumption("fields.default_names", {
    statement: "A new field without a name gets a name from its type.",
    operations: ["createDocumentFields"],
    sources: [
      {
        kind: "description",
        text: "The service publishes the name of a text field only. docdouble names other fields in the same way.",
      },
    ],
    seen: [DESCRIPTION_8_8],
  }),
  assumption("fields.fault_texts", {
    statement: "For errors about fields, docdouble uses its own texts.",
    operations: ["createDocumentFields"],
  }),
  assumption("fields.other_settings", {
    statement:
      "A new field may have settings that are for other types of fields, and its list shows them. Radio buttons may lack positions.",
    operations: ["createDocumentFields"],
    sources: [
      {
        kind: "description",
        text: "The official description says to which types each setting applies. It does not say what happens to another type.",
      },
    ],
    seen: [DESCRIPTION_8_8],
  }),
  assumption("fields.outside_page", {
    statement: "A new field may lie outside its page, or be larger than it.",
    operations: ["createDocumentFields"],
    sources: [{ kind: "description", text: "The official description gives offsets and sizes a minimum of 0, and no maximum." }],
    seen: [DESCRIPTION_8_8],
  }),
  assumption("fields.page_numbers", {
    statement:
      "In the layout of a field, pages count from 1. The number 0 also means the first page. A DOCX, an RTF or Markdown has the pages of the PDF that docdouble makes of it.",
    operations: ["createDocumentFields"],
    sources: [
      { kind: "description", text: "Every published example counts from 1." },
      { kind: "client", text: "A public project placed fields on the second page of a DOCX in July 2026." },
    ],
    seen: [DESCRIPTION_8_8],
  }),
  assumption("fields.repeated_assignment", {
    statement: "When a request has two entries for one field, the last entry counts.",
    operations: ["updateDocumentFieldsAssignment"],
  }),
  assumption("fields.sample_file", {
    statement: "When docdouble itself fills in a file, the file contains its own name as text.",
  }),
  assumption("fields.without_value", {
    statement: "docdouble ignores a field of the request that has no value.",
    operations: ["createDocument"],
    sources: [{ kind: "client", text: "Public clients send such fields, and they expect success." }],
  }),
  assumption("form_fields.date_by_name", {
    statement: "If the name of a text field in a PDF looks like a date, the field becomes a date field.",
    operations: ["createDocumentFromUpload"],
    sources: [{ kind: "guess", text: "The form fields of a PDF have no type for dates, so a date is a text there." }],
  }),
  assumption("form_fields.required", {
    statement: "Without use_form_field_properties, only signature fields are required.",
    operations: ["createDocumentFromUpload"],
  }),
  assumption("tokens.self_filling", {
    statement:
      "FirstName and LastName of a role, of the sender and the sender's email fill themselves, and the day of creation too. A value of the request wins.",
    operations: ["createDocument"],
    sources: [
      {
        kind: "recorded",
        text: "The vendor's skill files name these variables, and say that Client.Company is filled only when given. The form of the date is a guess.",
      },
    ],
    seen: [vendorSkills({ live: true })],
  }),
];
