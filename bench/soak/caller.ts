/** Calls of the worst caller: complete ones, whose answers count, and ones that the caller drops at some point. */
import { connect, type Socket } from "node:net";
import { Ids } from "../../src/engine/core/ids.ts";

/** An answer later than this counts as missing. */
const ANSWER_MS_MAX = 60_000;

export interface CallerTally {
  answered: number;
  /** Number of answers, by habit and status. */
  statuses: Record<string, Record<number, number>>;
  /** Answers with an unexpected status of 500 or more, and calls without an answer. */
  wrong: string[];
  dropped: number;
}

export interface Ask {
  key?: string;
  /** A value is sent as JSON; a text, bytes or a form as they are. */
  body?: unknown;
  headers?: Record<string, string>;
}

// biome-ignore lint/suspicious/noExplicitAny: answers have every shape
type Body = any;

export class Caller {
  readonly url: string;
  readonly port: number;
  readonly habit: string;
  readonly chance: Ids;
  readonly #tally: CallerTally;

  constructor(url: string, habit: string, tally: CallerTally) {
    this.url = url;
    this.port = Number(new URL(url).port);
    this.habit = habit;
    this.chance = new Ids(`worst/${habit}`);
    this.#tally = tally;
  }

  /** Makes a call, and reads the answer. The body is undefined when the answer holds no JSON. */
  async ask(
    method: string,
    path: string,
    { key = "docdouble-key", body, headers = {} }: Ask = {},
  ): Promise<{ status: number; body: Body }> {
    const isRaw = typeof body === "string" || body instanceof Uint8Array || body instanceof FormData;
    try {
      const answer = await fetch(this.url + path, {
        method,
        headers: {
          authorization: `API-Key ${key}`,
          ...(body === undefined || isRaw ? {} : { "content-type": "application/json" }),
          ...headers,
        },
        redirect: "manual",
        signal: AbortSignal.timeout(ANSWER_MS_MAX),
        ...(body === undefined ? {} : { body: isRaw ? (body as string | FormData) : JSON.stringify(body) }),
      });
      const text = await answer.text();
      this.#count(answer.status, `${method} ${path.slice(0, 80)}: ${text.slice(0, 200)}`);
      return { status: answer.status, body: jsonOf(text) };
    } catch (error) {
      const { message, cause } = error as Error;
      this.#tally.wrong.push(
        `${this.habit}: ${method} ${path.slice(0, 80)}: ${message} ${(cause as Error | undefined)?.message ?? ""}`,
      );
      return { status: 0, body: undefined };
    }
  }

  /** Bytes of an answer, such as a saved world. */
  async bytes(path: string, key: string): Promise<Uint8Array | undefined> {
    const answer = await fetch(this.url + path, {
      headers: { authorization: `API-Key ${key}` },
      signal: AbortSignal.timeout(ANSWER_MS_MAX),
    }).catch((error: Error) => {
      this.#tally.wrong.push(`${this.habit}: GET ${path}: ${error.message}`);
    });
    if (!answer) return undefined;
    const bytes = new Uint8Array(await answer.arrayBuffer());
    this.#count(answer.status, `GET ${path}`);
    return answer.ok ? bytes : undefined;
  }

  /** Writes a call onto its own connection, reads nothing, and leaves after `stay_ms`. */
  drop(text: string | Uint8Array, stay_ms: number): void {
    this.#tally.dropped++;
    const socket = this.open(text);
    socket.pause();
    setTimeout(() => socket.destroy(), stay_ms);
  }

  open(text: string | Uint8Array): Socket {
    const socket = connect(this.port, "127.0.0.1", () => socket.write(text));
    socket.on("error", () => {});
    return socket;
  }

  #count(status: number, about: string): void {
    this.#tally.answered++;
    const statuses = this.#tally.statuses[this.habit] ?? {};
    this.#tally.statuses[this.habit] = statuses;
    statuses[status] = (statuses[status] ?? 0) + 1;
    // 501 is an operation that is not served, and 503 a world that ended during the call.
    if (status >= 500 && status !== 501 && !about.includes("docdouble_reset"))
      this.#tally.wrong.push(`${this.habit}: ${status} ${about}`);
  }
}

/** The text of a request for a separate connection. */
export function requestText(method: string, path: string, key: string, body = "", more = ""): string {
  const length = body === "" ? "" : `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n`;
  return `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: API-Key ${key}\r\n${more}${length}\r\n${body}`;
}

function jsonOf(text: string): Body {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
