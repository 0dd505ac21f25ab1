/** Webhook receivers inside this process. They end with the tenant, and at a reset, which drops their subscriptions. */
import { systemClock } from "../../core/clock.ts";
import { messageOf } from "../../core/text.ts";
import { type Dispatch, type DispatchResult, dispatch, RESPONSE_BYTES_MAX } from "../../jobs/post-delivery.ts";

export interface ReceiverAnswer {
  status: number;
  body: string;
  headers: Record<string, string>;
}

type Receive = (request: Pick<Dispatch, "url" | "headers" | "body">) => Promise<ReceiverAnswer>;

export class LocalReceivers {
  readonly #receive = new Map<string, Receive>();
  readonly #closings = new Set<() => void>();
  #count = 0;
  around: (request: Dispatch, post: () => Promise<DispatchResult>) => Promise<DispatchResult> = (_, post) => post();

  add(receive: Receive): string {
    const origin = `https://receiver-${++this.#count}.docdouble.test`;
    this.#receive.set(origin, receive);
    return origin;
  }

  /** How many receivers there were. Saved worlds keep it, so that a new receiver never gets the address of an earlier one. */
  get count(): number {
    return this.#count;
  }

  set count(count: number) {
    this.#count = Math.max(this.#count, count);
  }

  remove(origin: string): void {
    this.#receive.delete(origin);
  }

  onEnd(close: () => void): () => void {
    this.#closings.add(close);
    return () => this.#closings.delete(close);
  }

  closeAll(): void {
    for (const close of this.#closings) close();
    this.#closings.clear();
    this.#receive.clear();
  }

  /** Hands a delivery to its receiver in this process, or posts it. Never throws. */
  post(request: Dispatch): Promise<DispatchResult> {
    const receive = this.#receive.get(URL.canParse(request.url) ? new URL(request.url).origin : "");
    return this.around(request, () => (receive ? deliverLocally(request, receive) : dispatch(request)));
  }
}

function deliverLocally(request: Dispatch, receive: Receive): Promise<DispatchResult> {
  const start = systemClock.elapsed();
  return new Promise((resolve) => {
    const finish = (part: Partial<DispatchResult>) => {
      cancel();
      const duration_ms = Math.round(systemClock.elapsed() - start);
      resolve({ status: null, error: null, reason: null, response_body: null, response_headers: null, duration_ms, ...part });
    };
    const cancel = systemClock.after(request.timeout_ms, () =>
      finish({ error: "TIMEOUT_ERROR", reason: `no whole answer within ${request.timeout_ms} ms` }),
    );
    receive(request).then(
      ({ status, body, headers }) =>
        finish({ status, response_body: body.slice(0, RESPONSE_BYTES_MAX), response_headers: headers }),
      (error: unknown) => finish({ error: "CONNECT_ERROR", reason: messageOf(error) }),
    );
  });
}
