/** Redirects `fetch` in Bun and Deno, whose `fetch` uses no socket of Node. `redirect.ts` redirects all other clients. */
import type { Target } from "./hosts.ts";

/** The most redirects that one call follows, as the standard of `fetch` says. */
const HOPS_MAX = 20;

const BODY_HEADERS = ["content-encoding", "content-language", "content-length", "content-location", "content-type"];
const CREDENTIALS = ["authorization", "cookie", "proxy-authorization"];

export const hasNodeFetch = process.versions.bun === undefined && process.versions.deno === undefined;

/**
 * Replaces the global `fetch`. Returns a function that restores it.
 *
 * @param find - the redirection of a host. When its `target` rejects, the call fails, and never reaches the host. Without a redirection,
 *   the call reaches the host.
 */
export function redirectFetch(find: (host: string) => { target(): Promise<Target> } | undefined): () => void {
  const original = globalThis.fetch;
  const send = async ({ url, method, headers, body }: Call, signal: AbortSignal): Promise<Response> => {
    const target = await find(url.hostname)
      ?.target()
      .catch((error: unknown) => Promise.reject(failure(error)));
    const answer = await original(target ? local(url, target) : url, { method, headers, body, signal, redirect: "manual" });
    return Object.defineProperty(answer, "url", { value: url.href });
  };
  globalThis.fetch = async (input, init) => {
    const request = new Request(input, init);
    const url = new URL(request.url);
    if (!find(url.hostname)) return original(request);
    const body = request.body === null ? null : await request.arrayBuffer();
    let call: Call = { url, method: request.method, headers: request.headers, body };
    for (let hops = 0; ; hops++) {
      const answer = await send(call, request.signal);
      const next = request.redirect === "manual" ? undefined : redirected(call, answer);
      if (!next) return answer;
      if (request.redirect === "error" || hops === HOPS_MAX) throw failure(new Error(`${call.url} answers with a redirect`));
      call = next;
    }
  };
  return () => {
    globalThis.fetch = original;
  };
}

interface Call {
  url: URL;
  method: string;
  headers: Headers;
  body: ArrayBuffer | null;
}

function local({ pathname, search }: URL, { host, port }: Target): URL {
  return new URL(pathname + search, `http://${host.includes(":") ? `[${host}]` : host}:${port}`);
}

/** The call after a redirect: 303 becomes a GET, and so does a POST after 301 or 302. Another origin gets no credentials. */
function redirected({ url, method, headers, body }: Call, { status, headers: answered }: Response): Call | undefined {
  const location = answered.get("location");
  if (location === null || ![301, 302, 303, 307, 308].includes(status)) return undefined;
  const next = new URL(location, url);
  const becomesGet = (status === 303 && !/^(GET|HEAD)$/.test(method)) || (status < 303 && method === "POST");
  const dropped = [...(becomesGet ? BODY_HEADERS : []), ...(next.origin === url.origin ? [] : CREDENTIALS)];
  const kept = new Headers([...headers].filter(([name]) => !dropped.includes(name)));
  return becomesGet ? { url: next, method: "GET", headers: kept, body: null } : { url: next, method, headers: kept, body };
}

function failure(cause: unknown): TypeError {
  return new TypeError("fetch failed", { cause });
}
