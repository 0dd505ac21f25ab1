import { CreatedThings, type CreatedKind } from "./created-things.ts";
import { type Answer, at, type CallInput, listAt, type Service, shown } from "./service.ts";
import { smallPdf } from "./small-pdf.ts";
import { ServiceFailure, Undecided } from "./story-errors.ts";

/**
 * `email` is the address of the key's owner, the only recipient of sent documents. `run` makes the names of this probe unique.
 * `hasOwnContact`: the account had a contact with that address before the probe. `deadTarget`: an https address without a server.
 */
export interface AccountFacts {
  email: string;
  kind: "sandbox" | "production";
  hasOwnContact: boolean;
  run: string;
  deadTarget: string;
}

/** The members of an answer that hold the id, where it is not `id`. */
const ID_MEMBERS: Partial<Record<CreatedKind, string>> = { "webhook subscription": "uuid", "catalog item": "uuid" };
const TEMPLATES = "/public/v1/templates";
const TEMPLATES_MAX = 10;
const NAME = "docdouble probe";
const TEXT = "A file of docdouble probe. It may be deleted.";
const LOOKS_AFTER_S = [3, 4, 6, 8, 10, 15, 20, 30, 60];

/** Makes what stories need. Methods throw Undecided when an answer fits no reading, and ServiceFailure when the service fails. */
export class Account {
  readonly service: Service;
  readonly createdThings: CreatedThings;
  /** What stays until the last story has ended. */
  readonly shared: CreatedThings;
  readonly facts: AccountFacts;
  #count = 0;
  #kept = new Map<string, string>();
  #templates: unknown[] | undefined;

  constructor(service: Service, facts: AccountFacts) {
    this.service = service;
    this.createdThings = new CreatedThings(service);
    this.shared = new CreatedThings(service);
    this.facts = facts;
  }

  call(method: string, target: string, input?: CallInput): Promise<Answer> {
    return this.service.call(method, target, input);
  }

  newName(): string {
    this.#count++;
    return `${NAME} ${this.facts.run}-${this.#count}`;
  }

  newEmail(): string {
    this.#count++;
    return `docdouble-probe-${this.facts.run}-${this.#count}@example.com`;
  }

  /** Without a clear answer the thing counts as perhaps created. */
  async create(kind: CreatedKind, name: string, target: string, input: CallInput): Promise<Answer> {
    const confirm = this.createdThings.announce(kind, name);
    // The service makes a contact of each recipient.
    if (kind === "document" && !this.facts.hasOwnContact) this.shared.expect("contact", this.facts.email);
    const answer = await this.call("POST", target, input);
    const id = at(answer.json, ID_MEMBERS[kind] ?? "id");
    if (answer.status >= 300) confirm(undefined);
    else if (typeof id === "string") confirm(id);
    else throw new ServiceFailure(`POST ${target} answered ${answer.status} without an id.`);
    return answer;
  }

  /** `data` replaces members of the request. */
  upload(data: object = {}, file: { text?: string; bytes?: Buffer; query?: string } = {}): Promise<Answer> {
    const name = "name" in data && typeof data.name === "string" ? data.name : this.newName();
    const bytes = file.bytes ?? smallPdf(file.text ?? TEXT);
    const form = fileForm(bytes, "probe.pdf", { name, recipients: [this.me("Client")], fields: {}, ...data });
    return this.create("document", name, `/public/v1/documents?upload${file.query ?? ""}`, { form });
  }

  /** The name of the file is the name in the request. */
  uploadTemplate(data: (name: string) => object = (name) => ({ name })): Promise<Answer> {
    const name = this.newName();
    return this.create("template", name, `${TEMPLATES}?upload`, { form: fileForm(smallPdf(TEXT), `${name}.pdf`, data(name)) });
  }

  async template(): Promise<string> {
    const id = idOf(required(await this.uploadTemplate(), "the upload of a template"));
    const status = await this.#settled(`${TEMPLATES}/${id}`, "template.UPLOADED");
    if (status !== "template.PROCESSED") throw new Undecided(`The uploaded template became ${status}.`);
    return id;
  }

  createDocument(body: object): Promise<Answer> {
    const name = this.newName();
    return this.create("document", name, "/public/v1/documents", { body: { name, ...body } });
  }

  me(role: string): { email: string; first_name: string; last_name: string; role: string } {
    return { email: this.facts.email, first_name: "Docdouble", last_name: "Probe", role };
  }

  async processed(id: string): Promise<string> {
    return this.#settled(`/public/v1/documents/${id}`, "document.uploaded");
  }

  async #settled(target: string, unsettled: string): Promise<string> {
    for (const seconds of LOOKS_AFTER_S) {
      await this.service.pacing.wait(seconds * 1000);
      const status = at((await this.call("GET", target)).json, "status");
      if (typeof status === "string" && status !== unsettled) return status;
    }
    throw new Undecided(`${target} still had the status ${unsettled} after ${LOOKS_AFTER_S.length} looks.`);
  }

  async draft(data: object = {}): Promise<string> {
    return this.#drafted(required(await this.upload(data), "the upload"));
  }

  async draftFrom(template: string, data: object = {}): Promise<string> {
    const body = { template_uuid: template, recipients: [], ...data };
    return this.#drafted(required(await this.createDocument(body), "a document from a template"));
  }

  async #drafted(made: Answer): Promise<string> {
    const id = idOf(made);
    const status = await this.processed(id);
    if (status !== "document.draft") throw new Undecided(`The new document became ${status} instead of document.draft.`);
    return id;
  }

  /** The shared things are for stories that change nothing. */
  sharedDraft(): Promise<string> {
    return this.once("draft", () => this.draft());
  }

  /** For stories that add parts to it and look at these parts alone. */
  draftForParts(): Promise<string> {
    return this.once("draft for parts", () => this.draft());
  }

  sharedSent(): Promise<string> {
    return this.once("sent document", async () => (await this.sent()).id);
  }

  async once(what: string, make: () => Promise<string>): Promise<string> {
    const kept = this.#kept.get(what);
    if (kept !== undefined) return kept;
    const id = await make();
    this.createdThings.handOver(decodeURIComponent(id), this.shared);
    this.#kept.set(what, id);
    return id;
  }

  async ownTemplates(): Promise<unknown[]> {
    this.#templates ??= await this.#readTemplates();
    return this.#templates;
  }

  async #readTemplates(): Promise<unknown[]> {
    const { json } = required(await this.call("GET", `${TEMPLATES}?count=${TEMPLATES_MAX}`), "the list of templates");
    const templates: unknown[] = [];
    for (const one of listAt(json, "results")) {
      // Another story made it and will delete it.
      if (String(at(one, "name")).startsWith(NAME)) continue;
      const details = await this.call("GET", `${TEMPLATES}/${encodeURIComponent(String(at(one, "id")))}/details`);
      if (details.status === 200) templates.push(details.json);
    }
    return templates;
  }

  send(id: string): Promise<Answer> {
    return this.call("POST", `/public/v1/documents/${id}/send`, { body: { silent: true, subject: "docdouble probe" } });
  }

  async sent(): Promise<{ id: string; answer: Answer }> {
    const id = await this.draft();
    return { id, answer: required(await this.send(id), "sending") };
  }
}

function fileForm(bytes: Buffer, name: string, data: object): FormData {
  const form = new FormData();
  form.append("file", new File([new Uint8Array(bytes)], name, { type: "application/pdf" }));
  form.append("data", JSON.stringify(data));
  return form;
}

/** @throws Undecided */
export function required(answer: Answer, what: string): Answer {
  if (answer.status >= 300) throw new Undecided(`The service refused ${what}: ${shown(answer)}`);
  return answer;
}

export function idOf({ json }: Answer): string {
  return encodeURIComponent(String(at(json, "id")));
}
