/** The statuses of documents, for pages that show them. */
import {
  ALLOWED_IN,
  isAllowedIn,
  MANUAL_TRIGGERS,
  next,
  statusWords,
  TRANSITIONS,
  triggersIn,
} from "../model/documents/status-machine.ts";

export const lifecycle = {
  words: statusWords,
  transitions: TRANSITIONS,
  next,
  triggersIn,
  allowedIn: ALLOWED_IN,
  isAllowedIn,
  manualTriggers: MANUAL_TRIGGERS,
};
