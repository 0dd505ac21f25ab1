/** One call of a tool is one call of an operation, through the same pipeline as any other client's. */
import type { Context } from "hono";
import { systemClock } from "../../../engine/core/clock.ts";
import { parseRoute } from "../../../engine/core/operation.ts";
import { encodeAddress, messageOf, parseLeniently } from "../../../engine/core/text.ts";
import { appOf } from "../../../engine/http/app.ts";
import { readText } from "../../../engine/http/known-text.ts";
import { toRequest } from "../../../engine/http/library-request.ts";
import type { OperationId } from "../../nouns/index.ts";
import { findOperation } from "../../nouns/index.ts";
import { hostOf } from "../../pages/host.ts";
import type { OperationAnswer, OperationRequest } from "./tool.ts";

/** Real time. A delay of a rule does not count, only an answer that never comes. assumed: mcp.upstream_timeout. */
const UPSTREAM_MS = 3000;

/** Headers of the agent's request that the call of the operation also has. */
const PASSED_ON = ["authorization", "user-agent"] as const;

/** Notes for the person who tests, as headers of the answer. */
const NOTES = ["x-request-id", "x-docdouble-rule", "x-docdouble-why"] as const;

export class UpstreamError extends Error {
  override readonly name = "UpstreamError";
}

interface CalledOperation extends OperationAnswer {
  notes: Record<string, string>;
}

/** @throws UpstreamError when no whole answer comes */
export async function callOperation(
  context: Context,
  tool: string,
  id: OperationId,
  request: OperationRequest,
): Promise<CalledOperation> {
  const host = hostOf(context);
  const { origin } = new URL(context.req.url);
  const patience = new Patience(context.req.raw);
  try {
    const sent = toRequest(pathOf(id, request), initOf(context, id, request), {
      url: origin,
      origin,
      signal: () => patience.signal,
    });
    const response = await appOf(host).fetch(sent, { host, tool });
    return await readAnswer(response);
  } catch (error) {
    throw new UpstreamError(
      patience.isOver ? "the API did not answer in time" : `the connection to the API broke: ${messageOf(error)}`,
    );
  } finally {
    patience.forget();
  }
}

/** How long an answer may take: until the time is over, or the agent leaves. */
class Patience {
  readonly #agent: Request;
  readonly #cancel: () => void;
  readonly #end = () => this.#controller?.abort();
  #isLate = false;
  #controller: AbortController | undefined;

  constructor(agent: Request) {
    this.#agent = agent;
    this.#cancel = systemClock.after(UPSTREAM_MS, () => {
      this.#isLate = true;
      this.#end();
    });
  }

  /** Only an answer that never comes needs it, so this makes it on the first use. */
  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController();
      this.#agent.signal.addEventListener("abort", this.#end);
      if (this.#isLate || this.#agent.signal.aborted) this.#end();
    }
    return this.#controller.signal;
  }

  get isOver(): boolean {
    return this.#isLate || (this.#controller?.signal.aborted ?? false);
  }

  forget(): void {
    this.#cancel();
    if (this.#controller) this.#agent.signal.removeEventListener("abort", this.#end);
  }
}

function pathOf(id: OperationId, { params = {}, query = {} }: OperationRequest): string {
  const { path, variant } = parseRoute(findOperation(id)?.route ?? "");
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => escaped(params[name] ?? ""));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) for (const one of [value ?? []].flat()) search.append(name, String(one));
  const text = [variant, search.toString()].filter(Boolean).join("&");
  return text === "" ? filled : `${filled}?${text}`;
}

/** A tilde at the start of a segment has another meaning in docdouble. */
function escaped(text: string): string {
  return encodeAddress(text).replaceAll("~", "%7E");
}

function initOf({ req }: Context, id: OperationId, { body, form }: OperationRequest): RequestInit {
  const { method } = parseRoute(findOperation(id)?.route ?? "");
  const headers: Record<string, string> = {};
  for (const name of PASSED_ON) {
    const value = req.header(name);
    if (value !== undefined) headers[name] = value;
  }
  if (form) return { method, headers, body: form };
  if (body === undefined) return { method, headers };
  return { method, headers: { ...headers, "content-type": "application/json" }, body: JSON.stringify(body) };
}

async function readAnswer(response: Response): Promise<CalledOperation> {
  const { status, headers } = response;
  const text = await readText(response);
  const body = text === "" ? undefined : (parseLeniently(text) ?? text);
  const seconds = Number(headers.get("retry-after") ?? Number.NaN);
  const notes = Object.fromEntries(
    NOTES.flatMap((name) => (headers.get(name) === null ? [] : [[name, headers.get(name) as string]])),
  );
  return { status, body, notes, ...(seconds >= 0 ? { retry_after: seconds } : {}) };
}
