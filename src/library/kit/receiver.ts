import { isResponse } from "../../engine/core/web-objects.ts";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import * as z from "zod";
import type { ReceiverAnswer } from "../../engine/runtime/tenants/local-receivers.ts";
import { type Tenant, webhooks } from "../../service/service.ts";
import { lazy } from "../../engine/core/operation.ts";
import { messageOf, parseLeniently } from "../../engine/core/text.ts";
import { sign } from "../../engine/jobs/webhook-signature.ts";
import { valueText } from "../../engine/scenario/plain-problem.ts";
import { SettingsError } from "../errors.ts";
import { InboxEvents } from "./inbox.ts";
import { checked, inOwnWords, methodsOf } from "./method.ts";
import type { Inbox, ReceivedEvent, ReceiverOptions } from "./types.ts";
import { words } from "../../service/words.ts";
import { isSameText } from "../../engine/core/constant-time.ts";

const EVENT_ID = "x-pandadoc-webhook-event-id";

const receiverOptions = lazy(() =>
  z.strictObject({
    ...webhooks.wish().omit({ url: true }).shape,
    port: z.number().int().min(0).max(65_535).optional(),
    deduplicate: z.boolean().optional(),
    handler: z
      .custom((value) => typeof value === "function", {
        error: ({ input }) => `must be a function that takes a Request, not ${valueText(input)}`,
      })
      .optional(),
  }),
);
const answerOptions = lazy(() => z.strictObject({ times: z.number().int().min(1).optional(), body: z.string().optional() }));
const answerStatus = lazy(() => z.number().int().min(200).max(599));

interface Incoming {
  url: string;
  headers: Record<string, string>;
  body: string;
}

/** @throws SettingsError */
export async function openReceiver(tenant: Tenant, options: ReceiverOptions): Promise<Inbox> {
  const sentence = 'the options are an object such as { events: ["document_state_changed"] }';
  const { port, deduplicate = false, handler: _, ...wanted } = checked(options, receiverOptions, sentence);
  const { handler } = options;
  if (handler && port !== undefined) throw new SettingsError(`handler and port exclude each other: a handler needs no socket`);

  const receiver = new Receiver(tenant, handler, deduplicate);
  let url: string;
  let close: () => void;
  if (handler) {
    url = tenant.receivers.add((request) => receiver.receive(request));
    close = () => tenant.receivers.remove(url);
  } else {
    const server = createServer((request, response) => void receiver.serve(request, response));
    url = await listen(server, port ?? 0);
    close = () => {
      server.close();
      server.closeAllConnections();
    };
  }
  try {
    const wish = { name: "docdouble receiver", ...wanted, url: `${url}/` };
    return receiver.open(
      inOwnWords(() => webhooks.subscribe(tenant, wish)),
      close,
    );
  } catch (error) {
    close();
    throw error;
  }
}

function listen(server: Server, port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) =>
      reject(new SettingsError(`cannot listen on port ${port}: ${error.code ?? error.message}. Leave port out for a free one.`)),
    );
    server.listen(port, "127.0.0.1", () => {
      // A forgotten receiver must not keep the process alive.
      server.unref();
      resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    });
  });
}

class Receiver {
  readonly #tenant: Tenant;
  readonly #handler: ReceiverOptions["handler"];
  readonly #deduplicate: boolean;
  readonly #seen = new Set<string>();
  #inbox: InboxEvents | undefined;
  #subscription = "";
  #planned: { status: number; body: string; left: number } | undefined;

  constructor(tenant: Tenant, handler: ReceiverOptions["handler"], deduplicate: boolean) {
    this.#tenant = tenant;
    this.#handler = handler;
    this.#deduplicate = deduplicate;
  }

  open(subscription: Inbox["subscription"], closeServer: () => void): Inbox {
    const tenant = this.#tenant;
    this.#subscription = subscription.id;
    const inbox = new InboxEvents(tenant, subscription.id, subscription.events);
    this.#inbox = inbox;
    const end = () => {
      closeServer();
      inbox.close();
    };
    const forget = tenant.receivers.onEnd(end);
    const close = async () => {
      forget();
      end();
      if (tenant.ended === undefined) tenant.store.transaction(() => tenant.store.subscriptions.delete(subscription.id));
    };
    const { reads, waits, changes } = methodsOf((method) => inbox.ended(method));
    return {
      url: subscription.url,
      subscription,
      received: inbox.received,
      refused: inbox.refused,
      next: waits("inbox.next", async (...wanted: Parameters<Inbox["next"]>) => inbox.next(...wanted)),
      answer: changes("inbox.answer", (...[status, answer = {}]: Parameters<Inbox["answer"]>) => this.#plan(status, answer)),
      clear: reads("inbox.clear", () => inbox.clear()),
      close: waits("inbox.close", close),
      [Symbol.asyncDispose]: close,
    };
  }

  #plan(status: number, options: { times?: number; body?: string | undefined }): void {
    if (!answerStatus().safeParse(status).success)
      throw new SettingsError(`the status is a whole number from 200 to 599, not ${JSON.stringify(status)}`);
    const { times = Number.POSITIVE_INFINITY, body = "" } = checked(
      options,
      answerOptions,
      "the options are an object such as { times: 1 }",
    );
    this.#planned = { status, body, left: times };
  }

  async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of request) chunks.push(chunk as Buffer);
    } catch {
      // The sender cut the connection.
      return;
    }
    if (request.method !== "POST") {
      response.writeHead(405, { allow: "POST" }).end();
      return;
    }
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, [value].flat().join(", ")]));
    const url = `http://${request.headers.host ?? "127.0.0.1"}${request.url ?? "/"}`;
    const {
      status,
      body,
      headers: answerHeaders,
    } = await this.receive({ url, headers, body: Buffer.concat(chunks).toString("utf8") });
    response.writeHead(status, answerHeaders).end(body);
  }

  /** Accepts a delivery when the answer is below 400. */
  async receive(incoming: Incoming): Promise<ReceiverAnswer> {
    const signature = this.#verify(incoming);
    const answer = await this.#answer(incoming, signature);
    for (const event of this.#eventsOf(incoming, signature, answer.status)) {
      if (event.status >= 400) this.#inbox?.refused.push(event);
      else if (!event.duplicate || !this.#deduplicate) this.#inbox?.add(event);
    }
    return answer;
  }

  async #answer(incoming: Incoming, signature: ReceivedEvent["signature"]): Promise<ReceiverAnswer> {
    const planned = this.#planned;
    if (planned && planned.left > 0) {
      planned.left--;
      return { status: planned.status, body: planned.body, headers: {} };
    }
    if (this.#handler) return callHandler(this.#handler, incoming);
    return signature === "valid"
      ? { status: 200, body: "", headers: {} }
      : { status: 401, body: `the signature is ${signature}`, headers: {} };
  }

  /** spec: the signature is the HMAC-SHA256 of the exact bytes. The key is the subscription's present one. */
  #verify({ url, body }: Incoming): ReceivedEvent["signature"] {
    const signature = new URL(url).searchParams.get("signature");
    if (signature === null) return "missing";
    const key = this.#tenant.store.subscriptions.get(this.#subscription)?.shared_key ?? "";
    return isSameText(sign(body, key), signature) ? "valid" : "invalid";
  }

  /** A batch is one delivery with several events. */
  #eventsOf({ body, headers }: Incoming, signature: ReceivedEvent["signature"], status: number): ReceivedEvent[] {
    const id = headers[EVENT_ID] ?? "";
    return eventsIn(body).map(({ event, data }, i) => {
      const key = `${id}/${i}`;
      const duplicate = status < 400 && this.#seen.has(key);
      if (status < 400) this.#seen.add(key);
      return { event, data, id, signature, duplicate, status, at: this.#tenant.clock.now(), body, headers };
    });
  }
}

/** A stranger may post any body. */
function eventsIn(body: string): Pick<ReceivedEvent, "event" | "data">[] {
  const list = [parseLeniently(body)].flat() as Pick<ReceivedEvent, "event" | "data">[];
  return list.filter((one) => (words.events as readonly unknown[]).includes(one?.event));
}

/** An error of the handler becomes a 500, as in a web framework. */
async function callHandler(
  handler: NonNullable<ReceiverOptions["handler"]>,
  { url, headers, body }: Incoming,
): Promise<ReceiverAnswer> {
  try {
    const response = await handler(new Request(url, { method: "POST", headers: withoutFraming(headers), body }));
    if (!isResponse(response)) return { status: 200, body: "", headers: {} };
    return { status: response.status, body: await response.text(), headers: Object.fromEntries(response.headers) };
  } catch (error) {
    return { status: 500, body: messageOf(error), headers: {} };
  }
}

/** `Request` sets these headers itself. */
function withoutFraming(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => name !== "content-length" && name !== "accept-encoding"));
}
