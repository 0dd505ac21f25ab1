import type { AssumptionRecord } from "../../../engine/assumptions/record.ts";
import { assumption } from "./entry.ts";
import { DESCRIPTION_8_8 } from "./sightings.ts";

export const notary: readonly AssumptionRecord[] = [
  assumption("notary.act_order", {
    statement: "The acts of a notarization have a fixed order.",
    operations: ["notarizationRequestDetails"],
    sources: [{ kind: "description", text: "The official texts about the statuses imply this order." }],
    seen: [DESCRIPTION_8_8],
  }),
  assumption("notary.mails", {
    statement:
      "A notarization mails invitees and its notary at the start, invitees at a deletion, and the author at the end. The texts are docdouble's.",
    operations: ["createNotarizationRequest", "deleteNotarizationRequest"],
    sources: [
      { kind: "description", text: "The official description names these mails. It gives no texts, and names no other mail." },
    ],
    seen: [DESCRIPTION_8_8],
  }),
  assumption("notary.missing_file", {
    statement: "If docdouble cannot make a signed file, the list of signed files omits it.",
    operations: ["notarizationRequestDetails"],
  }),
  assumption("notary.own_notary", {
    statement: "The notary of the organization accepts at the scheduled time.",
    operations: ["createNotarizationRequest"],
  }),
  assumption("notary.recorded", {
    statement: "docdouble records a session by default.",
    operations: ["notarizationRequestDetails"],
  }),
  assumption("notary.recording", {
    statement: "The recording shows one still image, and is as long as the session.",
    operations: ["notarizationRequestDetails"],
  }),
  assumption("notary.planned_session", {
    statement:
      "A document may have several notarization requests at once. A planned time may be in the past, and then the notary accepts at once.",
    operations: ["createNotarizationRequest"],
  }),
  assumption("notary.sections", {
    statement: "Each section of a document counts as one document.",
    operations: ["createNotarizationRequest"],
    sources: [{ kind: "guess", text: "A request names one document, so each document needs a separate request." }],
  }),
  assumption("notary.transactions", {
    statement: "Each request uses one transaction, unless somebody cancels or deletes it.",
    operations: ["createNotarizationRequest"],
  }),
  assumption("notary.unknown_reference", {
    statement: "An unknown document or notary answers 400.",
    operations: ["createNotarizationRequest"],
    sources: [
      {
        kind: "description",
        text: "The official description lists no 404 for this operation. docdouble uses the error body that other operations have.",
      },
    ],
  }),
  assumption("notary.visibility", {
    statement: "Admins of the workspace or the organization see every request. Other members see only their own requests.",
    operations: ["listNotarizationRequests"],
  }),
];
