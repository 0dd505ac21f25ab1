/** Records about the notary. */
import type { AssumptionRecord } from "../record.ts";
import { assumption, REASONS } from "./entry.ts";

export const notary: readonly AssumptionRecord[] = [
  assumption("notary.act_order", {
    statement: "The acts of a notarization have a fixed order.",
    operations: ["notarizationRequestDetails"],
    probeable: REASONS.account,
    sources: [{ kind: "description", text: "The texts of the statuses imply it." }],
  }),
  assumption("notary.missing_file", {
    statement: "The list of signed files omits a file that cannot be made.",
    operations: ["notarizationRequestDetails"],
    probeable: REASONS.account,
  }),
  assumption("notary.own_notary", {
    statement: "The organization's own notary accepts at the scheduled time.",
    operations: ["createNotarizationRequest"],
    probeable: REASONS.account,
  }),
  assumption("notary.recorded", {
    statement: "A session is recorded by default.",
    operations: ["notarizationRequestDetails"],
    probeable: REASONS.account,
  }),
  assumption("notary.recording", {
    statement: "The recording is a still image as long as the session.",
    operations: ["notarizationRequestDetails"],
    probeable: REASONS.account,
  }),
  assumption("notary.sections", {
    statement: "Each section of a document counts as a document.",
    operations: ["createNotarizationRequest"],
    probeable: REASONS.account,
    sources: [{ kind: "guess", text: "A request names one document." }],
  }),
  assumption("notary.transactions", {
    statement: "Each request uses a transaction, unless it is cancelled or deleted.",
    operations: ["createNotarizationRequest"],
    probeable: REASONS.account,
  }),
  assumption("notary.unknown_reference", {
    statement: "An unknown document or notary answers 400.",
    operations: ["createNotarizationRequest"],
    probeable: REASONS.account,
    sources: [{ kind: "description", text: "The operation declares no 404." }],
  }),
  assumption("notary.visibility", {
    statement: "Admins and owners see every request; others see their own.",
    operations: ["listNotarizationRequests"],
    probeable: REASONS.account,
  }),
];
