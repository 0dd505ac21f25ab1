/** The types of scenario and fixtures files. Written by `npm run docs`; do not edit by hand. */

export type DocumentStatus = "document.draft" | "document.sent" | "document.completed" | "document.uploaded" | "document.error" | "document.viewed" | "document.waiting_approval" | "document.approved" | "document.rejected" | "document.waiting_pay" | "document.paid" | "document.voided" | "document.declined" | "document.external_review" | "document.scheduled";

export type EventName = "recipient_completed" | "document_updated" | "document_deleted" | "document_state_changed" | "document_creation_failed" | "document_completed_pdf_ready" | "document_section_added" | "quote_updated" | "template_created" | "template_updated" | "template_deleted" | "content_library_item_created" | "content_library_item_creation_failed" | "document_created" | "document_completed";

export type Act = "view" | "fill" | "sign" | "decline" | "approve" | "reject" | "pay" | "pay_fail" | "review" | "accept_review" | "comment" | "forward" | "schedule" | "expire" | "remind" | "opt_out" | "opt_in" | "lock" | "unlock" | "fail" | "process" | "finish_pdf";

export type OperationId = "accessToken" | "addDocumentRecipient" | "addDsvNamedItems" | "addMember" | "appendContentLibraryItemToDocument" | "batchGetDocumentAiMetadata" | "bulkDeleteDocuments" | "changeDocumentStatus" | "changeDocumentStatusWithUpload" | "changeMemberRole" | "createApiKey" | "createCatalogItem" | "createContact" | "createContentLibraryItem" | "createContentLibraryItemFromUpload" | "createDocument" | "createDocumentAttachment" | "createDocumentAttachmentFromFileUpload" | "createDocumentEditingSession" | "createDocumentFields" | "createDocumentFolder" | "createDocumentFromMarkdownUpload" | "createDocumentFromUpload" | "createDocumentLink" | "createExportDocxTask" | "createLinkedObject" | "createManualReminder" | "createMemberToken" | "createNotarizationRequest" | "createTemplate" | "createTemplateEditingSession" | "createTemplateFolder" | "createTemplateWithUpload" | "createUser" | "createWebhookSubscription" | "createWorkspace" | "deactivateWorkspace" | "deleteCatalogItem" | "deleteContact" | "deleteDocument" | "deleteDocumentAttachment" | "deleteDocumentRecipient" | "deleteLinkedObject" | "deleteNotarizationRequest" | "deleteSection" | "deleteTemplate" | "deleteWebhookSubscription" | "detailsContact" | "detailsContentLibraryItem" | "detailsCurrentMember" | "detailsDocument" | "detailsDocumentAttachment" | "detailsLog" | "detailsLogV2" | "detailsMember" | "detailsTemplate" | "detailsUser" | "detailsWebhookEvent" | "detailsWebhookSubscription" | "documentESignDisclosure" | "documentMoveToFolder" | "documentRevertToDraft" | "documentSettingsGet" | "documentSettingsUpdate" | "downloadDocument" | "downloadDocumentAttachment" | "downloadProtectedDocument" | "duplicateTemplate" | "editDocumentRecipient" | "getCatalogItem" | "getDocumentAiMetadata" | "getDocumentAutoReminderSettings" | "getDocumentContent" | "getDocumentSummary" | "getDocxExportTask" | "getTemplateShares" | "getWorkspacePrivacySettings" | "getWorkspacesList" | "listContacts" | "listContentLibraryItems" | "listDocumentAttachments" | "listDocumentAuditTrail" | "listDocumentFields" | "listDocumentFolders" | "listDocuments" | "listDocumentsByLinkedObject" | "listForm" | "listLinkedObjects" | "listLogs" | "listLogsV2" | "listMembers" | "listNotaries" | "listNotarizationRequests" | "listRecentSmsOptOuts" | "listSections" | "listTemplateFolders" | "listTemplates" | "listUsers" | "listWebhookEvent" | "listWebhookSubscriptions" | "notarizationRequestDetails" | "quoteUpdate" | "quotesBatchUpdate" | "reassignDocumentRecipient" | "removeMember" | "renameDocumentFolder" | "renameTemplateFolder" | "searchCatalogItems" | "searchDocumentsAi" | "sectionDetails" | "sectionInfo" | "sendDocument" | "statusContentLibraryItem" | "statusDocument" | "statusDocumentAutoReminder" | "statusTemplate" | "templateSettingsGet" | "templateSettingsUpdate" | "transferAllDocumentsOwnership" | "transferDocumentOwnership" | "updateCatalogItem" | "updateContact" | "updateDocument" | "updateDocumentAutoReminderSettings" | "updateDocumentFieldsAssignment" | "updateTemplate" | "updateTemplateSharingSettings" | "updateWebhookSubscription" | "updateWebhookSubscriptionSharedKey" | "updateWorkspace" | "updateWorkspacePrivacySettings" | "uploadSection" | "uploadSectionWithUpload";

export type PageName = "signingPage" | "signingImage" | "signingFile" | "sharedLink" | "fileDownload" | "editorSession" | "authorizePage";

/** A scenario as its file contains it. */
export interface ScenarioFile {
  /** The JSON Schema of this file, for editors. docdouble does not read it. */
  "$schema"?: string | undefined;
  /** The version of the file format: 1. */
  version: 1;
  /** The name of the scenario. Default: the name of its file. */
  name?: string | undefined;
  /** A text for readers. It changes nothing else. */
  description?: string | undefined;
  /** Determines ids and random delays, so that each run gives the same results. */
  seed?: number | string | undefined;
  /** How the clock starts and moves. */
  clock?: {
    /** `frozen` stands until you advance it, `real` follows real time, `auto` moves while the client waits. */
    mode?: "real" | "frozen" | "auto" | undefined;
    /** The instant to start at, in ISO 8601. Example: `2026-03-02T09:00:00Z`. */
    now?: string | undefined;
    /** How many times faster than real time a `real` clock runs. */
    speed?: number | undefined;
  } | undefined;
  /** How long asynchronous steps take, and whether they fail. */
  transitions?: Partial<Record<"document.processing" | "document.pdf" | "template.processing" | "content_library_item.processing" | "document_section.processing", ProgressionFile | undefined>> | undefined;
  /** A fixtures file, relative to this file, that replaces the built-in workspace at the start. */
  fixtures?: string | undefined;
  /** Data that the scenario adds to the fixtures. */
  world?: FixturesFile | undefined;
  /** Faults and answers for calls. The first rule that matches a call acts. */
  rules?: RuleFile[] | undefined;
  /** Recipients and members who act by themselves. */
  actors?: ActorFile[] | undefined;
  /** Replaces an act of a recipient with another act. */
  instead?: {
    /** The act to replace. Example: `sign`. */
    of?: Act | Act[] | undefined;
    /** Applies only to documents that meet these conditions. */
    document?: DocumentMatcher | undefined;
    /** Applies only to recipients who meet these conditions. */
    recipient?: {
      /** The id. Default: docdouble makes one. */
      id?: Matcher | undefined;
      /** The role that the recipient takes, by its name. Case counts. */
      role?: Matcher | undefined;
      /** The email address. Example: `pat@client.example`. */
      email?: Matcher | undefined;
    } | undefined;
    /** The act that happens instead. Example: `decline`, or `nothing`. */
    do: Act | "nothing";
    /** The input of the new act, such as a `reason` for `decline`. */
    with?: ActInputFile | undefined;
  }[] | undefined;
  /** Scenario files to load first, relative to this file. */
  include?: string[] | undefined;
  /** Readings of assumptions while the scenario runs. `docdouble assumptions` lists them. */
  assume?: AssumeFile | undefined;
  /** Rules that delay, repeat, forge or drop webhook deliveries. */
  webhooks?: WebhookRuleFile[] | undefined;
  /** Acts that happen at a set time, or again and again. */
  timers?: TimerFile[] | undefined;
  /** What must hold at the end. `docdouble run` checks it. */
  expect?: ExpectFile | undefined;
}

export type ProgressionFile = "immediate" | "manual" | "fail" | {
  /** The step takes this long: seconds, or a duration such as `5s`. */
  time: number | Duration;
} | {
  /** The step ends when the client has read the status this many times. */
  polls: number;
} | {
  /** The step fails, as it does for a broken file. */
  fail: {
    /** The time until the step fails: seconds, or a duration such as `5s`. */
    after?: number | Duration | undefined;
    /** The text of the failure, as the client sees it. */
    detail?: string | undefined;
  };
};

/** Such as `250ms`, `3s`, `5m`, `2h` or `5d`. */
export type Duration = string;

/** Seed data: a fixtures file, or the `world` of a scenario. */
export interface FixturesFile {
  /** The workspaces. The first is the default. */
  workspaces?: {
    /** The id. Default: docdouble makes one. */
    id?: string | undefined;
    /** The name, which lists and searches show. */
    name: string;
    /** Whether the workspace is in use, and not deactivated. */
    active?: boolean | undefined;
    /** Settings that no operation changes. */
    settings?: {
      /** The consent that signers give, or null. */
      esign_disclosure?: {
        /** The company that the consent of signers names. */
        company_name: string;
        /** The text that a signer accepts before signing. */
        esign_disclosure_text: string;
      } | null | undefined;
      /** Whether the workspace can notarize. */
      notary?: boolean | undefined;
      /** Whether the workspace follows the rules of 21 CFR Part 11. */
      cfr_part_11?: boolean | undefined;
      /** Whether the workspace may send text messages. */
      sms_consent_certified?: boolean | undefined;
      /** Whether a payment application is connected. */
      payment_app?: boolean | undefined;
      /** Whether the account is a trial. */
      trial?: boolean | undefined;
      /** The currency of new prices. Example: `USD`. */
      currency?: string | undefined;
      /** Whether people with the email domain of the workspace can join. */
      allow_join_by_domain?: boolean | undefined;
      /** Whether people can ask for access. */
      allow_request_access?: boolean | undefined;
      /** The address of the icon, or null. */
      icon_url?: string | null | undefined;
      /** Names of custom roles of members. */
      custom_roles?: string[] | undefined;
      /** How many licenses of each kind the workspace has. */
      licenses?: Partial<Record<"Full" | "eSign" | "Read-only" | "Creator" | "Guest", number | undefined>> | undefined;
      /** How many notarizations are left, or null without a limit. */
      notary_transactions?: number | null | undefined;
      /** Which AI features the workspace may use. */
      privacy?: {
        /** Whether the workspace follows HIPAA, which forces all AI features off. */
        hipaa_compliance_enabled?: boolean | undefined;
        /** The master switch of the AI features. */
        ai_features_enabled?: boolean | undefined;
        /** Whether the service itself may process data with AI. */
        ai_on_premises_processing_enabled?: boolean | undefined;
        /** Whether AI of other companies may process data. */
        ai_cloud_third_party_enabled?: boolean | undefined;
        /** Whether the service may train models with data. */
        ai_on_premises_training_enabled?: boolean | undefined;
        /** Whether other companies may train models with data. */
        ai_third_party_training_enabled?: boolean | undefined;
      } | undefined;
    } | undefined;
  }[] | undefined;
  /** The members of workspaces: people who own keys and documents. */
  members?: {
    /** The id. Default: docdouble makes one. */
    id?: string | undefined;
    /** The id of the user. A user may be a member of several workspaces. */
    user_id?: string | undefined;
    /** The workspace, by its id. Default: the first workspace. */
    workspace_id?: string | undefined;
    /** The email address. Example: `pat@client.example`. */
    email: string;
    /** The first name, as mails and pages show it. */
    first_name?: string | undefined;
    /** The last name, as mails and pages show it. */
    last_name?: string | undefined;
    /** The phone number, in international form. */
    phone_number?: string | null | undefined;
    /** The role in the workspace. Example: `Admin`. */
    role?: string | undefined;
    /** The kind of license. Example: `Full`. */
    license?: "Full" | "eSign" | "Read-only" | "Creator" | "Guest" | undefined;
    /** Whether the member owns the organization. */
    is_organization_owner?: boolean | undefined;
    /** Whether the member administers the organization. */
    is_organization_admin?: boolean | undefined;
    /** Whether the member may log in. */
    is_active?: boolean | undefined;
  }[] | undefined;
  /** API keys. Each key belongs to a member. */
  api_keys?: {
    /** The text that clients send after `API-Key`. */
    key: string;
    /** The member who owns the key: an id or an email address. */
    member: string;
    /** `sandbox` keys have lower limits, and mark documents with `[DEV]`. */
    kind?: "production" | "sandbox" | undefined;
  }[] | undefined;
  /** Applications that may ask for tokens. */
  oauth_clients?: {
    /** The id that the application sends to log users in. */
    client_id: string;
    /** The secret that the application sends for a token. */
    client_secret: string;
    /** The name, which lists and searches show. */
    name?: string | undefined;
    /** The addresses that may receive codes. */
    redirect_uris?: string[] | undefined;
    /** The member who gives consent. Default: the first member. */
    member?: string | undefined;
  }[] | undefined;
  /** Folders of documents and of templates. A parent comes first. */
  folders?: {
    /** The id. Default: docdouble makes one. */
    id?: string | undefined;
    /** What the folder holds: documents or templates. */
    kind?: "document" | "template" | undefined;
    /** The name, which lists and searches show. */
    name: string;
    /** The parent folder: an id or a name. */
    parent?: string | undefined;
  }[] | undefined;
  /** The contacts of the workspace, as `listContacts` returns them. */
  contacts?: {
    /** The id. Default: docdouble makes one. */
    id?: string | undefined;
    /** The email address. Example: `pat@client.example`. */
    email: string;
    /** The first name, as mails and pages show it. */
    first_name?: string | undefined;
    /** The last name, as mails and pages show it. */
    last_name?: string | undefined;
    /** The company that the person works for. */
    company?: string | undefined;
    /** The job title. Example: `Director`. */
    job_title?: string | undefined;
    /** The phone number, in international form. */
    phone?: string | undefined;
    /** The country of the postal address. */
    country?: string | undefined;
    /** The state or region of the postal address. */
    state?: string | undefined;
    /** Street and number of the postal address. */
    street_address?: string | undefined;
    /** The city of the postal address. */
    city?: string | undefined;
    /** The postal code of the postal address. */
    postal_code?: string | undefined;
    /** How recipients with this contact are reached when a request and the template do not say it. */
    delivery_methods?: {
      /** Whether the recipient gets the document by mail. */
      email: boolean;
      /** Whether the recipient gets the link by text message. */
      sms: boolean;
    } | undefined;
  }[] | undefined;
  /** Groups of contacts, each with a name and members. */
  contact_groups?: {
    /** The id. Default: docdouble makes one. */
    id?: string | undefined;
    /** The name, which lists and searches show. */
    name: string;
    /** The contacts of the group: ids or email addresses. */
    members: string[];
  }[] | undefined;
  /** Templates that are processed, so that documents can use them. */
  templates?: TemplateFile[] | undefined;
  /** Forms that people submit to make documents. */
  forms?: {
    /** The id. Default: docdouble makes one. */
    id?: string | undefined;
    /** The name, which lists and searches show. */
    name: string;
    /** The status of the form, as `listForm` returns it. */
    status?: "draft" | "active" | "disabled" | undefined;
    /** How many submissions the form has had before. */
    responses?: number | undefined;
    /** The template, by id or name. A form without a template accepts no submissions. */
    template?: string | undefined;
    /** The role of the submitter. Default: the template's first role. */
    role?: string | undefined;
    /** How long ago the form was created. Example: `3d`. */
    created_ago?: string | undefined;
    /** How long ago the form was changed. Example: `1d`. */
    modified_ago?: string | undefined;
  }[] | undefined;
  /** Addresses that want no mail from the service. */
  email_opt_outs?: string[] | undefined;
  /** Phone numbers, and whether they want text messages. */
  sms_opt_outs?: {
    /** The id. Default: docdouble makes one. */
    id?: string | undefined;
    /** The phone number, in international form. */
    phone_number: string;
    /** Whether the number wants text messages. */
    status?: "opt-in" | "opt-out" | undefined;
    /** How long ago the status changed. Example: `3d`. */
    changed_ago?: string | undefined;
  }[] | undefined;
  /** Products of the catalog, as searches and quotes find them. */
  catalog_items?: {
    /** The name of the product. */
    title: string;
    /** The category that lists the product, by its id. */
    category_id?: string | null | undefined;
    /** A single product, or a bundle. */
    type?: "regular" | "bundle" | undefined;
    /** The products of a bundle. */
    bundle_items?: {
      /** The quantity of the product. */
      quantity?: number | undefined;
      /** A product, or the id of a product in the catalog. */
      item_or_uuid: string | {
        /** The id of the product in the catalog. */
        uuid?: string | undefined;
        /** The name of the product. */
        title?: string | undefined;
        /** The stock keeping unit, which names the product in a shop. */
        sku?: string | null | undefined;
        /** A text for readers. It changes nothing else. */
        description?: string | null | undefined;
        /** The address of an image. */
        image_url?: string | null | undefined;
        /** Image blocks, or images of a product. */
        images?: {
          /** Whether the image is the main one. */
          is_main?: boolean | null | undefined;
          /** The position of the image, as a number. */
          order?: number | undefined;
          /** The web address of the image. */
          src: string;
        }[] | null | undefined;
        /** The price of one item. Example: `100`. */
        price?: number | null | undefined;
        /** The currency. Example: `USD`. */
        currency?: string | undefined;
        /** The price and its billing. */
        price_configuration?: CatalogPriceFile | undefined;
      };
    }[] | null | undefined;
    /** The stock keeping unit, which names the product in a shop. */
    sku?: string | null | undefined;
    /** A text for readers. It changes nothing else. */
    description?: string | null | undefined;
    /** Image blocks, or images of a product. */
    images?: {
      /** Whether the image is the main one. */
      is_main?: boolean | null | undefined;
      /** The position of the image, as a number. */
      order?: number | undefined;
      /** The web address of the image. */
      src: string;
    }[] | null | undefined;
    /** Your own fields of the product, with values. */
    custom_fields?: {
      /** The name, which lists and searches show. */
      name: string;
      /** The value: a text, a number, or true or false. */
      value?: string | null | undefined;
    }[] | null | undefined;
    /** The price and its billing. */
    price_configuration: CatalogPriceFile;
    /** The id. Default: docdouble makes one. */
    id?: string | undefined;
    /** The category that lists the product, by its name. */
    category_name?: string | undefined;
  }[] | undefined;
  /** Notaries who can be asked for a notarization. */
  notaries?: {
    /** The id. Default: docdouble makes one. */
    id?: string | undefined;
    /** The email address. Example: `pat@client.example`. */
    email: string;
    /** The name, which lists and searches show. */
    name?: string | null | undefined;
    /** The status of the notary. */
    status?: "INVITED" | "UNDER_REVIEW" | "ACTIVE" | "REJECTED" | "INACTIVE" | undefined;
    /** The state that commissioned the notary. */
    commission_state?: string | null | undefined;
  }[] | undefined;
  /** Items of the content library, which documents can place. */
  content_library_items?: Omit<TemplateFile, "approval" | "payment" | "shared" | "gallery">[] | undefined;
  /** Documents that exist at the start, in any status. */
  documents?: {
    /** The name of the document in rules and expectations. */
    as?: string | undefined;
    /** The id. Default: docdouble makes one. */
    id?: string | undefined;
    /** The name, which lists and searches show. */
    name: string;
    /** The template to create from, by its name or id. */
    template: string;
    /** The status of the document. docdouble reaches it by allowed steps. */
    status?: DocumentStatus | undefined;
    /** When a scheduled document is sent. Without it, the document stays scheduled. */
    send_at?: string | undefined;
    /** The recipients, as in API requests. */
    recipients?: {
      /** The id. Default: docdouble makes one. */
      id?: string | null | undefined;
      /** The email address. Example: `pat@client.example`. */
      email?: string | null | undefined;
      /** The phone number, in international form. */
      phone?: string | null | undefined;
      /** The first name, as mails and pages show it. */
      first_name?: string | null | undefined;
      /** The last name, as mails and pages show it. */
      last_name?: string | null | undefined;
      /** The company that the person works for. */
      company?: string | null | undefined;
      /** A person, or a group. One member acts for a group. */
      type?: "recipient" | "recipient_group" | undefined;
      /** The role of the template that the recipient takes. */
      role?: string | null | undefined;
      /** The position in the signing order, from 1. Recipients without one can sign at any time. */
      signing_order?: number | null | undefined;
      /** How the recipient gets the document. */
      delivery_methods?: {
        /** Whether the recipient gets the document by mail. */
        email?: boolean | undefined;
        /** Whether the recipient gets the link by text message. */
        sms?: boolean | undefined;
      } | null | undefined;
      /** Where the recipient goes after signing. */
      redirect?: {
        /** Whether the signer is sent to `url` after signing. */
        is_enabled?: boolean | undefined;
        /** The web address to open after signing. */
        url?: string | null | undefined;
      } | null | undefined;
      /** How the recipient proves who they are. Set exactly one method. */
      verification_settings?: {
        /** When the check happens: before opening or before signing. */
        verification_place: "before_open" | "before_sign";
        /** The recipient enters this passcode before opening or signing. */
        passcode_verification?: {
          /** The passcode: letters and digits, at least 6. */
          passcode: string;
        } | null | undefined;
        /** The recipient enters a code from a text message. */
        phone_verification?: {
          /** The phone number, in international form. */
          phone_number: string;
        } | null | undefined;
        /** The recipient answers questions about their own life. */
        kba_verification?: {
          /** How many seconds the recipient has for all answers. */
          time_limit_sec?: number | undefined;
          /** The lowest score that passes. */
          score_threshold?: number | undefined;
          /** How often the recipient may try. */
          max_attempts_count?: number | undefined;
        } | null | undefined;
        /** The recipient shows an identity document. */
        id_verification?: {
          /** Whether the check is on. */
          enabled?: boolean | undefined;
        } | null | undefined;
        /** The recipient enters a code from a mail. */
        email_otp_verification?: {
          /** The email address. Example: `pat@client.example`. */
          email: string;
        } | null | undefined;
      } | null | undefined;
      /** The name of a recipient group. */
      name?: string | undefined;
      /** The people of a group. One of them acts for the group. */
      members?: {
        /** The id. Default: docdouble makes one. */
        id?: string | null | undefined;
        /** The email address. Example: `pat@client.example`. */
        email?: string | null | undefined;
        /** The phone number, in international form. */
        phone?: string | null | undefined;
        /** The first name, as mails and pages show it. */
        first_name?: string | null | undefined;
        /** The last name, as mails and pages show it. */
        last_name?: string | null | undefined;
        /** The company that the person works for. */
        company?: string | null | undefined;
      }[] | undefined;
    }[] | undefined;
    /** Values of fields, by field name. Example: `{ Company: Client Ltd }`. */
    fields?: Record<string, string | boolean | number> | undefined;
    /** Your own texts by key, which lists can filter by. */
    metadata?: Record<string, string> | undefined;
    /** Tags that lists and searches can filter by. */
    tags?: string[] | undefined;
    /** The folder that holds the row, by its id or name. */
    folder?: string | undefined;
  }[] | undefined;
  /** Subscriptions to events that exist at the start. */
  webhook_subscriptions?: {
    /** The id. Default: docdouble makes one. */
    id?: string | undefined;
    /** The name, which lists and searches show. */
    name?: string | undefined;
    /** The address that receives the events. */
    url: string;
    /** The events to send. Example: `[document_state_changed]`. */
    triggers: EventName[];
    /** Data that the service adds to each event. */
    payload?: ("metadata" | "fields" | "products" | "tokens" | "pricing")[] | undefined;
    /** Whether the service sends events to the subscription. */
    active?: boolean | undefined;
    /** The key that signs deliveries, so that a test can verify them. */
    shared_key?: string | undefined;
  }[] | undefined;
}

export interface TemplateFile {
  /** The id. Default: docdouble makes one. */
  id?: string | undefined;
  /** The name, which lists and searches show. */
  name: string;
  /** The folder that holds the row, by its id or name. */
  folder?: string | undefined;
  /** Tags that lists and searches can filter by. */
  tags?: string[] | undefined;
  /** Your own texts by key, which lists can filter by. */
  metadata?: Record<string, string> | undefined;
  /** The roles that recipients take. A field names its role. */
  roles?: TemplateRoleFile[] | undefined;
  /** The fields that recipients fill in or sign. */
  fields?: TemplateFieldFile[] | undefined;
  /** The variables of the content, such as `Client.Company`. */
  tokens?: TemplateVariableFile[] | undefined;
  /** Text blocks, which a document can fill when it is created. */
  texts?: {
    /** The name, which lists and searches show. */
    name: string;
    /** The text, in Markdown. */
    data?: string | undefined;
  }[] | undefined;
  /** Image blocks, or images of a product. */
  images?: {
    /** The name, which lists and searches show. */
    name: string;
    /** The web addresses of the images. */
    urls?: string[] | undefined;
  }[] | undefined;
  /** Tables, which a document can fill with rows when it is created. */
  tables?: {
    /** The name, which lists and searches show. */
    name: string;
  }[] | undefined;
  /** Pricing tables with rows, discounts, taxes and totals. */
  pricing_tables?: PricingTableFile[] | undefined;
  /** Quotes with sections, items and totals. */
  quotes?: QuoteFile[] | undefined;
  /** Places that a new document fills with items of the content library. */
  content_placeholders?: LibraryPlaceholderFile[] | undefined;
  /** The approval that a document needs before it is sent. */
  approval?: {
    /** The steps of the approval, in order. */
    steps: (string[] | {
      /** Who must approve: all members, any member, or a member whom the sender selects. */
      type: "all" | "any" | "selectable";
      /** The members who approve: email addresses or ids. */
      members: string[];
    })[];
  } | undefined;
  /** The payment that follows the signatures. */
  payment?: {
    /** The payment provider. Example: `stripe`. */
    provider?: string | undefined;
    /** The amount. Default: the total of the prices. */
    amount?: string | undefined;
    /** The currency. Example: `USD`. */
    currency?: string | undefined;
  } | undefined;
  /** The number of pages. */
  pages?: number | undefined;
  /** Whether other members see the template. */
  shared?: boolean | undefined;
  /** Whether the template belongs to the vendor's gallery: everybody can read it, and no document can be made from it. */
  gallery?: boolean | undefined;
}

export interface QuoteFile {
  /** The currency. Example: `USD`. */
  currency?: string | undefined;
  /** Discounts, taxes and fees on the total. */
  summary?: QuoteSummaryFile | undefined;
  /** The sections of the quote. */
  sections?: {
    /** The id. Default: docdouble makes one. */
    id?: string | undefined;
    /** The name, which lists and searches show. */
    name?: string | null | undefined;
    /** Discounts, taxes and fees on the total. */
    summary?: QuoteSummaryFile | undefined;
    /** The items of the table or section, in their order. */
    items?: {
      /** The id. Default: docdouble makes one. */
      id?: string | undefined;
      /** The stock keeping unit, which names the product in a shop. */
      sku?: string | undefined;
      /** The name, which lists and searches show. */
      name?: string | undefined;
      /** A text for readers. It changes nothing else. */
      description?: string | undefined;
      /** The quantity of the item. Example: `2`. */
      qty?: number | undefined;
      /** The price of one item. Example: `100`. */
      price?: number | undefined;
      /** Prices that depend on the quantity, in tiers. */
      price_settings?: {
        /** The price without tiers. */
        base_value: number | null;
        /** Prices for larger quantities. */
        tiers: {
          /** The smallest quantity to which the tier applies. */
          min_qty: number;
          /** The price of one item in this tier. */
          value: number;
        }[];
      } | null | undefined;
      /** What one item costs the seller. */
      cost?: number | undefined;
      /** How often the buyer is billed. */
      billing_frequency?: "weekly" | "monthly" | "annually" | "quarterly" | "semiannually" | "semiannualy" | null | undefined;
      /** How long the contract for this price lasts. */
      contract_term?: number | null | undefined;
      /** The id in another system. */
      reference_id?: string | null | undefined;
      /** What the signer may change, such as quantity and selection. */
      options?: {
        /** Whether an optional item is chosen at the start. */
        selected?: boolean | undefined;
        /** Whether the signer may change the quantity. */
        qty_editable?: boolean | undefined;
        /** Whether the signer can leave the item out. */
        optional?: boolean | undefined;
      } | undefined;
      /** Values of custom columns, by name. */
      custom_columns?: Record<string, string> | undefined;
      /** Values of columns that another system fills, by name. */
      external_columns?: Record<string, string> | undefined;
      /** Values of text columns, by name. */
      text_columns?: Record<string, string> | undefined;
      /** Discounts on the row, by name. */
      discounts?: Record<string, QuoteAdjustmentFile> | undefined;
      /** Taxes on the row, by name. */
      taxes?: Record<string, QuoteAdjustmentFile> | undefined;
      /** Fees on the row, by name. */
      fees?: Record<string, QuoteAdjustmentFile> | undefined;
      /** Numbers that multiply the price, by name. */
      multipliers?: Record<string, number> | undefined;
    }[] | undefined;
    /** Choices that the signer has in this row or section. */
    settings?: {
      /** Whether the signer can leave the item out. */
      optional?: boolean | undefined;
      /** Whether an optional item is chosen at the start. */
      selected?: boolean | undefined;
      /** How many sections or items the signer may choose. */
      selection_type?: "custom" | "single" | "multiple" | undefined;
      /** Whether rows may use the merge names of columns. Details show it. */
      data_merge_enabled?: boolean | undefined;
    } | undefined;
  }[] | undefined;
  /** Choices that the signer has in this row or section. */
  settings?: {
    /** How many sections or items the signer may choose. */
    selection_type?: "custom" | "single" | "multiple" | undefined;
  } | undefined;
  /** Rules that show or hide sections by the value of a field. */
  merge_rules?: {
    /** The id. Default: docdouble makes one. */
    id?: string | undefined;
    /** Whether the rule is on. */
    enabled?: boolean | undefined;
    /** What the rule does when its condition holds. */
    action: {
      /** Whether the section is shown or hidden. */
      type?: "add_to_section" | undefined;
      /** The section that the rule changes, by its id. */
      section_id: string;
    };
    /** When the rule applies: its comparisons, and how they combine. */
    condition: {
      /** The name of the field that the rule checks. */
      field_name: string;
      /** `and` needs all comparisons to hold, `or` needs one. */
      type?: "and" | "or" | undefined;
      /** The comparisons of the condition, each with a value. */
      comparison: {
        /** How to compare the field with the value. */
        type: "equals" | "not_equals" | "contains" | "not_contains";
        /** The value to compare with the field. */
        value: string;
      }[];
    };
  }[] | undefined;
}

/** A rule as its file contains it. */
export interface RuleFile {
  /** The name of the rule in messages and in `x-docdouble-rule`. */
  name: string;
  /** The calls that the rule applies to. All conditions must hold. Default: every call. */
  when?: {
    /** The operation's id. Example: `sendDocument`. */
    operation?: string | string[] | undefined;
    /** The path of the call. Example: `/public/v1/documents`. */
    path?: Matcher | undefined;
    /** The HTTP method of the call. Example: `POST`. */
    method?: Matcher | undefined;
    /** Conditions on query parameters, by name. */
    query?: Record<string, Matcher> | undefined;
    /** Conditions on headers, by name in lower case. */
    headers?: Record<string, Matcher> | undefined;
    /** Conditions on the body, by JSON path. Example: `$.recipients[0].email`. */
    body?: Record<string, Matcher> | undefined;
    /** Conditions on the document of the call. */
    document?: DocumentMatcher | undefined;
    /** Which of the matching calls the rule applies to, by number. */
    call?: {
      /** Only the call with this number, among those that meet `when` and that no earlier rule took. The first call is 1. */
      nth?: number | undefined;
      /** Only the first calls, as many as this number. */
      first?: number | undefined;
      /** The call with this number and all later calls. The first call is 1. */
      from?: number | undefined;
      /** Only each call whose number this number divides: `3` selects calls 3, 6, 9 and so on. */
      every?: number | undefined;
      /** `document` or `key` counts the calls of each document or API key apart. `rule` counts all calls together. */
      per?: "rule" | "document" | "key" | undefined;
    } | undefined;
    /** The tenant of the call, by its key. Example: `test-one`. */
    tenant?: Matcher | undefined;
    /** The tool of an agent that makes the call. Example: `documents_send`. */
    tool?: Matcher | undefined;
  } | undefined;
  /** What happens to the call, such as an `error`, a `delay` or a `network` fault. */
  then: {
    /** Answers with this error of the service. Example: `throttled`. */
    error?: "locked" | "conflict" | "throttled" | "not_found" | "forbidden" | "unauthorized" | "invalid" | undefined;
    /** Replaces the text of the error. Clients see it as `detail`. */
    detail?: string | undefined;
    /** The wait that `throttled` asks for. Example: `5s`. */
    retry_after?: Duration | undefined;
    /** Who holds the lock of `locked`, and how long. */
    lock?: {
      /** The email address of the member who edits. */
      by?: string | undefined;
      /** How long the lock lasts. Example: `5m`. */
      expires_in?: Duration | undefined;
    } | undefined;
    /** Answers with this status, these headers and this body. */
    respond?: {
      /** The HTTP status, from 200 to 599. */
      status: number;
      /** Headers of the answer. Example: `{ retry-after: "5" }`. */
      headers?: Record<string, string> | undefined;
      /** A text, or a value that is sent as JSON. */
      body?: unknown | undefined;
    } | undefined;
    /** Breaks the connection. Example: `reset`. */
    network?: "reset" | "empty" | "garbage" | "hang" | "truncate" | "slow" | undefined;
    /** `before` prevents the operation. `after` runs it and replaces its answer. */
    phase?: "before" | "after" | undefined;
    /** Real time that the answer takes, at most 30s: a duration, or a range. */
    delay?: Duration | {
      /** The shortest delay, as a duration such as `100ms`. */
      min: Duration;
      /** The longest delay, as a duration such as `2s`. */
      max: Duration;
    } | undefined;
    /** Limits how many calls each API key can make in a window of time. */
    rate_limit?: {
      /** How many calls pass in one window. Later calls get a 429. */
      limit: number;
      /** The length of the window. Example: `1m`. */
      window: Duration;
    } | undefined;
    /** How long the created document is processed. Example: `1m`. */
    processing?: Duration | undefined;
    /** Changes the operation's own successful answer, as a JSON Patch. The operation itself takes effect as usual. */
    patch?: {
      /** What the step does: `add`, `remove` or `replace`. */
      op: "add" | "remove" | "replace";
      /** The place in the answer, as a JSON Pointer. Example: `/recipients/0/role`. */
      path: string;
      /** The value that `add` or `replace` writes. */
      value?: unknown | undefined;
    }[] | undefined;
    /** A read answers as the world was this long ago, on docdouble's clock. Example: `2s`. */
    stale?: Duration | undefined;
    /** The call waits until another call has arrived. */
    hold?: {
      /** The call to wait for. */
      until: {
        /** The operation's id, a list of ids, or a pattern with `*`. Example: `sendDocument`. */
        operation: string | string[];
        /** Its number, counted since the rule was added. The first call is 1, which is also the default. */
        nth?: number | undefined;
      };
      /** The longest wait, at most 30s. Default: `5s`. */
      at_most?: Duration | undefined;
    } | undefined;
    /** How many calls the rule applies to. Default: all. */
    times?: number | undefined;
    /** Lets later rules act on the same call. */
    fallthrough?: boolean | undefined;
    /** Allows a status that the API description does not list for the operation. */
    undeclared?: boolean | undefined;
    /** Makes `not_found` or `unauthorized` hold for later calls too. */
    lasting?: boolean | undefined;
  };
}

/** A scalar means equality; a map is a matcher. */
export type Matcher = string | number | boolean | null | {
  /** The value is exactly this one. */
  eq?: string | number | boolean | null | undefined;
  /** The value is not this one. */
  ne?: string | number | boolean | null | undefined;
  /** The value is one of these. */
  in?: (string | number | boolean | null)[] | undefined;
  /** The text contains this text, or the list contains this item. */
  contains?: string | undefined;
  /** The text matches this regular expression of JavaScript. */
  regex?: string | undefined;
  /** The value is greater than this. */
  gt?: number | string | undefined;
  /** The value is less than this. */
  lt?: number | string | undefined;
  /** `true` needs a value, `false` needs its absence. */
  exists?: boolean | undefined;
};

export type DocumentMatcher = Record<string, Matcher>;

export interface ActorFile {
  /** The name of the actor, which messages and the inspector show. */
  name: string;
  /** The statuses or events at which the actor begins. */
  on: "document.draft" | "document.sent" | "document.completed" | "document.uploaded" | "document.error" | "document.viewed" | "document.waiting_approval" | "document.approved" | "document.rejected" | "document.waiting_pay" | "document.paid" | "document.voided" | "document.declined" | "document.external_review" | "document.scheduled" | "recipient_completed" | "document_updated" | "document_deleted" | "document_state_changed" | "document_creation_failed" | "document_completed_pdf_ready" | "document_section_added" | "quote_updated" | "document_created" | "document_completed" | "document.deleted" | ("document.draft" | "document.sent" | "document.completed" | "document.uploaded" | "document.error" | "document.viewed" | "document.waiting_approval" | "document.approved" | "document.rejected" | "document.waiting_pay" | "document.paid" | "document.voided" | "document.declined" | "document.external_review" | "document.scheduled" | "recipient_completed" | "document_updated" | "document_deleted" | "document_state_changed" | "document_creation_failed" | "document_completed_pdf_ready" | "document_section_added" | "quote_updated" | "document_created" | "document_completed" | "document.deleted")[];
  /** The actor acts only on documents that meet these conditions. */
  document?: DocumentMatcher | undefined;
  /** The recipient who acts. Leave it out when each step names its recipient. */
  recipient?: {
    /** The id. Default: docdouble makes one. */
    id?: Matcher | undefined;
    /** The role that the recipient takes, by its name. Case counts. */
    role?: Matcher | undefined;
    /** The email address. Example: `pat@client.example`. */
    email?: Matcher | undefined;
  } | undefined;
  /** The acts of the actor, in order. */
  steps: {
    /** The wait before the step. Example: `2h`. */
    after?: Duration | undefined;
    /** The act. Examples: `view`, `sign`, `decline`. */
    do: Act;
    /** The input of the act, such as `fields` for `sign`. */
    with?: ActInputFile | undefined;
  }[];
}

export interface ActInputFile {
  /** Who acts: an id, an email address or a role. */
  recipient?: string | undefined;
  /** Values of fields, by field name. Example: `{ Company: Client Ltd }`. */
  fields?: Record<string, string | boolean | number | null> | undefined;
  /** What the signer chooses in pricing tables, by item id, SKU or name. */
  pricing?: Record<string, {
    /** Whether the signer takes this optional item. */
    selected?: boolean | undefined;
    /** The quantity that the signer enters for this item. */
    qty?: number | string | undefined;
  }> | undefined;
  /** Why the person acts, for example for `decline`. */
  reason?: string | undefined;
  /** The text of a comment or suggestion. */
  text?: string | undefined;
  /** The person who receives a forwarded document: `email`, and names. */
  to?: {
    /** The email address. Example: `pat@client.example`. */
    email: string;
    /** The first name, as mails and pages show it. */
    first_name?: string | undefined;
    /** The last name, as mails and pages show it. */
    last_name?: string | undefined;
    /** `true` also gives the fields to the receiver. Default: the receiver gets a copy to read. */
    reassign?: boolean | undefined;
  } | undefined;
  /** When `schedule` sends the document: an instant, or a duration from now. */
  at?: string | undefined;
  /** The member who acts: a membership id or email address. */
  member?: string | undefined;
  /** The messages to stop or to allow again. Default: `sms`. */
  channel?: "sms" | "email" | undefined;
  /** How long a lock lasts. Example: `10m`. */
  expires_in?: string | undefined;
}

export interface AssumeFile {
  /** The reading of audit_trail.access to use. docdouble assumptions prints the readings. */
  "audit_trail.access"?: "given" | "refuse" | undefined;
  /** The reading of auth.key_as_bearer to use. docdouble assumptions prints the readings. */
  "auth.key_as_bearer"?: "refuse" | "accept" | undefined;
  /** The reading of contacts.known_email to use. docdouble assumptions prints the readings. */
  "contacts.known_email"?: "update" | "duplicate" | "refuse" | undefined;
  /** The reading of create.unknown_role to use. docdouble assumptions prints the readings. */
  "create.unknown_role"?: "refuse" | "cc" | "drop" | undefined;
  /** The reading of create.unknown_template to use. docdouble assumptions prints the readings. */
  "create.unknown_template"?: 400 | 404 | undefined;
  /** The reading of decline.date_completed to use. docdouble assumptions prints the readings. */
  "decline.date_completed"?: "keep" | "clear" | undefined;
  /** The reading of delete.bulk_locked to use. docdouble assumptions prints the readings. */
  "delete.bulk_locked"?: "delete" | "refuse" | undefined;
  /** The reading of delete.second to use. docdouble assumptions prints the readings. */
  "delete.second"?: 403 | 404 | undefined;
  /** The reading of details.grand_total to use. docdouble assumptions prints the readings. */
  "details.grand_total"?: "same_currency" | "pricing" | "zero" | undefined;
  /** The reading of details.right_after_create to use. docdouble assumptions prints the readings. */
  "details.right_after_create"?: 409 | 404 | undefined;
  /** The reading of details.role_of_uploads to use. docdouble assumptions prints the readings. */
  "details.role_of_uploads"?: "empty" | "name" | undefined;
  /** The reading of download.before_completion to use. docdouble assumptions prints the readings. */
  "download.before_completion"?: "given" | "refused" | undefined;
  /** The reading of errors.list_paths to use. docdouble assumptions prints the readings. */
  "errors.list_paths"?: "nested" | "flat" | undefined;
  /** The reading of field_tags.undeclared to use. docdouble assumptions prints the readings. */
  "field_tags.undeclared"?: "drop" | "error" | undefined;
  /** The reading of fields.keys to use. docdouble assumptions prints the readings. */
  "fields.keys"?: "merge_field" | "any" | undefined;
  /** The reading of fields.unknown_key_update to use. docdouble assumptions prints the readings. */
  "fields.unknown_key_update"?: "refuse" | "ignore" | undefined;
  /** The reading of json.types to use. docdouble assumptions prints the readings. */
  "json.types"?: "strict" | "lenient" | undefined;
  /** The reading of list.date_sent to use. docdouble assumptions prints the readings. */
  "list.date_sent"?: "present" | "absent" | undefined;
  /** The reading of list.repeated_status to use. docdouble assumptions prints the readings. */
  "list.repeated_status"?: "any_of" | "refuse" | undefined;
  /** The reading of pricing.column_names to use. docdouble assumptions prints the readings. */
  "pricing.column_names"?: "check" | "any" | undefined;
  /** The reading of pricing.discount_name to use. docdouble assumptions prints the readings. */
  "pricing.discount_name"?: "key" | "single" | undefined;
  /** The reading of pricing.negative_total to use. docdouble assumptions prints the readings. */
  "pricing.negative_total"?: "take" | "refuse" | undefined;
  /** The reading of pricing.other_currency to use. docdouble assumptions prints the readings. */
  "pricing.other_currency"?: "vendor" | "take" | undefined;
  /** The reading of pricing.row_options to use. docdouble assumptions prints the readings. */
  "pricing.row_options"?: "required" | "optional" | undefined;
  /** The reading of privacy.ai_off to use. docdouble assumptions prints the readings. */
  "privacy.ai_off"?: "refuse" | "serve" | undefined;
  /** The reading of query.empty_values to use. docdouble assumptions prints the readings. */
  "query.empty_values"?: "check" | "refuse" | "ignore" | undefined;
  /** The reading of rate_limit.profile to use. docdouble assumptions prints the readings. */
  "rate_limit.profile"?: "none" | "sandbox" | "production" | undefined;
  /** The reading of recipients.limit to use. docdouble assumptions prints the readings. */
  "recipients.limit"?: 50 | "none" | undefined;
  /** The reading of recipients.same_email to use. docdouble assumptions prints the readings. */
  "recipients.same_email"?: "refuse" | "join" | "separate" | undefined;
  /** The reading of revert.draft to use. docdouble assumptions prints the readings. */
  "revert.draft"?: "allow" | "refuse" | undefined;
  /** The reading of revert.error to use. docdouble assumptions prints the readings. */
  "revert.error"?: "allow" | "refuse" | undefined;
  /** The reading of sandbox.foreign_recipients to use. docdouble assumptions prints the readings. */
  "sandbox.foreign_recipients"?: "refuse" | "trial" | undefined;
  /** The reading of sections.recipients to use. docdouble assumptions prints the readings. */
  "sections.recipients"?: "optional" | "required" | undefined;
  /** The reading of send.recipient_id to use. docdouble assumptions prints the readings. */
  "send.recipient_id"?: "text" | "integer" | undefined;
  /** The reading of send.unassigned_signatures to use. docdouble assumptions prints the readings. */
  "send.unassigned_signatures"?: "refuse" | "allow" | undefined;
  /** The reading of send.without_recipients to use. docdouble assumptions prints the readings. */
  "send.without_recipients"?: "allow" | "refuse" | undefined;
  /** The reading of templates.search to use. docdouble assumptions prints the readings. */
  "templates.search"?: "fuzzy" | "name" | undefined;
  /** The reading of update.outside_draft to use. docdouble assumptions prints the readings. */
  "update.outside_draft"?: 400 | 409 | undefined;
  /** The reading of webhook.https_only to use. docdouble assumptions prints the readings. */
  "webhook.https_only"?: "off" | "on" | boolean | undefined;
  /** The reading of webhook.retry_schedule to use. docdouble assumptions prints the readings. */
  "webhook.retry_schedule"?: Duration[] | undefined;
  /** The reading of webhook.shared_link to use. docdouble assumptions prints the readings. */
  "webhook.shared_link"?: "empty" | "link" | undefined;
  /** The reading of webhook.zero_total to use. docdouble assumptions prints the readings. */
  "webhook.zero_total"?: "cents" | "plain" | undefined;
}

export interface WebhookRuleFile {
  /** The name of the rule, which messages and `rules_used` show. */
  name: string;
  /** The deliveries that the rule applies to. All conditions must hold. */
  when?: {
    /** The name of the event. Example: `document_state_changed`. */
    event?: EventName | EventName[] | undefined;
    /** The document's status in the event. Example: `document.completed`. */
    status?: DocumentStatus | DocumentStatus[] | undefined;
    /** Only deliveries of the subscription with this name. */
    subscription?: Matcher | undefined;
    /** Conditions on the document of the call. */
    document?: DocumentMatcher | undefined;
    /** Only the matching delivery with this number. The first is 1. */
    nth?: number | undefined;
    /** Only the attempt with this number, or with the numbers of `in`. The first attempt is 1. */
    attempt?: number | {
      /** Only attempts with these numbers. The first attempt is 1. */
      in: number[];
    } | undefined;
  } | undefined;
  /** What happens to the delivery, such as `delay`, `drop` or `duplicate`. */
  then: {
    /** `true` never sends the delivery, as if it were lost on the way. */
    drop?: true | undefined;
    /** Sends it later, on the tenant's clock. Example: `1h`. */
    delay?: Duration | undefined;
    /** How many copies to send besides the delivery. */
    duplicate?: number | undefined;
    /** Sends a copy with this signature, or with each of these, before the delivery. */
    copy_ahead?: "valid" | "invalid" | "missing" | "old_key" | "similar" | "short" | ("valid" | "invalid" | "missing" | "old_key" | "similar" | "short")[] | undefined;
    /** `true` writes the JSON of the body in another way: with spaces, and with escapes. The signature fits the new text. */
    respell?: true | undefined;
    /** Holds the delivery back until another event arrives. */
    after_event?: EventName | {
      /** The event to wait for. Example: `recipient_completed`. */
      event: EventName;
      /** The document's status in that event. */
      status?: DocumentStatus | undefined;
    } | undefined;
    /** Sends several deliveries in one body. */
    batch?: {
      /** How long to collect deliveries. Example: `5s`. */
      window: Duration;
      /** The most deliveries in one body, such as 10. */
      max?: number | undefined;
    } | undefined;
    /** Signs the delivery wrongly. Example: `invalid`. */
    signature?: "valid" | "invalid" | "missing" | "old_key" | "similar" | "short" | undefined;
    /** The result to record instead of sending: a status, `timeout` or `refused`. */
    attempt_result?: "timeout" | "refused" | number | undefined;
    /** The delays of retries. Example: `[1m, 5m]`. */
    retries?: Duration[] | undefined;
    /** How many deliveries the rule applies to. Default: all. */
    times?: number | undefined;
    /** Lets later rules act on the same delivery. */
    fallthrough?: boolean | undefined;
  };
}

export interface TimerFile {
  /** The name of the timer, which messages and the inspector show. */
  name?: string | undefined;
  /** When the timer runs: an instant, or a duration from the start such as `3d`. */
  at?: string | undefined;
  /** The interval between runs. Example: `1d`. */
  every?: Duration | undefined;
  /** The act at that time. Examples: `expire`, `remind`. */
  do: Act;
  /** The timer acts on each document that meets these conditions. */
  document?: DocumentMatcher | undefined;
  /** The input of the act, such as `at` for `schedule`. */
  with?: ActInputFile | undefined;
}

export interface ExpectFile {
  /** Which calls must have come, and how often. */
  requests?: {
    /** What to count. All conditions must hold. */
    match?: {
      /** The operation's id. Example: `sendDocument`. */
      operation?: string | string[] | undefined;
      /** The path of the call. Example: `/public/v1/documents`. */
      path?: Matcher | undefined;
      /** The HTTP method of the call. Example: `POST`. */
      method?: Matcher | undefined;
      /** Conditions on query parameters, by name. */
      query?: Record<string, Matcher> | undefined;
      /** Conditions on headers, by name in lower case. */
      headers?: Record<string, Matcher> | undefined;
      /** Conditions on the body, by JSON path. */
      body?: Record<string, Matcher> | undefined;
      /** Conditions on the document, such as its `name` or `metadata`. */
      document?: DocumentMatcher | undefined;
      /** The status of the answer. Example: `201`. */
      status?: Matcher | undefined;
      /** The tenant of the call, by its key. Example: `test-one`. */
      tenant?: Matcher | undefined;
      /** The tool of an agent that made the call. Example: `documents_send`. */
      tool?: Matcher | undefined;
    } | undefined;
    /** The position of this request. Requests with an order must come in this order. */
    order?: number | undefined;
    /** It must happen exactly this many times. `0` means never. */
    times?: number | undefined;
    /** It must happen this many times or more. */
    at_least?: number | undefined;
    /** It must happen this many times or fewer. */
    at_most?: number | undefined;
    /** `true` means that it must not happen at all. */
    never?: true | undefined;
    /** What the report says when the expectation fails. */
    note?: string | undefined;
  }[] | undefined;
  /** Which tools an agent must have called, and how often. */
  tools?: {
    /** The tool's name. Example: `documents_send`. Without a name, every tool counts. */
    name?: Matcher | undefined;
    /** It must happen exactly this many times. `0` means never. */
    times?: number | undefined;
    /** It must happen this many times or more. */
    at_least?: number | undefined;
    /** It must happen this many times or fewer. */
    at_most?: number | undefined;
    /** `true` means that it must not happen at all. */
    never?: true | undefined;
    /** What the report says when the expectation fails. */
    note?: string | undefined;
  }[] | undefined;
  /** Which documents must exist, and in which status. */
  documents?: {
    /** What to count. All conditions must hold. */
    match?: DocumentMatcher | undefined;
    /** The expected number: exact, `at_least` or `at_most`. */
    count?: number | undefined;
    /** The status that the documents must have. */
    status?: DocumentStatus | undefined;
    /** All statuses of the document, in order. */
    path?: DocumentStatus[] | undefined;
    /** What the report says when the expectation fails. */
    note?: string | undefined;
  }[] | undefined;
  /** Which webhooks must have arrived, and how often. */
  deliveries?: {
    /** What to count. All conditions must hold. */
    match?: {
      /** The name of the event. Example: `document_state_changed`. */
      event?: Matcher | undefined;
      /** The document's status in the event. Example: `document.sent`. */
      status?: Matcher | undefined;
      /** Only deliveries of the subscription with this name. */
      subscription?: Matcher | undefined;
      /** The state of the delivery. Example: `delivered`. */
      state?: Matcher | undefined;
      /** Conditions on the document, such as its `name` or `metadata`. */
      document?: DocumentMatcher | undefined;
    } | undefined;
    /** Whether the receiver accepted the delivery. */
    acknowledged?: boolean | undefined;
    /** How often docdouble tried to deliver the event. */
    attempts?: number | undefined;
    /** It must happen exactly this many times. `0` means never. */
    times?: number | undefined;
    /** It must happen this many times or more. */
    at_least?: number | undefined;
    /** It must happen this many times or fewer. */
    at_most?: number | undefined;
    /** `true` means that it must not happen at all. */
    never?: true | undefined;
    /** What the report says when the expectation fails. */
    note?: string | undefined;
  }[] | undefined;
  /** Which mails must be written, and how many. */
  emails?: {
    /** What to count. All conditions must hold. */
    match?: {
      /** The address of the receiver. Example: `pat@client.example`. */
      to?: Matcher | undefined;
      /** The subject of the mail, or a condition such as `contains`. */
      subject?: Matcher | undefined;
      /** The kind of the mail. Example: `invitation`. */
      kind?: Matcher | undefined;
    } | undefined;
    /** It must happen exactly this many times. `0` means never. */
    times?: number | undefined;
    /** It must happen this many times or more. */
    at_least?: number | undefined;
    /** It must happen this many times or fewer. */
    at_most?: number | undefined;
    /** `true` means that it must not happen at all. */
    never?: true | undefined;
    /** What the report says when the expectation fails. */
    note?: string | undefined;
  }[] | undefined;
  /** `all`: each rule of the scenario must act at least once. */
  rules_used?: "all" | {
    /** Names of rules that need not act. */
    except: string[];
  } | undefined;
  /** `none` forbids calls that match no operation of the API. */
  unmatched?: "none" | undefined;
  /** `clean` forbids findings of client lint. */
  contract?: "clean" | {
    /** Kinds of findings that are forbidden. */
    without: string[];
  } | undefined;
  /** What the command of `docdouble run` must do. Nothing else checks it. */
  client?: {
    /** The command ends within this real time. Otherwise docdouble ends it. Example: `30s`. */
    ends_within?: Duration | undefined;
    /** The command exits with 0. */
    succeeds?: true | undefined;
    /** What the command prints about documents in its last line, as JSON, is true at its end. Example: `{"ID": "document.sent"}`. */
    truthful?: true | undefined;
    /** Waits that the command must keep in real time, even when an automatic clock moves faster. */
    without?: ("ignored_retry_after" | "polls_too_fast")[] | undefined;
  } | undefined;
}

export interface CatalogPriceFile {
  /** The currency. Example: `USD`. */
  currency: string;
  /** The price of one item. Example: `100`. */
  price?: number | null | undefined;
  /** What one item costs the seller. */
  cost?: number | null | undefined;
  /** Whether the buyer is billed once or repeatedly. */
  billing_type?: "one_time" | "recurring" | undefined;
  /** The length of a billing period. */
  billing_cycle?: string | null | undefined;
  /** Prices for larger quantities. */
  tiers?: {
    /** The price of one item in this tier. */
    value: number;
    /** The smallest quantity to which the tier applies. */
    min_qty: number;
  }[] | null | undefined;
  /** How the price depends on the quantity. */
  pricing_method: 0 | 1 | 2;
}

export interface TemplateRoleFile {
  /** The id. Default: docdouble makes one. */
  id?: string | undefined;
  /** The name, which lists and searches show. */
  name: string;
  /** The position in the signing order, from 1. Recipients without one can sign at any time. */
  signing_order?: number | undefined;
  /** The email address. Example: `pat@client.example`. */
  email?: string | undefined;
  /** The first name, as mails and pages show it. */
  first_name?: string | undefined;
  /** The last name, as mails and pages show it. */
  last_name?: string | undefined;
  /** How recipients with this role are reached when a request does not say it. */
  delivery_methods?: {
    /** Whether the recipient gets the document by mail. */
    email: boolean;
    /** Whether the recipient gets the link by text message. */
    sms: boolean;
  } | undefined;
}

export interface TemplateFieldFile {
  /** The name of the field. Requests use it. */
  name: string;
  /** The kind of field. Examples: `text`, `checkbox`, `signature`. */
  type: "checkbox" | "collect_file" | "date" | "dropdown" | "initials" | "payment_details" | "radio_buttons" | "signature" | "stamp" | "text";
  /** The name of the role that fills in the field. */
  role: string;
  /** Whether the recipient cannot finish without a value. */
  required?: boolean | undefined;
  /** The value at the start. */
  value?: string | boolean | number | undefined;
  /** The title that the signer sees beside the field. */
  title?: string | undefined;
  /** The hint that an empty field shows. */
  placeholder?: string | undefined;
  /** The name that requests fill the field by. Default: the name. Null: no request can fill it. Several fields can share one. */
  merge_field?: string | null | undefined;
  /** The id of the field in its template. Default: the type and a number. */
  field_id?: string | undefined;
  /** The choices of a dropdown or of radio buttons. */
  options?: string[] | undefined;
  /** Whether the text can have several lines. */
  multiline?: boolean | undefined;
  /** The page of the field, from 0. */
  page?: number | undefined;
}

export interface TemplateVariableFile {
  /** The name of the variable. Example: `Client.Name`. */
  name: string;
  /** The text that replaces the variable at the start. */
  value?: string | undefined;
}

export interface PricingTableFile {
  /** The name, which lists and searches show. */
  name: string;
  /** The currency. Example: `USD`. */
  currency?: string | undefined;
  /** Whether requests may add rows with `data_merge`. Otherwise the service refuses them. */
  accepts_rows?: boolean | undefined;
  /** Whether rows may use the merge names of columns. Details show it. */
  data_merge_enabled?: boolean | undefined;
  /** Columns of a pricing table with a name of their own. */
  columns?: {
    /** The name of the column, such as `Price`. */
    name: string;
    /** The title that readers see. */
    header?: string | undefined;
    /** The name of the column in rows with `data_merge`. */
    merge_name?: string | undefined;
    /** Whether readers do not see the column. */
    hidden?: boolean | undefined;
  }[] | undefined;
  /** Names of columns in rows with `data_merge`, by column. */
  merge_names?: Record<string, string> | undefined;
  /** The reduction of the price: an amount or a percentage. */
  discount?: {
    /** The kind. An amount is `percent` or `absolute`. */
    type: "percent" | "absolute";
    /** The value: a text, a number, or true or false. */
    value: string;
    /** The name, which lists and searches show. */
    name?: string | undefined;
  } | undefined;
  /** The tax on the price: an amount or a percentage. */
  tax?: {
    /** The kind. An amount is `percent` or `absolute`. */
    type: "percent" | "absolute";
    /** The value: a text, a number, or true or false. */
    value: string;
    /** The name, which lists and searches show. */
    name?: string | undefined;
  } | undefined;
  /** The items of the table or section, in their order. */
  items?: {
    /** The name, which lists and searches show. */
    name: string;
    /** A text for readers. It changes nothing else. */
    description?: string | undefined;
    /** The stock keeping unit, which names the product in a shop. */
    sku?: string | undefined;
    /** The quantity of the item. Example: `2`. */
    qty?: string | undefined;
    /** The price of one item. Example: `100`. */
    price?: string | undefined;
    /** Whether the signer can leave the item out. */
    optional?: boolean | undefined;
    /** Whether the signer chooses between several items. */
    multichoice_enabled?: boolean | undefined;
    /** Whether an optional item is chosen at the start. */
    optional_selected?: boolean | undefined;
    /** Whether the signer may change the quantity. */
    qty_editable?: boolean | undefined;
  }[] | undefined;
}

export interface LibraryPlaceholderFile {
  /** The id of the place where the document takes the block. */
  block_id: string;
  /** A text for readers. It changes nothing else. */
  description?: string | undefined;
}

export interface QuoteSummaryFile {
  /** Discounts on the row, by name. */
  discounts?: Record<string, QuoteAdjustmentFile> | undefined;
  /** Taxes on the row, by name. */
  taxes?: Record<string, QuoteAdjustmentFile> | undefined;
  /** Fees on the row, by name. */
  fees?: Record<string, QuoteAdjustmentFile> | undefined;
  /** Values of custom columns, by name. */
  custom_columns?: Record<string, string> | undefined;
}

export interface QuoteAdjustmentFile {
  /** The kind. An amount is `percent` or `absolute`. */
  type?: "percent" | "flat" | undefined;
  /** The value: a text, a number, or true or false. */
  value?: number | undefined;
}

