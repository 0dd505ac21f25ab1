/**
 * The light half of the seam: the names of the service, and the types of rows that users see. Short commands load this file and not
 * `service.ts`, and users of the types need no other package, so it imports only names and types.
 */
import { EVENTS, LIFE, STATUSES } from "./nouns/documents/status-machine.ts";
import { ACTS, DEFAULT_KEY, MAIL_KINDS } from "./kit/names.ts";

export type * from "./shown-rows.ts";

export const words = {
  statuses: STATUSES,
  life: LIFE,
  events: EVENTS,
  acts: ACTS,
  mailKinds: MAIL_KINDS,
  defaultKey: DEFAULT_KEY,
} as const;
