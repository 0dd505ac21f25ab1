/**
 * A client as careful users write it: the official client, which never retries, inside a helper that retries. It moves the clock
 * instead of sleeping. At the end, run.ts compares the client's beliefs with the data of the server.
 */
import * as pandadoc from "pandadoc-node-client";
import type { Order } from "./plan.ts";

/** Real time after which an answer counts as lost. */
const PATIENCE_MS = 1500;
const TRIES_MAX = 30;
const TEMPLATE = "TemplateOneSignerxxxxx";

export interface Belief {
  id: string | undefined;
  name: string;
  /** The status that the client saw last, or `deleted` after it deleted the document. */
  status: string;
}

export interface Settings {
  url: string;
  key: string;
  sleep(ms: number): Promise<unknown>;
  now(): number;
  isHasty: boolean;
}

const ENDS = ["document.completed", "document.declined", "document.voided", "document.error"];
const DRAFT_WAIT_MS = 2000;
const END_WAIT_MS = 6 * 3_600_000;
const LOOKS_MAX = 20;
const PDF_WAIT_MS = 10_000;

class NotReady extends Error {}

export class Client {
  readonly #settings: Settings;
  readonly #documents: pandadoc.DocumentsApi;
  /** The errors that the client met, for the report of a seed that fails. */
  readonly log: string[] = [];

  constructor(settings: Settings) {
    this.#settings = settings;
    this.#documents = new pandadoc.DocumentsApi(
      pandadoc.createConfiguration({
        authMethods: { apiKey: `API-Key ${settings.key}` },
        baseServer: new pandadoc.ServerConfiguration(settings.url, {}),
      }),
    );
  }

  /** Carries out a whole order. Returns the client's beliefs about the document. */
  async carryOut(order: Order): Promise<Belief> {
    const name = `Offer ${order.key}`;
    const id = await this.#create(order, name);
    const belief: Belief = { id, name, status: await this.#until(id, DRAFT_WAIT_MS, ["document.draft", "document.error"]) };
    if (belief.status === "document.error") return belief;
    if (order.rename) {
      belief.name = `${name}, second version`;
      await this.#retry("updateDocument", () =>
        patiently(this.#documents.updateDocument({ id, documentUpdateRequest: { name: belief.name } })),
      );
    }
    await this.#send(id);
    belief.status = await this.#until(id, END_WAIT_MS, ENDS);
    if (order.download && belief.status === "document.completed") await this.#download(id);
    if (order.remove) {
      await this.#delete(id);
      belief.status = "deleted";
    }
    return belief;
  }

  /** Looks for the document before it repeats a create. A client that repeats without looking makes a second document. */
  async #create(order: Order, name: string): Promise<string> {
    let isRepeated = false;
    return this.#retry("createDocument", async () => {
      if (isRepeated && !this.#settings.isHasty) {
        const found = await this.#find(order.key);
        if (found !== undefined) return found;
      }
      isRepeated = true;
      const documentCreateRequest = {
        name,
        templateUuid: TEMPLATE,
        recipients: [{ email: "ivo.marek@client.example", firstName: "Ivo", lastName: "Marek", role: "Client" }],
        metadata: { order: order.key },
      };
      return (await patiently(this.#documents.createDocument({ documentCreateRequest }))).id as string;
    });
  }

  async #find(key: string): Promise<string | undefined> {
    const { results = [] } = await this.#retry("listDocuments", () =>
      patiently(this.#documents.listDocuments({ metadata: [`metadata_order=${key}`] })),
    );
    return results[0]?.id;
  }

  status(id: string): Promise<string> {
    return this.#retry("statusDocument", async () => (await patiently(this.#documents.statusDocument({ id }))).status as string);
  }

  async #until(id: string, wait_ms: number, wanted: readonly string[]): Promise<string> {
    for (let looks = 1; ; looks++) {
      const status = await this.status(id);
      if (wanted.includes(status) || (looks === LOOKS_MAX && wait_ms === END_WAIT_MS)) return status;
      if (looks > 10 * LOOKS_MAX) throw new Error(`${id} is ${status} and comes to none of ${wanted.join(", ")}`);
      await this.#settings.sleep(wait_ms);
    }
  }

  /** Checks the status before it repeats a send, because the service refuses to send a document twice. */
  async #send(id: string): Promise<void> {
    let isRepeated = false;
    await this.#retry("sendDocument", async () => {
      if (isRepeated && (await this.status(id)) !== "document.draft") return;
      isRepeated = true;
      await patiently(this.#documents.sendDocument({ id, documentSendRequest: { silent: true } }));
    });
  }

  async #download(id: string): Promise<void> {
    await this.#retry("downloadDocument", async () => {
      const file = await patiently(this.#documents.downloadDocument({ id })).catch((error: Error) => {
        // The official client throws this error for a 202, which has no body. The error does not contain `Retry-After`.
        throw error.message.startsWith("Cannot parse content") ? new NotReady("the PDF is being made") : error;
      });
      if (!file.data.subarray(0, 5).equals(Buffer.from("%PDF-"))) throw new Error("this is no PDF");
    });
  }

  /** The service refuses a second delete with 403. So after a refusal the client checks whether the document is gone. */
  async #delete(id: string): Promise<void> {
    await this.#retry("deleteDocument", async () => {
      try {
        await patiently(this.#documents.deleteDocument({ id }));
      } catch (error) {
        const isRefused = error instanceof pandadoc.ApiException && (error.code === 403 || error.code === 404);
        if (!isRefused || (await this.#isThere(id))) throw error;
      }
    });
  }

  async #isThere(id: string): Promise<boolean> {
    try {
      await this.status(id);
      return true;
    } catch (error) {
      if (error instanceof pandadoc.ApiException && error.code === 404) return false;
      throw error;
    }
  }

  /** Retries after temporary errors: refusals such as 429, server errors, and answers that are lost or unreadable. */
  async #retry<T>(name: string, attempt: () => Promise<T>): Promise<T> {
    for (let tries = 0; ; tries++) {
      try {
        return await attempt();
      } catch (error) {
        const wait = this.#waitAfter(error, tries);
        this.log.push(
          `${name}: ${error instanceof pandadoc.ApiException ? error.code : (error as Error).message.slice(0, 80)}, waits ${wait} ms`,
        );
        if (wait === undefined || tries === TRIES_MAX) throw error;
        await this.#settings.sleep(wait);
      }
    }
  }

  /** The time in ms until the next attempt. Undefined when another attempt cannot help. */
  #waitAfter(error: unknown, tries: number): number | undefined {
    const backoff = Math.min(1000 * 2 ** tries, 60_000);
    if (error instanceof NotReady) return PDF_WAIT_MS;
    if (!(error instanceof pandadoc.ApiException)) return backoff;
    const { code, headers = {} } = error as pandadoc.ApiException<unknown> & { headers?: Record<string, string> };
    const asked = Number(headers["retry-after"]) * 1000;
    // The official client throws an unreadable answer with its status, which is that of a success.
    if (code < 300 || code === 409 || code === 423 || code === 429 || code >= 500) return Math.max(asked || 0, backoff);
    return undefined;
  }
}

/** Adds the time limit that the official client lacks. */
function patiently<T>(call: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("no answer in time")), PATIENCE_MS);
  });
  return Promise.race([call, late]).finally(() => clearTimeout(timer));
}
