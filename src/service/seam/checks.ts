/** Rules of the service that client lint holds calls against. */
import { takesValue } from "../domain/content/content.ts";
import { fixOf } from "../domain/content/unknown-names.ts";
import { rateLimitOf } from "../domain/oauth/rate-limits.ts";
import { addressProblem } from "../domain/signing/test-addresses.ts";
import { isFileUrl, isPlainHttp } from "../model/inputs.ts";

export const checks = { rateLimitOf, isFileUrl, isPlainHttp, addressProblem, fixOf, takesValue };
