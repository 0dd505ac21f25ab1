/** What may stand in scenario and fixtures files. Written by `npm run docs`; do not edit by hand. */

export type DocumentStatus = "document.draft" | "document.sent" | "document.completed" | "document.uploaded" | "document.error" | "document.viewed" | "document.waiting_approval" | "document.approved" | "document.rejected" | "document.waiting_pay" | "document.paid" | "document.voided" | "document.declined" | "document.external_review" | "document.scheduled";

export type EventName = "recipient_completed" | "document_updated" | "document_deleted" | "document_state_changed" | "document_creation_failed" | "document_completed_pdf_ready" | "document_section_added" | "quote_updated" | "template_created" | "template_updated" | "template_deleted" | "content_library_item_created" | "content_library_item_creation_failed" | "document_created" | "document_completed";

export type Act = "view" | "fill" | "sign" | "decline" | "approve" | "reject" | "pay" | "pay_fail" | "review" | "accept_review" | "comment" | "forward" | "schedule" | "expire" | "remind" | "opt_out" | "opt_in" | "lock" | "unlock" | "fail" | "process" | "finish_pdf";

export type OperationId = "accessToken" | "addDocumentRecipient" | "addDsvNamedItems" | "addMember" | "appendContentLibraryItemToDocument" | "batchGetDocumentAiMetadata" | "bulkDeleteDocuments" | "changeDocumentStatus" | "changeDocumentStatusWithUpload" | "changeMemberRole" | "createApiKey" | "createCatalogItem" | "createContact" | "createContentLibraryItem" | "createContentLibraryItemFromUpload" | "createDocument" | "createDocumentAttachment" | "createDocumentAttachmentFromFileUpload" | "createDocumentEditingSession" | "createDocumentFields" | "createDocumentFolder" | "createDocumentFromMarkdownUpload" | "createDocumentFromUpload" | "createDocumentLink" | "createExportDocxTask" | "createLinkedObject" | "createManualReminder" | "createMemberToken" | "createNotarizationRequest" | "createTemplate" | "createTemplateEditingSession" | "createTemplateFolder" | "createTemplateWithUpload" | "createUser" | "createWebhookSubscription" | "createWorkspace" | "deactivateWorkspace" | "deleteCatalogItem" | "deleteContact" | "deleteDocument" | "deleteDocumentAttachment" | "deleteDocumentRecipient" | "deleteLinkedObject" | "deleteNotarizationRequest" | "deleteSection" | "deleteTemplate" | "deleteWebhookSubscription" | "detailsContact" | "detailsContentLibraryItem" | "detailsCurrentMember" | "detailsDocument" | "detailsDocumentAttachment" | "detailsLog" | "detailsLogV2" | "detailsMember" | "detailsTemplate" | "detailsUser" | "detailsWebhookEvent" | "detailsWebhookSubscription" | "documentESignDisclosure" | "documentMoveToFolder" | "documentRevertToDraft" | "documentSettingsGet" | "documentSettingsUpdate" | "downloadDocument" | "downloadDocumentAttachment" | "downloadProtectedDocument" | "duplicateTemplate" | "editDocumentRecipient" | "getCatalogItem" | "getDocumentAiMetadata" | "getDocumentAutoReminderSettings" | "getDocumentContent" | "getDocumentSummary" | "getDocxExportTask" | "getWorkspacesList" | "listContacts" | "listContentLibraryItems" | "listDocumentAttachments" | "listDocumentAuditTrail" | "listDocumentFields" | "listDocumentFolders" | "listDocuments" | "listDocumentsByLinkedObject" | "listForm" | "listLinkedObjects" | "listLogs" | "listLogsV2" | "listMembers" | "listNotaries" | "listNotarizationRequests" | "listRecentSmsOptOuts" | "listSections" | "listTemplateFolders" | "listTemplates" | "listUsers" | "listWebhookEvent" | "listWebhookSubscriptions" | "notarizationRequestDetails" | "quoteUpdate" | "reassignDocumentRecipient" | "removeMember" | "renameDocumentFolder" | "renameTemplateFolder" | "searchCatalogItems" | "searchDocumentsAi" | "sectionDetails" | "sectionInfo" | "sendDocument" | "statusContentLibraryItem" | "statusDocument" | "statusDocumentAutoReminder" | "statusTemplate" | "templateSettingsGet" | "templateSettingsUpdate" | "transferAllDocumentsOwnership" | "transferDocumentOwnership" | "updateCatalogItem" | "updateContact" | "updateDocument" | "updateDocumentAutoReminderSettings" | "updateDocumentFieldsAssignment" | "updateTemplate" | "updateWebhookSubscription" | "updateWebhookSubscriptionSharedKey" | "uploadSection" | "uploadSectionWithUpload";

export type PageName = "signingPage" | "signingImage" | "signingFile" | "sharedLink" | "fileDownload" | "editorSession" | "authorizePage";

/** A scenario as it is written. */
export interface ScenarioFile {
  version: 1;
  name?: string | undefined;
  description?: string | undefined;
  seed?: number | string | undefined;
  clock?: {
    mode?: "real" | "frozen" | undefined;
    now?: string | undefined;
    speed?: number | undefined;
  } | undefined;
  transitions?: Partial<Record<"document.processing" | "document.pdf" | "template.processing" | "content_library_item.processing" | "document_section.processing", ProgressionFile | undefined>> | undefined;
  world?: FixturesFile | undefined;
  rules?: RuleFile[] | undefined;
  actors?: ActorFile[] | undefined;
  include?: string[] | undefined;
  assume?: AssumeFile | undefined;
  webhooks?: WebhookRuleFile[] | undefined;
  timers?: TimerFile[] | undefined;
  expect?: ExpectFile | undefined;
}

export type ProgressionFile = "immediate" | "manual" | "fail" | {
  time: number | Duration;
} | {
  polls: number;
} | {
  fail: {
    after?: number | Duration | undefined;
    detail?: string | undefined;
  };
};

/** Such as `250ms`, `3s`, `5m`, `2h` or `5d`. */
export type Duration = string;

/** Seed data as it is written: a fixtures file, or a scenario's `world`. */
export interface FixturesFile {
  workspaces?: {
    id?: string | undefined;
    name: string;
    active?: boolean | undefined;
    settings?: {
      esign_disclosure?: {
        company_name: string;
        esign_disclosure_text: string;
      } | null | undefined;
      notary?: boolean | undefined;
      cfr_part_11?: boolean | undefined;
      sms_consent_certified?: boolean | undefined;
      payment_app?: boolean | undefined;
      trial?: boolean | undefined;
      currency?: string | undefined;
      allow_join_by_domain?: boolean | undefined;
      allow_request_access?: boolean | undefined;
      icon_url?: string | null | undefined;
      custom_roles?: string[] | undefined;
      licenses?: Partial<Record<"Full" | "eSign" | "Read-only" | "Creator" | "Guest", number | undefined>> | undefined;
      notary_transactions?: number | null | undefined;
    } | undefined;
  }[] | undefined;
  members?: {
    id?: string | undefined;
    user_id?: string | undefined;
    workspace_id?: string | undefined;
    email: string;
    first_name?: string | undefined;
    last_name?: string | undefined;
    phone_number?: string | null | undefined;
    role?: string | undefined;
    license?: "Full" | "eSign" | "Read-only" | "Creator" | "Guest" | undefined;
    is_organization_owner?: boolean | undefined;
    is_organization_admin?: boolean | undefined;
    is_active?: boolean | undefined;
  }[] | undefined;
  api_keys?: {
    key: string;
    member: string;
    kind?: "production" | "sandbox" | undefined;
  }[] | undefined;
  oauth_clients?: {
    client_id: string;
    client_secret: string;
    name?: string | undefined;
    redirect_uris?: string[] | undefined;
    member?: string | undefined;
  }[] | undefined;
  folders?: {
    id?: string | undefined;
    kind?: "document" | "template" | undefined;
    name: string;
    parent?: string | undefined;
  }[] | undefined;
  contacts?: {
    id?: string | undefined;
    email: string;
    first_name?: string | undefined;
    last_name?: string | undefined;
    company?: string | undefined;
    job_title?: string | undefined;
    phone?: string | undefined;
    country?: string | undefined;
    state?: string | undefined;
    street_address?: string | undefined;
    city?: string | undefined;
    postal_code?: string | undefined;
  }[] | undefined;
  contact_groups?: {
    id?: string | undefined;
    name: string;
    members: string[];
  }[] | undefined;
  templates?: TemplateFile[] | undefined;
  forms?: {
    id?: string | undefined;
    name: string;
    status?: "draft" | "active" | "disabled" | undefined;
    responses?: number | undefined;
    template?: string | undefined;
    role?: string | undefined;
    created_ago?: string | undefined;
    modified_ago?: string | undefined;
  }[] | undefined;
  email_opt_outs?: string[] | undefined;
  sms_opt_outs?: {
    id?: string | undefined;
    phone_number: string;
    status?: "opt-in" | "opt-out" | undefined;
    changed_ago?: string | undefined;
  }[] | undefined;
  catalog_items?: {
    title: string;
    category_id?: string | null | undefined;
    type?: "regular" | "bundle" | undefined;
    bundle_items?: {
      quantity?: number | undefined;
      item_or_uuid: string | {
        uuid?: string | undefined;
        title?: string | undefined;
        sku?: string | null | undefined;
        description?: string | null | undefined;
        image_url?: string | null | undefined;
        images?: {
          is_main?: boolean | null | undefined;
          order?: number | undefined;
          src: string;
        }[] | null | undefined;
        price?: number | null | undefined;
        currency?: string | undefined;
        price_configuration?: {
          currency: string;
          price?: number | null | undefined;
          cost?: number | null | undefined;
          billing_type?: "one_time" | "recurring" | undefined;
          billing_cycle?: string | null | undefined;
          tiers?: {
            value: number;
            min_qty: number;
          }[] | null | undefined;
          pricing_method: 0 | 1 | 2;
        } | undefined;
      };
    }[] | null | undefined;
    sku?: string | null | undefined;
    description?: string | null | undefined;
    images?: {
      is_main?: boolean | null | undefined;
      order?: number | undefined;
      src: string;
    }[] | null | undefined;
    custom_fields?: {
      name: string;
      value?: string | null | undefined;
    }[] | null | undefined;
    price_configuration: {
      currency: string;
      price?: number | null | undefined;
      cost?: number | null | undefined;
      billing_type?: "one_time" | "recurring" | undefined;
      billing_cycle?: string | null | undefined;
      tiers?: {
        value: number;
        min_qty: number;
      }[] | null | undefined;
      pricing_method: 0 | 1 | 2;
    };
    id?: string | undefined;
    category_name?: string | undefined;
  }[] | undefined;
  notaries?: {
    id?: string | undefined;
    email: string;
    name?: string | null | undefined;
    status?: "INVITED" | "UNDER_REVIEW" | "ACTIVE" | "REJECTED" | "INACTIVE" | undefined;
    commission_state?: string | null | undefined;
  }[] | undefined;
  content_library_items?: {
    id?: string | undefined;
    name: string;
    folder?: string | undefined;
    tags?: string[] | undefined;
    metadata?: Record<string, string> | undefined;
    roles?: {
      id?: string | undefined;
      name: string;
      signing_order?: number | undefined;
      email?: string | undefined;
      first_name?: string | undefined;
      last_name?: string | undefined;
    }[] | undefined;
    fields?: {
      name: string;
      type: "checkbox" | "collect_file" | "date" | "dropdown" | "initials" | "payment_details" | "radio_buttons" | "signature" | "stamp" | "text";
      role: string;
      required?: boolean | undefined;
      value?: string | boolean | number | undefined;
      title?: string | undefined;
      placeholder?: string | undefined;
      options?: string[] | undefined;
      multiline?: boolean | undefined;
      page?: number | undefined;
    }[] | undefined;
    tokens?: {
      name: string;
      value?: string | undefined;
    }[] | undefined;
    texts?: {
      name: string;
      data?: string | undefined;
    }[] | undefined;
    images?: {
      name: string;
      urls?: string[] | undefined;
    }[] | undefined;
    tables?: {
      name: string;
    }[] | undefined;
    pricing_tables?: {
      name: string;
      currency?: string | undefined;
      accepts_rows?: boolean | undefined;
      merge_names?: Record<string, string> | undefined;
      discount?: {
        type: "percent" | "absolute";
        value: string;
        name?: string | undefined;
      } | undefined;
      tax?: {
        type: "percent" | "absolute";
        value: string;
        name?: string | undefined;
      } | undefined;
      items?: {
        name: string;
        description?: string | undefined;
        sku?: string | undefined;
        qty?: string | undefined;
        price?: string | undefined;
        optional?: boolean | undefined;
        multichoice_enabled?: boolean | undefined;
        optional_selected?: boolean | undefined;
        qty_editable?: boolean | undefined;
      }[] | undefined;
    }[] | undefined;
    quotes?: QuoteFile[] | undefined;
    content_placeholders?: {
      block_id: string;
      description?: string | undefined;
    }[] | undefined;
    pages?: number | undefined;
  }[] | undefined;
  documents?: {
    as?: string | undefined;
    id?: string | undefined;
    name: string;
    template: string;
    status?: DocumentStatus | undefined;
    send_at?: string | undefined;
    recipients?: {
      id?: string | null | undefined;
      email?: string | null | undefined;
      phone?: string | null | undefined;
      first_name?: string | null | undefined;
      last_name?: string | null | undefined;
      company?: string | null | undefined;
      type?: "recipient" | "recipient_group" | undefined;
      role?: string | null | undefined;
      signing_order?: number | null | undefined;
      delivery_methods?: {
        email?: boolean | undefined;
        sms?: boolean | undefined;
      } | null | undefined;
      redirect?: {
        is_enabled?: boolean | undefined;
        url?: string | null | undefined;
      } | null | undefined;
      verification_settings?: {
        verification_place: "before_open" | "before_sign";
        passcode_verification?: {
          passcode: string;
        } | null | undefined;
        phone_verification?: {
          phone_number: string;
        } | null | undefined;
        kba_verification?: {
          time_limit_sec?: number | undefined;
          score_threshold?: number | undefined;
          max_attempts_count?: number | undefined;
        } | null | undefined;
        id_verification?: {
          enabled?: boolean | undefined;
        } | null | undefined;
        email_otp_verification?: {
          email: string;
        } | null | undefined;
      } | null | undefined;
      name?: string | undefined;
      members?: {
        id?: string | null | undefined;
        email?: string | null | undefined;
        phone?: string | null | undefined;
        first_name?: string | null | undefined;
        last_name?: string | null | undefined;
        company?: string | null | undefined;
      }[] | undefined;
    }[] | undefined;
    fields?: Record<string, string | boolean | number> | undefined;
    metadata?: Record<string, string> | undefined;
    tags?: string[] | undefined;
    folder?: string | undefined;
  }[] | undefined;
  webhook_subscriptions?: {
    id?: string | undefined;
    name?: string | undefined;
    url: string;
    triggers: EventName[];
    payload?: ("metadata" | "fields" | "products" | "tokens" | "pricing")[] | undefined;
    active?: boolean | undefined;
    shared_key?: string | undefined;
  }[] | undefined;
}

export interface TemplateFile {
  id?: string | undefined;
  name: string;
  folder?: string | undefined;
  tags?: string[] | undefined;
  metadata?: Record<string, string> | undefined;
  roles?: {
    id?: string | undefined;
    name: string;
    signing_order?: number | undefined;
    email?: string | undefined;
    first_name?: string | undefined;
    last_name?: string | undefined;
  }[] | undefined;
  fields?: {
    name: string;
    type: "checkbox" | "collect_file" | "date" | "dropdown" | "initials" | "payment_details" | "radio_buttons" | "signature" | "stamp" | "text";
    role: string;
    required?: boolean | undefined;
    value?: string | boolean | number | undefined;
    title?: string | undefined;
    placeholder?: string | undefined;
    options?: string[] | undefined;
    multiline?: boolean | undefined;
    page?: number | undefined;
  }[] | undefined;
  tokens?: {
    name: string;
    value?: string | undefined;
  }[] | undefined;
  texts?: {
    name: string;
    data?: string | undefined;
  }[] | undefined;
  images?: {
    name: string;
    urls?: string[] | undefined;
  }[] | undefined;
  tables?: {
    name: string;
  }[] | undefined;
  pricing_tables?: {
    name: string;
    currency?: string | undefined;
    accepts_rows?: boolean | undefined;
    merge_names?: Record<string, string> | undefined;
    discount?: {
      type: "percent" | "absolute";
      value: string;
      name?: string | undefined;
    } | undefined;
    tax?: {
      type: "percent" | "absolute";
      value: string;
      name?: string | undefined;
    } | undefined;
    items?: {
      name: string;
      description?: string | undefined;
      sku?: string | undefined;
      qty?: string | undefined;
      price?: string | undefined;
      optional?: boolean | undefined;
      multichoice_enabled?: boolean | undefined;
      optional_selected?: boolean | undefined;
      qty_editable?: boolean | undefined;
    }[] | undefined;
  }[] | undefined;
  quotes?: QuoteFile[] | undefined;
  content_placeholders?: {
    block_id: string;
    description?: string | undefined;
  }[] | undefined;
  approval?: {
    steps: (string[] | {
      type: "all" | "any" | "selectable";
      members: string[];
    })[];
  } | undefined;
  payment?: {
    provider?: string | undefined;
    amount?: string | undefined;
    currency?: string | undefined;
  } | undefined;
  pages?: number | undefined;
  shared?: boolean | undefined;
}

export interface QuoteFile {
  currency?: string | undefined;
  summary?: {
    discounts?: Record<string, {
      type: "percent" | "flat";
      value: number;
    }> | undefined;
    taxes?: Record<string, {
      type: "percent" | "flat";
      value: number;
    }> | undefined;
    fees?: Record<string, {
      type: "percent" | "flat";
      value: number;
    }> | undefined;
    custom_columns?: Record<string, string> | undefined;
  } | undefined;
  sections?: {
    id?: string | undefined;
    name?: string | null | undefined;
    summary?: {
      discounts?: Record<string, {
        type: "percent" | "flat";
        value: number;
      }> | undefined;
      taxes?: Record<string, {
        type: "percent" | "flat";
        value: number;
      }> | undefined;
      fees?: Record<string, {
        type: "percent" | "flat";
        value: number;
      }> | undefined;
      custom_columns?: Record<string, string> | undefined;
    } | undefined;
    items?: {
      id?: string | undefined;
      sku?: string | undefined;
      name?: string | undefined;
      description?: string | undefined;
      qty?: number | undefined;
      price?: number | undefined;
      price_settings?: {
        base_value?: number | null | undefined;
        tiers: {
          min_qty: number;
          value: number;
        }[];
      } | null | undefined;
      cost?: number | undefined;
      billing_frequency?: "weekly" | "monthly" | "annually" | "quarterly" | "semiannualy" | null | undefined;
      contract_term?: number | null | undefined;
      reference_id?: string | null | undefined;
      options?: {
        selected?: boolean | undefined;
        qty_editable?: boolean | undefined;
        optional?: boolean | undefined;
      } | undefined;
      custom_columns?: Record<string, string> | undefined;
      external_columns?: Record<string, string> | undefined;
      text_columns?: Record<string, string> | undefined;
      discounts?: Record<string, {
        type: "percent" | "flat";
        value: number;
      }> | undefined;
      taxes?: Record<string, {
        type: "percent" | "flat";
        value: number;
      }> | undefined;
      fees?: Record<string, {
        type: "percent" | "flat";
        value: number;
      }> | undefined;
      multipliers?: Record<string, number> | undefined;
    }[] | undefined;
    settings?: {
      optional?: boolean | undefined;
      selected?: boolean | undefined;
      selection_type?: "custom" | "single" | "multiple" | undefined;
    } | undefined;
  }[] | undefined;
  settings?: {
    selection_type?: "custom" | "single" | "multiple" | undefined;
  } | undefined;
  merge_rules?: {
    id?: string | undefined;
    enabled?: boolean | undefined;
    action: {
      type?: "add_to_section" | undefined;
      section_id: string;
    };
    condition: {
      field_name: string;
      type?: "and" | "or" | undefined;
      comparison: {
        type: "equals" | "not_equals" | "contains" | "not_contains";
        value: string;
      }[];
    };
  }[] | undefined;
}

/** A rule as it is written. */
export interface RuleFile {
  name: string;
  when?: {
    operation?: string | string[] | undefined;
    path?: Matcher | undefined;
    method?: Matcher | undefined;
    query?: Record<string, Matcher> | undefined;
    headers?: Record<string, Matcher> | undefined;
    body?: Record<string, Matcher> | undefined;
    document?: DocumentMatcher | undefined;
    call?: {
      nth?: number | undefined;
      first?: number | undefined;
      from?: number | undefined;
      every?: number | undefined;
      per?: "rule" | "document" | "key" | undefined;
    } | undefined;
    tenant?: Matcher | undefined;
  } | undefined;
  then: {
    error?: "locked" | "conflict" | "throttled" | "not_found" | "forbidden" | "unauthorized" | "invalid" | undefined;
    detail?: string | undefined;
    retry_after?: Duration | undefined;
    lock?: {
      by?: string | undefined;
      expires_in?: Duration | undefined;
    } | undefined;
    respond?: {
      status: number;
      headers?: Record<string, string> | undefined;
      body?: unknown | undefined;
    } | undefined;
    network?: "reset" | "empty" | "garbage" | "hang" | "truncate" | "slow" | undefined;
    phase?: "before" | "after" | undefined;
    delay?: Duration | {
      min: Duration;
      max: Duration;
    } | undefined;
    rate_limit?: {
      limit: number;
      window: Duration;
    } | undefined;
    times?: number | undefined;
    fallthrough?: boolean | undefined;
    undeclared?: boolean | undefined;
  };
}

/** A scalar means equality; a map is a matcher. */
export type Matcher = string | number | boolean | null | {
  eq?: string | number | boolean | null | undefined;
  ne?: string | number | boolean | null | undefined;
  in?: (string | number | boolean | null)[] | undefined;
  contains?: string | undefined;
  regex?: string | undefined;
  gt?: number | string | undefined;
  lt?: number | string | undefined;
  exists?: boolean | undefined;
};

export type DocumentMatcher = Record<string, Matcher>;

export interface ActorFile {
  name: string;
  on: "document.draft" | "document.sent" | "document.completed" | "document.uploaded" | "document.error" | "document.viewed" | "document.waiting_approval" | "document.approved" | "document.rejected" | "document.waiting_pay" | "document.paid" | "document.voided" | "document.declined" | "document.external_review" | "document.scheduled" | "recipient_completed" | "document_updated" | "document_deleted" | "document_state_changed" | "document_creation_failed" | "document_completed_pdf_ready" | "document_section_added" | "quote_updated" | "template_created" | "template_updated" | "template_deleted" | "content_library_item_created" | "content_library_item_creation_failed" | "document_created" | "document_completed" | "document.deleted" | ("document.draft" | "document.sent" | "document.completed" | "document.uploaded" | "document.error" | "document.viewed" | "document.waiting_approval" | "document.approved" | "document.rejected" | "document.waiting_pay" | "document.paid" | "document.voided" | "document.declined" | "document.external_review" | "document.scheduled" | "recipient_completed" | "document_updated" | "document_deleted" | "document_state_changed" | "document_creation_failed" | "document_completed_pdf_ready" | "document_section_added" | "quote_updated" | "template_created" | "template_updated" | "template_deleted" | "content_library_item_created" | "content_library_item_creation_failed" | "document_created" | "document_completed" | "document.deleted")[];
  document?: DocumentMatcher | undefined;
  recipient?: {
    id?: Matcher | undefined;
    role?: Matcher | undefined;
    email?: Matcher | undefined;
  } | undefined;
  steps: {
    after?: Duration | undefined;
    do: Act;
    with?: ActInputFile | undefined;
  }[];
}

export interface ActInputFile {
  recipient?: string | undefined;
  fields?: Record<string, string | boolean | number | null> | undefined;
  pricing?: Record<string, {
    selected?: boolean | undefined;
    qty?: number | string | undefined;
  }> | undefined;
  reason?: string | undefined;
  text?: string | undefined;
  to?: {
    email: string;
    first_name?: string | undefined;
    last_name?: string | undefined;
    reassign?: boolean | undefined;
  } | undefined;
  at?: string | undefined;
  member?: string | undefined;
  channel?: "sms" | "email" | undefined;
  expires_in?: string | undefined;
}

export interface AssumeFile {
  "auth.key_as_bearer"?: "refuse" | "accept" | undefined;
  "contacts.known_email"?: "update" | "duplicate" | "refuse" | undefined;
  "create.unknown_role"?: "refuse" | "cc" | undefined;
  "decline.date_completed"?: "keep" | "clear" | undefined;
  "delete.bulk_locked"?: "delete" | "refuse" | undefined;
  "delete.second"?: 403 | 404 | undefined;
  "details.right_after_create"?: 409 | 404 | undefined;
  "download.before_completion"?: "given" | "refused" | undefined;
  "errors.list_paths"?: "nested" | "flat" | undefined;
  "field_tags.undeclared"?: "drop" | "error" | undefined;
  "json.types"?: "strict" | "lenient" | undefined;
  "pricing.column_names"?: "check" | "any" | undefined;
  "query.empty_values"?: "check" | "refuse" | "ignore" | undefined;
  "rate_limit.profile"?: "none" | "sandbox" | "production" | undefined;
  "recipients.same_email"?: "join" | "separate" | "refuse" | undefined;
  "revert.draft"?: "allow" | "refuse" | undefined;
  "revert.error"?: "allow" | "refuse" | undefined;
  "sandbox.foreign_recipients"?: "refuse" | "trial" | undefined;
  "send.recipient_id"?: "text" | "integer" | undefined;
  "send.without_recipients"?: "allow" | "refuse" | undefined;
  "update.outside_draft"?: 400 | 409 | undefined;
  "webhook.https_only"?: "off" | "on" | boolean | undefined;
  "webhook.retry_schedule"?: Duration[] | undefined;
  "webhook.shared_link"?: "empty" | "link" | undefined;
  "webhook.zero_total"?: "cents" | "plain" | undefined;
}

export interface WebhookRuleFile {
  name: string;
  when?: {
    event?: EventName | EventName[] | undefined;
    status?: DocumentStatus | DocumentStatus[] | undefined;
    subscription?: Matcher | undefined;
    document?: DocumentMatcher | undefined;
    nth?: number | undefined;
    attempt?: number | {
      in: number[];
    } | undefined;
  } | undefined;
  then: {
    drop?: true | undefined;
    delay?: Duration | undefined;
    duplicate?: number | undefined;
    after_event?: EventName | {
      event: EventName;
      status?: DocumentStatus | undefined;
    } | undefined;
    batch?: {
      window: Duration;
      max?: number | undefined;
    } | undefined;
    signature?: "valid" | "invalid" | "missing" | "old_key" | undefined;
    attempt_result?: "timeout" | "refused" | number | undefined;
    retries?: Duration[] | undefined;
    times?: number | undefined;
    fallthrough?: boolean | undefined;
  };
}

export interface TimerFile {
  name?: string | undefined;
  at?: string | undefined;
  every?: Duration | undefined;
  do: Act;
  document?: DocumentMatcher | undefined;
  with?: ActInputFile | undefined;
}

export interface ExpectFile {
  requests?: {
    match?: {
      operation?: string | string[] | undefined;
      path?: Matcher | undefined;
      method?: Matcher | undefined;
      query?: Record<string, Matcher> | undefined;
      headers?: Record<string, Matcher> | undefined;
      body?: Record<string, Matcher> | undefined;
      document?: DocumentMatcher | undefined;
      status?: Matcher | undefined;
      tenant?: Matcher | undefined;
    } | undefined;
    order?: number | undefined;
    times?: number | undefined;
    at_least?: number | undefined;
    at_most?: number | undefined;
    never?: true | undefined;
    note?: string | undefined;
  }[] | undefined;
  documents?: {
    match?: DocumentMatcher | undefined;
    count?: number | undefined;
    status?: DocumentStatus | undefined;
    path?: DocumentStatus[] | undefined;
    note?: string | undefined;
  }[] | undefined;
  deliveries?: {
    match?: {
      event?: Matcher | undefined;
      status?: Matcher | undefined;
      subscription?: Matcher | undefined;
      state?: Matcher | undefined;
      document?: DocumentMatcher | undefined;
    } | undefined;
    acknowledged?: boolean | undefined;
    attempts?: number | undefined;
    times?: number | undefined;
    at_least?: number | undefined;
    at_most?: number | undefined;
    never?: true | undefined;
    note?: string | undefined;
  }[] | undefined;
  emails?: {
    match?: {
      to?: Matcher | undefined;
      subject?: Matcher | undefined;
      kind?: Matcher | undefined;
    } | undefined;
    times?: number | undefined;
    at_least?: number | undefined;
    at_most?: number | undefined;
    never?: true | undefined;
    note?: string | undefined;
  }[] | undefined;
  rules_used?: "all" | {
    except: string[];
  } | undefined;
  unmatched?: "none" | undefined;
  contract?: "clean" | undefined;
}

