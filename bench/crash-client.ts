/** A client that makes changes of many kinds in its own tenant, and notes what each answer promised. */
import type { Claims } from "./claims.ts";
import type { Chance } from "./servers.ts";

// biome-ignore lint/suspicious/noExplicitAny: answers have every shape
type Body = any;
type Call = readonly [method: string, path: string, body?: unknown];

const DOCUMENTS = "/public/v1/documents";
const RECIPIENT = { email: "pat@client.example", first_name: "Pat", last_name: "Lee", role: "Client" };
/** Documents that are read after a kill. Reading all of them would take long. */
const KEPT = 25;

class Gone extends Error {}

export class CrashClient {
  url = "";
  readonly #name: string;
  readonly #claims: Claims;
  readonly #chance: Chance;
  readonly #documents: string[] = [];
  #number = 0;
  #hasBegun = false;
  #world: { bytes: ArrayBuffer; names: string[] } | undefined;

  constructor(name: string, claims: Claims, chance: Chance) {
    this.#name = name;
    this.#claims = claims;
    this.#chance = chance;
  }

  /** Makes changes until `isOver`, or until the server is gone. */
  async run(isOver: () => boolean): Promise<void> {
    const kinds = Object.entries(this.#kinds);
    try {
      if (!this.#hasBegun) await this.#begin();
      while (!isOver()) {
        const [kind, change] = kinds[this.#chance(kinds.length)] as (typeof kinds)[number];
        await change(kind, `${this.#name}-${++this.#number}`);
      }
    } catch (error) {
      if (!(error instanceof Gone)) throw error;
    }
  }

  async #send(key: string, [method, path, body]: Call): Promise<{ status: number; bytes: ArrayBuffer }> {
    const isRaw = body === undefined || body instanceof ArrayBuffer;
    const headers = { authorization: `API-Key ${key}`, ...(isRaw ? {} : { "content-type": "application/json" }) };
    try {
      const sent = isRaw ? (body as ArrayBuffer | undefined) : JSON.stringify(body);
      const answer = await fetch(this.url + path, { method, headers, ...(sent === undefined ? {} : { body: sent }) });
      return { status: answer.status, bytes: await answer.arrayBuffer() };
    } catch {
      throw new Gone("the server is gone");
    }
  }

  #key = (part = "") => `test-crash-${this.#name}${part}`;

  /** A call that must succeed. */
  async #do(call: Call, key = this.#key()): Promise<Body> {
    const { status, bytes } = await this.#send(key, call);
    const text = new TextDecoder().decode(bytes);
    if (status >= 300) throw new Error(`${call[0]} ${call[1]}: ${status} ${text.slice(0, 300)}`);
    return text.startsWith("{") ? JSON.parse(text) : text;
  }

  /** Reads a part of an answer, or its status when it is not a success. */
  #read =
    (path: string, of: (body: Body) => unknown, key = this.#key()) =>
    async () => {
      const { status, bytes } = await this.#send(key, ["GET", path]);
      return status >= 300 ? status : of(JSON.parse(new TextDecoder().decode(bytes)));
    };

  /** Makes `call` count as answered or open. @throws {Gone} without an answer */
  async #counted(count: (call: () => Promise<boolean>) => Promise<boolean>, call: Call, key?: string): Promise<Body> {
    let body: Body;
    let gone: Gone | undefined;
    await count(async () => {
      try {
        body = await this.#do(call, key);
      } catch (error) {
        if (!(error instanceof Gone)) throw error;
        gone = error;
      }
      return gone === undefined;
    });
    if (gone) throw gone;
    return body;
  }

  #change(kind: string, place: string, state: unknown, call: Call, key?: string): Promise<Body> {
    return this.#counted((made) => this.#claims.change(kind, place, state, made), call, key);
  }

  async #make(kind: string, call: Call): Promise<Body> {
    const body = await this.#counted((made) => this.#claims.counted(kind, made), call);
    this.#claims.issued(body.id ?? body.uuid, kind);
    return body;
  }

  #place = (name: string) => `${this.#name} ${name}`;

  async #begin(): Promise<void> {
    for (const key of [this.#key(), this.#key("-world")])
      await this.#do(["POST", "/__admin/transitions", { model: "document.processing", progression: "immediate" }], key);
    // A kill may leave an advance of a minute at the instant of any job in it, so whole minutes count.
    const places = {
      rules: this.#read("/__admin/rules", ({ rules }) => rules.map(({ name }: Body) => name).sort()),
      clock: this.#read("/__admin/clock", ({ now }) => Math.floor(Date.parse(now) / 60_000)),
      world: this.#read(`${DOCUMENTS}?count=100`, ({ results }) => results.map(({ name }: Body) => name).sort(), this.#worldKey),
    };
    for (const [name, read] of Object.entries(places)) this.#claims.note(this.#place(name), read, await read());
    this.#hasBegun = true;
  }

  get #worldKey() {
    return this.#key("-world");
  }

  #draft = (name: string) => ({
    name,
    template_uuid: "TemplateOneSignerxxxxx",
    recipients: [RECIPIENT],
    metadata: { mark: name },
  });

  /** Changes the newest document of a status. */
  async #changeDocument(
    kind: string,
    from: string,
    change: (state: Body) => unknown,
    callOf: (id: string) => Call,
  ): Promise<void> {
    const isOf = (id: string) => (this.#claims.state(`document ${id}`) as Body)?.status === from;
    const id = this.#documents.find(isOf);
    if (id === undefined) return;
    await this.#change(kind, `document ${id}`, change(this.#claims.state(`document ${id}`)), callOf(id));
  }

  readonly #kinds: Readonly<Record<string, (kind: string, mark: string) => Promise<unknown>>> = {
    create: async (kind, mark) => {
      const { id } = await this.#make(kind, ["POST", DOCUMENTS, this.#draft(mark)]);
      const read = this.#read(`${DOCUMENTS}/${id}/details`, ({ status, name, metadata, recipients }) => ({
        status,
        name,
        mark: metadata.mark,
        signed: recipients[0].has_completed,
      }));
      const state = { status: "document.draft", name: mark, mark, signed: false };
      // The conversion is a change that nobody asked for. It may come a moment later.
      this.#claims.note(`document ${id}`, read, state, 409);
      for (let i = 0; i < 200; i++) if ((await read()) !== 409) break;
      this.#claims.note(`document ${id}`, read, state);
      this.#documents.unshift(id);
      for (const old of this.#documents.splice(KEPT)) this.#claims.forget(`document ${old}`);
    },
    send: (kind) =>
      this.#changeDocument(
        kind,
        "document.draft",
        (state) => ({ ...state, status: "document.sent" }),
        (id) => ["POST", `${DOCUMENTS}/${id}/send`, {}],
      ),
    update: (kind, mark) =>
      this.#changeDocument(
        kind,
        "document.draft",
        (state) => ({ ...state, name: mark, mark }),
        (id) => ["PATCH", `${DOCUMENTS}/${id}`, { name: mark, metadata: { mark } }],
      ),
    sign: (kind) =>
      this.#changeDocument(
        kind,
        "document.sent",
        (state) => ({ ...state, status: "document.completed", signed: true }),
        (id) => ["POST", `/__admin/documents/${id}/simulate/sign`, {}],
      ),
    delete: (kind) =>
      this.#changeDocument(
        kind,
        "document.completed",
        () => 404,
        (id) => ["DELETE", `${DOCUMENTS}/${id}`],
      ),
    contact: async (kind, mark) => {
      const { id } = await this.#make(kind, ["POST", "/public/v1/contacts", { email: `c${mark}@client.example`, company: mark }]);
      const path = `/public/v1/contacts/${id}`;
      this.#claims.note(
        path,
        this.#read(path, ({ company }) => company),
        mark,
      );
      await this.#change(kind, path, `${mark} Ltd`, ["PATCH", path, { company: `${mark} Ltd` }]);
      if (this.#chance(4) > 0) await this.#change(kind, path, 404, ["DELETE", path]);
    },
    clock: async (kind) => {
      const minutes = this.#claims.state(this.#place("clock")) as number | undefined;
      if (minutes !== undefined)
        await this.#change(kind, this.#place("clock"), minutes + 1, ["POST", "/__admin/clock/advance", { by: "1m" }]);
    },
    rule: async (kind, mark) => {
      const names = this.#claims.state(this.#place("rules")) as string[] | undefined;
      if (names === undefined) return;
      const [old, ...rest] = names;
      if (old !== undefined && names.length > 3)
        await this.#change(kind, this.#place("rules"), rest, ["DELETE", `/__admin/rules/${encodeURIComponent(old)}`]);
      else {
        const rule = { name: mark, when: { operation: "listForm" }, then: { delay: "1ms" } };
        await this.#change(kind, this.#place("rules"), [...names, mark].sort(), ["POST", "/__admin/rules", rule]);
      }
    },
    "load a world": async (kind, mark) => {
      const state = this.#claims.state(this.#place("world")) as string[] | undefined;
      if (state === undefined) return;
      if (state.length < 20) {
        const call: Call = ["POST", DOCUMENTS, this.#draft(mark)];
        await this.#change("create", this.#place("world"), [...state, mark].sort(), call, this.#worldKey);
      }
      if (this.#world) {
        await this.#change(
          kind,
          this.#place("world"),
          this.#world.names,
          ["PUT", "/__admin/world", this.#world.bytes],
          this.#worldKey,
        );
      } else if (state.length > 5) {
        const { bytes } = await this.#send(this.#worldKey, ["GET", "/__admin/world"]);
        this.#world = { bytes, names: this.#claims.state(this.#place("world")) as string[] };
      }
    },
  };
}
