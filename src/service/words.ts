/**
 * The light half of the seam: the names of the service, and the types of rows that users see. Short commands load this file and not
 * `service.ts`, and users of the types need no other package, so it imports only names and types.
 */
import { EVENTS, LIFE, STATUSES } from "./model/documents/status-machine.ts";
import { MAIL_KINDS } from "./model/mails/kinds.ts";
import { ACTS } from "./model/signing/acts.ts";
import { DEFAULT_KEY } from "./model/world/default-keys.ts";

export type * from "./model/shown-rows.ts";

export const words = {
  statuses: STATUSES,
  life: LIFE,
  events: EVENTS,
  acts: ACTS,
  mailKinds: MAIL_KINDS,
  defaultKey: DEFAULT_KEY,
} as const;
