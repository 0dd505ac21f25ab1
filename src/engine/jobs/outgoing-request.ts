/** One request to an address from outside. It always ends: with an answer, a refusal or a passed time limit. */
import type { ClientRequest, IncomingMessage } from "node:http";
import { systemClock } from "../core/clock.ts";
import { openRequest, type Asked } from "./address-policy.ts";

export interface Question extends Asked {
  body?: Uint8Array;
  /** Real milliseconds for the whole exchange: the name, the connection, and the answer with its body. */
  timeout_ms: number;
}

/** No whole answer came in time. */
export class AnswerTimeout extends Error {
  constructor(ms: number) {
    super(`no whole answer within ${ms} ms`);
  }
}

/** Answers with 1xx before the real one. A server that sends more would keep docdouble busy. */
const INTERIM_MAX = 32;

/**
 * Resolves to the head of the answer. The caller reads its body or destroys it. When the time passes, the body fails with
 * `AnswerTimeout`.
 * @throws AddressRefused, AnswerTimeout, or an Error when no answer comes. After a change of protocols it begins with `status code: 101`.
 */
export function ask(url: URL, { body, timeout_ms, ...asked }: Question): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    if (!/^https?:$/.test(url.protocol)) throw new Error(`${url} is not the address of a web server`);
    const call = openRequest(url, asked);
    let answer: IncomingMessage | undefined;
    const stop = (error: Error) => {
      reject(error);
      answer?.destroy(error);
      call.destroy(error);
    };
    const cancel = systemClock.after(timeout_ms, () => stop(new AnswerTimeout(timeout_ms)));
    call.on("error", reject);
    call.once("response", (response) => {
      answer = response;
      resolve(response);
    });
    // Without this listener, Node closes the connection and reports nothing.
    call.once("upgrade", (_, socket) => {
      socket.destroy();
      stop(new Error("status code: 101, which changes the protocol"));
    });
    countInterim(call, () => stop(new Error(`the answer begins with more than ${INTERIM_MAX} answers of the kind 1xx`)));
    call.once("close", () => {
      cancel();
      reject(new Error("the connection closed without an answer"));
    });
    call.end(body);
  });
}

function countInterim(call: ClientRequest, onTooMany: () => void): void {
  let count = 0;
  call.on("information", () => {
    if (++count > INTERIM_MAX) onTooMany();
  });
}
