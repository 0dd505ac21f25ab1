/** One record for each symptom, the most harmful first. */
export const SYMPTOMS = {
  duplicate_document: {
    words: "creates a document again without looking first",
    advice:
      "It repeats the creation without looking whether the first try worked. Put a key into the metadata, and look for the document before you create it again. Handle each event id once.",
  },
  duplicate_send: {
    words: "sends a document again without looking first",
    advice: "It sends again without looking. Read the status of the document first: a sent document needs no second send.",
  },
  forged_webhook_accepted: {
    words: "accepts webhooks with a wrong signature",
    advice:
      "It does not check the signature. Compute the HMAC-SHA256 of the exact body with the shared key, compare it, and answer 401 when it differs.",
  },
  genuine_webhook_refused: {
    words: "refuses genuine webhooks",
    advice:
      "It refuses events with the right signature. The signature is in the query of the address, not in a header. It is the HMAC-SHA256 of the body with the shared key, in hexadecimal. Use the bytes of the body as they arrived, because JSON that is parsed and written again differs.",
  },
  lost_work: {
    words: "loses work without an error",
    advice:
      "The client does not do this work, and reports no error. Repeat the call until it succeeds, or end with an error that names what is missing.",
  },
  event_lost: {
    words: "answers an event with success before its work is done",
    advice:
      "It answers success before its work is done. Answer 500 when the work fails, so that the service delivers the event again, or keep the event and repeat the work.",
  },
  stale_view: {
    words: "reports an outdated status",
    advice:
      "It relies on outdated events. Compare the dates of events, and read the document again before you rely on its status.",
  },
  invariant: {
    words: "breaks the invariant",
    advice: "It breaks the invariant of the test. Look at what the client does after the fault.",
  },
  expectation: {
    words: "breaks an expectation",
    advice: "It breaks an expectation of the scenario. Read the expectation, and look at the step of the fault in the story.",
  },
  hung: {
    words: "waits without an end",
    advice:
      "It waits for something that will not happen. Give every call a time limit and every wait an end. Treat declined, expired and failed documents as ends.",
  },
  failed: {
    words: "gives up",
    advice:
      "It gives up where another try would work. Repeat the call after a pause, and look first whether the lost one took effect.",
  },
  ignored_retry_after: {
    words: "ignores Retry-After",
    advice: "It does not read Retry-After. Wait as many seconds as the header says before the next try.",
  },
  polls_too_fast: {
    words: "polls without a pause",
    advice: "It does not wait between two polls. Wait some seconds, or subscribe to webhooks.",
  },
} as const;

export type Symptom = keyof typeof SYMPTOMS;

export const SYMPTOM_NAMES = Object.keys(SYMPTOMS) as Symptom[];
