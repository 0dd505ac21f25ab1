import type { FaultName, FaultPlace, Symptom } from "./report.ts";

type Words = (place: FaultPlace, nth: string) => string;

const FAULT_WORDS: Readonly<Record<FaultName, Words>> = {
  reset_after: ({ operation }, nth) => `The ${nth} ${operation} takes effect, and its answer is lost.`,
  reset_before: ({ operation }, nth) => `The connection is lost before the ${nth} ${operation} takes effect.`,
  throttled: ({ operation }, nth) => `The ${nth} ${operation} is throttled: 429 with Retry-After.`,
  conflict: ({ operation }, nth) => `The ${nth} ${operation} answers 409, because the document is still being processed.`,
  not_ready_after_draft: ({ operation }, nth) =>
    `The ${nth} ${operation} answers 409 for a moment, although the document is a draft. The vendor calls this a known race.`,
  locked: ({ operation }, nth) => `The ${nth} ${operation} answers 423, because somebody edits the document.`,
  gateway_error: ({ operation }, nth) => `A gateway answers 502 to the ${nth} ${operation}, which has no effect.`,
  gateway_timeout: ({ operation }, nth) => `The ${nth} ${operation} takes effect, and a gateway answers 504.`,
  unauthorized: ({ operation }, nth) => `The access token has expired at the ${nth} ${operation}.`,
  not_found: ({ operation }, nth) => `Somebody has deleted the document before the ${nth} ${operation}.`,
  slow: ({ operation }, nth) => `The ${nth} ${operation} takes effect, and its answer comes later than the client waits.`,
  truncated: ({ operation }, nth) => `The answer to the ${nth} ${operation} is cut in half.`,
  pdf_not_ready: ({ operation }, nth) => `The ${nth} ${operation} answers 202, because the PDF is not ready.`,
  slow_processing: ({ operation }, nth) => `The document of the ${nth} ${operation} is processed slowly.`,
  processing_failed: ({ operation }, nth) => `The document of the ${nth} ${operation} fails to be processed.`,
  new_status: ({ operation }, nth) => `The answer to the ${nth} ${operation} shows a status that the client does not know.`,
  new_member: ({ operation }, nth) => `The answer to the ${nth} ${operation} has a further member.`,
  null_member: ({ operation }, nth) => `The answer to the ${nth} ${operation} has null where the description allows it.`,
  stale_read: ({ operation }, nth) => `The ${nth} ${operation} does not show the latest change yet.`,
  other_reading: ({ operation, reading }, nth) => `At the ${nth} ${operation} the service behaves otherwise: ${reading}.`,
  webhook_duplicate: ({ operation }, nth) => `The ${nth} ${operation} is delivered twice.`,
  webhook_forged: ({ operation }, nth) => `Copies of the ${nth} ${operation} with wrong signatures come first.`,
  webhook_lost: ({ operation }, nth) => `The ${nth} ${operation} is never delivered.`,
  webhook_late: ({ operation }, nth) => `The ${nth} ${operation} is delivered late.`,
  webhook_reordered: ({ operation }, nth) => `The ${nth} ${operation} is delivered after a later event.`,
  webhook_respelled: ({ operation }, nth) =>
    `The JSON of the ${nth} ${operation} has spaces and escapes, and the signature fits this text.`,
  recipient_declines: ({ operation }) => `The recipient ${operation} declines instead of signing.`,
  recipient_never_acts: ({ operation }) => `The recipient ${operation} never acts.`,
  recipient_forwards: ({ operation }) => `The recipient ${operation} forwards the document to somebody else.`,
  document_expires: ({ operation }) => `The document expires before the recipient ${operation} signs.`,
};

export function faultWords(place: FaultPlace): string {
  return FAULT_WORDS[place.fault](place, ordinal(place.nth));
}

export function ordinal(n: number): string {
  const word = ["first", "second", "third", "fourth", "fifth"][n - 1];
  if (word !== undefined) return word;
  const tail = n % 100 > 10 && n % 100 < 14 ? "th" : (["th", "st", "nd", "rd"][n % 10] ?? "th");
  return `${n}${tail}`;
}

export const ADVICE: Readonly<Record<Symptom, string>> = {
  duplicate_document:
    "It repeats the creation without looking whether the first try worked. Put a key into the metadata, and look for the document before you create it again. Handle each event id once.",
  duplicate_send: "It sends again without looking. Read the status of the document first: a sent document needs no second send.",
  forged_webhook_accepted:
    "It does not check the signature. Compute the HMAC-SHA256 of the exact body with the shared key, compare it, and answer 401 when it differs.",
  genuine_webhook_refused:
    "It refuses events with the right signature. The signature is in the query of the address, not in a header. It is the HMAC-SHA256 of the body with the shared key, in hexadecimal. Use the bytes of the body as they arrived, because JSON that is parsed and written again differs.",
  event_lost:
    "It answers success before its work is done. Answer 500 when the work fails, so that the service delivers the event again, or keep the event and repeat the work.",
  lost_work:
    "It goes on without the work, and reports no error. Repeat the call until it succeeds, or end with an error that names what is missing.",
  ignored_retry_after: "It does not read Retry-After. Wait as many seconds as the header says before the next try.",
  polls_too_fast: "It does not wait between two polls. Wait some seconds, or subscribe to webhooks.",
  hung: "It waits for something that will not happen. Give every call a time limit and every wait an end. Treat declined, expired and failed documents as ends.",
  failed:
    "It gives up where another try would work. Repeat the call after a pause, and look first whether the lost one took effect.",
  stale_view:
    "It relies on outdated events. Compare the dates of events, and read the document again before you rely on its status.",
  expectation: "It breaks an expectation of the scenario. Read the expectation, and look at the step of the fault in the story.",
  invariant: "It breaks the invariant of the test. Look at what the client does after the fault.",
};
