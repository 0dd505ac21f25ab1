import type { AssumptionRecord } from "../../../engine/assumptions/record.ts";
import { assumption, DESCRIPTION_8_20, vendorSkills } from "./entry.ts";
import { DESCRIPTION_8_8, SECTION_UPLOAD } from "./sightings.ts";

export const library: readonly AssumptionRecord[] = [
  assumption("folders.empty_parent", {
    statement: "An empty parent_uuid has the same effect as a missing one.",
    operations: ["listDocumentFolders", "listTemplateFolders"],
  }),
  assumption("folders.equal_names", {
    statement: "Folders with the same parent may have the same name.",
    operations: ["createDocumentFolder", "createTemplateFolder"],
  }),
  assumption("folders.order", {
    statement: "The oldest folder comes first in a list.",
    operations: ["listDocumentFolders", "listTemplateFolders"],
  }),
  assumption("folders.unknown_folder", {
    statement: "For an unknown folder in a body, docdouble answers 400 with its own text.",
    operations: ["createDocument", "documentMoveToFolder"],
  }),
  assumption("forms.list", {
    statement: "The oldest form comes first in a list. The filter finds parts of the name, and ignores case.",
    operations: ["listForm"],
  }),
  assumption("forms.submission", {
    statement:
      "A submitted form becomes a document with the name of the form. It belongs to the first member of the workspace, is sent at once and asks no approver.",
    sources: [{ kind: "description", text: "The official description describes the list of forms only." }],
  }),
  assumption("library.default_name", {
    statement: "A library item without a name gets a default name.",
    operations: ["createContentLibraryItem"],
  }),
  assumption("library.event_members", {
    statement: "The events of library items have the members that the official text names.",
    sources: [
      { kind: "description", text: "The text of the official description names the members. Its schemas do not list them." },
    ],
    seen: [DESCRIPTION_8_8],
  }),
  assumption("library.order", {
    statement: "The oldest library item comes first in a list.",
    operations: ["listContentLibraryItems"],
  }),
  assumption("library.placeholders", {
    statement: "docdouble ignores unknown placeholders. An item in a placeholder also adds its pages.",
    operations: ["createDocument"],
  }),
  assumption("library.unprocessed_item", {
    statement: "An item that docdouble still processes answers 409, with the body of a document's error.",
    operations: ["appendContentLibraryItemToDocument"],
  }),
  assumption("sections.default_name", {
    statement:
      'The upload of a section without a name shows the text "null" as its name. The section itself takes the name of its template or file.',
    operations: ["uploadSection"],
    sources: [
      { kind: "recorded", text: 'A public client recorded the text "null" in answers about uploads without a name.' },
      { kind: "guess", text: "No source shows the name of the section that such an upload makes." },
    ],
    seen: [SECTION_UPLOAD],
  }),
  assumption("sections.delete_outside_draft", {
    statement: "A deletion of a section outside draft answers 400. Nobody can delete the last section.",
    operations: ["deleteSection"],
    sources: [{ kind: "description", text: "The official description lists no 409 for this operation." }],
    seen: [DESCRIPTION_8_8],
  }),
  assumption("sections.failed_upload", {
    statement: "If the upload of a section fails, the answer shows the error.",
    operations: ["sectionDetails", "sectionInfo"],
    sources: [{ kind: "description", text: "The text of the official description refers to the answer of this call." }],
    seen: [DESCRIPTION_8_8],
  }),
  assumption("sections.field_names", {
    statement: "docdouble appends the id of the upload to the names of its fields.",
    operations: ["uploadSection"],
    sources: [
      {
        kind: "description",
        text: "The official description says that the service appends the id. It does not say in which form.",
      },
    ],
    seen: [DESCRIPTION_8_8],
  }),
  assumption("sections.known_people", {
    statement: "A section takes a person of the document with another role. The person then has both roles.",
    operations: ["uploadSection", "uploadSectionWithUpload"],
    sources: [
      {
        kind: "description",
        text: "The official description asks for the recipients of a section and their roles. Only a create and an update are known to refuse a repeated address.",
      },
    ],
    seen: [DESCRIPTION_8_8],
  }),
  assumption("sections.template_and_url", {
    statement: "If a request has a template and a URL, docdouble uses the template.",
    operations: ["uploadSection"],
    sources: [{ kind: "guess", text: "The service names documents in the same way." }],
  }),
  assumption("sections.template_images", {
    statement: "A section does not contain the images of its template.",
    operations: ["uploadSection"],
    sources: [
      { kind: "description", text: "The official description says that the service does not support images in sections." },
    ],
    seen: [DESCRIPTION_8_8],
  }),
  assumption("settings.expiration_maximum", {
    statement: "An expiration has a maximum, so that its date stays a valid date.",
    operations: ["documentSettingsUpdate", "templateSettingsUpdate"],
  }),
  assumption("settings.fault_text", {
    statement: "When it refuses a setting, docdouble uses its own text.",
    operations: ["documentSettingsUpdate"],
  }),
  assumption("settings.shorter_expiration", {
    statement: "If a new expiration lies in the past, the document expires at once.",
    operations: ["documentSettingsUpdate"],
  }),
  assumption("structure_view.pages", {
    statement: "Each page name in the request stands for one page of the document.",
    operations: ["addDsvNamedItems"],
  }),
  assumption("templates.share_refusals", {
    statement:
      "A share with an unknown workspace or with the workspace of the template answers 400. A share with a workspace that the caller does not belong to answers 403.",
    operations: ["updateTemplateSharingSettings"],
    sources: [
      {
        kind: "description",
        text: "The official description says that the caller must be a member of each new workspace. It does not give the refusals.",
      },
    ],
    seen: [DESCRIPTION_8_20],
  }),
  assumption("templates.shared_use", {
    statement:
      "Members of a workspace that shares a template list it, read it, duplicate it and make documents from it. They cannot change it: 403.",
    operations: ["listTemplates", "detailsTemplate", "duplicateTemplate", "createDocument", "updateTemplate", "deleteTemplate"],
    sources: [
      {
        kind: "description",
        text: "The official description says that a template is shared with workspaces. It does not say what they may do.",
      },
    ],
    seen: [DESCRIPTION_8_20],
  }),
  assumption("templates.default_name", {
    statement: "A template without a name gets a default name.",
    operations: ["createTemplate"],
  }),
  assumption("templates.duplicate", {
    statement: "A copy of a template is ready at once. It belongs to the caller.",
    operations: ["duplicateTemplate"],
  }),
  assumption("templates.editing_week", {
    statement: "The weekly limit of editing sessions counts the sessions of the seven days before the call.",
    operations: ["createTemplateEditingSession"],
  }),
  assumption("templates.empty_update", {
    statement: "An empty update of a template changes nothing, not even a date.",
    operations: ["updateTemplate"],
  }),
  assumption("templates.event_members", {
    statement: "The events of templates have the members that the official text names.",
    sources: [
      { kind: "description", text: "The text of the official description names the members. Its schemas do not list them." },
    ],
    seen: [DESCRIPTION_8_8],
  }),
  assumption("templates.gallery", {
    statement: "Nobody changes or deletes a template of the gallery: 403. Its copy is a template of the workspace.",
    operations: [
      "updateTemplate",
      "deleteTemplate",
      "duplicateTemplate",
      "createTemplateEditingSession",
      "templateSettingsUpdate",
    ],
    sources: [
      {
        kind: "recorded",
        text: "The vendor's skill files say that the service shows such a template and makes no document from it. They mention no change.",
      },
    ],
    seen: [vendorSkills({ live: true })],
  }),
  assumption("templates.list_order", {
    statement: "The oldest template comes first in a list.",
    operations: ["listTemplates"],
  }),
  assumption("templates.order_text", {
    statement: "When it refuses a signing order, docdouble uses its own text.",
    operations: ["updateTemplate"],
  }),
  assumption("templates.processing_event", {
    statement: "docdouble sends the event of a new template after it processed the template.",
    sources: [{ kind: "description", text: "In the official example, date_modified is later than date_created." }],
    seen: [DESCRIPTION_8_8],
  }),
  assumption("templates.removed_role", {
    statement: "If a client removes a role, its fields stay and have no role.",
    operations: ["updateTemplate"],
  }),
  assumption("templates.role_order", {
    statement: "If an update gives a role no signing order, the role keeps its order.",
    operations: ["updateTemplate"],
  }),
  assumption("templates.root_folder", {
    statement: "A template outside all folders has an empty folder.",
    operations: ["detailsTemplate"],
    sources: [{ kind: "description", text: "The schema of the official description says that it is a text." }],
    seen: [DESCRIPTION_8_8],
  }),
  assumption("templates.service_variables", {
    statement: "docdouble ignores input for variables of the document, the sender, and the contact of a role.",
    operations: ["updateTemplate"],
  }),
  assumption("templates.unreadable", {
    statement: "The details of every processed template, and of its documents, can be read.",
    operations: ["detailsTemplate", "detailsDocument"],
    sources: [
      {
        kind: "description",
        text: "The vendor's staff saw one template whose details fail, and so do those of its documents. A create succeeds. They name no status.",
      },
    ],
    seen: [vendorSkills({ live: true })],
  }),
  assumption("templates.unprocessed", {
    statement: "While docdouble processes a template, it refuses the call with its own text.",
    operations: ["updateTemplate", "duplicateTemplate"],
    sources: [{ kind: "description", text: "The official description lists no 409 for this operation." }],
  }),
  assumption("templates.variables_are_content", {
    statement: "A change of variables counts as a change of content.",
    operations: ["updateTemplate"],
  }),
];
