/** Records of the switchable assumptions. */
import type { AssumptionRecord } from "../record.ts";
import { switchRecord } from "./entry.ts";

export const switches: readonly AssumptionRecord[] = [
  switchRecord("contacts.known_email", {
    statement: "Creating a contact with an e-mail address that a contact has already updates that contact.",
    operations: ["createContact"],
    probeable: true,
    sources: [
      {
        kind: "client",
        for: "update",
        text: "Several public connectors call this request “create or update by e-mail”; the author of one says that he saw it update.",
      },
      {
        kind: "description",
        for: "update",
        text: "Help texts speak of “the existing contact with the given email”, in the singular.",
      },
      { kind: "client", for: "duplicate", text: "One connector says that the same e-mail twice makes a second contact." },
      { kind: "guess", for: "refuse", text: "POST declares 400 for validation only; no source shows this refusal." },
    ],
  }),
  switchRecord("create.unknown_role", {
    statement: "A recipient whose role the template lacks makes the request fail.",
    operations: ["createDocument"],
    probeable: true,
    sources: [
      { kind: "client", for: "refuse", text: "One project quotes the refusal: Role 'X' does not exist, under non_field_errors." },
      {
        kind: "description",
        for: "cc",
        text: "The description says that a recipient without a role is a CC, and is silent about an unknown role.",
      },
    ],
  }),
  switchRecord("delete.second", {
    statement: "Deleting a deleted document answers 403.",
    operations: ["deleteDocument", "bulkDeleteDocuments"],
    probeable: true,
    sources: [
      { kind: "description", for: 403, text: "The official changelog of 2018 announces 403 for a second delete." },
      { kind: "specification", for: 404, text: "The specification lists 404 and 423 for delete, and not 403." },
      { kind: "client", for: 404, text: "A public client treats 404 as done and fails on 403." },
    ],
  }),
  switchRecord("details.right_after_create", {
    statement: "While a new document is processed, its details answer 409.",
    operations: ["detailsDocument"],
    probeable: true,
    sources: [
      { kind: "specification", for: 409, text: "A document that is not processed yet refuses with 409." },
      { kind: "client", for: 409, text: "Two production clients retry on 409 and only then." },
      { kind: "client", for: 404, text: "Old official samples say “document not found” for use too early." },
    ],
  }),
  switchRecord("download.before_completion", {
    statement: "A document that is not completed can be downloaded.",
    operations: ["downloadDocument"],
    probeable: true,
    sources: [
      {
        kind: "recorded",
        for: "given",
        text: "A test suite of 2020 downloads sent documents from the live service and expects success.",
      },
      {
        kind: "description",
        for: "refused",
        text: "The official table of required states names document.completed for a download.",
      },
    ],
  }),
  switchRecord("errors.list_paths", {
    statement: "Faults inside lists are nested by index, as Django REST framework nests them.",
    operations: [],
    probeable: true,
    sources: [
      { kind: "client", for: "nested", text: 'A public client flattens {"recipients": [{"email": [text]}]} for people.' },
      { kind: "guess", for: "flat", text: "Flat keys such as recipients[0].email are easier to read; no source shows them." },
    ],
  }),
  switchRecord("field_tags.undeclared", {
    statement: "A field tag whose id the request does not declare disappears silently.",
    operations: ["createDocument", "createDocumentFromUpload"],
    probeable: true,
    sources: [
      { kind: "recorded", for: "drop", text: "Six measured uploads of 2026 reached draft without the field." },
      { kind: "description", for: "error", text: "The official table of creation errors lists the undeclared tag as a failure." },
    ],
  }),
  switchRecord("json.types", {
    statement: "A JSON value of another type is refused: a number is no text, and a text is no number.",
    operations: [],
    probeable: true,
    sources: [
      { kind: "specification", for: "strict", text: "The specification lists the type of each member." },
      {
        kind: "guess",
        for: "lenient",
        text: 'Django REST framework reads 5 as text and "5" as a number; no source shows what the service does.',
      },
    ],
  }),
  switchRecord("rate_limit.profile", {
    statement: "Calls are not limited; a profile limits them as the service limits a sandbox or a production key.",
    operations: [],
    probeable: true,
    sources: [
      { kind: "description", for: "sandbox", text: "The page on limits gives a sandbox key 10 calls per minute." },
      { kind: "description", for: "production", text: "The page on limits lists calls per minute for each operation." },
      { kind: "guess", for: "none", text: "Tests run faster without limits." },
    ],
  }),
  switchRecord("recipients.same_email", {
    statement: "Two recipients with one e-mail address become one recipient with both roles.",
    operations: ["createDocument", "createDocumentFromUpload", "addDocumentRecipient"],
    probeable: true,
    sources: [
      { kind: "description", for: "join", text: "The help centre merges two roles that one person fills." },
      { kind: "client", for: "refuse", text: "A public client says that the request is refused when an address occurs twice." },
      { kind: "guess", for: "separate", text: "No source shows two recipients with one address." },
    ],
  }),
  switchRecord("revert.draft", {
    statement: "Moving a draft back to draft succeeds and changes nothing.",
    operations: ["documentRevertToDraft"],
    probeable: true,
    sources: [
      { kind: "specification", for: "allow", text: "The specification allows it from any status except removed." },
      { kind: "recorded", for: "refuse", text: "One project measured a refusal in 2026; the status was not noted." },
    ],
  }),
  switchRecord("sandbox.foreign_recipients", {
    statement: "A sandbox key sends only to addresses in the domain of its user.",
    operations: ["sendDocument"],
    probeable: true,
    sources: [
      { kind: "recorded", for: "refuse", text: "Two projects met the refusal with sandbox keys outside a trial." },
      { kind: "description", for: "trial", text: "The official page names the restriction for trials." },
    ],
  }),
  switchRecord("send.recipient_id", {
    statement: "The answer of send carries the ids of recipients as text.",
    operations: ["sendDocument"],
    probeable: true,
    sources: [
      { kind: "description", for: "text", text: "The description since version 6 and the newer pages show text." },
      { kind: "recorded", for: "integer", text: "Three users of the Python client saw integers in 2024." },
    ],
  }),
  switchRecord("update.outside_draft", {
    statement: "Changing a document, its fields or its sections outside draft answers 400.",
    operations: [
      "updateDocument",
      "createDocumentFields",
      "updateDocumentFieldsAssignment",
      "uploadSection",
      "createDocumentEditingSession",
    ],
    probeable: true,
    sources: [
      { kind: "description", for: 400, text: "PATCH declares 400 and no 409." },
      { kind: "recorded", for: "against", text: "One project measured a refusal and noted neither status nor body." },
      { kind: "guess", for: 409, text: "Other operations answer 409 for a wrong status." },
    ],
  }),
  switchRecord("webhook.https_only", {
    statement: "Webhook targets on this machine and in private networks may use plain http.",
    operations: ["createWebhookSubscription", "updateWebhookSubscription"],
    probeable: true,
    sources: [
      { kind: "specification", for: "on", text: "Only HTTPS targets are supported." },
      { kind: "guess", for: "off", text: "Receivers under test rarely have a certificate." },
    ],
  }),
  switchRecord("webhook.retry_schedule", {
    statement: "A failed webhook delivery is sent again after these delays.",
    operations: [],
    probeable: "It would take hours and a public receiver that fails.",
    sources: [{ kind: "guess", for: "1m, 5m, 30m", text: "The service retries; no source gives the delays." }],
  }),
  switchRecord("webhook.shared_link", {
    statement: "Webhooks before the first opening carry an empty shared_link.",
    operations: [],
    probeable: true,
    sources: [
      { kind: "recorded", for: "empty", text: "Recorded deliveries of 2022 and 2024 show an empty text in sent and draft." },
      { kind: "description", for: "empty", text: "The official page says that it may be empty." },
      { kind: "guess", for: "link", text: "The answer of send carries the link, so a delivery could too." },
    ],
  }),
  switchRecord("auth.key_as_bearer", {
    statement: "An API key that is sent as a Bearer token answers 401.",
    operations: [],
    probeable: true,
    sources: [
      { kind: "client", for: "refuse", text: "One project notes that keys as Bearer are rejected; other accounts report 401." },
      { kind: "guess", for: "accept", text: "No source shows that it passes." },
    ],
  }),
  switchRecord("decline.date_completed", {
    statement: "A completed document that is declined keeps its date_completed.",
    operations: ["changeDocumentStatus"],
    probeable: true,
    sources: [
      { kind: "guess", for: "keep", text: "No source mentions the date." },
      { kind: "guess", for: "clear", text: "The document is no longer completed." },
    ],
  }),
  switchRecord("delete.bulk_locked", {
    statement: "A bulk delete ignores editing locks.",
    operations: ["bulkDeleteDocuments"],
    probeable: "A lock needs a person in the editor.",
    sources: [
      { kind: "description", for: "delete", text: "The operation declares no 423." },
      { kind: "guess", for: "refuse", text: "A single delete refuses a locked document with 423." },
    ],
  }),
  switchRecord("pricing.column_names", {
    statement: "A row of a pricing table is refused when a column name does not fit data_merge.",
    operations: ["createDocument", "updateDocument"],
    probeable: true,
    sources: [
      { kind: "recorded", for: "check", text: "One project measured the refusal in 2026." },
      { kind: "guess", for: "any", text: "Official examples mix the spellings." },
    ],
  }),
  switchRecord("query.empty_values", {
    statement: "A query parameter without a value is checked like any other value.",
    operations: [],
    probeable: true,
    sources: [
      { kind: "guess", for: "check", text: "An empty text is no number and no date, but it is a text." },
      {
        kind: "client",
        for: "refuse",
        text: "Two clients drop empty parameters, because templates and the content library answer 400.",
      },
      { kind: "guess", for: "ignore", text: "Many services read an empty parameter as absent." },
    ],
  }),
  switchRecord("revert.error", {
    statement: "A failed document can be moved to draft.",
    operations: ["documentRevertToDraft"],
    probeable: true,
    sources: [
      { kind: "specification", for: "allow", text: "The specification allows it from any status except removed." },
      { kind: "guess", for: "refuse", text: "A failed document has no content to edit." },
    ],
  }),
  switchRecord("send.without_recipients", {
    statement: "A document without recipients can be sent.",
    operations: ["sendDocument"],
    probeable: true,
    sources: [
      { kind: "description", for: "allow", text: "The operation names no such refusal." },
      { kind: "guess", for: "refuse", text: "Nobody would receive the document." },
    ],
  }),
  switchRecord("webhook.zero_total", {
    statement: "A webhook writes a total of nothing as 0.00.",
    operations: [],
    probeable: true,
    sources: [
      { kind: "recorded", for: "cents", text: "Recorded deliveries and the official example of the event show 0.00." },
      { kind: "description", for: "plain", text: "The examples of details show 0." },
    ],
  }),
];
