/** Records about content and fields. */
import type { AssumptionRecord } from "../record.ts";
import { assumption, REASONS } from "./entry.ts";

export const content: readonly AssumptionRecord[] = [
  assumption("content.file_limit_text", {
    statement: "A file beyond the limits of docdouble ends in document.error with a text of docdouble.",
    operations: ["createDocumentFromUpload"],
    probeable: REASONS.strain,
  }),
  assumption("content.given_up_text", {
    statement: "A document whose processing ended twice with the server ends in document.error with a text of docdouble.",
    operations: ["createDocumentFromUpload"],
    probeable: REASONS.hidden,
  }),
  assumption("content.image_limits", {
    statement: "An image by URL has limits of size and time. The document waits for its images.",
    operations: ["createDocument"],
    probeable: REASONS.strain,
  }),
  assumption("content.long_text", {
    statement: "Text after the first 100,000 letters becomes one paragraph without formats.",
    operations: ["createDocument"],
    probeable: true,
  }),
  assumption("content.scalar_values", {
    statement: "Numbers and booleans in metadata are stored as text.",
    operations: ["createDocument", "updateDocument"],
    probeable: true,
  }),
  assumption("content.token_overflow", {
    statement: "A variable stays as it is where its value would exceed the limit of a text.",
    operations: ["createDocument"],
    probeable: true,
  }),
  assumption("field_tags.height", {
    statement: "A field from a tag is at least 16 points high.",
    operations: ["createDocumentFromUpload"],
    probeable: true,
    sources: [{ kind: "recorded", text: "Measured fields are as wide as their tag." }],
  }),
  assumption("field_tags.same_id", {
    statement: "Of two field tags with one id, the first becomes a field.",
    operations: ["createDocumentFromUpload"],
    probeable: true,
    sources: [{ kind: "recorded", text: "Six measured uploads show that only one stays." }],
  }),
  assumption("field_tags.text_limit", {
    statement: "A text beyond the limits of docdouble ends in document.error.",
    operations: ["createDocumentFromUpload"],
    probeable: REASONS.strain,
  }),
  assumption("fields.default_names", {
    statement: "A new field without a name is named by its type.",
    operations: ["createDocumentFields"],
    probeable: true,
    sources: [{ kind: "description", text: "Only the name of a text field is published." }],
  }),
  assumption("fields.fault_texts", {
    statement: "The texts of field errors are those of docdouble.",
    operations: ["createDocumentFields"],
    probeable: true,
  }),
  assumption("fields.page_numbers", {
    statement: "Pages of a field's layout count from 1; 0 means the first page.",
    operations: ["createDocumentFields"],
    probeable: true,
    sources: [{ kind: "description", text: "Every published example counts from 1." }],
  }),
  assumption("fields.repeated_assignment", {
    statement: "Of two entries for one field, the last one counts.",
    operations: ["updateDocumentFieldsAssignment"],
    probeable: true,
  }),
  assumption("fields.sample_file", {
    statement: "A file that docdouble fills into a field by itself holds its own name as text.",
    probeable: REASONS.hidden,
  }),
  assumption("fields.without_value", {
    statement: "A field without a value in the request is ignored.",
    operations: ["createDocument"],
    probeable: true,
    sources: [{ kind: "client", text: "Public clients send such fields." }],
  }),
  assumption("form_fields.date_by_name", {
    statement: "A text field of a PDF with a name like a date becomes a date field.",
    operations: ["createDocumentFromUpload"],
    probeable: true,
    sources: [{ kind: "guess", text: "Form fields of a PDF have no type for dates." }],
  }),
  assumption("form_fields.required", {
    statement: "Without use_form_field_properties, only signatures are required.",
    operations: ["createDocumentFromUpload"],
    probeable: true,
  }),
];
