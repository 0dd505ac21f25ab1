/** Small integrations for tests of exploration. A `Gap` removes one precaution from a careful integration. */
import { createHmac } from "node:crypto";
import type { Sandbox } from "../../../src/library/types.ts";

export type Gap =
  | "retries"
  | "look"
  | "second_look"
  | "retry_after"
  | "declined"
  | "signature"
  | "ignores_silently"
  | "end"
  | "errors";

export const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

export class Caller {
  readonly #sandbox: Sandbox;
  readonly gap: Gap | undefined;

  constructor(sandbox: Sandbox, gap?: Gap) {
    this.#sandbox = sandbox;
    this.gap = gap;
  }

  /** Repeats a call up to six times. `known` checks whether a lost call took effect. */
  // biome-ignore lint/suspicious/noExplicitAny: JSON of every shape
  async call(method: string, path: string, body?: object, known?: () => Promise<unknown>): Promise<any> {
    for (let tries = 1; ; tries++) {
      let wait = 1000 * tries;
      try {
        const response = await this.#sandbox.fetch(`/public/v1${path}`, {
          method,
          headers: { authorization: `API-Key ${this.#sandbox.apiKey}`, "content-type": "application/json" },
          ...(body ? { body: JSON.stringify(body) } : {}),
        });
        const text = await response.text();
        if (response.ok) return text.startsWith("{") ? JSON.parse(text) : text;
        if (this.gap !== "retry_after") wait = Math.max(wait, Number(response.headers.get("retry-after") ?? 0) * 1000);
        if (![409, 423, 429].includes(response.status) && response.status < 500)
          throw Object.assign(new Error(`${method} ${path}: ${response.status}`), { isFinal: true });
      } catch (error) {
        if ((error as { isFinal?: boolean }).isFinal) throw error;
      }
      if (this.gap === "retries" || tries === 6) throw new Error(`${method} ${path} failed ${tries} times`);
      await sleep(this.gap === "retry_after" ? 100 : wait);
      const found = this.gap === "look" ? undefined : await known?.();
      if (found !== undefined) return found;
    }
  }

  async find(order: string): Promise<{ id: string } | undefined> {
    const look = () => this.call("GET", `/documents?metadata=metadata_order=${order}`);
    if (this.gap !== "second_look") return (await look()).results[0];
    // A failed call counts as “not found”.
    const once = new Caller(this.#sandbox, "retries");
    return once.call("GET", `/documents?metadata=metadata_order=${order}`).then(
      ({ results }) => results[0],
      () => undefined,
    );
  }

  async create(order: string, email = "pat+sign.after=20s@client.example"): Promise<string> {
    const recipients = [{ email, first_name: "Pat", last_name: "Lee", role: "Client" }];
    const body = { name: `Offer ${order}`, template_uuid: "TemplateOneSignerxxxxx", recipients, metadata: { order } };
    return (await this.call("POST", "/documents", body, () => this.find(order))).id;
  }

  async status(id: string): Promise<string> {
    return (await this.call("GET", `/documents/${id}`)).status;
  }

  async until(id: string, wanted: readonly string[], looks = 30): Promise<string> {
    for (let look = 1; ; look++) {
      const status = await this.status(id);
      if (wanted.includes(status) || look === looks) return status;
      await sleep(3000);
    }
  }
}

const ENDS = ["document.completed", "document.declined", "document.voided", "document.error"];

/** Creates a document and waits until it is a draft. */
export async function drafts(sandbox: Sandbox, gap?: Gap): Promise<object> {
  const caller = new Caller(sandbox, gap);
  const id = await caller.create("1");
  if (gap === "errors") return { id, status: await caller.until(id, ["document.draft"], Number.POSITIVE_INFINITY) };
  return { id, status: await caller.until(id, ["document.draft", ...ENDS]) };
}

/** Creates a document, sends it, and waits for the signature. */
export async function offers(sandbox: Sandbox, gap?: Gap): Promise<object> {
  const caller = new Caller(sandbox, gap);
  const id = await caller.create("1");
  const ready = await caller.until(id, ["document.draft", ...ENDS]);
  const isSent = async () => ((await caller.status(id)) === "document.draft" ? undefined : {});
  if (ready === "document.draft") await caller.call("POST", `/documents/${id}/send`, { silent: true }, isSent);
  const ends = gap === "declined" ? ENDS.filter((one) => one !== "document.declined") : ENDS;
  return { id, status: await caller.until(id, ends, gap === "declined" ? Number.POSITIVE_INFINITY : 30) };
}

/** Waits for the signature by webhook only, and reads the document after the final event. With the gap `signature`, it ends at once. */
export async function listens(sandbox: Sandbox, gap?: Gap): Promise<object> {
  const caller = new Caller(sandbox, gap);
  let done = (_status: string) => {};
  const ended = new Promise<string>((resolve) => {
    done = resolve;
  });
  const inbox = await sandbox.webhooks.receiver({
    events: ["document_state_changed"],
    handler: async (request) => {
      const body = await request.text();
      const right = createHmac("sha256", inbox.subscription.sharedKey).update(body).digest("hex");
      if (gap !== "signature" && new URL(request.url).searchParams.get("signature") !== right)
        return new Response(null, { status: gap === "ignores_silently" ? 200 : 401 });
      const [{ data }] = JSON.parse(body);
      if (ENDS.includes(data.status)) done(data.status);
      return new Response(null, { status: 200 });
    },
  });
  const id = await caller.create("1");
  await caller.until(id, ["document.draft"]);
  await caller.call("POST", `/documents/${id}/send`, { silent: true });
  const status = await ended;
  if (gap !== "signature") await caller.call("GET", `/documents/${id}/details`);
  return { id, status };
}
