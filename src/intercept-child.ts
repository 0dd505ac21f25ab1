/**
 * NODE_OPTIONS of `docdouble run --intercept` loads this file into processes. Their calls to PandaDoc's hosts end at the server.
 */
import { passOn } from "./library/kit/pass-on.ts";
import type { Target } from "./library/kit/hosts.ts";
import { redirect } from "./library/kit/redirect.ts";

interface Passed {
  hosts?: string[];
  target?: Target;
  nodeOption?: string;
  missing?: Record<string, string>;
}

const text = process.env.DOCDOUBLE_INTERCEPT || "{}";
const { hosts, target, nodeOption, missing = {} } = JSON.parse(text) as Passed;
if (hosts && target) redirect({ hosts, target: async () => target });
if (nodeOption !== undefined) passOn({ nodeOption, missing, always: { DOCDOUBLE_INTERCEPT: text } });
