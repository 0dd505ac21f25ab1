/**
 * A client as careful users write it: the official one, which retries nothing, inside a helper that does. Where it would
 * sleep, the clock moves. What it believes at the end is held against what the server has.
 */
import * as pandadoc from "pandadoc-node-client";
import type { Order } from "./plan.ts";

/** Real ms after which an answer counts as lost. */
const PATIENCE_MS = 1500;
const TRIES_MAX = 30;
const TEMPLATE = "TemplateOneSignerxxxxx";

export interface Belief {
  id: string | undefined;
  name: string;
  /** Of the last look; `deleted` when it was taken away. */
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
  /** What went wrong on the way, for the report of a seed that fails. */
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

  /** Carries an order out to its end. */
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

  /** Looks before it repeats: who repeats blindly makes two of one. */
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

  /** A send whose answer was lost is found out by the status: sending again is refused then. */
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
        // So the official client takes a 202, which has no body; its Retry-After it keeps to itself.
        throw error.message.startsWith("Cannot parse content") ? new NotReady("the PDF is being made") : error;
      });
      if (!file.data.subarray(0, 5).equals(Buffer.from("%PDF-"))) throw new Error("this is no PDF");
    });
  }

  /** Deleting again is refused with 403, so whether the first time held is found out by looking. */
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

  /** Tries again whatever may pass: refusals that say so, failures of a server, and answers that were lost or cannot be read. */
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

  /** Undefined: trying again will not help. */
  #waitAfter(error: unknown, tries: number): number | undefined {
    const backoff = Math.min(1000 * 2 ** tries, 60_000);
    if (error instanceof NotReady) return PDF_WAIT_MS;
    if (!(error instanceof pandadoc.ApiException)) return backoff;
    const { code, headers = {} } = error as pandadoc.ApiException<unknown> & { headers?: Record<string, string> };
    const asked = Number(headers["retry-after"]) * 1000;
    // An answer that cannot be read is thrown with the status of a success.
    if (code < 300 || code === 409 || code === 423 || code === 429 || code >= 500) return Math.max(asked || 0, backoff);
    return undefined;
  }
}

/** The official client has no time limit of its own. */
function patiently<T>(call: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("no answer in time")), PATIENCE_MS);
  });
  return Promise.race([call, late]).finally(() => clearTimeout(timer));
}
