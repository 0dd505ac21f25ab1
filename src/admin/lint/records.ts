import type { FindingKind } from "./finding.ts";

export interface FindingRecord {
  title: string;
  meaning: string;
  matters: string;
  fix: string;
  example: string;
  /** What docdouble does not detect, or leaves out on purpose. */
  limits?: string;
}

export const FINDINGS: Readonly<Record<FindingKind, FindingRecord>> = {
  unknown_field: {
    title: "A member or parameter that the operation does not know",
    meaning: "The request has a body member or a query parameter that the operation does not declare.",
    matters: "The service ignores it and answers with a success, so a misspelled member has no effect and nobody notices.",
    fix: "Correct the spelling, or remove it.",
    example: 'You send `{ "recipient": […] }` to `createDocument`. The member is `recipients`.',
    limits: "Members of `metadata`, `fields` and other maps have names of your own; docdouble does not report them here.",
  },
  unknown_role: {
    title: "A role that the template does not have",
    meaning: "A recipient has a role that neither the template nor a library item in its placeholders declares.",
    matters: "The recipient owns no field and becomes a CC. The document waits for a signature that nobody can give.",
    fix: "Use a role of the template.",
    example: "The template has the role `Client`, and you send `client`. Upper and lower case count.",
    limits:
      "By default docdouble refuses such a create with 400 (assumption `create.unknown_role`). The finding appears under the reading `cc`.",
  },
  unknown_document_field: {
    title: "A field that the content does not have",
    meaning: "`fields` names a field that the template, the document, the library item or the uploaded file does not have.",
    matters: "The service ignores the value. The recipient sees an empty field.",
    fix: "Use the merge field, the field id or the name of an existing field.",
    example: "The template has the field `Client.Company`, and you send a value for `Client.Compny`.",
    limits: "For an uploaded file, docdouble reports it once the file is processed.",
  },
  unknown_token: {
    title: "A token that the template does not have",
    meaning: "`tokens` names a variable that the template does not have.",
    matters: "A create ignores the value, and the text keeps its placeholder or its default.",
    fix: "Use a token of the template. `detailsTemplate` lists them.",
    example: "The template has the token `Client.Name`, and you send a value for `Client.Nmae`.",
    limits: "An update adds unknown tokens to the document, so docdouble does not report them.",
  },
  unknown_pricing_name: {
    title: "A pricing table or column that the content does not have",
    meaning:
      "`pricing_tables` names a table that the content lacks, a table that takes no rows, or a column that the table lacks.",
    matters: "The service ignores the rows or the value, and the document shows a wrong price.",
    fix: "Use the name of a pricing table, and the names of its columns.",
    example: "The template has `Pricing Table 1`, and you send rows for `PricingTable1`.",
    limits: "docdouble reports columns only for tables that declare `merge_names`. Other tables may have any custom column.",
  },
  unknown_block: {
    title: "A text, image, table or placeholder that the content does not have",
    meaning: "`texts`, `images`, `tables` or `content_placeholders` names a block that the content lacks.",
    matters: "The service ignores it, and the document keeps the content of its template.",
    fix: "Use the name of an existing block. `detailsTemplate` lists them.",
    example: "The template has the image block `Image 1`, and you send a URL for `Logo`.",
  },
  signer_without_fields: {
    title: "A signer without fields",
    meaning: "You send a document whose recipient has a role or a signing order but owns no field.",
    matters: "The service makes the recipient a CC. The document completes without this signature.",
    fix: "Assign a field to the recipient. For a CC, leave out role and signing_order.",
    example: 'You upload a PDF with a tag for `Client` and send `{ "email": "…", "role": "Customer" }` as a second recipient.',
    limits: "docdouble takes a recipient without role and signing order, or with a role such as `CC`, for a CC on purpose.",
  },
  nobody_can_sign: {
    title: "A document that nobody can sign",
    meaning: "You send a document in which no recipient owns a field.",
    matters: "The service sends it, but nobody can complete it.",
    fix: "Give a recipient a role that has fields, or assign a field to a recipient, before you send the document.",
    example: "You upload a PDF without field tags, add a recipient and send it.",
    limits: "docdouble does not report documents that a schedule sends.",
  },
  polling_too_fast: {
    title: "Polling faster than the service allows",
    meaning:
      "The client repeats a read too often while it waits. That is more than three reads within half a second of each other, or more than 20 reads while the clock stands. It is also more reads in a minute than the rate limit of its key allows.",
    matters: "The service answers 429. A sandbox key allows ten calls of an operation in a minute.",
    fix: "Wait longer between reads, or subscribe to document_state_changed.",
    example: "A client reads `statusDocument` every 200 ms until the document is a draft.",
    limits:
      "docdouble takes the longer of the time on its clock and the real time between two reads. So a client that really waits is never too fast, also with a frozen clock.",
  },
  retry_after_ignored: {
    title: "An ignored Retry-After",
    meaning: "The client repeats a call before the time is over that `Retry-After` asked for.",
    matters: "The service refuses the call again, and a client without a limit repeats it forever.",
    fix: "Wait for the seconds of Retry-After before you repeat the call.",
    example: "An answer says 429 and `Retry-After: 5`. The client repeats the call after one second.",
    limits:
      "docdouble takes the longer of the time on its clock and the real time. A client under fake timers waits in neither: couple the clocks with `clock.follow`, or advance the sandbox's clock in its place. docdouble compares calls of one key, operation and document with the same query and body. It does not report a second call that began before the first answer. It does not report a client that never got the answer.",
  },
  duplicate_create: {
    title: "A create that is carried out twice",
    meaning: "The client repeats a create with the same body within ten minutes, and both created objects exist.",
    matters:
      "The API has no idempotency key. After a lost answer or a timeout, a blind repetition leaves a second document behind.",
    fix: "Look for the first result, for example by metadata with listDocuments, before you repeat a create.",
    example: "The answer of `createDocument` is lost. The client calls `createDocument` again, and two documents exist.",
    limits: "docdouble does not report a create after you deleted the first object, or after its processing failed.",
  },
  sent_before_draft: {
    title: "A send before the document is a draft",
    meaning: "The client sends a document that the service still processes.",
    matters: "The service answers 409. It needs three to five seconds to process a new document.",
    fix: "Wait for document_state_changed, or poll statusDocument until the status is document.draft.",
    example: "A client calls `sendDocument` right after `createDocument`.",
  },
  forged_webhook_accepted: {
    title: "A webhook signature that is never checked",
    meaning: "The receiver answered with a success to a delivery whose signature was wrong or missing.",
    matters: "Everybody who knows the address can tell your application that a document is completed.",
    fix: "Compare the signature with the HMAC-SHA256 of the raw body under the shared key, and answer 401 if they differ.",
    example: "A rule sends `webhook_forged`, and the receiver answers 200.",
    limits:
      "docdouble sees only what a receiver answers. It reports nothing until it sends a forged delivery: by a webhook rule, by the fault `webhook_forged`, or by `webhooks.probeSignatures()` (`POST /__admin/contract/signatures`). A receiver that answers 200 and drops the forged event looks the same as one that believes it; docdouble reports both.",
  },
  webhook_receiver_too_slow: {
    title: "A webhook receiver that answers too late",
    meaning: "The receiver did not answer within the service's 20 seconds.",
    matters: "The service counts the delivery as failed and repeats it, so the receiver gets the event again.",
    fix: "Answer first, and do the work afterwards.",
    example: "The receiver downloads the PDF before it answers.",
    limits: "docdouble does not report a timeout that a webhook rule made.",
  },
  deprecated_parameter: {
    title: "A deprecated parameter or operation",
    meaning: "The call uses a query parameter or an operation that the official description deprecates.",
    matters: "The service may remove it.",
    fix: "Use what the official description names instead.",
    example: "You call `createDocument` with `editor_ver=ev1`, or `listLogs` where `listLogsV2` exists.",
  },
  key_in_url: {
    title: "The key in a URL",
    meaning: "The URL of the call contains the API key.",
    matters: "Servers and proxies write URLs to their logs.",
    fix: "Send the key in the Authorization header only.",
    example: "You call `GET /public/v1/templates?key=…` with your key.",
  },
  magic_address_ignored: {
    title: "A magic address that asks for nothing",
    meaning: "A recipient's address has a delay that docdouble cannot read.",
    matters: "The recipient never acts, and the test waits in vain. The real service knows no magic addresses.",
    fix: "Write the delay as a duration, such as 5m or 2d.",
    example: "You write `anna+sign.after=soon@example.test`. `anna+sign.after=5m@example.test` works.",
  },
};

const PAGE = "docs/lint.md";

export function docsOf(kind: FindingKind): string {
  return `${PAGE}#${kind}`;
}
