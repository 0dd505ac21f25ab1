import type { FindingKind } from "./finding.ts";

export interface FindingRecord {
  title: string;
  meaning: string;
  matters: string;
  fix: string;
  example: string;
  limits?: string;
}

export const FINDINGS: Readonly<Record<FindingKind, FindingRecord>> = {
  unknown_field: {
    title: "The operation does not use a member or parameter",
    meaning:
      "The request has a body member or a query parameter that the operation does not declare. Or it repeats a query parameter that takes one value.",
    matters:
      "The service ignores the member and answers with a success. A misspelled member has no effect, and you do not notice.",
    fix: "Correct the spelling, or remove it.",
    example: 'You send `{ "recipient": […] }` to `createDocument`. The member is `recipients`.',
    limits: "You choose the names in `metadata`, `fields` and other maps, so docdouble does not report them here.",
  },
  missing_body: {
    title: "A write without a body",
    meaning: "The call should have a body and has none, or an empty one.",
    matters:
      "The service reads an empty body as an object without members. It answers with a success, and changes nothing or takes defaults.",
    fix: "Send the body, with `Content-Type: application/json`.",
    example: "`PATCH /public/v1/documents/{id}` without a body answers 204, and the document stays as it was.",
    limits: "docdouble does not report operations whose body is optional, such as a send.",
  },
  unknown_role: {
    title: "The template does not have this role",
    meaning:
      "You give a recipient a role. Neither the template nor a library item in its placeholders declares it. Or a field tag in an uploaded file has no role, or a role that no recipient has.",
    matters:
      "The recipient owns no field and becomes a CC. The document waits for a signature that nobody can give. The service drops such a field tag without an error.",
    fix: "Use a role of the template, and write the role of a recipient into each field tag. Upper and lower case count.",
    example: "The template has the role `Client`, and you send `client`.",
    limits:
      "By default docdouble refuses such a create with 400 (assumption `create.unknown_role`). You see the finding if you choose the reading `cc`.",
  },
  unknown_document_field: {
    title: "The content does not have this field",
    meaning:
      "`fields` names a field that the template, the document, the library item or the uploaded file does not have. Or it lacks the id of a field tag in the uploaded file.",
    matters: "The service ignores the value, and the recipient sees an empty field. It drops a field tag with an undeclared id.",
    fix: "Use the `merge_field` of an existing field. The service ignores a name, a `field_id` and a `uuid`.",
    example: "The template has the field `Client.Company`, and you send a value for `Client.Compny`.",
    limits:
      "By default docdouble refuses such a key in an update with 400 (assumption `fields.unknown_key_update`). For an uploaded file, docdouble reports the field once the file is processed.",
  },
  unknown_token: {
    title: "The template does not have this token",
    meaning: "`tokens` names a variable that the template does not have.",
    matters: "The service ignores the value. The document shows the placeholder or the default.",
    fix: "Use a token of the template. `detailsTemplate` lists them.",
    example: "The template has the token `Client.Name`, and you send a value for `Client.Nmae`.",
    limits: "An update adds unknown tokens to the document, so docdouble does not report them.",
  },
  unknown_pricing_name: {
    title: "The content does not have this pricing table or column",
    meaning: "`pricing_tables` names a table or column that does not exist, or a table that accepts no rows.",
    matters: "The service ignores the rows or the value, and the document shows the wrong price.",
    fix: "Use the names of the table and its columns. `detailsTemplate` lists them.",
    example: "The template has `Pricing Table 1`, and you send rows for `PricingTable1`.",
    limits: "docdouble reports columns only for tables that declare `merge_names`. Other tables accept any custom column.",
  },
  doubtful_pricing: {
    title: "The price may differ from what the client means",
    meaning:
      "A pricing table, quote or catalog item gets a value that is not a number, is negative or counts for nothing. Or a table gets another currency, or a total becomes negative.",
    matters: "The service answers with a success, and the document shows a price that you did not want.",
    fix: "Send numbers, known options and the currency of the template. Then compare `pricing.total` in the details with the total that you expect.",
    example: 'The template has prices in EUR, and an update sends `options: { currency: "USD" }`. The prices stay in EUR.',
    limits: "No source says what the service does with such values. docdouble counts a value that is not a number as 0.",
  },
  doubtful_value: {
    title: "A value that counts for nothing, or that the service may refuse",
    meaning:
      "The call has an empty query parameter. Or a list names one entry twice, metadata is not text, or a field lies outside its page. Or the call names a thing that does not exist, or a member that this kind of recipient lacks, and succeeds without it. Or a member counts for nothing beside another.",
    matters: "The service may refuse the value, or do less than you want.",
    fix: "Leave the member out, or send a value with a meaning.",
    example: "You send `?folder_uuid=` without a value.",
    limits: "docdouble does not report values that it takes and no source forbids, such as a price of zero or an empty name.",
  },
  unknown_block: {
    title: "The content does not have this text, image, table or placeholder",
    meaning: "`texts`, `images`, `tables` or `content_placeholders` names a block that the content lacks.",
    matters: "The service ignores the block, and the document keeps the content of its template.",
    fix: "Use the name of an existing block. `detailsTemplate` lists them.",
    example: "The template has the image block `Image 1`, and you send a URL for `Logo`.",
  },
  signer_without_fields: {
    title: "A signer without fields",
    meaning: "You send a document whose recipient has a role or a signing order but owns no field.",
    matters: "The service makes the recipient a CC. The document completes without this signature.",
    fix: "Assign a field to the recipient. If you want a CC, leave out role and signing_order.",
    example: 'You upload a PDF with a tag for `Client` and send `{ "email": "…", "role": "Customer" }` as a second recipient.',
    limits:
      "docdouble does not report a recipient without role and signing order, or with a role such as `CC`. You made that CC on purpose.",
  },
  nobody_can_sign: {
    title: "A document that nobody can sign",
    meaning: "You send a document in which no recipient owns a field.",
    matters: "The service sends the document, but nobody can complete it.",
    fix: "Give a recipient a role that has fields, or assign a field to a recipient, before you send the document.",
    example: "You upload a PDF without field tags, add a recipient and send it.",
    limits: "docdouble does not report scheduled sends.",
  },
  polling_too_fast: {
    title: "Polling faster than the service allows",
    meaning:
      "Your client repeats a read too often while it waits. docdouble reports a wait with three pauses under half a second. While the clock does not move, and on an automatic clock, it reports more than 20 such pauses. It also reports more reads in a minute than the key's rate limit allows.",
    matters: "The service answers 429. With a sandbox key, it allows ten calls of an operation per minute.",
    fix: "Wait longer between reads, or subscribe to document_state_changed.",
    example: "A client reads `statusDocument` every 200 ms until the document is a draft.",
    limits:
      "docdouble measures each pause in real time and on its clock, and counts the longer one. A client that really waits is never too fast, even with a frozen clock.",
  },
  retry_after_ignored: {
    title: "The client ignores Retry-After",
    meaning: "Your client repeats a refused call before the `Retry-After` time is over.",
    matters: "The service refuses the call again. A client without a limit repeats it forever.",
    fix: "Wait for the seconds of Retry-After before you repeat the call.",
    example: "An answer says 429 and `Retry-After: 5`. The client repeats the call after one second.",
    limits:
      "docdouble measures the pause in real time and on its clock, and counts the longer one. Under fake timers both stand still: connect the clocks with `clock.follow`, or advance the sandbox's clock. docdouble compares calls with the same key, operation, document, query and body. It does not report a call that began before the first answer arrived. It does not report a client that never got the answer. Workers with one key count as one client. A repeat may come 100 ms early, because timers do.",
  },
  duplicate_create: {
    title: "The client creates the same object twice",
    meaning: "Your client sends the same create twice within ten minutes, and both objects exist.",
    matters: "The API has no idempotency key. If you retry after a lost answer or a timeout, you may get a second document.",
    fix: "Before you repeat a create, look for the first result. For example, search by metadata with listDocuments.",
    example: "The answer of `createDocument` is lost. The client calls `createDocument` again, and two documents exist.",
    limits: "docdouble does not report the second create if you deleted the first object, or if its processing failed.",
  },
  sent_before_draft: {
    title: "The client sends before the document is a draft",
    meaning: "Your client sends a document while the service still processes it.",
    matters: "The service answers 409. It needs three to five seconds to process a new document.",
    fix: "Wait for document_state_changed, or poll statusDocument until the status is document.draft.",
    example: "A client calls `sendDocument` right after `createDocument`.",
  },
  forged_webhook_accepted: {
    title: "The receiver does not check webhook signatures",
    meaning: "Your receiver accepted a delivery with a wrong signature, or without one.",
    matters: "Anyone who knows the address can tell your application that a document is completed.",
    fix: "Compute the HMAC-SHA256 of the raw body with the shared key. Answer 401 if it differs from the signature.",
    example: "A rule sends `webhook_forged`, and the receiver answers 200.",
    limits:
      "docdouble finds this only after it sends a forged delivery. A webhook rule, the fault `webhook_forged` or `webhooks.probeSignatures()` (`POST /__admin/contract/signatures`) sends one. docdouble sees only the answer of your receiver. It also reports a receiver that answers 200 and then drops the forged event.",
  },
  genuine_webhook_refused: {
    title: "The receiver refuses genuine webhooks",
    meaning: "Your receiver answered 401 or 403 to a delivery with the right signature.",
    matters: "The service repeats the event, and your receiver never gets it.",
    fix: "Read the signature from the query parameter `signature` of the request's URL. Compare it with the HMAC-SHA256 of the raw body.",
    example:
      "A receiver looks for a header `X-PandaDoc-Signature`, which the service does not send. Or it compares the signature with the shared key itself.",
    limits: "docdouble also reports a receiver that refuses for another reason, such as its own password.",
  },
  webhook_receiver_too_slow: {
    title: "The receiver answers too late",
    meaning: "Your receiver took more than 20 seconds to answer.",
    matters: "The service counts the delivery as failed and sends the event again.",
    fix: "Answer first, then do the work.",
    example: "The receiver downloads the PDF before it answers.",
    limits: "docdouble does not report timeouts that a webhook rule injects.",
  },
  deprecated_parameter: {
    title: "The call uses a deprecated parameter or operation",
    meaning: "The call uses a parameter, a scope or an operation that the official description deprecates.",
    matters: "The service may remove the parameter or operation.",
    fix: "Use the replacement that the official description names.",
    example:
      "You call `createDocument` with `editor_ver=ev1`, or `listLogs` where `listLogsV2` exists. Or you send the scope `read+write`.",
    limits: "docdouble does not report the scope of the page that asks a person.",
  },
  key_in_url: {
    title: "The URL contains the API key",
    meaning: "Your client sends the API key in the URL of a call.",
    matters: "Servers and proxies write URLs to their logs.",
    fix: "Send the key in the Authorization header only.",
    example: "You call `GET /public/v1/templates?key=…` with your key.",
  },
  magic_address_ignored: {
    title: "docdouble cannot read a magic address",
    meaning: "The delay in a recipient's magic address is not a duration.",
    matters: "The recipient never acts, so your test waits for nothing. The real service has no magic addresses.",
    fix: "Write the delay as a duration, such as 5m or 2d.",
    example: "You write `anna+sign.after=soon@example.test`. `anna+sign.after=5m@example.test` works.",
  },
  mcp_credentials: {
    title: "The vendor's MCP server refuses these credentials",
    meaning:
      "An agent calls a tool of the MCP server with an API key, or with an access token of the public API. Or a client calls the public API with a token of the MCP server.",
    matters: "The real MCP server takes only tokens that it issued itself. The agent cannot connect there.",
    fix: "Remove the Authorization header from the agent's settings, so that the agent authorizes itself by OAuth.",
    example: "You configure the agent with `Authorization: API-Key docdouble-key` and call `documents_list`.",
    limits: "docdouble takes such credentials, so that a local test needs no OAuth. The finding does not say that a call failed.",
  },
};

const PAGE = "dist/docs/lint.md";

export function docsOf(kind: FindingKind): string {
  return `${PAGE}#${kind}`;
}
