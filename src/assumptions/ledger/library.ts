/** Records about templates, library items, forms, folders and sections. */
import type { AssumptionRecord } from "../record.ts";
import { assumption, REASONS } from "./entry.ts";

export const library: readonly AssumptionRecord[] = [
  assumption("folders.empty_parent", {
    statement: "An empty parent_uuid counts as omitted.",
    operations: ["listDocumentFolders", "listTemplateFolders"],
    probeable: true,
  }),
  assumption("folders.equal_names", {
    statement: "Folders with one parent may have equal names.",
    operations: ["createDocumentFolder", "createTemplateFolder"],
    probeable: true,
  }),
  assumption("folders.order", {
    statement: "Folders are listed from the oldest.",
    operations: ["listDocumentFolders", "listTemplateFolders"],
    probeable: true,
  }),
  assumption("folders.unknown_folder", {
    statement: "An unknown folder in a body answers 400 with a text of docdouble.",
    operations: ["createDocument", "documentMoveToFolder"],
    probeable: true,
  }),
  assumption("forms.list", {
    statement: "Forms are listed from the oldest. The filter matches a part of the name in any case.",
    operations: ["listForm"],
    probeable: REASONS.account,
  }),
  assumption("forms.submission", {
    statement:
      "A submitted form becomes a document with the name of the form. It belongs to the first member of the workspace, is sent at once and asks no approver.",
    probeable: REASONS.person,
    sources: [{ kind: "description", text: "Only the list of forms is described." }],
  }),
  assumption("library.default_name", {
    statement: "A library item without a name gets a default name.",
    operations: ["createContentLibraryItem"],
    probeable: true,
  }),
  assumption("library.event_members", {
    statement: "The events of library items carry the members that the vendor's text names.",
    probeable: REASONS.webhook,
    sources: [{ kind: "description", text: "The text names members; no schema does." }],
  }),
  assumption("library.order", {
    statement: "Library items are listed in the order of creation.",
    operations: ["listContentLibraryItems"],
    probeable: true,
  }),
  assumption("library.placeholders", {
    statement: "Unknown placeholders are ignored. A placed item also adds its pages.",
    operations: ["createDocument"],
    probeable: true,
  }),
  assumption("library.unprocessed_item", {
    statement: "An item that is not processed answers 409 in the shape of documents.",
    operations: ["appendContentLibraryItemToDocument"],
    probeable: true,
  }),
  assumption("sections.default_name", {
    statement: "A section without a name takes the name of its template or file.",
    operations: ["uploadSection"],
    probeable: true,
  }),
  assumption("sections.delete_outside_draft", {
    statement: "Deleting a section outside draft answers 400. The last section cannot be deleted.",
    operations: ["deleteSection"],
    probeable: true,
    sources: [{ kind: "description", text: "The operation declares no 409." }],
  }),
  assumption("sections.failed_upload", {
    statement: "A failed upload of a section shows its error in the answer.",
    operations: ["sectionDetails", "sectionInfo"],
    probeable: true,
    sources: [{ kind: "description", text: "The vendor's text refers to the answer." }],
  }),
  assumption("sections.field_names", {
    statement: "Names of fields get the id of the upload as a suffix.",
    operations: ["uploadSection"],
    probeable: true,
    sources: [{ kind: "description", text: "The description says that the id is appended, not how." }],
  }),
  assumption("sections.template_and_url", {
    statement: "With both a template and a URL, the template counts.",
    operations: ["uploadSection"],
    probeable: true,
    sources: [{ kind: "guess", text: "Creating a document works the same way." }],
  }),
  assumption("sections.template_images", {
    statement: "Images of a template are left out of a section.",
    operations: ["uploadSection"],
    probeable: true,
    sources: [{ kind: "description", text: "The service does not support images in sections." }],
  }),
  assumption("settings.expiration_maximum", {
    statement: "An expiration has a maximum, so that its date stays valid.",
    operations: ["documentSettingsUpdate", "templateSettingsUpdate"],
    probeable: true,
  }),
  assumption("settings.fault_text", {
    statement: "The text of a refused setting is that of docdouble.",
    operations: ["documentSettingsUpdate"],
    probeable: true,
  }),
  assumption("settings.shorter_expiration", {
    statement: "A document expires at once when a new expiration has passed already.",
    operations: ["documentSettingsUpdate"],
    probeable: true,
  }),
  assumption("structure_view.pages", {
    statement: "Each name of a page stands for one page of the document.",
    operations: ["addDsvNamedItems"],
    probeable: REASONS.account,
  }),
  assumption("templates.default_name", {
    statement: "A template without a name gets a default name.",
    operations: ["createTemplate"],
    probeable: true,
  }),
  assumption("templates.duplicate", {
    statement: "A copy of a template is processed at once and belongs to the caller.",
    operations: ["duplicateTemplate"],
    probeable: true,
  }),
  assumption("templates.editing_week", {
    statement: "The weekly limit of editing sessions counts the seven days before the call.",
    operations: ["createTemplateEditingSession"],
    probeable: REASONS.strain,
  }),
  assumption("templates.empty_update", {
    statement: "An empty update of a template changes nothing, not even a date.",
    operations: ["updateTemplate"],
    probeable: true,
  }),
  assumption("templates.event_members", {
    statement: "The events of templates carry the members that the vendor's text names.",
    probeable: REASONS.webhook,
    sources: [{ kind: "description", text: "The text names members; no schema does." }],
  }),
  assumption("templates.list_order", {
    statement: "Templates are listed in the order of creation.",
    operations: ["listTemplates"],
    probeable: true,
  }),
  assumption("templates.order_text", {
    statement: "The text of a refused signing order is that of docdouble.",
    operations: ["updateTemplate"],
    probeable: true,
  }),
  assumption("templates.processing_event", {
    statement: "The event of a new template follows its processing.",
    probeable: REASONS.webhook,
    sources: [{ kind: "description", text: "In the example, date_modified is later than date_created." }],
  }),
  assumption("templates.removed_role", {
    statement: "Fields of a removed role stay without a role.",
    operations: ["updateTemplate"],
    probeable: true,
  }),
  assumption("templates.role_order", {
    statement: "A role without a signing order keeps its order.",
    operations: ["updateTemplate"],
    probeable: true,
  }),
  assumption("templates.root_folder", {
    statement: "A template at the root has an empty folder.",
    operations: ["detailsTemplate"],
    probeable: true,
    sources: [{ kind: "description", text: "The description types it as a text." }],
  }),
  assumption("templates.service_variables", {
    statement: "Variables of the document, the sender and the contact of a role are ignored in the input.",
    operations: ["updateTemplate"],
    probeable: true,
  }),
  assumption("templates.unprocessed", {
    statement: "A template that is not processed is refused with a text of docdouble.",
    operations: ["updateTemplate", "duplicateTemplate"],
    probeable: true,
    sources: [{ kind: "description", text: "The operation declares no 409." }],
  }),
  assumption("templates.variables_are_content", {
    statement: "A change of variables counts as a change of content.",
    operations: ["updateTemplate"],
    probeable: true,
  }),
];
