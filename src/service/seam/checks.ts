/** Rules of the service that client lint holds calls against. */
import { takesValue } from "../nouns/content/content.ts";
import { fixOf } from "../nouns/content/unknown-names.ts";
import { rateLimitOf } from "../nouns/oauth/rate-limits.ts";
import { addressProblem } from "../nouns/signing/test-addresses.ts";
import { isFileUrl, isPlainHttp } from "../kit/inputs.ts";

export const checks = { rateLimitOf, isFileUrl, isPlainHttp, addressProblem, fixOf, takesValue };
