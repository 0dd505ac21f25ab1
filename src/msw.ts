import { http, HttpResponse, type HttpHandler } from "msw";
import { answerForMsw, type InterceptOptions } from "./library/kit/intercept.ts";
import type { Sandbox } from "./library/types.ts";

export type { InterceptOptions };

/**
 * Makes handlers for an MSW server. Links in answers name the intercepted host, and also lead to the sandbox. A network fault is a
 * network error.
 * @example
 * const server = setupServer(...handlers(sandbox));
 */
export function handlers(sandbox: Sandbox, options: InterceptOptions = {}): HttpHandler[] {
  const { hosts, answer } = answerForMsw(sandbox, options);
  return hosts.map((host) => http.all(`https://${host}/*`, async ({ request }) => (await answer(request)) ?? networkError()));
}

/**
 * A sandbox with a port replaces the global `Response` with a faster class. MSW recognizes a network error only by the global
 * class.
 */
function networkError(): Response {
  const error = HttpResponse.error();
  if (error instanceof Response) return error;
  return Object.defineProperty(new Response(null), "type", { value: "error" });
}
