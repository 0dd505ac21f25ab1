/** A client that makes every kind of change in its own tenant, and notes what each answer promised. */
import { createHash } from "node:crypto";
import { Ids } from "../../src/engine/core/ids.ts";
import type { Claims } from "./claims.ts";

export interface Changes {
  server: string;
  /** The change in progress whose middle is worth a kill. */
  doing: "world" | "restore" | undefined;
  run(isAlive: () => boolean): Promise<void>;
}

// biome-ignore lint/suspicious/noExplicitAny: answers have every shape
type Body = any;
interface Answer {
  status: number;
  body: Body;
}

const PUBLIC = "/public/v1";
const RECIPIENT = { email: "pat@client.example", first_name: "Pat", last_name: "Lee", role: "Client" };
/** One attachment has at most this many bytes. Larger files reach the limit of compaction sooner. */
const FILE_BYTES_MAX = 700_000;
/** So many documents make a world whose load takes several turns. */
const WORLD_DOCUMENTS = 60;

/** Method, path, body, key, headers. */
type CallOf = [method: string, path: string, body?: unknown, key?: string, headers?: Record<string, string>];

class Gone extends Error {}

export function changesOf(name: string, claims: Claims): Changes {
  return new Client(name, claims);
}

class Client implements Changes {
  server = "";
  doing: "world" | "restore" | undefined;
  readonly #name: string;
  readonly #key: string;
  readonly #claims: Claims;
  readonly #chance: Ids;
  #hasBegun = false;
  #number = 0;
  readonly #documents: string[] = [];
  readonly #worlds: { bytes: Uint8Array; names: string[] }[] = [];

  constructor(name: string, claims: Claims) {
    this.#name = name;
    this.#key = `test-kill-${name}`;
    this.#claims = claims;
    this.#chance = new Ids(`changes/${name}`);
  }

  async run(isAlive: () => boolean): Promise<void> {
    const kinds = Object.entries(this.#kinds);
    try {
      if (!this.#hasBegun) await this.#begin();
      while (isAlive()) {
        const [kind, change] = kinds[this.#chance.between(0, kinds.length - 1)] as (typeof kinds)[number];
        this.#number++;
        await change(kind, `${this.#name}-${this.#number}`);
        this.doing = undefined;
      }
    } catch (error) {
      if (!(error instanceof Gone)) throw error;
    } finally {
      this.doing = undefined;
    }
  }

  /** @throws {Gone} when the server is gone */
  async #call(
    method: string,
    path: string,
    body?: unknown,
    key = this.#key,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const isRaw = typeof body === "string" || body instanceof Uint8Array || body instanceof FormData;
    try {
      const answer = await fetch(this.server + path, {
        method,
        headers: {
          authorization: `API-Key ${key}`,
          ...(isRaw || body === undefined ? {} : { "content-type": "application/json" }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: isRaw ? (body as string | FormData) : JSON.stringify(body) }),
      });
      const text = await answer.text();
      if (answer.status >= 500) throw new Error(`${method} ${path}: ${answer.status} ${text.slice(0, 300)}`);
      return { status: answer.status, body: text.startsWith("{") || text.startsWith("[") ? JSON.parse(text) : text };
    } catch (error) {
      if (error instanceof TypeError) throw new Gone("the server is gone");
      throw error;
    }
  }

  /** A change that is answered with one of these statuses. Any other status is a mistake of this client or of the server. */
  async #do(statuses: readonly number[], ...call: CallOf): Promise<Answer> {
    const answer = await this.#call(...call);
    if (!statuses.includes(answer.status))
      throw new Error(`${call[0]} ${call[1]}: ${answer.status} ${JSON.stringify(answer.body).slice(0, 300)}`);
    return answer;
  }

  /** Changes the noted state of a place by a call. */
  async #change(kind: string, place: string, state: unknown, statuses: number[], ...call: CallOf): Promise<Answer> {
    let answer: Answer | undefined;
    let gone: unknown;
    await this.#claims.change(kind, place, state, async () => {
      try {
        answer = await this.#do(statuses, ...call);
        return true;
      } catch (error) {
        if (!(error instanceof Gone)) throw error;
        gone = error;
        return false;
      }
    });
    if (!answer) throw gone;
    return answer;
  }

  /** Makes an object by a call, and notes its state as the server shows it then. */
  async #make(kind: string, statuses: number[], ...call: CallOf): Promise<Body> {
    let answer: Answer | undefined;
    let gone: unknown;
    await this.#claims.counted(kind, async () => {
      try {
        answer = await this.#do(statuses, ...call);
        return true;
      } catch (error) {
        if (!(error instanceof Gone)) throw error;
        gone = error;
        return false;
      }
    });
    if (!answer) throw gone;
    const id = answer.body?.id ?? answer.body?.uuid;
    if (typeof id === "string") this.#claims.issued(id, kind);
    return answer.body;
  }

  async #begin(): Promise<void> {
    await this.#do([200], "POST", "/__admin/transitions", { model: "document.processing", progression: "immediate" });
    const list = (path: string, of: (body: Body) => unknown, key?: string) => async () =>
      of((await this.#call("GET", path, undefined, key)).body);
    const names = (rows: Body[]) => rows.map(({ name }) => name).sort();
    await this.#noteNow(
      "rules",
      list("/__admin/rules", (body) => names(body.rules.filter(({ source }: Body) => source === "runtime"))),
    );
    await this.#noteNow(
      "snapshots",
      list("/__admin/snapshots", (body) => names(body.snapshots)),
    );
    await this.#noteNow(
      "scenarios",
      list("/__admin/scenarios", (body) => names(body.scenarios)),
    );
    await this.#noteNow(
      "clock",
      list("/__admin/clock", (body) => Date.parse(body.now)),
    );
    await this.#noteNow(
      "assumptions",
      list("/__admin/assumptions", (body) => body.assume),
    );
    for (const [place, key] of [
      ["restored", `${this.#key}-r`],
      ["world", `${this.#key}-w`],
    ] as const)
      await this.#noteNow(place, async () => this.#names(key));
    const tenant = this.#tenantNames();
    await this.#noteNow(
      "tenants",
      list(
        "/__admin/tenants",
        (body) =>
          body.tenants
            .map(({ id }: Body) => id)
            .filter((id: string) => tenant.includes(id))
            .sort(),
        "docdouble-key",
      ),
    );
    this.#hasBegun = true;
  }

  #tenantNames = () => Array.from({ length: 5 }, (_, i) => `test-kept-${this.#name}-${i}`);
  #place = (place: string) => `${this.#name} ${place}`;

  async #noteNow(place: string, read: () => Promise<unknown>): Promise<void> {
    this.#claims.note(this.#place(place), read, await read());
  }

  /** Names of all documents of a tenant, sorted. */
  async #names(key: string): Promise<string[]> {
    const found: string[] = [];
    for (let page = 1; ; page++) {
      const { body } = await this.#call("GET", `${PUBLIC}/documents?count=100&page=${page}`, undefined, key);
      found.push(...body.results.map((row: Body) => row.name));
      if (body.results.length < 100) return found.sort();
    }
  }

  #draft = (name: string, more: object = {}) => ({
    name,
    template_uuid: "TemplateOneSignerxxxxx",
    recipients: [RECIPIENT],
    metadata: { mark: name },
    ...more,
  });

  /** The state of a document: what its details show, and how many mails it has caused. */
  #readDocument = (id: string) => async () => {
    const { status, body } = await this.#call("GET", `${PUBLIC}/documents/${id}/details`);
    if (status !== 200) return { status };
    const { body: mails } = await this.#call("GET", `/__admin/emails?document_id=${id}`);
    return {
      status: body.status,
      name: body.name,
      mark: body.metadata.mark,
      recipients: body.recipients.map(({ email, has_completed }: Body) => [email, has_completed]),
      tokens: body.tokens.filter(({ name }: Body) => name === "Client.Company").map(({ value }: Body) => value),
      mails: mails.emails.length > 0,
    };
  };

  #document(): string | undefined {
    return this.#documents.length === 0 ? undefined : this.#documents[this.#chance.between(0, this.#documents.length - 1)];
  }

  async #changeDocument(
    kind: string,
    status: string,
    change: (state: Body) => Body,
    statuses: number[],
    method: string,
    path: string,
    body?: unknown,
  ) {
    for (const id of this.#documents) {
      const place = `document ${id}`;
      const state = this.#claims.state(place) as Body;
      if (state?.status !== status) continue;
      return this.#change(kind, place, change(state), statuses, method, path.replace("ID", id), body);
    }
    return undefined;
  }

  readonly #kinds: Readonly<Record<string, (kind: string, mark: string) => Promise<unknown>>> = {
    "create a document": async (kind, mark) => {
      const tokens = [{ name: "Client.Company", value: mark }];
      const { id } = await this.#make(kind, [201], "POST", `${PUBLIC}/documents`, this.#draft(mark, { tokens }));
      const state = {
        status: "document.draft",
        name: mark,
        mark,
        recipients: [[RECIPIENT.email, false]],
        tokens: [mark],
        mails: false,
      };
      const read = this.#readDocument(id);
      this.#claims.note(`document ${id}`, read, state, { status: 409 });
      this.#documents.unshift(id);
      // The last documents suffice, and reading all of them would take long.
      for (const old of this.#documents.splice(25)) this.#claims.forget(`document ${old}`);
      // The conversion is a change that nobody asked for. It may come a moment later.
      for (let looks = 0; looks < 200; looks++)
        if ((await this.#call("GET", `${PUBLIC}/documents/${id}`)).body.status === "document.draft")
          return this.#claims.note(`document ${id}`, read, state);
      throw new Error(`${id} is still no draft`);
    },
    "send a document": (kind) =>
      this.#changeDocument(
        kind,
        "document.draft",
        (state) => ({ ...state, status: "document.sent", mails: true }),
        [200],
        "POST",
        `${PUBLIC}/documents/ID/send`,
        {},
      ),
    "patch a document": (kind, mark) =>
      this.#changeDocument(
        kind,
        "document.draft",
        (state) => ({ ...state, name: mark, mark, tokens: [mark] }),
        [204],
        "PATCH",
        `${PUBLIC}/documents/ID`,
        {
          name: mark,
          metadata: { mark },
          tokens: [{ name: "Client.Company", value: mark }],
        },
      ),
    "sign a document": (kind) =>
      this.#changeDocument(
        kind,
        "document.sent",
        (state) => ({ ...state, status: "document.completed", recipients: [[RECIPIENT.email, true]] }),
        [200],
        "POST",
        "/__admin/documents/ID/simulate/sign",
        {},
      ),
    "delete a document": (kind) =>
      this.#chance.between(0, 2) === 0
        ? this.#changeDocument(kind, "document.completed", () => ({ status: 404 }), [204], "DELETE", `${PUBLIC}/documents/ID`)
        : Promise.resolve(),
    "upload an attachment": async (kind) => {
      const id = this.#document();
      if (id === undefined || (this.#claims.state(`document ${id}`) as Body)?.status !== "document.draft") return;
      const bytes = Buffer.alloc(this.#chance.between(1, FILE_BYTES_MAX));
      for (let i = 0; i < bytes.length; i++) bytes[i] = (i * 7 + this.#number) % 251;
      const form = new FormData();
      form.set("file", new File([bytes], "terms.bin"));
      const { uuid } = await this.#make(kind, [200], "POST", `${PUBLIC}/documents/${id}/attachments`, form);
      const read = async () => {
        const answer = await fetch(`${this.server}${PUBLIC}/documents/${id}/attachments/${uuid}/download`, {
          headers: { authorization: `API-Key ${this.#key}` },
        });
        return answer.ok
          ? createHash("sha256")
              .update(new Uint8Array(await answer.arrayBuffer()))
              .digest("hex")
          : answer.status;
      };
      this.#claims.note(
        `attachment of ${this.#name} ${this.#number % 8}`,
        read,
        createHash("sha256").update(bytes).digest("hex"),
      );
      // A document with an attachment that is read later must stay.
      this.#documents.splice(this.#documents.indexOf(id), 1);
      this.#claims.forget(`document ${id}`);
    },
    "subscribe a receiver": async (kind, mark) => {
      const body = { name: mark, url: "http://127.0.0.1:9/", triggers: ["document_updated"] };
      const { uuid } = await this.#make(kind, [201], "POST", `${PUBLIC}/webhook-subscriptions`, body);
      const path = `${PUBLIC}/webhook-subscriptions/${uuid}`;
      const read = async () => {
        const answer = await this.#call("GET", path);
        return answer.status === 200 ? [answer.body.name, answer.body.active] : answer.status;
      };
      this.#claims.note(path, read, [mark, true]);
      await this.#change("change a subscription", path, [mark, false], [200], "PATCH", path, { active: false });
      if (this.#chance.between(0, 3) > 0) await this.#change("delete a subscription", path, 404, [204], "DELETE", path);
    },
    "make or drop a tenant": async () => {
      const place = this.#place("tenants");
      const state = this.#claims.state(place) as string[] | undefined;
      if (!state) return;
      const name = this.#tenantNames()[this.#chance.between(0, 4)] as string;
      if (state.includes(name))
        await this.#change(
          "drop a tenant",
          place,
          state.filter((id) => id !== name),
          [204],
          "DELETE",
          `/__admin/tenants/${name}`,
          undefined,
          "docdouble-key",
        );
      else
        await this.#change(
          "make a tenant",
          place,
          [...state, name].sort(),
          [201],
          "POST",
          "/__admin/tenants",
          { id: name },
          "docdouble-key",
        );
    },
    "move the clock": async (kind) => {
      const place = this.#place("clock");
      const now = this.#claims.state(place) as number | undefined;
      if (now !== undefined) await this.#change(kind, place, now + 60_000, [200], "POST", "/__admin/clock/advance", { by: "1m" });
    },
    "change a rule": async (kind, mark) => {
      const when = { operation: "listForm" };
      await this.#listed(
        kind,
        "rules",
        mark,
        ["POST", "/__admin/rules", { name: mark, when, then: { delay: "1ms" } }],
        (name) => `/__admin/rules/${name}`,
      );
    },
    "load a scenario": async (kind, mark) => {
      const rules = [{ name: `of ${mark}`, when: { operation: "listForm" }, then: { delay: "1ms" } }];
      const name = `s-${mark}`;
      await this.#listed(
        kind,
        "scenarios",
        name,
        ["POST", "/__admin/scenarios", { version: 1, name, rules }],
        (one) => `/__admin/scenarios/${one}`,
      );
    },
    "take a snapshot": async (kind, mark) => {
      await this.#listed(
        kind,
        "snapshots",
        mark,
        ["POST", "/__admin/snapshots", { name: mark }],
        (name) => `/__admin/snapshots/${name}`,
      );
    },
    "restore a snapshot": async (kind, mark) => {
      const key = `${this.#key}-r`;
      const place = this.#place("restored");
      const before = this.#claims.state(place) as string[] | undefined;
      if (!before) return;
      await this.#change(
        "create a document",
        place,
        [...before, mark].sort(),
        [201],
        "POST",
        `${PUBLIC}/documents`,
        this.#draft(mark),
        key,
      );
      await this.#do([201], "POST", "/__admin/snapshots", { name: "mine" }, key);
      const kept = [...before, mark].sort();
      let state = kept;
      for (let i = 0; i < 8; i++) {
        const next = [...state, `${mark}-${i}`].sort();
        await this.#change(
          "create a document",
          place,
          next,
          [201],
          "POST",
          `${PUBLIC}/documents`,
          this.#draft(`${mark}-${i}`),
          key,
        );
        state = next;
      }
      this.doing = "restore";
      await this.#change(kind, place, kept, [200], "POST", "/__admin/snapshots/mine/restore", undefined, key);
    },
    "load a world": async (kind) => {
      const key = `${this.#key}-w`;
      if (this.#worlds.length < 2) await this.#saveWorld();
      const world = this.#worlds[this.#chance.between(0, this.#worlds.length - 1)];
      if (!world) return;
      this.doing = "world";
      await this.#change(kind, this.#place("world"), world.names, [200], "PUT", "/__admin/world", world.bytes, key);
    },
    "change an assumption": async (kind) => {
      const value = this.#chance.between(0, 1) === 0 ? { "delete.second": 404 } : {};
      await this.#change(kind, this.#place("assumptions"), value, [200], "PUT", "/__admin/assumptions", value);
    },
    "change a contact": async (kind, mark) => {
      const { id } = await this.#make(kind, [201], "POST", `${PUBLIC}/contacts`, {
        email: `c${mark}@client.example`,
        company: mark,
      });
      const path = `${PUBLIC}/contacts/${id}`;
      const read = async () => {
        const answer = await this.#call("GET", path);
        return answer.status === 200 ? answer.body.company : answer.status;
      };
      this.#claims.note(path, read, mark);
      await this.#change(kind, path, `${mark} Ltd`, [200], "PATCH", path, { company: `${mark} Ltd` });
      if (this.#chance.between(0, 3) > 0) await this.#change(kind, path, 404, [204], "DELETE", path);
    },
    "rename a folder": async (kind, mark) => {
      const place = this.#place("folders");
      const { uuid } = await this.#make(kind, [200, 201], "POST", `${PUBLIC}/documents/folders`, { name: mark });
      const path = `${PUBLIC}/documents/folders/${uuid}`;
      const read = async () => {
        const { body } = await this.#call("GET", `${PUBLIC}/documents/folders?count=100&page=1`);
        return body.results.filter((row: Body) => row.uuid === uuid).map((row: Body) => row.name);
      };
      if ((await read()).length === 0) return;
      this.#claims.note(place, read, [mark]);
      await this.#change(kind, place, [`${mark}!`], [200], "PUT", path, { name: `${mark}!` });
    },
    "duplicate a template": async (kind, mark) => {
      const { id } = await this.#make(kind, [200, 201], "POST", `${PUBLIC}/templates/TemplateOneSignerxxxxx/duplicate`, {
        name: mark,
      });
      const path = `${PUBLIC}/templates/${id}`;
      const read = async () => {
        const answer = await this.#call("GET", `${path}/details`);
        return answer.status === 200 ? answer.body.name : answer.status;
      };
      this.#claims.note(path, read, await read());
      await this.#change("delete a template", path, 404, [204], "DELETE", path);
    },
  };

  /** Adds a name to a list, or removes one that an earlier change added. */
  async #listed(
    kind: string,
    list: string,
    name: string,
    add: [string, string, unknown],
    pathOf: (name: string) => string,
  ): Promise<void> {
    const place = this.#place(list);
    const state = this.#claims.state(place) as string[] | undefined;
    if (!state) return;
    const old = state.find((one) => one.startsWith(this.#name) || one.startsWith(`s-${this.#name}`));
    if (old !== undefined && state.length > 3)
      await this.#change(
        kind,
        place,
        state.filter((one) => one !== old),
        [204],
        "DELETE",
        pathOf(encodeURIComponent(old)),
      );
    else await this.#change(kind, place, [...state, name].sort(), [200, 201], ...add);
  }

  async #saveWorld(): Promise<void> {
    const key = `test-made-${this.#name}-${this.#worlds.length}`;
    await this.#do([200], "POST", "/__admin/transitions", { model: "document.processing", progression: "immediate" }, key);
    const names = Array.from({ length: this.#worlds.length === 0 ? 3 : WORLD_DOCUMENTS }, (_, i) => `W${i}`);
    const had = await this.#names(key);
    for (const name of names) await this.#do([201], "POST", `${PUBLIC}/documents`, this.#draft(name), key);
    const answer = await fetch(`${this.server}/__admin/world`, { headers: { authorization: `API-Key ${key}` } }).catch(() => {
      throw new Gone("the server is gone");
    });
    const bytes = new Uint8Array(
      await answer.arrayBuffer().catch(() => {
        throw new Gone("the server is gone");
      }),
    );
    this.#worlds.push({ bytes, names: [...had, ...names].sort() });
  }
}
