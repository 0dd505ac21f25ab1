/** Clients for the soak: some keep a connection and read all answers, and others stall or disconnect. */
import { connect, type Socket } from "node:net";

/** Counts of requests and of their outcomes. */
export interface Tally {
  asked: number;
  answered: number;
  /** Number of answers, by status. */
  statuses: Record<number, number>;
  /** Requests that got no answer although the client waited. */
  unanswered: number;
  /** Number of unanswered requests, by reason. */
  reasons: Record<string, number>;
  /** Stalled connections that have closed. */
  cut: number;
}

export const freshTally = (): Tally => ({ asked: 0, answered: 0, statuses: {}, unanswered: 0, reasons: {}, cut: 0 });

const ANSWER_MS_MAX = 60_000;

export interface ClientRequest {
  method: string;
  path: string;
  key: string;
  body?: string;
}

function textOf({ method, path, key, body }: ClientRequest): string {
  const length = body === undefined ? "" : `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n`;
  return `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: API-Key ${key}\r\n${length}\r\n${body ?? ""}`;
}

/** One kept connection. Several requests may wait for their answers at the same time. */
export class KeptConnection {
  readonly #tally: Tally;
  readonly #waiting: ((body: string | undefined) => void)[] = [];
  readonly #port: number;
  #socket: Socket | undefined;
  #text = "";

  constructor(port: number, tally: Tally) {
    this.#port = port;
    this.#tally = tally;
  }

  /** Sends all requests at once. Resolves with the bodies in order, with undefined for a request without an answer. */
  async ask(...asks: readonly ClientRequest[]): Promise<(string | undefined)[]> {
    this.#socket ??= this.#open();
    const socket = this.#socket;
    this.#tally.asked += asks.length;
    const answers = asks.map(() => new Promise<string | undefined>((resolve) => this.#waiting.push(resolve)));
    socket.write(asks.map(textOf).join(""));
    const timer = setTimeout(() => socket.destroy(new Error(`no answer for ${ANSWER_MS_MAX / 1000} s`)), ANSWER_MS_MAX);
    const bodies = await Promise.all(answers);
    clearTimeout(timer);
    return bodies;
  }

  close(): void {
    this.#socket?.destroy();
  }

  #open(): Socket {
    const socket = connect(this.#port, "127.0.0.1");
    socket.setNoDelay(true);
    socket.on("data", (more: Buffer) => {
      this.#text += more.toString("latin1");
      this.#read();
    });
    let reason = "closed";
    socket.on("error", (error) => {
      reason = error.message;
    });
    socket.on("close", () => {
      // The server may close an idle connection. Then the next request opens another one.
      this.#socket = undefined;
      this.#text = "";
      for (const resolve of this.#waiting.splice(0)) {
        this.#tally.unanswered++;
        this.#tally.reasons[reason] = (this.#tally.reasons[reason] ?? 0) + 1;
        resolve(undefined);
      }
    });
    return socket;
  }

  #read(): void {
    for (;;) {
      const end = this.#text.indexOf("\r\n\r\n");
      if (end < 0) return;
      const head = this.#text.slice(0, end);
      const status = Number(head.slice(9, 12));
      const length = Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? Number.NaN);
      const isChunked = /\r\ntransfer-encoding: *chunked/i.test(head);
      const start = end + 4;
      const stop = isChunked ? this.#text.indexOf("0\r\n\r\n", start) + 5 : start + (Number.isNaN(length) ? 0 : length);
      if (isChunked ? stop < start + 5 : this.#text.length < stop) return;
      const body = this.#text.slice(start, stop);
      this.#text = this.#text.slice(stop);
      this.#tally.answered++;
      this.#tally.statuses[status] = (this.#tally.statuses[status] ?? 0) + 1;
      this.#waiting.shift()?.(body);
    }
  }
}

/** Opens a raw connection, calls `begin` with it, and then stays silent. `cut` resolves when the connection has closed. */
export function stall(port: number, tally: Tally, begin: (socket: Socket) => void): { socket: Socket; cut: Promise<void> } {
  const socket = connect(port, "127.0.0.1", () => begin(socket));
  socket.on("error", () => {});
  socket.resume();
  const cut = new Promise<void>((resolve) => socket.on("close", () => resolve())).then(() => {
    tally.cut++;
  });
  return { socket, cut };
}
