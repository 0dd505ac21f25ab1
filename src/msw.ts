/** docdouble in a project that uses MSW: calls to PandaDoc's hosts end at a sandbox. */
import { http, HttpResponse, type HttpHandler } from "msw";
import { answerForMsw, type InterceptOptions } from "./kit/intercept.ts";
import type { Sandbox } from "./types.ts";

export type { InterceptOptions };

/**
 * Handlers for an MSW server. Links in answers name the intercepted host and can be followed. A network fault is a network error.
 *
 * @example
 * const server = setupServer(...handlers(sandbox));
 */
export function handlers(sandbox: Sandbox, options: InterceptOptions = {}): HttpHandler[] {
  const { hosts, answer } = answerForMsw(sandbox, options);
  return hosts.map((host) => http.all(`https://${host}/*`, async ({ request }) => (await answer(request)) ?? networkError()));
}

/**
 * The server of a sandbox with a port replaces the global `Response` with a faster class. MSW recognizes a network error by the
 * global class alone.
 */
function networkError(): Response {
  const error = HttpResponse.error();
  if (error instanceof Response) return error;
  return Object.defineProperty(new Response(null), "type", { value: "error" });
}
