/**
 * The official list of operations, as facts. Source: the service's public OpenAPI 8.8.0. A line has the id, the route, the success
 * statuses, the error statuses and the query parameters. A line with # has the tag of the lines below it.
 */

export interface OfficialOperation {
  id: string;
  route: string;
  tag: string;
  ok: number[];
  errors: number[];
  query: string[];
}

function operationsIn(text: string): OfficialOperation[] {
  let tag = "";
  return text
    .trim()
    .split("\n")
    .flatMap((line) => {
      if (line.startsWith("# ")) {
        tag = line.slice(2);
        return [];
      }
      const [, id = "", route = "", ok = "", errors = "", query = ""] =
        /^(\w+): (.+) -> ([\d,]+) \| ([\d,]*)(?: \| (.+))?$/.exec(line) ?? [];
      const numbers = (list: string) => list.split(",").filter(Boolean).map(Number);
      return [{ id, route, tag, ok: numbers(ok), errors: numbers(errors), query: query.split(",").filter(Boolean) }];
    });
}

export const OFFICIAL: readonly OfficialOperation[] = operationsIn(`
# OAuth 2.0 Authentication
accessToken: POST /oauth2/access_token -> 200 | 400
# Documents
listDocuments: GET /public/v1/documents -> 200 | 400,401,403,429 | template_id,form_id,folder_uuid,contact_id,count,page,order_by,created_from,created_to,deleted,id,completed_from,completed_to,membership_id,metadata,modified_from,modified_to,q,status,status__ne,tag
createDocument: POST /public/v1/documents -> 201 | 400,401,403,429 | editor_ver,use_form_field_properties
bulkDeleteDocuments: DELETE /public/v1/documents -> 200 | 400,401,403,404,429
createDocumentFromUpload: POST /public/v1/documents?upload -> 201 | 400,401,429 | editor_ver,use_form_field_properties
createDocumentFromMarkdownUpload: POST /public/v1/documents?upload-markdown -> 201 | 400,401,429
statusDocument: GET /public/v1/documents/{id} -> 200 | 401,403,404,429
deleteDocument: DELETE /public/v1/documents/{id} -> 204 | 404,423
updateDocument: PATCH /public/v1/documents/{id} -> 204 | 400,401,403,404,423,429
# Document Reminders
updateDocumentAutoReminderSettings: PATCH /public/v1/documents/{document_id}/auto-reminders -> 200 | 400,401,403,404,429
getDocumentAutoReminderSettings: GET /public/v1/documents/{document_id}/auto-reminders -> 200 | 400,401,403,404,429
statusDocumentAutoReminder: GET /public/v1/documents/{document_id}/auto-reminders/status -> 200 | 400,401,403,404,429
# Documents
documentESignDisclosure: GET /public/v1/documents/{document_id}/esign-disclosure -> 200 | 401,403,404,429
changeDocumentStatus: PATCH /public/v1/documents/{id}/status -> 204 | 401,403,404,409,423,429
changeDocumentStatusWithUpload: PATCH /public/v1/documents/{id}/status?upload -> 204 | 401,403,404,409,423,429
documentRevertToDraft: POST /public/v1/documents/{id}/draft -> 200 | 423
detailsDocument: GET /public/v1/documents/{id}/details -> 200 | 401,403,404,409,429
sendDocument: POST /public/v1/documents/{id}/send -> 200 | 401,403,404,409,423,429
createDocumentEditingSession: POST /public/v1/documents/{id}/editing-sessions -> 201 | 400,401,403,404,429
createDocumentLink: POST /public/v1/documents/{id}/session -> 201 | 400,401,403,404,429
downloadDocument: GET /public/v1/documents/{id}/download -> 200,202 | 400,401,403,404,409,429 | watermark_color,watermark_font_size,watermark_opacity,watermark_text,separate_files
downloadProtectedDocument: GET /public/v1/documents/{id}/download-protected -> 200,202 | 401,403,404,409,429 | separate_files
# Document Link to CRM
listDocumentsByLinkedObject: GET /public/v1/documents/linked-objects -> 200 | 401,403,404,409,429 | entity_id,entity_type,provider,order_by,owner_ids
listLinkedObjects: GET /public/v1/documents/{id}/linked-objects -> 200 | 401,403,404,409,429
createLinkedObject: POST /public/v1/documents/{id}/linked-objects -> 201 | 400,401,403,404,409,423,429
deleteLinkedObject: DELETE /public/v1/documents/{id}/linked-objects/{linked_object_id} -> 204 | 401,403,404,409,423,429
# Document Attachments
listDocumentAttachments: GET /public/v1/documents/{id}/attachments -> 200 | 401,404,409,429
createDocumentAttachment: POST /public/v1/documents/{id}/attachments -> 200 | 400,401,404,423,429
createDocumentAttachmentFromFileUpload: POST /public/v1/documents/{id}/attachments?upload -> 200 | 400,401,404,423,429
detailsDocumentAttachment: GET /public/v1/documents/{id}/attachments/{attachment_id} -> 200 | 401,404,409,429
deleteDocumentAttachment: DELETE /public/v1/documents/{id}/attachments/{attachment_id} -> 204 | 401,404,423,429
downloadDocumentAttachment: GET /public/v1/documents/{id}/attachments/{attachment_id}/download -> 200 | 401,404,409,429
# Document Fields
listDocumentFields: GET /public/v1/documents/{id}/fields -> 200 | 401,404,409,429
updateDocumentFieldsAssignment: PATCH /public/v1/documents/{id}/fields -> 204 | 400,401,403,404,423,429
createDocumentFields: POST /public/v1/documents/{id}/fields -> 200 | 400,401,404,423,429
# Document Audit Trail
listDocumentAuditTrail: GET /public/v2/documents/{document_id}/audit-trail -> 200 |  | limit,offset
# Document Settings
documentSettingsGet: GET /public/v2/documents/{document_id}/settings -> 200 | 
documentSettingsUpdate: PATCH /public/v2/documents/{document_id}/settings -> 200 | 
# Documents
transferDocumentOwnership: PATCH /public/v1/documents/{id}/ownership -> 204 | 401,403,404,409,423,429
transferAllDocumentsOwnership: PATCH /public/v1/documents/ownership -> 204 | 401,403,404,429
documentMoveToFolder: POST /public/v1/documents/{id}/move-to-folder/{folder_id} -> 204 | 401,403,404,423,429
appendContentLibraryItemToDocument: POST /public/v1/documents/{id}/append-content-library-item -> 201 | 401,403,404,409,423,429
# Document Recipients
addDocumentRecipient: POST /public/v1/documents/{id}/recipients -> 200 | 400,401,403,404,423,429
deleteDocumentRecipient: DELETE /public/v1/documents/{id}/recipients/{recipient_id} -> 204 | 401,403,404,423,429
editDocumentRecipient: PATCH /public/v1/documents/{id}/recipients/recipient/{recipient_id} -> 204 | 400,401,403,404,423,429
reassignDocumentRecipient: POST /public/v1/documents/{id}/recipients/{recipient_id}/reassign -> 200 | 400,401,403,404,423,429
# Document Reminders
createManualReminder: POST /public/v1/documents/{document_id}/send-reminder -> 200 | 401,403,404,409,429
# Document Sections (Bundles)
listSections: GET /public/v1/documents/{document_id}/sections -> 200 | 400,401,403,429
uploadSection: POST /public/v1/documents/{document_id}/sections/uploads -> 201 | 400,401,423,429 | merge_field_scope
uploadSectionWithUpload: POST /public/v1/documents/{document_id}/sections/uploads?upload -> 201 | 400,401,423,429 | merge_field_scope
sectionDetails: GET /public/v1/documents/{document_id}/sections/uploads/{upload_id} -> 200 | 401,403,404,409,429
sectionInfo: GET /public/v1/documents/{document_id}/sections/{section_id} -> 200 | 401,403,404,409,429
deleteSection: DELETE /public/v1/documents/{document_id}/sections/{section_id} -> 204 | 401,403,404,423,429
# Document Structure View
addDsvNamedItems: POST /public/v2/dsv/{document_id}/add-named-items -> 200 | 
# Content Library Items
listContentLibraryItems: GET /public/v1/content-library-items -> 200 | 400,401,429 | q,id,deleted,folder_uuid,count,page,tag
createContentLibraryItem: POST /public/v1/content-library-items -> 201 | 400,401,403,429
createContentLibraryItemFromUpload: POST /public/v1/content-library-items?upload -> 201 | 400,401,403,429
statusContentLibraryItem: GET /public/v1/content-library-items/{id} -> 200 | 401,403,404,429
detailsContentLibraryItem: GET /public/v1/content-library-items/{id}/details -> 200 | 401,403,404,429
# Templates
listTemplates: GET /public/v1/templates -> 200 | 401,429 | q,shared,deleted,count,page,id,folder_uuid,tag,fields
createTemplate: POST /public/v1/templates -> 201 | 400,401,429 | fields
createTemplateWithUpload: POST /public/v1/templates?upload -> 201 | 400,401,429 | fields
duplicateTemplate: POST /public/v1/templates/{id}/duplicate -> 201 | 400,401,403,404,429
detailsTemplate: GET /public/v1/templates/{id}/details -> 200 | 401,403,404,429
deleteTemplate: DELETE /public/v1/templates/{id} -> 204 | 400,401,403,404,429
statusTemplate: GET /public/v1/templates/{id} -> 200 | 401,403,404,429
updateTemplate: PATCH /public/v1/templates/{id} -> 204 | 400,401,403,404,429
createTemplateEditingSession: POST /public/v1/templates/{id}/editing-sessions -> 201 | 400,401,403,404,429
# Template Settings
templateSettingsGet: GET /public/v2/templates/{template_id}/settings -> 200 | 
templateSettingsUpdate: PATCH /public/v2/templates/{template_id}/settings -> 200 | 
# Forms
listForm: GET /public/v1/forms -> 200 | 400,401,403,429 | count,page,status,order_by,asc,name
# Folders
listDocumentFolders: GET /public/v1/documents/folders -> 200 | 400,401,429 | parent_uuid,count,page
createDocumentFolder: POST /public/v1/documents/folders -> 201 | 400,401,429
renameDocumentFolder: PUT /public/v1/documents/folders/{id} -> 200 | 400,401,404,429
listTemplateFolders: GET /public/v1/templates/folders -> 200 | 400,401,429 | parent_uuid,count,page
createTemplateFolder: POST /public/v1/templates/folders -> 201 | 400,401,429
renameTemplateFolder: PUT /public/v1/templates/folders/{id} -> 200 | 400,401,404,429
# API Logs
listLogs: GET /public/v1/logs -> 200 | 400,401,429 | since,to,count,page,statuses,methods,search,environment_type
detailsLog: GET /public/v1/logs/{id} -> 200 | 401,404,429
listLogsV2: GET /public/v2/logs -> 200 | 400,401,429 | since,to,count,page,statuses,methods,search,environment_type
detailsLogV2: GET /public/v2/logs/{id} -> 200 | 400,401,404,429
# Contacts
listContacts: GET /public/v1/contacts -> 200 | 400,401,403,429 | email
createContact: POST /public/v1/contacts -> 201 | 400,401,429
detailsContact: GET /public/v1/contacts/{id} -> 200 | 400,401,403,429
deleteContact: DELETE /public/v1/contacts/{id} -> 204 | 400,401,403,429
updateContact: PATCH /public/v1/contacts/{id} -> 200 | 400,401,429
# Members
listMembers: GET /public/v1/members -> 200 | 400,401,403,429
detailsCurrentMember: GET /public/v1/members/current -> 200 | 400,401,403,429
detailsMember: GET /public/v1/members/{id} -> 200 | 400,401,403,429
createMemberToken: POST /public/v1/members/{member_id}/token -> 200 | 400,401,403,429
# Webhook subscriptions
listWebhookSubscriptions: GET /public/v1/webhook-subscriptions -> 200 | 401,429
createWebhookSubscription: POST /public/v1/webhook-subscriptions -> 201 | 400,401,403,429
detailsWebhookSubscription: GET /public/v1/webhook-subscriptions/{id} -> 200 | 401,403,404,429
updateWebhookSubscription: PATCH /public/v1/webhook-subscriptions/{id} -> 200 | 400,401,403,404,429
deleteWebhookSubscription: DELETE /public/v1/webhook-subscriptions/{id} -> 204 | 401,403,404,429
updateWebhookSubscriptionSharedKey: PATCH /public/v1/webhook-subscriptions/{id}/shared-key -> 200 | 401,403,404,429
# Webhook events
listWebhookEvent: GET /public/v1/webhook-events -> 200 | 401,429 | count,page,since,to,type,http_status_code,error
detailsWebhookEvent: GET /public/v1/webhook-events/{id} -> 200 | 401,429
# Notary
listNotaries: GET /public/v2/notary/notaries -> 200 | 400,403,429 | status,commission_state,offset,limit,order_by
listNotarizationRequests: GET /public/v2/notary/notarization-requests -> 200 | 400,401,403,429 | status,created_by_user_id,document_id,offset,limit,order_by
createNotarizationRequest: POST /public/v2/notary/notarization-requests -> 201 | 400,401,403,429
notarizationRequestDetails: GET /public/v2/notary/notarization-requests/{session_request_id} -> 200 | 
deleteNotarizationRequest: DELETE /public/v2/notary/notarization-requests/{session_request_id} -> 204 | 400,403,404,429
# Product catalog
searchCatalogItems: GET /public/v2/product-catalog/items/search -> 200 | 400,401,403,429 | page,per_page,query,order_by,types,billing_types,exclude_uuids,category_id,no_category
createCatalogItem: POST /public/v2/product-catalog/items -> 200 | 403
getCatalogItem: GET /public/v2/product-catalog/items/{item_uuid} -> 200 | 403
updateCatalogItem: PATCH /public/v2/product-catalog/items/{item_uuid} -> 200 | 403
deleteCatalogItem: DELETE /public/v2/product-catalog/items/{item_uuid} -> 200 | 403
# Quotes
quoteUpdate: PUT /public/v1/documents/{document_id}/quotes/{quote_id} -> 200 | 401,403,404,409,429
# User and Workspace management
getWorkspacesList: GET /public/v1/workspaces -> 200 | 401,403,429 | count,page
createWorkspace: POST /public/v1/workspaces -> 201 | 400,401,403,404,429
deactivateWorkspace: POST /public/v1/workspaces/{workspace_id}/deactivate -> 200 | 401,403,404,429
listUsers: GET /public/v1/users -> 200 | 401,429 | count,page,show_removed
createUser: POST /public/v1/users -> 201 | 400,401,403,404,429 | notify_user,notify_ws_admins
detailsUser: GET /public/v1/users/{user_id} -> 200 | 401,403,404,429
addMember: POST /public/v1/workspaces/{workspace_id}/members -> 201 | 400,401,403,404,429 | notify_user,notify_ws_admins
removeMember: DELETE /public/v1/workspaces/{workspace_id}/members/{member_id} -> 204 | 400,401,403,404,429
changeMemberRole: PATCH /public/v1/workspaces/{workspace_id}/members/{member_id}/role -> 200 | 400,401,403,404,429
createApiKey: POST /public/v1/workspaces/{workspace_id}/api-keys -> 200 | 400,401,403,429
# Communication Preferences
listRecentSmsOptOuts: GET /public/v1/sms-opt-outs -> 200 | 400,401,403,429 | timestamp_from,timestamp_to
# Documents
createExportDocxTask: POST /public/beta/documents/{document_id}/docx-export-tasks -> 200 | 401,403,404,429
getDocxExportTask: GET /public/beta/documents/{document_id}/docx-export-tasks/{task_id} -> 200 | 401,403,404,429
getDocumentSummary: GET /public/beta/documents/{document_id}/summary -> 200,202 | 400,401,403,404,429 | type
getDocumentContent: GET /public/beta/documents/{document_id}/content -> 200,202 | 400,401,403,404,429 | format
getDocumentAiMetadata: GET /public/beta/documents/{document_id}/ai-metadata -> 200,202,204 | 401,403,404,409,429 | limit,offset
batchGetDocumentAiMetadata: POST /public/beta/documents/ai-metadata -> 200 | 400,401,403,429
searchDocumentsAi: GET /public/beta/documents/search -> 200 | 400,401,403,429,500,504 | q
`);

/** Operations that version 8.20.0 of the description adds. Only parts of that version are publicly readable. */
export const NEWER: readonly OfficialOperation[] = operationsIn(`
# User and Workspace management
updateWorkspace: PATCH /public/beta/workspaces/{workspace_id} -> 200 | 400,401,403,404,429
# Privacy settings
getWorkspacePrivacySettings: GET /public/beta/privacy-settings/workspaces/{workspace_id} -> 200 | 400,401,403,404,429
updateWorkspacePrivacySettings: PATCH /public/beta/privacy-settings/workspaces/{workspace_id} -> 200 | 400,401,403,404,429
# Template Settings
getTemplateShares: GET /public/v1/templates/{template_id}/shares -> 200 | 401,403,404,429
updateTemplateSharingSettings: PUT /public/v1/templates/{template_id}/shares -> 200 | 400,401,403,404,429
# Quotes
quotesBatchUpdate: PATCH /public/v1/documents/{document_id}/quotes -> 200 | 400,401,403,404,413,429
`);
