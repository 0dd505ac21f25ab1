import { createSandbox, hostOf } from "../../library/sandbox.ts";
import { isoMillis } from "../../engine/core/clock.ts";
import type { DeliveryRow } from "../../engine/jobs/rows.ts";
import type { SwitchId } from "../../service/service.ts";
import type {
  Act,
  AssumeSource,
  DocumentStatus,
  Sandbox,
  SandboxDocument,
  SandboxOptions,
  ScenarioSource,
} from "../../library/types.ts";
import { type CallAnswer, type CallRequest, isInProgress, isObject, jsonOf, NO_BODY, withoutConnection } from "./exchange.ts";

const RECEIVES: ScenarioSource = {
  version: 1,
  webhooks: [{ name: "compare receives every webhook", then: { attempt_result: 200 } }],
};

export type DoubleOptions = Pick<SandboxOptions, "seed" | "fixtures" | "now" | "assume" | "profile"> & {
  scenario?: readonly ScenarioSource[];
  /** Opens no connection: webhooks fail, and files by URL become blank files. */
  isOffline?: boolean;
};

/** How far the double's clock may run ahead. */
const AHEAD_MAX_MS = 120_000;
const STEPS_MAX = 50;
const SIGNERS_MAX = 50;

export class DoubleSide {
  readonly sandbox: Sandbox;
  readonly #options: DoubleOptions;
  #followed = 0;
  #deliveries: DeliveryRow[] = [];

  private constructor(sandbox: Sandbox, options: DoubleOptions) {
    this.sandbox = sandbox;
    this.#options = { ...options, now: isoMillis(sandbox.clock.now()) };
    hostOf(sandbox).defaultTenant.eventStream.listen((event) => {
      if (event?.type === "delivery" && event.delivery.attempts.length === 1) this.#deliveries.push(event.delivery);
    });
  }

  static async start(all: DoubleOptions = {}): Promise<DoubleSide> {
    const { scenario = [], isOffline = false, ...options } = all;
    const sandbox = await createSandbox({ ...options, clock: "frozen", scenario: [RECEIVES, ...scenario] });
    if (isOffline)
      hostOf(sandbox).eachTenant(({ settings }) => {
        settings.addressPolicy = "none";
      });
    return new DoubleSide(sandbox, all);
  }

  readingOf(id: SwitchId): unknown {
    return hostOf(this.sandbox).defaultTenant.readings.of(id);
  }

  /** Another double that begins as this one did, with another reading. */
  again(id: string, reading: string | number): Promise<DoubleSide> {
    const assume = [this.#options.assume ?? [], { [id]: reading } as AssumeSource].flat();
    return DoubleSide.start({ ...this.#options, assume });
  }

  get apiKey(): string {
    return this.sandbox.apiKey;
  }

  get retries_ms(): readonly number[] {
    return this.readingOf("webhook.retry_schedule") as readonly number[];
  }

  async send({ method, target, headers, body }: CallRequest): Promise<CallAnswer> {
    const hasBody = method !== "GET" && method !== "HEAD" && body.length > 0;
    try {
      const response = await this.sandbox.fetch(target, {
        method,
        headers: withoutConnection(headers),
        ...(hasBody ? { body: new Uint8Array(body) } : {}),
        redirect: "manual",
      });
      const bytes = Buffer.from(await response.arrayBuffer());
      await this.sandbox.clock.settle();
      return { status: response.status, headers: Object.fromEntries(response.headers), body: bytes };
    } catch (error) {
      // A scenario may cut the connection.
      return { status: 0, headers: {}, body: NO_BODY, failure: error instanceof Error ? error.message : String(error) };
    }
  }

  async attempt(run: () => Promise<boolean>): Promise<void> {
    const before = this.#deliveries.length;
    const snapshot = this.sandbox.snapshot();
    if (await run()) return;
    snapshot.restore();
    this.#deliveries.length = before;
  }

  takeDeliveries(): DeliveryRow[] {
    const taken = this.#deliveries;
    this.#deliveries = [];
    return taken;
  }

  /** Without a target, looks at all documents. */
  isConverting(target: string | undefined): boolean {
    const { documents } = this.sandbox;
    if (target === undefined) return documents.all().some((one) => one.status === "document.uploaded");
    return target.split(/[/?]/).some((id) => id.length > 10 && documents.get(id)?.status === "document.uploaded");
  }

  /** Moves the clock by one millisecond if `at_ms` lies ahead, so that new things sort by time. */
  async tick(at_ms: number): Promise<void> {
    if (at_ms - this.#followed >= 1) await this.catchUp(this.#followed + 1);
  }

  /** Moves the clock to `at_ms` after the first call. Returns false if the clock is already there. */
  async catchUp(at_ms: number): Promise<boolean> {
    const lag = Math.floor(at_ms - this.#followed);
    if (lag <= 0) return false;
    this.#followed += lag;
    await this.sandbox.clock.advance(lag);
    return true;
  }

  async advance(ms: number): Promise<void> {
    await this.sandbox.clock.advance(ms);
  }

  /** Runs due jobs until `isDone`. Returns false if it gives up. */
  async finish(isDone: () => Promise<boolean>): Promise<boolean> {
    const start = this.sandbox.clock.now();
    for (let step = 0; step < STEPS_MAX; step++) {
      const next = hostOf(this.sandbox).defaultTenant.clock.next();
      if (next === undefined || next - start > AHEAD_MAX_MS) return false;
      await this.sandbox.clock.advance({ until: "next" });
      if (await isDone()) return true;
    }
    return false;
  }

  /**
   * Brings a document to the real document's status with acts, because signing happens outside the API. Returns true if the status
   * moved.
   */
  async follow(id: string, real: Record<string, unknown>): Promise<boolean> {
    const { status, recipients } = real;
    const begun = this.sandbox.documents.get(id);
    if (!begun) return false;
    let moved = false;
    const act = (name: Act, input: Parameters<Sandbox["documents"]["simulate"]>[2] = {}): boolean => {
      try {
        this.sandbox.documents.simulate(id, name, input);
        moved = true;
        return true;
      } catch {
        // The double's rules forbid the act, so the difference stays and is reported.
        return false;
      }
    };
    const now = () => this.sandbox.documents.get(id)?.status;
    if (now() === "document.uploaded" && typeof status === "string" && status !== "document.uploaded") {
      act(status === "document.error" ? "fail" : "process");
      await this.sandbox.clock.settle();
    }
    if (Array.isArray(recipients) && (now() === "document.sent" || now() === "document.viewed"))
      for (const one of recipients)
        if (isObject(one) && one.has_completed === true && typeof one.email === "string" && isOpen(begun, one.email))
          signWith(real, one.email, act);
    if (typeof status === "string" && status !== now()) reach(status as DocumentStatus, now, act);
    if (moved) await this.sandbox.clock.settle();
    return moved;
  }

  close(): Promise<void> {
    return this.sandbox.close();
  }
}

type ActNow = (name: Act, input?: Parameters<Sandbox["documents"]["simulate"]>[2]) => boolean;

function isOpen(document: SandboxDocument, email: string): boolean {
  const recipient = document.recipients.find((one) => one.email?.toLowerCase() === email.toLowerCase());
  return recipient !== undefined && !recipient.has_completed;
}

function signWith(real: Record<string, unknown>, email: string, act: ActNow): void {
  const fields: Record<string, string> = {};
  for (const one of Array.isArray(real.fields) ? real.fields : [])
    if (isObject(one) && typeof one.name === "string" && typeof one.value === "string" && one.value !== "") {
      const { assigned_to } = one;
      if (isObject(assigned_to) && assigned_to.email === email) fields[one.name] = one.value;
    }
  if (!act("sign", { recipient: email, fields })) act("sign", { recipient: email });
}

const isOut = (status: DocumentStatus | undefined) => status === "document.sent" || status === "document.viewed";

function reach(goal: DocumentStatus, now: () => DocumentStatus | undefined, act: ActNow): void {
  const signAll = () => {
    for (let signer = 0; signer < SIGNERS_MAX && isOut(now()); signer++) if (!act("sign")) return;
  };
  if (goal === "document.viewed" && now() === "document.sent") act("view");
  else if (goal === "document.completed" || goal === "document.waiting_pay") signAll();
  else if (goal === "document.paid") {
    signAll();
    if (now() === "document.waiting_pay") act("pay");
  } else if (goal === "document.declined") act("decline");
  else if (goal === "document.approved") act("approve");
  else if (goal === "document.rejected") act("reject");
  else if (goal === "document.voided" && now() !== "document.draft") act("expire");
  else if (goal === "document.external_review") act("review");
  else if (goal === "document.sent" && now() === "document.external_review") act("accept_review");
}

export function isProcessing(answer: CallAnswer): boolean {
  return answer.status === 202 || isInProgress(jsonOf(answer));
}
