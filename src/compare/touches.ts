/** Which assumption a difference is about. */
import type { Found } from "./found.ts";

interface Touch {
  operation: RegExp;
  /** Of the pointer, or of the header's name. */
  pointer?: RegExp;
  kind?: Found["kind"];
  /** Real and double status, for differences of status. */
  statuses?: readonly (readonly [real: number, double: number])[];
  /** A word of the double's reason. */
  why?: RegExp;
  assumption: string;
}

const CREATES = /^createDocument/;
const either = (a: number, b: number) => [[a, b] as const, [b, a] as const];

/** The first row that fits wins: narrow rows before wide ones. */
const TOUCHES: readonly Touch[] = [
  {
    operation: /./,
    kind: "status",
    statuses: [...either(429, 0), [429, 200], [429, 201], [429, 204], [200, 429], [201, 429], [204, 429]],
    assumption: "rate_limit.profile",
  },
  { operation: /^(?:createWebhookSubscription|updateWebhookSubscription)$/, kind: "status", assumption: "webhook.https_only" },
  {
    operation: /^(?:document_state_changed|recipient_completed|document_updated)$/,
    pointer: /\/shared_link$/,
    assumption: "webhook.shared_link",
  },
  { operation: /^sendDocument$/, pointer: /^\/recipients\/\d+\/id$/, assumption: "send.recipient_id" },
  { operation: /^deleteDocument$/, kind: "status", assumption: "delete.second" },
  { operation: /^updateDocument$/, kind: "status", statuses: either(400, 409), assumption: "update.outside_draft" },
  { operation: /^detailsDocument$/, kind: "status", statuses: either(404, 409), assumption: "details.right_after_create" },
  { operation: /^downloadDocument$/, kind: "status", assumption: "download.before_completion" },
  { operation: /^createContact$/, assumption: "contacts.known_email" },
  { operation: /^documentRevertToDraft$/, kind: "status", assumption: "revert.draft" },
  { operation: /^sendDocument$/, kind: "status", statuses: [...either(200, 403)], assumption: "sandbox.foreign_recipients" },
  { operation: CREATES, kind: "status", why: /role/i, assumption: "create.unknown_role" },
  { operation: CREATES, kind: "status", why: /e-?mail/i, assumption: "recipients.same_email" },
];

/** The double's own word: `x-docdouble-why` names the assumptions that decided an answer. */
function namedIn(why: string): string | undefined {
  return /\(assumption ([\w.]+)/.exec(why)?.[1];
}

/** The id of the assumption that decides a difference; null when none is known. */
export function touchedBy({
  operation,
  found,
  why = "",
}: {
  operation: string;
  found: Found;
  why?: string | undefined;
}): string | null {
  const touch = TOUCHES.find(
    (one) =>
      one.operation.test(operation) &&
      (one.kind === undefined || one.kind === found.kind) &&
      (one.pointer === undefined || one.pointer.test(found.pointer)) &&
      (one.statuses === undefined || one.statuses.some(([real, double]) => real === found.real && double === found.double)) &&
      (one.why === undefined || one.why.test(why)),
  )?.assumption;
  const named = namedIn(why);
  // A refusal has one reason; an answer has many members, and the place tells more.
  return (found.kind === "status" ? (named ?? touch) : (touch ?? named)) ?? null;
}
