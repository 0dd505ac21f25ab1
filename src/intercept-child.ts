/**
 * NODE_OPTIONS of `docdouble run --intercept` loads this file into processes. Their calls to PandaDoc's hosts end at the server.
 */
import type { Target } from "./library/kit/hosts.ts";
import { redirect } from "./library/kit/redirect.ts";

const { hosts, target } = JSON.parse(process.env.DOCDOUBLE_INTERCEPT ?? "{}") as { hosts?: string[]; target?: Target };
if (hosts && target) redirect({ hosts, target: async () => target });
