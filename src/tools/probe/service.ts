/** Calls the service under probe: one at a time, paced, repeated after 429. Counts the calls. */
import {
  isJson,
  isObject,
  mediaType,
  parseJson,
  type CallAnswer,
  type CallRequest,
  type HeaderMap,
} from "../compare/exchange.ts";
import { RealKey } from "../compare/real-key.ts";
import type { Pacing } from "./pacing.ts";
import { ServiceFailure } from "./story-errors.ts";

export interface Answer {
  status: number;
  headers: HeaderMap;
  /** The parsed JSON body; undefined for any other body. */
  json: unknown;
  text: string;
  /** The text for a message. It shows other words in place of the key. */
  withoutKey(): string;
}

export interface CallInput {
  body?: unknown;
  form?: FormData;
  authorization?: string;
  /** Answers that this call expects, although they usually count as a failure of the service. */
  expects?: readonly number[];
  /** The answer is a file, so its type says nothing about the service. */
  isFile?: boolean;
}

export interface ServiceOptions {
  url: string;
  key: string;
  pacing: Pacing;
  /** Carries one call. Never throws: without an answer the status is 0 and `failure` says why. */
  carry(request: CallRequest): Promise<CallAnswer>;
  onCall?(line: string): void;
  onWait?(line: string): void;
  /** Ends the stories; deletions still run. */
  signal?: AbortSignal;
}

/** What messages and reports show instead of the key. */
const HIDDEN_KEY = "(the key)";
/** Proxies and balancers give these answers, so they say nothing about what the service does with the request. */
const OF_THE_WAY = [407, 408, 421, 425];
const THROTTLED_MAX = 3;
const RETRY_AFTER_DEFAULT_S = 60;
const RETRY_AFTER_MAX_S = 600;
const TEXT_MAX = 200;

export class Service {
  readonly pacing: Pacing;
  readonly #options: ServiceOptions;
  readonly #key: RealKey;
  #calls = 0;
  /** Deletions ignore the signal, so that an interrupted probe leaves nothing behind. */
  isDeleting = false;

  constructor(options: ServiceOptions) {
    this.#options = options;
    this.#key = new RealKey(options.key, HIDDEN_KEY);
    this.pacing = options.pacing;
  }

  get calls(): number {
    return this.#calls;
  }

  /** @throws ServiceFailure */
  async call(method: string, target: string, input: CallInput = {}): Promise<Answer> {
    const request = await this.#request(method, target, input);
    for (let attempt = 1; ; attempt++) {
      const answer = await this.#once(request);
      if (answer.status !== 429 || input.expects?.includes(429)) return this.#read(request, answer, input);
      await this.#waitAfter(answer, request, attempt);
    }
  }

  async #once(request: CallRequest): Promise<CallAnswer> {
    this.#refuseWhenInterrupted();
    await this.pacing.turn();
    this.#refuseWhenInterrupted();
    this.#calls++;
    this.#options.onCall?.(`${request.method} ${request.target}`);
    const answer = await this.#options.carry(request);
    // Nothing asked for a packed answer, but some servers pack each one.
    return answer.headers["content-encoding"] === undefined ? answer : this.#key.hideInAnswer(answer);
  }

  /** The text without the key. Looking for a key in all its forms takes long, so only texts that go out are read. */
  hide(text: string): string {
    const { status, body } = this.#key.hideInAnswer({ status: 200, headers: {}, body: Buffer.from(text) });
    return status === 0 ? "(a text with the key)" : body.toString("utf8");
  }

  #refuseWhenInterrupted(): void {
    if (this.#options.signal?.aborted && !this.isDeleting)
      throw new ServiceFailure("The probe was interrupted.", { isFinal: true });
  }

  async #request(method: string, target: string, { body, form, authorization }: CallInput): Promise<CallRequest> {
    const headers: Record<string, string> = {
      authorization: authorization ?? `API-Key ${this.#options.key}`,
      accept: "application/json",
    };
    if (form) {
      const encoded = new Request("http://form.invalid", { method: "POST", body: form });
      headers["content-type"] = encoded.headers.get("content-type") ?? "";
      return { method, target, headers, body: Buffer.from(await encoded.arrayBuffer()) };
    }
    if (body !== undefined) headers["content-type"] = "application/json";
    return { method, target, headers, body: Buffer.from(body === undefined ? "" : JSON.stringify(body)) };
  }

  async #waitAfter(answer: CallAnswer, { method, target }: CallRequest, attempt: number): Promise<void> {
    const seconds = Math.ceil(Number(answer.headers["retry-after"] ?? RETRY_AFTER_DEFAULT_S)) || RETRY_AFTER_DEFAULT_S;
    const place = `${method} ${target}`;
    if (attempt > THROTTLED_MAX)
      throw new ServiceFailure(
        `${place} answered 429 ${attempt} times. Lower --calls-per-minute, or wait until nothing else uses the key.`,
        { place },
      );
    if (seconds > RETRY_AFTER_MAX_S)
      throw new ServiceFailure(`${place} answered 429 and asks to wait ${seconds} s. Probe again after that time.`, {
        isFinal: true,
      });
    this.#options.onWait?.(`${place} answered 429: waiting ${seconds} s.`);
    await this.pacing.wait(seconds * 1000);
  }

  #read({ method, target }: CallRequest, answer: CallAnswer, { expects = [], isFile = false }: CallInput): Answer {
    const place = `${method} ${target}`;
    const { url } = this.#options;
    const { status, headers, body } = answer;
    const text = isFile && status < 300 ? "" : body.toString("utf8");
    if (status === 0)
      throw new ServiceFailure(
        `${place}: ${url} gave no answer (${answer.failure ?? "unknown reason"}). Check --real and the network.`,
        {
          place,
        },
      );
    if (status === 401 && !expects.includes(401))
      throw new ServiceFailure(`${place} answered 401: ${url} refuses the key. Check --key and that the key is active.`, {
        isFinal: true,
      });
    if (status >= 500) throw new ServiceFailure(`${place} answered ${status}. Probe again when the service works.`, { place });
    const isOfTheWay = OF_THE_WAY.includes(status) || (status >= 300 && status < 400 && !isFile);
    if (isOfTheWay && !expects.includes(status))
      throw new ServiceFailure(
        `${place} answered ${status}, which says nothing about the service. Check that --real names the API itself, and probe again.`,
        { place },
      );
    const json = isJson(headers) ? parseJson(text) : undefined;
    if (text === "" && status === 200 && method === "GET" && !isFile)
      throw new ServiceFailure(`${place} answered 200 without a body. Probe again when the service works.`, { place });
    const isUnreadable = text !== "" && json === undefined;
    if (isUnreadable && !(isFile && status >= 300)) {
      const type = mediaType(headers) || "no media type";
      throw new ServiceFailure(
        `${place} answered ${status} with ${type} that is not JSON. Check that --real names the API, without a path.`,
        { place },
      );
    }
    return { status, headers, json, text, withoutKey: () => this.hide(text) };
  }
}

export function at(value: unknown, ...path: (string | number)[]): unknown {
  let current = value;
  for (const name of path) {
    if (Array.isArray(current)) current = current[Number(name)];
    else if (isObject(current)) current = current[name];
    else return undefined;
  }
  return current;
}

export function listAt(value: unknown, ...path: (string | number)[]): unknown[] {
  const found = at(value, ...path);
  return Array.isArray(found) ? found : [];
}

export function shown({ status, withoutKey }: Answer): string {
  const text = withoutKey();
  const start = text.length > TEXT_MAX ? `${text.slice(0, TEXT_MAX)}…` : text;
  return start === "" ? String(status) : `${status} ${start}`;
}
