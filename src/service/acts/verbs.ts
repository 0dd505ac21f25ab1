import { conversionVerbs } from "./conversions.ts";
import { documentVerbs } from "./documents.ts";
import { editVerbs } from "./edit.ts";
import { formVerbs } from "./forms.ts";
import { notaryVerbs } from "./notary.ts";
import { oauthCodeVerbs } from "./oauth-codes.ts";
import { stepVerbs } from "./steps.ts";
import { triggerVerbs } from "./trigger.ts";

/** The verbs of the admin API that only this service has. */
export const verbs = {
  documents: documentVerbs,
  edit: editVerbs,
  steps: stepVerbs,
  notary: notaryVerbs,
  conversions: conversionVerbs,
  forms: formVerbs,
  trigger: triggerVerbs,
  oauthCodes: oauthCodeVerbs,
};
