/** The statuses of documents, for pages that show them. */
import {
  ALLOWED_IN,
  MANUAL_TRIGGERS,
  TRANSITIONS,
  isAllowedIn,
  next,
  statusWords,
  triggersIn,
} from "../nouns/documents/status-machine.ts";

export const lifecycle = {
  words: statusWords,
  transitions: TRANSITIONS,
  next,
  triggersIn,
  allowedIn: ALLOWED_IN,
  isAllowedIn,
  manualTriggers: MANUAL_TRIGGERS,
};
