import type { Difference } from "./difference.ts";

interface Clue {
  operation: RegExp;
  /** A pointer into the body, or the name of a header. */
  pointer?: RegExp;
  kind?: Difference["kind"];
  values?: readonly (readonly [real: unknown, double: unknown])[];
  why?: RegExp;
  assumption: string;
  /** Places that differ as a consequence, where an answer differs at `pointer` too. */
  follows?: RegExp;
}

const CREATES = /^createDocument/;
const EVENT = /^[a-z]+(?:_[a-z]+)+$/;

function bothOrders<T>(a: T, b: T): (readonly [T, T])[] {
  return [
    [a, b],
    [b, a],
  ];
}

/** The first row that fits wins, so narrow rows come before wide rows. */
const CLUES: readonly Clue[] = [
  { operation: /^(?:createWebhookSubscription|updateWebhookSubscription)$/, kind: "status", assumption: "webhook.https_only" },
  { operation: EVENT, pointer: /\/shared_link$/, assumption: "webhook.shared_link" },
  { operation: EVENT, pointer: /\/grand_total\/amount$/, assumption: "webhook.zero_total" },
  { operation: EVENT, kind: "value", pointer: /^$/, assumption: "webhook.retry_schedule" },
  { operation: /^(?:details|status|list)Documents?$/, pointer: /\/date_completed$/, assumption: "decline.date_completed" },
  {
    operation: /^(?:details|status|list)Documents?$/,
    pointer: /^(?:\/results\/\d+)?\/status$/,
    values: bothOrders("document.error", "document.draft"),
    assumption: "field_tags.undeclared",
  },
  { operation: /^sendDocument$/, pointer: /^\/recipients\/\d+\/id$/, assumption: "send.recipient_id" },
  { operation: /^deleteDocument$/, kind: "status", assumption: "delete.second" },
  { operation: /^detailsDocument$/, pointer: /^\/pricing\/tables\/\d+\/currency$/, assumption: "pricing.other_currency" },
  {
    operation: /^detailsDocument$/,
    pointer: /^\/pricing\/(?:total$|tables\/\d+\/(?:total$|summary\/(?:discount|total)$|items\/\d+\/discounts\/))/,
    assumption: "pricing.discount_name",
  },
  { operation: /^detailsDocument$/, pointer: /^\/grand_total\//, assumption: "details.grand_total" },
  { operation: /^updateDocument$/, kind: "status", values: bothOrders(400, 204), assumption: "fields.unknown_key_update" },
  { operation: /^detailsDocument$/, pointer: /^\/fields\/\d+\/(?:value|is_filled)$/, assumption: "fields.keys" },
  { operation: /^updateDocument$/, kind: "status", values: bothOrders(400, 409), assumption: "update.outside_draft" },
  { operation: /^detailsDocument$/, kind: "status", values: bothOrders(404, 409), assumption: "details.right_after_create" },
  { operation: /^downloadDocument$/, kind: "status", assumption: "download.before_completion" },
  {
    // The real list lacks the member. The double never does by default.
    operation: /^listDocuments$/,
    kind: "added",
    pointer: /^\/results\/\d+\/date_sent$/,
    assumption: "list.date_sent",
  },
  { operation: /^listDocuments$/, kind: "status", values: bothOrders(200, 400), assumption: "list.repeated_status" },
  { operation: /^listTemplates$/, assumption: "templates.search" },
  { operation: /^listDocumentAuditTrail$/, kind: "status", assumption: "audit_trail.access" },
  { operation: /^createContact$/, assumption: "contacts.known_email" },
  { operation: /^documentRevertToDraft$/, kind: "status", assumption: "revert.draft" },
  { operation: /^sendDocument$/, kind: "status", values: [...bothOrders(200, 403)], assumption: "sandbox.foreign_recipients" },
  { operation: CREATES, kind: "status", why: /role/i, assumption: "create.unknown_role" },
  { operation: /^detailsDocument$/, pointer: /^\/recipients\/\d+\/role$/, assumption: "details.role_of_uploads" },
  {
    operation: /^detailsDocument$/,
    pointer: /^\/pricing\/tables\/\d+\/items\/\d+\/discounts\/[^/]+$/,
    assumption: "pricing.discount_name",
    follows: /^\/pricing\/(?:total|tables\/\d+\/(?:total|summary\/(?:discount|total)))$|^\/grand_total\/amount$/,
  },
  {
    operation: /^detailsDocument$/,
    kind: "value",
    pointer: /^\/pricing\/tables\/\d+\/currency$/,
    assumption: "pricing.other_currency",
    follows: /^\/grand_total\/(?:amount|currency)$/,
  },
  { operation: /^detailsDocument$/, pointer: /^\/grand_total\/(?:amount|currency)$/, assumption: "details.grand_total" },
  {
    // Joined recipients share an id, and have the roles of both.
    operation: /^detailsDocument$/,
    pointer: /^\/recipients\/\d+(?:\/roles\/\d+)?$|\/assigned_to\/(?:id|role|roles\/\d+|signing_order)$/,
    assumption: "recipients.same_email",
  },
  { operation: CREATES, kind: "status", why: /e-?mail/i, assumption: "recipients.same_email" },
];

const LIMITS = "rate_limit.profile";
export const ASSUMPTIONS_WITH_CLUES: readonly string[] = [...new Set([LIMITS, ...CLUES.map((one) => one.assumption)])];

/** `x-docdouble-why` names the assumptions that decided the double's answer. */
function namedIn(why: string): string | undefined {
  return /\(assumption ([\w.]+)/.exec(why)?.[1];
}

export function assumptionOf({
  operation,
  difference,
  found = [difference],
  why = "",
}: {
  operation: string;
  difference: Difference;
  /** All differences of the answer. */
  found?: readonly Difference[];
  why?: string;
}): string | null {
  const fits = (one: Clue, { kind, pointer, real, double }: Difference) =>
    one.operation.test(operation) &&
    (one.kind === undefined || one.kind === kind) &&
    (one.pointer === undefined || one.pointer.test(pointer)) &&
    (one.values === undefined || one.values.some((pair) => pair[0] === real && pair[1] === double)) &&
    (one.why === undefined || one.why.test(why));
  const { kind, real } = difference;
  if (kind === "status" && [real, difference.double].includes(429)) return LIMITS;
  // A failure says nothing about the behavior of the service.
  if (kind === "status" && (real === 0 || Number(real) >= 500)) return null;
  const byClue = CLUES.find(
    (one) => fits(one, difference) || (one.follows?.test(difference.pointer) && found.some((other) => fits(one, other))),
  )?.assumption;
  const named = namedIn(why);
  // A refusal has one reason. An answer has many members, so a clue with a pointer excludes other members.
  const hasPlace = CLUES.some((one) => one.assumption === named && one.pointer !== undefined);
  const isRefused = Number(difference.double) >= 400;
  if (kind === "status") return (hasPlace && !isRefused ? byClue : (named ?? byClue)) ?? null;
  return byClue ?? (hasPlace ? undefined : named) ?? null;
}
